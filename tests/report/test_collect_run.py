from __future__ import annotations

import base64
import json
import zlib
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow.parquet as pq
import pytest
from report.small_run import HOSTILE, NEW, OLD, collect_arguments, make_run, unpack

from inforce.config.model import Judge
from inforce.records.files import canonical_json
from inforce.records.items import Item
from inforce.records.lines import read_lines, write_lines
from inforce.records.masks import ItemMasks
from inforce.records.problems import Problem, write_problems
from inforce.records.tables import CITATION_SCORES, write_table
from inforce.report import collect_run as module
from inforce.report.page_answers import each_long_text, shortened_to


def files_of(folder: Path) -> dict[str, list[str]]:
    """The cell files of a run that is on disk."""
    patterns = {
        "answers": "answers/*/*/*.jsonl",
        "grades": "grades/*/*/*/*.jsonl",
        **{name: f"scores/*/*/*/{name}.parquet" for name in ("scores", "citations")},
    }
    found = {name: sorted(folder.glob(pattern)) for name, pattern in patterns.items()}
    return {name: [str(path) for path in paths] for name, paths in found.items()}


def inflated(packed: str) -> bytes:
    return zlib.decompress(base64.b64decode(packed), -15)


def read_page(path: Path) -> dict[str, Any]:
    """page.json with its answers unpacked."""
    page: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    for item in page["items"]:
        item["answers"] = unpack(item["packed"]) if item["packed"] else []
    return page


@pytest.fixture(scope="module")
def page(small_report: Path) -> dict[str, Any]:
    return read_page(small_report / "demo" / "page.json")


def test_an_item_has_its_question_both_texts_and_every_answer(page: dict) -> None:
    assert [item["id"] for item in page["items"]] == [f"crim::{number:03d}" for number in range(6)]
    amended = page["items"][4]
    (section,) = amended["drifted"]  # named by both sub-questions, shown once
    assert "".join(text for kind, text in section["parts"] if kind != "new") == OLD
    assert "".join(text for kind, text in section["parts"] if kind != "old") == NEW
    assert (section["valid_from"], section["valid_to"], section["has_current"]) == ("1957-01-01", "2017-11-10", True)
    repealed = page["items"][2]["drifted"][0]
    assert not repealed["has_current"] and repealed["parts"] == [["same", "A debtor may be held until he pays."]]
    assert page["items"][0]["drifted"] == []
    assert len({(a["model"], a["setting"]) for a in amended["answers"]}) == len(amended["answers"]) == 10
    assert amended["questions"][0]["citations"][1] == {"name": "Notification 3", "version": None, "drift": None, "loadbearing": True}


def test_an_answer_has_status_searches_citations_with_their_class_and_grades(page: dict) -> None:
    answer = next(a for a in page["items"][0]["answers"] if a["setting"] == "rag_current" and a["model"] == "little-model")
    assert answer["status"] == "ok" and answer["raw"] == "" and len(answer["searches"][0]["version_uris"]) == 10
    first, second = answer["subs"][0]["citations"]
    assert first["found"] == [{"version_class": "exact", "is_hit": True, "invented": None}]
    assert second == {
        "text": f"Act of Nowhere {HOSTILE} 7",
        "found": [{"version_class": "nonexistent", "is_hit": False, "invented": "law"}],
    }
    assert answer["grades"]["1"][0]["judge"] == "little" and answer["grades"]["1"][0]["tier"] in ("T3", "T5")
    assert answer["scores"]["1"]["citation_f1"] == 0.667


def test_an_answer_that_did_not_parse_is_shown_as_it_came(page: dict) -> None:
    answers = [a for item in page["items"] for a in item["answers"] if a["status"] == "unparsed"]
    assert answers and all(a["raw"] and a["detail"] and not a["subs"] for a in answers)
    assert all(a["scores"]["1"]["score"] is None for a in answers)


