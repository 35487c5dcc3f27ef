"""The command as a process would run it, against a real server, real embeddings and a real index."""

import json
import re
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml
from answers.cases import GONE, LATE_WAGE, PROMPTS, case, cite
from retrieval.book import CORPUS_DATE, LAWS, SECTIONS, WAGE_1_NEW, WAGE_1_OLD, WAGE_2, WAGE_3

from inforce.answers.answer_items import main
from inforce.models.prepare_model import main as prepare_model
from inforce.records import tables
from inforce.records.answers import Answer
from inforce.records.lines import read_lines, write_lines
from inforce.records.status import SETTINGS
from inforce.retrieval.build_index import main as build_index
from inforce.retrieval.embed_sections import main as embed_sections

ROOT = Path(__file__).parents[2]
EMBEDDING = ROOT / "config" / "embeddings" / "minilm.yaml"
ITEMS = [LATE_WAGE, GONE, case("other", "2004-05", "month", ("Is a wage in goods paid?", [cite(WAGE_3, WAGE_3)]))]


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    """The files that the command reads, made by the commands that make them."""
    folder = tmp_path_factory.mktemp("book")
    tables.write_table(folder / "laws.parquet", LAWS, tables.LAWS)
    tables.write_table(folder / "sections.parquet", SECTIONS, tables.SECTIONS)
    write_lines(folder / "items.jsonl", ITEMS)
    vectors, versions = ["--vectors", str(folder / "vectors.npy")], ["--versions", str(folder / "versions.json")]
    embed_sections(["--embedding-config", str(EMBEDDING), "--sections", str(folder / "sections.parquet"), *vectors, *versions])
    build_index([*vectors, "--index", str(folder / "index.bin")])
    return folder


@pytest.fixture
def job(book, tmp_path, stub_server, capsys):
    """`run = job(server, setting=...)` -> what the command wrote, printed and asked."""

    def prepare(server, setting="rag_in_force", tools="native", structured_output="json_schema", **protocol):
        search = {"embedding": "minilm", "top_k": 2, "max_searches": 2}
        values = {"models": ["stub"], "panel": ["j"], "search": search, "reply": {"verdict_chars": 60}} | protocol
        (tmp_path / "protocol.yaml").write_text(yaml.safe_dump(values))
        model = {
            "name": "Stub",
            "checkpoint": "stub",
            "revision": "1",
            "via": {"kind": "endpoint", "base_url": server.base_url, "max_attempts": 2, "concurrency": 2},
            "context_window": 8192,
            "max_output_tokens": 512,
            "tools": tools,
            "structured_output": structured_output,
        }
        (tmp_path / "stub.yaml").write_text(yaml.safe_dump(model))

        def run(*more, run="r", out="out.jsonl"):
            paths = {"items": book / "items.jsonl", "laws": book / "laws.parquet", "sections": book / "sections.parquet"}
            if "--stored-only" not in more:  # an auditor has no embedding model, and so no index
                paths |= {"vectors": book / "vectors.npy", "versions": book / "versions.json", "index": book / "index.bin"}
            paths |= {"protocol-config": tmp_path / "protocol.yaml", "model-config": tmp_path / "stub.yaml", "embedding-config": EMBEDDING}
            paths |= {"prompts": PROMPTS / "essay.en", "responses": tmp_path / "responses", "out": tmp_path / out}
            fixed = ["--run", run, "--model-name", "stub", "--setting", setting, "--sample", "1"]
            before = len(server.requests())
            main([*fixed, *[part for name, path in paths.items() for part in (f"--{name}", str(path))], *more])
            printed = capsys.readouterr()
            return SimpleNamespace(
                answers=read_lines(tmp_path / out, Answer),
                bytes=(tmp_path / out).read_bytes(),
                summary=printed.out.strip(),
                asked=server.requests()[before:],
            )

        run.folder = tmp_path
        return run

    return prepare


@pytest.mark.parametrize("tools", ["native", "action_protocol"])
@pytest.mark.parametrize("setting", SETTINGS)
def test_all_settings_answer_and_a_second_run_asks_nothing(job, stub_server, setting, tools):
    run = job(stub_server(), setting, tools)
    first = run()
    assert [answer.item_id for answer in first.answers] == ["late-wage", "gone", "other"]
    assert [answer.status for answer in first.answers] == ["ok"] * 3, [answer.detail for answer in first.answers]
    assert [len(answer.sub_answers) for answer in first.answers] == [2, 1, 1]
    assert f"responses: {len(first.asked)} asked, 0 found" in first.summary
    again = run("--stored-only", run="another")
    assert (again.bytes, again.asked) == (first.bytes, [])
    assert f"0 asked, {len(first.asked)} found" in again.summary


