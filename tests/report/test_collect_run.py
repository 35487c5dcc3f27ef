from __future__ import annotations

import json
from pathlib import Path

import pytest
from report.small_run import HOSTILE, NEW, OLD, collect_arguments, make_run

from inforce.config.model import Judge
from inforce.records.answers import Answer
from inforce.records.problems import Problem, write_problems
from inforce.report import collect_run as module
from inforce.report.words import ReportError


def files_of(folder: Path) -> dict[str, list[str]]:
    """The cell files of a run that is on disk."""
    found = {name: sorted(folder.glob(f"*/*/{name}.*")) for name in ("answers", "grades", "scores", "citations")}
    return {name: [str(path) for path in paths] for name, paths in found.items()}


@pytest.fixture(scope="module")
def page(small_report: Path) -> dict[str, object]:
    return json.loads((small_report / "demo" / "page.json").read_text(encoding="utf-8"))


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
    assert (first["version_class"], first["is_hit"], first["invented"]) == ("exact", True, None)
    assert (second["text"], second["version_class"], second["invented"]) == (f"Act of Nowhere {HOSTILE} 7", "nonexistent", "law")
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
    (file,) = module.count_problems([path])
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


def test_evenly() -> None:
    assert module.evenly(3, 5) == [0, 1, 2]
    assert module.evenly(10, 3) == [0, 3, 6]
    assert module.evenly(0, 3) == []


def test_hidden_items_leave_no_text_behind(tmp_path: Path) -> None:
    make_run(tmp_path, "demo", 2, ("parametric",), hostile=False)
    module.main(collect_arguments(tmp_path, "demo", files_of(tmp_path / "demo"), "--hide-items", "--note", "Held-out split."))
    text = (tmp_path / "demo" / "page.json").read_text(encoding="utf-8")
    page = json.loads(text)
    assert page["items"] == [] and page["items_hidden"] and page["n_items"] == 2 and page["notes"][-1] == "Held-out split."
    assert "taken away" not in text and OLD not in text


def test_too_many_items_are_thinned_evenly_and_bytes_are_equal(small_report: Path, tmp_path: Path) -> None:
    arguments = collect_arguments(small_report, "demo", files_of(small_report / "demo"), "--max-bytes", "60000")
    for name in ("one.json", "two.json"):
        module.main([*arguments[:-1], str(tmp_path / name)])
    assert (tmp_path / "one.json").read_bytes() == (tmp_path / "two.json").read_bytes()
    page = json.loads((tmp_path / "one.json").read_text(encoding="utf-8"))
    assert 0 < len(page["items"]) < 6 and page["n_items"] == 6
    assert page["items"][0]["id"] == "crim::000"


def test_only_the_lines_asked_for_are_parsed(tmp_path: Path, small_report: Path) -> None:
    lines = (small_report / "demo" / "little-model" / "parametric" / "answers.jsonl").read_text(encoding="utf-8").split("\n")[:-1]
    fake = json.dumps({"note": '"item_id":"crim::001"', "item_id": "other"}, separators=(",", ":"))  # not an Answer: parsing it would fail
    (tmp_path / "a.jsonl").write_text("\n".join([fake, *lines]) + "\n", encoding="utf-8")
    assert [answer.item_id for answer in module.pick_lines(tmp_path / "a.jsonl", Answer, {"crim::001"})] == ["crim::001"]
    assert module.pick_lines(tmp_path / "a.jsonl", Answer, set()) == []
    with pytest.raises(ReportError, match="does not exist"):
        module.pick_lines(tmp_path / "none.jsonl", Answer, {"a"})


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
    page = json.loads(out.read_text(encoding="utf-8"))
    out.unlink()
    assert [item["id"] for item in page["items"]] == ids[::3] and page["n_held_out"] == 4
    held_out = [item_id for n, item_id in enumerate(ids) if n % 3]
    assert not [item_id for item_id in held_out if item_id in json.dumps(page)]


def test_an_item_without_a_split_stops_the_page(small_report: Path, tmp_path: Path) -> None:
    (tmp_path / "splits.csv").write_text("item_id,split\nother,validation\n", encoding="utf-8")
    with pytest.raises(SystemExit, match="does not name item"):
        module.main(collect_arguments(small_report, "demo", files_of(small_report / "demo"), "--splits", str(tmp_path / "splits.csv")))