def test_numbers_are_numbers_and_unknown_is_null(page: dict) -> None:
    cost = next(row for row in page["settings"] if row["metric"] == "cost_usd")
    assert cost["value"] is None and cost["n_scored"] == 0
    assert all(isinstance(row["n"], int) for row in page["statuses"])


def test_problems_are_counted_by_kind_with_examples(tmp_path: Path) -> None:
    rows = [Problem("f", "1", "rare", "why", "rejected"), *(Problem("f", str(n), "often", "why", "noted") for n in range(30))]
    path = tmp_path / "corpus" / "xx" / "law_problems.csv"
    write_problems(path, rows)
    (file,) = module.count_problems([path], lambda row, reason: False)
    assert (file["file"], file["n"]) == ("corpus/law_problems", 31)
    assert [(kind["kind"], kind["action"], kind["n"], len(kind["examples"])) for kind in file["kinds"]] == [
        ("often", "noted", 30, 20),
        ("rare", "rejected", 1, 1),
    ]


def test_notes_on_a_panel_that_is_none() -> None:
    small, one, two = (Judge(name=name, model=name.lower()) for name in ("Small", "One", "Two"))
    assert module.judge_notes([small, one, two], ["other"]) == []
    filled, own = module.judge_notes([small, small, small], ["small"])
    assert filled.startswith("All 3 seats of the panel are filled by one judge Small.") and "test of the pipeline" in filled
    assert own == "Small also answers in this run: it grades its own answers."
    assert module.judge_notes([one, two, one], [])[0].startswith("The 3 seats of the panel are filled by One, Two.")


def test_hidden_items_leave_no_text_behind(tmp_path: Path) -> None:
    make_run(tmp_path, "demo", 2, ("parametric",), hostile=False)
    module.main(collect_arguments(tmp_path, "demo", files_of(tmp_path / "demo"), "--hide-items", "--note", "Held-out split."))
    text = (tmp_path / "demo" / "page.json").read_text(encoding="utf-8")
    page = json.loads(text)
    assert page["items"] == [] and page["items_hidden"] and page["n_items"] == 2 and page["notes"][-1] == "Held-out split."
    assert "taken away" not in text and OLD not in text


def test_too_long_answers_are_cut_and_none_is_dropped(small_report: Path, tmp_path: Path) -> None:
    arguments = collect_arguments(small_report, "demo", files_of(small_report / "demo"))[:-1]
    module.main([*arguments, str(tmp_path / "whole.json")])
    whole = read_page(tmp_path / "whole.json")
    room = sum(len(inflated(item["packed"])) for item in whole["items"]) - 20_000
    for name in ("one.json", "two.json"):
        module.main([*arguments[:-1], "--max-bytes", str(room), "--out", str(tmp_path / name)])
    assert (tmp_path / "one.json").read_bytes() == (tmp_path / "two.json").read_bytes()
    cut = read_page(tmp_path / "one.json")
    assert whole["cut_at"] is None and cut["cut_at"] > 20

    def cut_by_hand(length: int) -> list[dict[str, Any]]:
        blocks = [json.loads(inflated(item["packed"])) for item in whole["items"]]
        return [block | {"answers": [each_long_text(a, shortened_to(length)) for a in block["answers"]]} for block in blocks]

    assert cut_by_hand(cut["cut_at"]) == [json.loads(inflated(item["packed"])) for item in cut["items"]]
    fits, does_not = (sum(len(canonical_json(block).encode()) for block in cut_by_hand(cut["cut_at"] + more)) for more in (0, 1))
    assert fits <= room < does_not
    texts = [sub["reasoning"] for item in cut["items"] for a in item["answers"] for sub in a["subs"]]
    assert max(map(len, texts)) == cut["cut_at"] + 1 and any(text.endswith("…") for text in texts)