@pytest.mark.parametrize(
    ("setting", "expected"),
    [("rag_in_force", {WAGE_1_OLD, WAGE_2, WAGE_3}), ("rag_current", {WAGE_1_NEW, WAGE_3})],
)
def test_a_search_finds_only_what_is_in_force_on_the_item_s_day(job, stub_server, setting, expected):
    run = job(stub_server(), setting, search={"embedding": "minilm", "top_k": 10, "max_searches": 2})
    done = run()
    for answer in done.answers:
        (search,) = answer.search_trace
        assert set(search.version_uris) == expected
    shown = [message["content"] for body in done.asked for message in body["messages"] if message["role"] == "tool"]
    assert len(shown) == 6  # each search is in the request after it, and in the one that asks for the form
    assert CORPUS_DATE.isoformat() not in str(shown)


def test_calls_that_are_malformed_and_two_in_one_turn(job, stub_server):
    fail = [{"match": "goods", "do": "two_tool_calls"}, {"match": "Was the wage late", "do": "malformed_tool_call", "first": 1}]
    late, gone, other = job(stub_server(fail=fail))().answers
    assert (late.n_tool_call_errors, len(late.search_trace)) == (1, 0)
    assert (gone.n_tool_call_errors, len(gone.search_trace)) == (0, 1)
    assert (other.n_tool_call_errors, len(other.search_trace)) == (0, 2)
    assert [answer.status for answer in (late, gone, other)] == ["ok"] * 3


@pytest.mark.parametrize(
    ("do", "status"),
    [
        ("unparsed", "unparsed"),
        ("truncated", "unparsed"),
        ("empty", "empty_at_limit"),
        ("overflow", "context_overflow"),
        ("filter", "refused"),
        ("refusal", "refused"),
    ],
)
def test_what_goes_wrong_with_one_item_is_its_status(job, stub_server, do, status):
    run = job(stub_server(fail=[{"match": "goods", "do": do}]), "gold_in_force")
    done = run()
    assert [answer.status for answer in done.answers] == ["ok", "ok", status]
    assert done.answers[2].sub_answers == []
    assert done.answers[2].detail
    assert f"1 {status}" in done.summary
    assert run().bytes == done.bytes


def test_too_many_endpoint_errors_write_no_file_and_a_second_run_resumes(job, stub_server):
    server = stub_server(fail=[{"match": "goods", "do": "503", "first": 2}])
    run = job(server, "parametric")
    with pytest.raises(SystemExit) as error:
        run()
    assert re.fullmatch(
        r".*out\.jsonl is not written: 1 items ended as endpoint_error and 0 may; the first was other: .*503.*"
        r"All that was answered is stored: run again to resume, or raise max_endpoint_errors in .*protocol\.yaml",
        str(error.value),
    )
    assert not (run.folder / "out.jsonl").exists()
    done = run()
    assert [answer.status for answer in done.answers] == ["ok"] * 3
    assert len(done.asked) == 1


def test_so_many_endpoint_errors_as_the_protocol_allows_are_statuses(job, stub_server):
    run = job(stub_server(fail=[{"match": "goods", "do": "503"}]), "parametric", max_endpoint_errors=1)
    assert [answer.status for answer in run().answers] == ["ok", "ok", "endpoint_error"]


def test_without_schemas_the_form_is_asked_for_in_words_alone(job, stub_server):
    text = '```json\n{"answers":[{"sub_question":1,"verdict":"Yes.","reasoning":"r","citations":["u"]}]}\n```'
    run = job(stub_server(fail=[{"match": "", "do": "text", "text": text}]), "gold_in_force", structured_output="none")
    done = run()
    assert not any("response_format" in body for body in done.asked)
    assert all('Its key "answers" is a list' in body["messages"][0]["content"] for body in done.asked)
    assert [answer.status for answer in done.answers] == ["unparsed", "ok", "ok"]


