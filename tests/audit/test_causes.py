"""A graph on paper: law.csv -> laws -> scores -> table; answers (from stored lines) -> scores; table's parameter from config/p.yaml."""

from audit.test_manifest import manifest

from inforce.audit.causes import Findings, chains, first_causes
from inforce.audit.manifest import Job


def job(output, inputs, module):
    return Job(rule=output, module=module, code="", params=[], inputs=inputs, outputs=[output], image=None, models=[], n_responses=0)


GRAPH = manifest(
    jobs=[
        job("laws", ["law.csv"], "corpus.laws"),
        job("answers", ["laws", "prompt.txt"], "answers.ask"),
        job("scores", ["answers", "laws"], "scores.score"),
        job("table", ["scores"], "report.table"),
    ],
    modules={"scores.score": ["scripts/score.py"], "report.table": ["scripts/table.py"]},
)


def found(artefacts, sources=(), stored=(), jobs=(), environment=(), spare=()):
    words = {name: f"{name} differs" for name in artefacts}
    differ = {name: f"{name} differs" for name in sources}
    return chains(GRAPH, Findings(differ, dict(stored), dict(jobs), words, list(environment), dict(spare)))


def test_the_chain_goes_up_to_the_source():
    chain = found(["laws", "answers", "scores", "table"], ["law.csv"])["table"]
    assert chain == ["table differs", "scores differs", "laws differs", "law.csv differs"]


def test_a_stored_response_is_the_first_cause():
    got = found(["answers", "scores", "table"], stored={"answers": ["responses/m/1.jsonl line 17 differs"]})
    assert got["table"][-2:] == ["answers differs", "responses/m/1.jsonl line 17 differs"]
    assert first_causes(got) == {"responses/m/1.jsonl line 17 differs": ["answers", "scores", "table"]}


def test_code_parameters_and_packages():
    assert found(["table"], ["scripts/table.py", "scripts/score.py"])["table"][-1] == "scripts/table.py differs"
    assert found(["scores"], ["scripts/table.py", "scripts/score.py"])["scores"][-1] == "scripts/score.py differs"
    changed = found(["table"], ["config/p.yaml"], jobs={"table": "a parameter of table was 100 and is 200"})["table"][-1]
    assert changed == "config/p.yaml differs (a parameter of table was 100 and is 200)"


def test_what_is_left_is_the_environment_or_that_store_or_manifest_are_of_another_run():
    others = "or the stored responses or the manifest are not those of the run"
    assert found(["table"], environment=["numpy 2, here 3"])["table"][-1] == f"the environment differs (numpy 2, here 3), {others}"
    assert found(["table"])["table"][-1] == f"all that it was made from is the same: it is not reproducible here, {others}"


def test_a_line_of_the_store_that_does_not_count_goes_before_the_environment():
    line = "responses/searches/m/1.jsonl line 27 differs: it was cut short"
    chain = found(["answers", "table"], environment=["numpy 2, here 3"], spare={"answers": [line]})["answers"]
    assert chain[-1] == f"{line}; it does not count, and the project's code may have read it"
