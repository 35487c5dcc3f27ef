import datetime as dt
import json

import pytest
import yaml
from corpus.fast_import import kinds, spans

from inforce.config.jurisdiction import Jurisdiction
from inforce.config.load import ConfigError, check_config
from inforce.corpus.read_decisions import read_decisions
from inforce.corpus.read_law import read_law, section_rows

CONFIG = """
title: A release
language: th
corpus_date: 2026-09-01
root: .
sections: {type: release}
decisions: {format: release, file: validation_split.jsonl}
labels: {unit_words: [มาตรา], suffix_words: [ทวิ], sub_paragraph_words: [วรรค]}
holds_whole_laws: false
"""
CANARY = {"canary": "TEST CANARY"}


def section(label, start, end, text, **more):
    uri = f"/law/LAW-1/section-{label.replace(' ', '_')}/v/{start}"
    fields = {"version_uri": uri, "law_code": "LAW-1", "law_name_th": "กฎหมาย", "label": label, "component_type": "section"}
    return CANARY | fields | {"valid_from": start, "valid_to": end, "is_law_active": True, "text": text} | more


def citation(label, start, **more):
    uri = f"/law/LAW-1/section-{label.replace(' ', '_')}/v/{start}"
    dates = {"valid_from": start, "valid_to": None, "current_uri": None, "drift": "amended"}
    return {"law_code": "LAW-1", "law_name_th": "กฎหมาย", "label": label, "is_loadbearing": True, "version_uri": uri} | dates | more


def case(name, citations, **more):
    question = {
        "question": "ถาม",
        "question_type": "ruling",
        "depends_on_previous": False,
        "verdict": "ตอบ",
        "reasoning": "เพราะ",
        "citations": citations,
    }
    fields = {
        "id": name,
        "domain": "labor",
        "court": "court",
        "source": "deka",
        "source_id": "1/2557",
        "decision_date": "2014-03-05",
        "year_be": 2557,
    }
    fields |= {"decade": "2550s", "title": "t", "fact_pattern": "f", "drift_band": "amended", "n_sub_questions": 1, "n_cited_laws": 1}
    return CANARY | fields | {"asks_shared_question": [], "corpus_date": "2026-09-01", "sub_questions": [question]} | more


def write(folder, sections, cases):
    for name, records in (("gold_sections.jsonl", sections), ("validation_split.jsonl", cases)):
        text = "".join((record if isinstance(record, str) else json.dumps(record, ensure_ascii=False)) + "\n" for record in records)
        (folder / name).write_text(text, encoding="utf-8")
    return folder, check_config(yaml.safe_load(CONFIG), Jurisdiction, "release.yaml")


def test_both_versions_of_a_section(tmp_path):
    old, new = section("77 ทวิ", "2002-10-09", "2015-10-20", "เก่า"), section("77 ทวิ", "2015-10-20", None, "ใหม่")
    law = read_law(*write(tmp_path, [new, old], [case("a", [])]))
    assert spans(law.versions, "77 ทวิ") == [("2002-10-09", "2015-10-20", "เก่า"), ("2015-10-20", "", "ใหม่")]
    assert [(entry.law_code, entry.name) for entry in law.laws] == [("LAW-1", "กฎหมาย")]
    assert section_rows(law.versions, "th")[0]["version_uri"] == "th/law/LAW-1/section-77_ทวิ/v/2002-10-09"
    assert law.problems == []
    assert "CANARY" not in str(law)


def test_a_law_no_longer_active_has_ended_by_the_corpus_date(tmp_path):
    law = read_law(*write(tmp_path, [section("1", "2000-01-01", None, "x", is_law_active=False)], [case("a", [])]))
    assert not law.laws[0].is_active(dt.date(2026, 9, 1))


def test_wrong_records_are_named(tmp_path):
    good = section("1", "2000-01-01", None, "x")
    wrong = [
        "{",
        "[]",
        {"law_code": "LAW-1"},
        section("2", "2000-01-01", "1999-01-01", "x"),
        section("3", "2000-01-01", None, ""),
        good | {"version_uri": "/law/OTHER/section-1/v/2000-01-01"},
        good,
        good | {"text": "other"},
    ]
    folder, config = write(tmp_path, [good, *wrong], [case("a", [])])
    with open(folder / "gold_sections.jsonl", "ab") as handle:
        handle.write(b'{"x": "\xe9"}\n')
    law = read_law(folder, config)
    assert len(law.versions) == 1
    assert [problem.kind for problem in law.problems].count("not_json") == 2
    assert [problem.reason.rsplit(" ", 2)[1:] for problem in law.problems if problem.kind == "duplicate_key"] == [
        ["same", "contents"],
        ["another", "text"],
    ]
    assert kinds(law.problems) == ["bad_record", "duplicate_key", "missing_field", "not_json"]


def test_a_row_that_contradicts_another_is_named(tmp_path):
    good = section("1", "2000-01-01", None, "x")
    other = section("2", "2000-01-01", None, "x", is_law_active=False)
    law = read_law(
        *write(tmp_path, [good, good | {"valid_to": "2010-01-01"}, other, section("3", "2000-01-01", None, "x\0")], [case("a", [])])
    )
    assert [(version.label, version.valid_to) for version in law.versions] == [("1", None), ("2", None)]
    assert [(problem.row, problem.kind, problem.action) for problem in law.problems] == [
        ("line 2", "duplicate_key", "rejected"),
        ("line 3", "conflicting_law", "noted"),
        ("line 4", "bad_record", "rejected"),
    ]
    assert law.problems[0].reason.endswith("with another valid_to")