def test_every_item_is_shown_with_the_first_sample_only(small_report: Path, tmp_path: Path) -> None:
    """Files of another sample are not opened, here they could not be read; lines of it are not parsed wherever they stand."""
    files = files_of(small_report / "demo")
    for name, path in (("answers", "m/rag_current/2.jsonl"), ("grades", "m/rag_current/12/little.jsonl")):
        files[name].append(str(tmp_path / "none" / path))
    files["scores"].append(str(tmp_path / "m" / "parametric" / "2" / "scores.parquet"))
    other = tmp_path / "elsewhere.jsonl"
    lines = Path(files["answers"][0]).read_text(encoding="utf-8")
    other.write_text(lines.replace('"sample":1', '"sample":2,"unknown":1'), encoding="utf-8")
    files["answers"].append(str(other))
    protocol = json.loads((small_report / "config" / "protocol.yaml").read_text(encoding="utf-8"))
    (tmp_path / "protocol.yaml").write_text(json.dumps(protocol | {"samples": 3, "samples_of": {"little-model": 1}}), encoding="utf-8")
    arguments = collect_arguments(small_report, "demo", files, "--protocol-config", str(tmp_path / "protocol.yaml"))
    module.main([*arguments[:-1], str(tmp_path / "page.json")])
    page = read_page(tmp_path / "page.json")
    assert [item["n_answers"] for item in page["items"]] == [10] * 6 and page["samples"] == [1, 3]
    assert page["items"][5]["statuses"] == ["ok", "unparsed"]


def test_a_list_citation_has_a_row_a_section(small_report: Path, tmp_path: Path) -> None:
    """`290, 999` is one position with two rows: one a hit, the other invented."""
    files = files_of(small_report / "demo")
    path = Path(next(name for name in files["citations"] if "little-model/parametric" in name))
    rows = pq.read_table(path).to_pylist()
    first = rows[0]
    listed = [
        first | {"cited": '{"law":"Penal Code","section":"290"}'},
        first | {"cited": '{"law":"Penal Code","section":"999"}', "version_class": "nonexistent", "is_hit": False, "invented": "section"},
    ]
    changed = tmp_path / "1" / "citations.parquet"
    write_table(changed, [*listed, *rows[1:]], CITATION_SCORES)
    files["citations"] = [str(changed)]
    arguments = collect_arguments(small_report, "demo", files)
    module.main([*arguments[:-1], str(tmp_path / "page.json")])
    item = next(item for item in read_page(tmp_path / "page.json")["items"] if item["id"] == first["item_id"])
    answer = next(a for a in item["answers"] if (a["model"], a["setting"]) == ("little-model", "parametric"))
    assert answer["subs"][0]["citations"][0]["found"] == [
        {"version_class": "exact", "is_hit": True, "invented": None, "part": "290"},
        {"version_class": "nonexistent", "is_hit": False, "invented": "section", "part": "999"},
    ]


def test_examples_that_name_a_held_out_item_are_left_out(tmp_path: Path) -> None:
    held = "crim::001"
    rows = [
        Problem("d", f"{held} sub-question 2 citation 1", "ended", "no version of xx/law/A/section-10 was in force", "repaired"),
        Problem("d", "crim::0012 sub-question 1", "ended", "another item", "repaired"),
        Problem("d", "line 4", "ended", f"decision {held} was already read", "repaired"),
        Problem("d", "001", "ended", "by its id in the source", "repaired"),
        Problem("d", "7", "ended", "1/2550 decides 2 cases: 1/2550, 2/2550", "repaired"),
        Problem("d", "8", "ended", "11/2550 is another case", "repaired"),
    ]
    path = tmp_path / "drift" / "xx" / "problems.csv"
    write_problems(path, rows)
    (file,) = module.count_problems([path], module.naming([held, "1/2550"], "crim::"))
    (kind,) = file["kinds"]
    assert (kind["n"], kind["n_held_out"]) == (6, 4)
    assert [row for _, row, _ in kind["examples"]] == ["crim::0012 sub-question 1", "8"]


