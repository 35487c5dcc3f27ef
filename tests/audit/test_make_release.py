"""The release of three cases, of which one is in the test split and asks the validation case's question."""

import datetime as dt
import hashlib
import json

import pytest

from inforce.audit import make_release as module
from inforce.config.release import ReleaseSettings
from inforce.config.sources import Release
from inforce.corpus.release import read_release_decisions, read_release_law
from inforce.records.items import Citation, Item, SubQuestion
from inforce.records.labels import LabelRules

CANARY = "a canary string of some length 0001"
THEN, NOW = "demo/law/SALE/section-11/v/1980-01-01", "demo/law/SALE/section-11/v/2000-01-01"
LAW = {"law_code": "SALE", "name": "Sales Act", "is_active": True}


def settings(**changes):
    values = {"title": "T", "description": "D", "publisher": "P", "licence": "L", "licence_text": "text", "canary": CANARY}
    return ReleaseSettings(**(values | {"published": dt.date(2026, 9, 1)} | changes))


def section(uri, start, end, text):
    names = {"version_uri": uri, "law_code": "SALE", "label": "11", "component_type": "section"}
    return names | {"valid_from": start, "valid_to": end, "text": text}


SECTIONS = [
    section(THEN, dt.date(1980, 1, 1), dt.date(2000, 1, 1), "Notice within 14 days."),
    section(NOW, dt.date(2000, 1, 1), None, "Notice within two months."),
    section("demo/law/SALE/section-12/v/1980-01-01", dt.date(1980, 1, 1), None, "Not cited."),
]


def item(name, shared=()):
    resolved = Citation(
        law_code="SALE",
        law_name_th="Sales Act",
        label="11",
        is_loadbearing=True,
        version_uri=THEN,
        valid_from=dt.date(1980, 1, 1),
        valid_to=dt.date(2000, 1, 1),
        current_uri=NOW,
        drift="amended",
    )
    nothing = dict.fromkeys(("law_code", "law_name_th", "label", "version_uri", "valid_from", "valid_to", "current_uri", "drift"))
    order = Citation(law="Hygiene Order", is_loadbearing=False, **nothing)
    question = SubQuestion(
        question="In time?",
        question_type="ruling",
        depends_on_previous=False,
        verdict=f"No, says {name}.",
        reasoning=f"In {name} the buyer wrote after three weeks, which was too late under section 11.",
        citations=[resolved, order],
    )
    return Item(
        id=name,
        domain="sales",
        court="Court",
        source="court",
        source_id=f"{name}/1984",
        decision_date="1984-05-22",
        date_precision="day",
        law_date=dt.date(1984, 5, 22),
        applicable_date=None,
        year_be=2527,
        decade="1980s",
        title="Late complaint",
        fact_pattern=f"The buyer of {name} saw a crack in the drum and wrote to the trader 24 days later.",
        drift_band="amended",
        n_sub_questions=1,
        n_cited_laws=1,
        asks_shared_question=list(shared),
        corpus_date=dt.date(2026, 9, 1),
        sub_questions=[question],
    )


ITEMS = [item("case-a", ["case-b"]), item("case-b", ["case-a"]), item("case-c")]
SPLITS = {"case-a": "validation", "case-b": "test", "case-c": "reserve"}


def build(items=ITEMS, splits=SPLITS, **changes):
    return module.build(items, splits, SECTIONS, [LAW], settings(**changes), {"grading/rubric.md": module.rubric()})


def test_only_the_validation_split_leaves():
    files = build()
    for name, text in files.items():
        for secret in ("case-b", "case-c", ITEMS[1].fact_pattern, ITEMS[2].sub_questions[0].reasoning):
            assert secret not in text, name
    (record,) = map(json.loads, files["validation_split.jsonl"].splitlines())
    assert record["id"] == "case-a"
    assert record["asks_shared_question"] == []


def test_a_record_has_the_fields_of_a1_and_no_others():
    (record,) = map(json.loads, build()["validation_split.jsonl"].splitlines())
    assert list(record) == [*module.ITEM_FIELDS, "asks_shared_question", "corpus_date", "sub_questions", "canary"]
    question = record["sub_questions"][0]
    assert question.keys() == {"question", "question_type", "depends_on_previous", "verdict", "reasoning", "citations"}
    first, second = question["citations"]
    assert first["version_uri"] == "/law/SALE/section-11/v/1980-01-01"
    assert first["current_uri"] == "/law/SALE/section-11/v/2000-01-01"
    assert second == {"law": "Hygiene Order", "is_loadbearing": False}


def test_gold_sections_are_both_versions_of_what_is_cited():
    records = [json.loads(line) for line in build()["gold_sections.jsonl"].splitlines()]
    assert [record["text"] for record in records] == ["Notice within 14 days.", "Notice within two months."]
    fields = {
        "version_uri",
        "law_code",
        "law_name_th",
        "label",
        "component_type",
        "valid_from",
        "valid_to",
        "is_law_active",
        "text",
        "canary",
    }
    assert all(record.keys() == fields for record in records)


def test_the_canary_is_in_every_record_and_document_and_the_checksums_hold():
    files = build()
    for name, text in files.items():
        if name.endswith(".jsonl"):
            assert all(json.loads(line)["canary"] == CANARY for line in text.splitlines())
        elif name != "SHA256SUMS":
            assert CANARY in text, name
    sums = dict(reversed(line.split("  ")) for line in files["SHA256SUMS"].splitlines())
    assert sums == {name: hashlib.sha256(text.encode()).hexdigest() for name, text in files.items() if name != "SHA256SUMS"}


def test_the_pipeline_reads_its_own_release(tmp_path):
    for name, text in build().items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    labels = LabelRules()
    law = read_release_law(tmp_path, Release(type="release", file="gold_sections.jsonl"), labels, dt.date(2026, 9, 1))
    assert [(version.label, version.valid_from, version.text) for version in law.versions] == [
        ("11", dt.date(1980, 1, 1), "Notice within 14 days."),
        ("11", dt.date(2000, 1, 1), "Notice within two months."),
    ]
    (decision,), problems = read_release_decisions(tmp_path / "validation_split.jsonl", labels)
    assert problems == [] and law.problems == []
    assert (decision.decision_id, decision.fact_pattern) == ("case-a", ITEMS[0].fact_pattern)
    resolved, order = decision.sub_questions[0].citations
    assert (resolved.law_code, resolved.label, resolved.valid_from) == ("SALE", "11", dt.date(1980, 1, 1))
    assert order.law == "Hygiene Order"


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"allowed": False}, "do not allow publishing"),
        ({"splits": {}}, "item case-a has no split"),
        ({"splits": dict.fromkeys(SPLITS, "test")}, "nothing to publish"),
        ({"items": [ITEMS[0], ITEMS[1].model_copy(update={"fact_pattern": ITEMS[0].fact_pattern})]}, "holds a text of item case-b"),
        ({"description": "like case-b and others"}, r"README\.md names item case-b"),
    ],
)
def test_what_must_not_leave_stops_the_release(changes, says):
    with pytest.raises(module.ReleaseError, match=says):
        build(**changes)


def test_a_fence_of_the_prompt_does_not_close_the_document_s(tmp_path):
    (tmp_path / "judge_system.txt").write_text("```\nGrade.\n```\n")
    text = module.judge_prompt([tmp_path / "judge_system.txt"])
    assert "~~~~~~text\n```\nGrade.\n```\n~~~~~~" in text


def test_the_rubric_lists_eight_tiers():
    assert module.rubric().count("\n| T") == 8
    assert "| T8 | agrees with the court's | 9 to 10 |" in module.rubric()