def test_cases_are_decisions(tmp_path):
    order = {"law_code": None, "law_name_th": None, "label": None, "law": "An order", "is_loadbearing": True, "version_uri": None}
    cited = [citation("77 ทวิ", "2002-10-09"), citation("24", "1990-09-02", is_loadbearing=False), order]
    cases = [case("b", cited, asks_shared_question=["a"]), case("a", [], asks_shared_question=["b"]), case("c", [])]
    read = read_decisions(*write(tmp_path, [section("1", "2000-01-01", None, "x")], cases))
    assert [(decision.decision_id, decision.shared_question) for decision in read.decisions] == [("a", "a"), ("b", "a"), ("c", None)]
    first, background, instrument = read.decisions[1].sub_questions[0].citations
    assert (first.law_code, first.label, first.valid_from, first.is_loadbearing) == ("LAW-1", "77 ทวิ", dt.date(2002, 10, 9), True)
    assert not background.is_loadbearing
    assert (instrument.law_code, instrument.law) == (None, "An order")


def test_cases_that_do_not_fit_are_named(tmp_path):
    odd = case("d", [])
    odd["sub_questions"][0]["question_type"] = "riddle"
    read = read_decisions(
        *write(tmp_path, [section("1", "2000-01-01", None, "x")], [case("a", []), case("a", []), {"id": "b"}, odd, case("e", [{}])])
    )
    assert [decision.decision_id for decision in read.decisions] == ["a", "d"]
    assert kinds(read.problems) == ["bad_record", "duplicate_key", "missing_field", "unknown_question_type"]


def test_cases_without_a_date_or_a_question_are_rejected_and_the_rest_goes_on(tmp_path):
    dates = ["x", "", None, "2559-02-29", "9999-12-31"]
    bad = [case(f"d{number}", [], decision_date=date) for number, date in enumerate(dates)] + [case("q", [], sub_questions=[])]
    good = [case("year", [], decision_date="2010"), case("month", [], decision_date="2010-05")]
    folder, config = write(tmp_path, [section("1", "2000-01-01", None, "x")], [*bad, *good])
    with open(folder / "validation_split.jsonl", "ab") as handle:
        handle.write(b'{"x": "\xe9"}\n')
    read = read_decisions(folder, config)
    assert [(decision.decision_id, decision.decision_date) for decision in read.decisions] == [("month", "2010-05"), ("year", "2010")]
    assert [problem.row for problem in read.problems] == ["d0", "d1", "d2", "d3", "d4", "q", "line 9"]
    assert {problem.action for problem in read.problems} == {"rejected"}


def test_missing_files_are_said(tmp_path):
    folder, config = write(tmp_path, [section("1", "2000-01-01", None, "x")], [])
    with pytest.raises(ConfigError, match="no usable case"):
        read_decisions(folder, config)
    (folder / "gold_sections.jsonl").unlink()
    with pytest.raises(ConfigError, match=r"gold_sections\.jsonl does not exist"):
        read_law(folder, config)


def test_a_law_without_a_name(tmp_path):
    unnamed = section("1", "2000-01-01", None, "x", law_name_th=None)
    folder, config = write(tmp_path, [unnamed, section("2", "2000-01-01", None, "y", law_name_th=" ")], [case("a", [])])
    law = read_law(folder, config)
    assert [(one.law_code, one.name) for one in law.laws] == [("LAW-1", "LAW-1")]
    assert len(law.versions) == 2
    assert [(problem.source, problem.row, problem.kind, problem.action) for problem in law.problems] == [
        ("gold_sections.jsonl", f"line {number}", "unnamed_law", "repaired") for number in (1, 2)
    ]
    # another line has the name, before or after: no contradiction
    for sections in ([unnamed, section("2", "2000-01-01", None, "y")], [section("2", "2000-01-01", None, "y"), unnamed]):
        law = read_law(*write(tmp_path, sections, [case("a", [])]))
        assert [one.name for one in law.laws] == ["กฎหมาย"]
        assert kinds(law.problems) == ["unnamed_law"]


def test_nothing_that_is_null_becomes_the_word_none(tmp_path):
    sections = [section("1", "2000-01-01", None, "x"), section("2", "2000-01-01", None, "y") | {"label": None}]
    sections += [section("3", "2000-01-01", None, None), section("4", "2000-01-01", None, "z", law_code=None)]
    law = read_law(*write(tmp_path, sections, [case("a", [])]))
    assert [version.label for version in law.versions] == ["1"]
    assert [(problem.row, problem.kind) for problem in law.problems] == [(f"line {number}", "bad_record") for number in (2, 3, 4)]


def test_years_of_another_calendar_are_no_dates(tmp_path):
    sections = [section("1", "2000-01-01", "9999-12-31", "x"), section("2", "2543-01-01", None, "y")]
    folder, config = write(tmp_path, sections, [case("a", []), case("b", [], decision_date="2557-03-05")])
    law = read_law(folder, config)
    assert spans(law.versions, "1") == [("2000-01-01", "", "x")]
    assert [(problem.row, problem.kind) for problem in law.problems] == [("line 1", "sentinel_date"), ("line 2", "implausible_year")]
    read = read_decisions(folder, config)
    assert [decision.decision_id for decision in read.decisions] == ["a"]
    assert [(problem.row, problem.kind) for problem in read.problems] == [("b", "implausible_year")]