def test_the_page_names_no_held_out_item_among_the_problems(small_report: Path, tmp_path: Path) -> None:
    """An item of the test split that the run does not even hold is known from the splits."""
    path = tmp_path / "drift" / "xx" / "problems.csv"
    write_problems(path, [Problem("d", f"{name} citation 1", "ended", "xx/law/A/section-10", "noted") for name in ("crim::000", "far::9")])
    splits = tmp_path / "splits.csv"
    splits.write_text("item_id,split\nfar::9,test\n" + "".join(f"crim::{n:03d},validation\n" for n in range(6)), encoding="utf-8")
    more = ["--splits", str(splits), "--problems", str(path)]
    arguments = collect_arguments(small_report, "demo", files_of(small_report / "demo"), *more)
    module.main([*arguments[:-1], str(tmp_path / "page.json")])
    text = (tmp_path / "page.json").read_text(encoding="utf-8")
    (kind,) = json.loads(text)["problems"][0]["kinds"]
    assert (kind["n"], kind["n_held_out"], len(kind["examples"])) == (2, 1, 1) and "far::9" not in text


def test_no_splits_no_page_unless_none_are_declared(small_report: Path, tmp_path: Path) -> None:
    arguments = collect_arguments(small_report, "demo", files_of(small_report / "demo"))
    at = arguments.index("--splits")
    arguments = [*arguments[:at], *arguments[at + 2 : -1], str(tmp_path / "page.json")]
    with pytest.raises(SystemExit, match="not public and no splits are given"):
        module.main(arguments)
    config = json.loads((small_report / "config" / "jurisdiction.yaml").read_text(encoding="utf-8"))
    for more in ({"items_public": True}, {"splits": {"test": 0, "validation": 0}}):
        (tmp_path / "xx.yaml").write_text(json.dumps(config | more), encoding="utf-8")
        module.main([*arguments, "--jurisdiction-config", str(tmp_path / "xx.yaml")])
        assert len(read_page(tmp_path / "page.json")["items"]) == 6


def test_leaderboard_cells_are_printed_by_one_rule() -> None:
    """Half to even as in the tables, from the value itself: 3.125 is 3.12, and 2.67499 does not become 2.675 and then 2.68."""
    columns = ["model", "setting", "domain", "band", "value", "low", "high", "n_scored", "n"]
    rows = [("m", "parametric", "all", "all", 3.125, 2.67499, 5.0, 3, 4), ("m", "parametric", "all", "repealed", None, None, None, 0, 2)]
    assert module.score_cells(pd.DataFrame(rows, columns=columns)) == {
        "m|parametric|all|all": [3.125, "3.12", "2.67", "5.00", 3, 4],
        "m|parametric|all|repealed": [None, "", "", "", 0, 2],
    }


def test_failures_are_one_sentence(small_report: Path) -> None:
    arguments = collect_arguments(small_report, "demo", files_of(small_report / "demo"))
    for name, message in (("--items", "does not exist"), ("--composition", "does not exist"), ("--protocol-config", "does not exist")):
        broken = [*arguments]
        broken[broken.index(name) + 1] = str(small_report / "none.yaml")
        with pytest.raises(SystemExit, match=message):
            module.main(broken)


def test_only_items_of_the_validation_split_are_shown(small_report: Path, tmp_path: Path) -> None:
    splits = tmp_path / "splits.csv"
    ids = [item["id"] for item in json.loads((small_report / "demo" / "page.json").read_text(encoding="utf-8"))["items"]]
    splits.write_text(
        "item_id,split\n" + "".join(f"{item_id},{('validation', 'test', 'reserve')[n % 3]}\n" for n, item_id in enumerate(ids))
    )
    out = small_report / "demo" / "split_page.json"
    arguments = collect_arguments(small_report, "demo", files_of(small_report / "demo"), "--splits", str(splits))
    arguments[-1] = str(out)
    module.main(arguments)
    page = read_page(out)
    out.unlink()
    assert [item["id"] for item in page["items"]] == ids[::3] and page["n_held_out"] == 4
    held_out = [item_id for n, item_id in enumerate(ids) if n % 3]
    assert not [item_id for item_id in held_out if item_id in json.dumps(page)]


