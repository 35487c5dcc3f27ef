"""Whatever is changed in a manifest that fits, so that it says more than the run did, is refused with status 2 and named."""

import hashlib
import json

import pytest
from audit.paper_run import ANSWERS, BOARD, NAME, STORE, WEIGHTS, PaperRun

from inforce.audit.consistency import kind_of


@pytest.fixture
def run(tmp_path):
    return PaperRun(tmp_path)


def test_a_manifest_that_fits_is_audited(run):
    status, out, err = run.check("--results", run.results)
    assert (status, out.splitlines()[-1][:6]) == (0, "EQUAL:"), out + err
    assert "handed over              3 of 3 files of the manifest; differences: 0" in out


def hide_board(run):
    run.job(BOARD).update(module="models.prepare_model", rule="prepare_model")


def drop_board(run):
    run.value["jobs"].remove(run.job(BOARD))


def drop_all(run):
    run.value.update(files={}, jobs=[], modules={})


def drop_entry(name):
    return lambda run: run.value["files"].pop(name)


def set_job(output, **values):
    return lambda run: run.job(output).update(values)


def set_top(**values):
    return lambda run: run.value.update(values)


def new_revision(run):
    run.job(ANSWERS)["models"] = [{**run.job(ANSWERS)["models"][0], "revision": "GPT-9"}]


def as_target_the_weights(run):
    run.value["targets"] = [BOARD, WEIGHTS]


def two_makers(run):
    run.job(BOARD)["outputs"] = [BOARD, WEIGHTS]


def kind(name, value):
    return lambda run: run.value["files"][name].update(kind=value)


def disguised_result(run):
    run.value["files"]["results/x.csv"] = {"sha256": "0", "size": 1, "kind": "data"}


def unread_data(run):
    run.value["files"]["x.csv"] = {"sha256": "0", "size": 1, "kind": "data"}


FORGED = {
    "the leaderboard's module is one whose files are not made again": (
        set_job(BOARD, module="models.prepare_model"),
        "a rule runs the module of its name",
    ),
    "its rule too": (hide_board, f"{BOARD} is not what models.prepare_model makes"),
    "its job is gone": (drop_board, f"{BOARD} is an artefact and the output of no job"),
    "no files and jobs": (drop_all, f"target {BOARD} is no artefact"),
    "no targets": (set_top(targets=[]), "it has no targets"),
    "an artefact is no file": (drop_entry(BOARD), "the output of a job and no artefact"),
    "an input is no file": (drop_entry("config/prices.csv"), "config/prices.csv is an input and not among the files"),
    "code is no file": (
        drop_entry("scripts/inforce/report/make_leaderboard.py"),
        "which report.make_leaderboard runs, is not among the files",
    ),
    "rules are no file": (drop_entry("rules/all.smk"), "it has no file rules/all.smk"),
    "a target that a model makes": (as_target_the_weights, f"target {WEIGHTS} is made by a model"),
    "two jobs make a file": (two_makers, f"{WEIGHTS} is the output of 2 jobs"),
    "a file is made from itself": (set_job(ANSWERS, inputs=[BOARD, "config/models/m.yaml"]), "is made from itself"),
    "a file is for no target": (set_job(BOARD, inputs=["config/prices.csv"]), f"no target is made from {ANSWERS}"),
    "code as an artefact": (kind("rules/all.smk", "artefact"), "rules/all.smk is an artefact and the output of no job"),
    "a result as data": (disguised_result, "results/x.csv stands there as data"),
    "data that no job reads": (unread_data, "no job reads it"),
    "another rule": (set_job(BOARD, rule="make_it", module="report.make_it"), "the modules whose files it lists are not those of its jobs"),
    "another code": (set_job(BOARD, code="0" * 64), "the code digest of report.make_leaderboard is 000000000000"),
    "other files of a module": (
        lambda run: run.value["modules"].update({"report.make_leaderboard": []}),
        "the files that it lists for report.make_leaderboard",
    ),
    "another revision": (new_revision, "and config/models/m.yaml names another"),
    "no model": (set_job(ANSWERS, models=[]), "was made with no model by the manifest, and with org/m r1 (e 1) by the stored responses"),
    "a model behind the leaderboard": (set_job(BOARD, n_responses=1), f"{BOARD} has stored responses behind it"),
    "responses counted otherwise": (set_job(ANSWERS, n_responses=3), f"{ANSWERS} has 3 stored responses behind it, and 2 in the table"),
    "uses counted otherwise": (set_top(n_stored=9), "it counts 9 uses of stored responses, and its table has 2"),
    "no images": (set_top(images={}), "was made in image cpu, which is not among the images"),
    "an image in words": (set_top(images={"cpu": "x"}), "image cpu has no file and sha256"),
    "another image": (set_top(images={"cpu": {"file": "containers/cpu-2.sif", "sha256": "0"}}), "image cpu is not the one of"),
    "an image elsewhere": (set_top(images={"cpu": {"file": "containers/../../x.sif", "sha256": "0"}}), "which is no file in containers/"),
    "a table elsewhere": (set_top(stored="../x"), "names no file inside the project"),
    "no table": (set_top(stored=""), "names no file inside the project"),
    "a table in a folder": (set_top(stored="a/x"), "the table lies beside the manifest"),
}