def test_one_changed_item_is_asked_anew_and_no_other(job, stub_server, book, tmp_path):
    run = job(stub_server(), "gold_in_force")
    run()
    changed = ITEMS[1].model_copy(update={"fact_pattern": "Another story."})
    write_lines(tmp_path / "changed.jsonl", [ITEMS[2], changed, ITEMS[0]])
    done = run("--items", str(tmp_path / "changed.jsonl"))
    assert [answer.item_id for answer in done.answers] == ["other", "gone", "late-wage"]
    assert len(done.asked) == 1
    assert "Another story." in json.dumps(done.asked)


def test_a_stored_only_run_fails_on_what_is_missing_and_asks_nothing(job, stub_server):
    server = stub_server()
    for setting in ("parametric", "rag_current"):
        with pytest.raises(SystemExit, match=r"holds no response named [0-9a-f]{64}"):
            job(server, setting)("--stored-only")
    assert server.requests() == []


def test_a_stored_only_run_fails_on_a_search_that_is_missing(job, stub_server):
    run = job(stub_server())
    run()
    for path in (run.folder / "responses" / "searches" / "stub").glob("*.jsonl"):
        path.unlink()
    with pytest.raises(SystemExit, match=r"holds no search named [0-9a-f]{64}"):
        run("--stored-only")


def test_bad_input_is_one_sentence(job, stub_server, tmp_path):
    run = job(stub_server())
    with pytest.raises(SystemExit, match=r"no_such.yaml does not exist"):
        run("--protocol-config", str(tmp_path / "no_such.yaml"))
    with pytest.raises(SystemExit, match=r"has no system.txt"):
        run("--prompts", str(tmp_path))
    (tmp_path / "versions.json").write_text('["x/law/WAGE/section-1/v/1990-01-01"]')
    with pytest.raises(SystemExit, match=r"versions and sections are not of one piece"):
        run("--versions", str(tmp_path / "versions.json"))
    with pytest.raises(SystemExit, match=r"nothing.jsonl"):
        run("--items", str(tmp_path / "nothing.jsonl"))


def test_a_search_setting_without_an_index_says_what_it_needs(book, tmp_path):
    (tmp_path / "p.yaml").write_text(yaml.safe_dump({"models": ["m"], "panel": ["j"], "search": {"embedding": "minilm"}}))
    paths = {"items": book / "items.jsonl", "laws": book / "laws.parquet", "sections": book / "sections.parquet"}
    paths |= {
        "prompts": PROMPTS / "essay.en",
        "protocol-config": tmp_path / "p.yaml",
        "model-config": ROOT / "config/models/smollm2-135m.yaml",
    }
    paths |= {"responses": tmp_path / "responses", "out": tmp_path / "out.jsonl"}
    named = [part for name, path in paths.items() for part in (f"--{name}", str(path))]
    with pytest.raises(SystemExit, match="setting rag_current searches, and needs --embedding-config"):
        main(["--run", "r", "--model-name", "m", "--setting", "rag_current", "--sample", "1", *named])


@pytest.mark.slow
def test_the_small_model_searches_and_answers_in_the_form(book, tmp_path, capsys):
    """The real model of the demo on one item: every reply is held to the schema, so it parses unless it was cut short."""
    config = ROOT / "config" / "models" / "smollm2-135m.yaml"
    prepare_model(["--model-config", str(config), "--out", str(tmp_path / "weights")])
    write_lines(tmp_path / "items.jsonl", [GONE])
    paths = {"items": tmp_path / "items.jsonl", "laws": book / "laws.parquet", "sections": book / "sections.parquet"}
    paths |= {
        "vectors": book / "vectors.npy",
        "versions": book / "versions.json",
        "index": book / "index.bin",
        "embedding-config": EMBEDDING,
    }
    paths |= {"prompts": PROMPTS / "essay.en", "protocol-config": ROOT / "config/protocols/demo.yaml", "model-config": config}
    paths |= {"weights": tmp_path / "weights", "responses": tmp_path / "responses", "out": tmp_path / "out.jsonl"}
    named = [part for name, path in paths.items() for part in (f"--{name}", str(path))]
    command = ["--run", "r", "--model-name", "smollm2-135m", "--setting", "rag_in_force", "--sample", "1", *named]
    main(command)
    (answer,) = read_lines(tmp_path / "out.jsonl", Answer)
    assert answer.status == "ok" or (answer.status, answer.finish_reason) == ("unparsed", "length")
    assert answer.usage.output_tokens > 0
    first = (tmp_path / "out.jsonl").read_bytes()
    main([*command, "--stored-only"])
    assert (tmp_path / "out.jsonl").read_bytes() == first
    assert "0 asked" in capsys.readouterr().out.splitlines()[-1]