def test_a_cluster_is_named_by_a_member_that_may_be_named(small_report: Path, tmp_path: Path) -> None:
    items = read_lines(small_report / "demo" / "items.jsonl", Item)
    ids = [item.id for item in items]
    write_lines(tmp_path / "items.jsonl", [item.model_copy(update={"asks_shared_question": sorted({*ids} - {item.id})}) for item in items])
    splits = tmp_path / "splits.csv"
    splits.write_text("item_id,split\n" + "".join(f"{name},{'test' if n < 2 else 'validation'}\n" for n, name in enumerate(ids)))
    more = ["--splits", str(splits), "--items", str(tmp_path / "items.jsonl")]
    arguments = collect_arguments(small_report, "demo", files_of(small_report / "demo"), *more)[:-1]
    module.main([*arguments, str(tmp_path / "page.json")])
    text = (tmp_path / "page.json").read_text(encoding="utf-8")
    assert {item["cluster"] for item in json.loads(text)["items"]} == {ids[2]}
    assert ids[0] not in text and ids[1] not in text
    config = json.loads((small_report / "config" / "jurisdiction.yaml").read_text(encoding="utf-8"))
    (tmp_path / "xx.yaml").write_text(json.dumps(config | {"items_public": True}), encoding="utf-8")
    module.main([*arguments[:-1], "--jurisdiction-config", str(tmp_path / "xx.yaml"), "--out", str(tmp_path / "page.json")])
    assert {item["cluster"] for item in read_page(tmp_path / "page.json")["items"]} == {ids[0]}


def test_texts_of_items_are_the_masked_ones(small_report: Path, tmp_path: Path) -> None:
    items = read_lines(small_report / "demo" / "items.jsonl", Item)
    named = [item.model_copy(update={"title": "Mr Pemble", "fact_pattern": "Mr Pemble sued."}) for item in items]
    write_lines(tmp_path / "items.jsonl", named)
    write_lines(tmp_path / "masked.jsonl", [item.model_copy(update={"title": "Mr P.", "fact_pattern": "Mr P. sued."}) for item in named])
    word = "seller"  # stands in every reply
    write_lines(tmp_path / "masks.jsonl", [ItemMasks(item_id=item.id, masks={word: "S."}) for item in items])
    more = ["--items", str(tmp_path / "items.jsonl"), *(f"--{name}={tmp_path}/{name}.jsonl" for name in ("masked", "masks"))]
    arguments = collect_arguments(small_report, "demo", files_of(small_report / "demo"), *more)[:-1]
    module.main([*arguments, str(tmp_path / "page.json")])
    page = read_page(tmp_path / "page.json")
    assert [(item["title"], item["fact_pattern"]) for item in page["items"]] == [("Mr P.", "Mr P. sued.")] * 6
    assert "Pemble" not in json.dumps(page)
    said = json.dumps([item["answers"] for item in page["items"]])
    assert word not in said and "The S. kept the thing" in said and page["items"][0]["n_answers"] == 10
    write_lines(tmp_path / "masked.jsonl", items[1:])
    with pytest.raises(SystemExit, match=f"lacks item {items[0].id}; mask the items again"):
        module.main([*arguments, str(tmp_path / "page.json")])


def test_an_item_without_a_split_stops_the_page(small_report: Path, tmp_path: Path) -> None:
    (tmp_path / "splits.csv").write_text("item_id,split\nother,validation\n", encoding="utf-8")
    with pytest.raises(SystemExit, match="does not name item"):
        module.main(collect_arguments(small_report, "demo", files_of(small_report / "demo"), "--splits", str(tmp_path / "splits.csv")))