@pytest.mark.parametrize("what", FORGED)
def test_a_forged_manifest_cannot_be_audited(run, what):
    forge, says = FORGED[what]
    forge(run)
    run.save()
    status, out, err = run.check()
    assert status == 2, out
    assert says in err, err
    assert "Traceback" not in err


@pytest.mark.parametrize("name", ["../src", "/etc/passwd", "rules/../../x", "results//x", "-n", "", "./x"])
def test_a_name_outside_the_project_is_refused_wherever_it_stands(run, name):
    places = [
        lambda value: value["files"].update({name: value["files"][BOARD]}),
        lambda value: value["targets"].append(name),
        lambda value: value["jobs"][0]["inputs"].append(name),
        lambda value: value["jobs"][0]["outputs"].append(name),
        lambda value: value["modules"]["report.make_leaderboard"].append(name),
    ]
    kept = json.dumps(run.value)
    for place in places:
        run.value = json.loads(kept)
        place(run.value)
        run.save()
        status, _, err = run.check()
        assert status == 2 and "names no file inside the project" in err


def rows(change):
    """A table changed, with digest and count in the manifest brought into step."""

    def forge(run):
        change(run.rows)
        run.write()

    return forge


def all_gone(run):
    run.rows = []
    run.job(ANSWERS).update(n_responses=0, models=[])
    run.write()


TABLES = {
    "emptied": (rows(lambda rows: rows.clear()), f"{ANSWERS} has 2 stored responses behind it, and 0 in the table"),
    "emptied in step": (all_gone, f"no stored response stands behind {ANSWERS}; only an audit that makes it again can tell"),
    "another seed": (rows(lambda rows: rows[0].update(seed=8)), f"gives {NAME} the seed 8, and 7 was sent"),
    "another user": (rows(lambda rows: rows[0].update(used_by="results/x")), "behind results/x, which is no artefact"),
    "twice": (rows(lambda rows: rows.append(rows[0])), "names one use of a stored response twice"),
    "a store elsewhere": (rows(lambda rows: rows[0].update(store="../m")), "which is no folder of a response store"),
    "an empty cell": (rows(lambda rows: rows[0].update(name=None)), "which is no folder of a response store"),
}


@pytest.mark.parametrize("what", TABLES)
def test_a_forged_table_cannot_be_audited(run, what):
    forge, says = TABLES[what]
    forge(run)
    status, out, err = run.check()
    assert (status, says in err) == (2, True), out + err


def test_a_damaged_table_with_its_own_digest_is_said(run):
    path = run.results / "manifest.stored.parquet"
    path.write_bytes(path.read_bytes() + b"x")
    run.value["stored_sha256"] = hashlib.sha256(path.read_bytes()).hexdigest()
    run.save()
    status, _, err = run.check()
    assert status == 2 and f"{path} cannot be read" in err and "Traceback" not in err


def test_what_differs_in_project_or_store_is_a_difference_and_no_misfit(run):
    (run.folder / "scripts/inforce/report/make_leaderboard.py").write_text("no python (")
    (run.folder / "config/models/m.yaml").write_text("revision: r2\n")
    (run.folder / STORE).write_text("")
    status, out, err = run.check()
    assert status == 1, err
    assert "\nDifferences:\n" in out
    for name in ("scripts/inforce/report/make_leaderboard.py differs", "config/models/m.yaml differs", f"{STORE} is not whole"):
        assert name in out


def test_a_file_is_of_a_kind_by_its_place():
    names = ["rules/x.smk", "scripts/inforce/a/b.py", "envs/cpu.txt", "config/a/b.yaml", "results/a", "data/th/a.csv", "own/law.csv"]
    assert [kind_of(name) for name in names] == ["code", "code", "environment", "config", "artefact", "data", "data"]
