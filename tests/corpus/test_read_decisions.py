import datetime as dt
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from corpus.small import DEMO, DEMO_CONFIG, TSCC, jurisdiction, needs_tscc, tscc_config, write_rows
from hypothesis import given
from hypothesis import strategies as st

from inforce.config.jurisdiction import DecisionsTable
from inforce.config.load import ConfigError
from inforce.corpus.read_decisions import case_numbers, main, read_decisions, read_records, with_shared_questions
from inforce.records.decisions import Decision, DecisionCitation
from inforce.records.lines import read_lines
from inforce.records.problems import read_problems

GOOD = {
    "decision_id": "d1",
    "court": "Court",
    "source": "s",
    "source_id": "1/2010",
    "decision_date": "2010-05-03",
    "domain": "sales",
    "title": "T",
    "fact_pattern": "F",
    "sub_questions": [{"question": "Q", "verdict": "V", "reasoning": "R", "citations": [{"law_code": "A", "label": "1"}]}],
}


def records(*lines, **table):
    encoded = [line if isinstance(line, bytes) else (line if isinstance(line, str) else json.dumps(line)).encode() for line in lines]
    return read_records(encoded, "d.jsonl", DecisionsTable(file="d.jsonl", **table))


def kinds(problems):
    return [(problem.row, problem.kind, problem.action) for problem in problems]


def test_good_lines_go_on_after_bad_ones():
    without_date = {key: value for key, value in GOOD.items() if key != "decision_date"}
    read = records(
        "{",
        "[]",
        "\n",
        b"\xff{}",
        '"\\ud800"',
        {**GOOD, "verdict": "?"},
        {**GOOD, "sub_questions": []},
        without_date,
        {**GOOD, "decision_date": None},
        {**GOOD, "decision_date": "2010-02-30"},
        {**GOOD, "decision_date": "1970-01-01"},
        GOOD,
        {**GOOD, "title": "the same id"},
        {**GOOD, "decision_id": "d2", "decision_date": "2010"},
    )
    assert [(decision.decision_id, decision.decision_date) for decision in read.decisions] == [("d1", "2010-05-03"), ("d2", "2010")]
    assert kinds(read.problems) == [
        ("line 1", "not_json", "rejected"),
        ("line 2", "bad_record", "rejected"),
        ("line 4", "not_json", "rejected"),
        ("line 5", "not_json", "rejected"),
        ("line 6", "bad_record", "rejected"),
        ("line 7", "no_questions", "rejected"),
        ("line 8", "no_date", "rejected"),
        ("line 9", "no_date", "rejected"),
        ("line 10", "bad_date", "rejected"),
        ("line 11", "sentinel_date", "rejected"),
        ("line 13", "duplicate_key", "rejected"),
    ]
    assert "verdict: Extra inputs are not permitted" in read.problems[4].reason


def test_a_nul_is_refused_wherever_it_stands():
    question = {**GOOD["sub_questions"][0], "verdict": "x\0"}
    read = records({**GOOD, "sub_questions": [question]}, {**GOOD, "title": "\0"}, GOOD)
    assert kinds(read.problems) == [("line 1", "nul_character", "rejected"), ("line 2", "nul_character", "rejected")]


def test_records_are_the_same_from_csv_parquet_and_json_lines(tmp_path):
    questions = json.dumps(GOOD["sub_questions"])
    bad = {**GOOD, "decision_id": "d2", "sub_questions": "{"}
    (tmp_path / "d.jsonl").write_text(json.dumps(GOOD) + "\n{\n", encoding="utf-8")
    write_rows(tmp_path / "d.csv", [tuple({**GOOD, "sub_questions": questions}.values()), tuple(bad.values())], tuple(GOOD))
    pq.write_table(pa.Table.from_pylist([GOOD]), tmp_path / "d.parquet")
    read = [read_decisions(tmp_path, jurisdiction(decisions={"file": f"d.{ending}"})) for ending in ("jsonl", "csv", "parquet")]
    assert read[0].decisions == read[1].decisions == read[2].decisions
    assert [found.decision_id for found in read[0].decisions] == ["d1"]
    assert [kinds(found.problems) for found in read] == [[("line 2", "not_json", "rejected")], [("row 3", "not_json", "rejected")], []]


def test_a_line_nested_beyond_reason_is_a_row_and_the_rest_goes_on():
    read = records("[" * 200_000, GOOD)
    assert len(read.decisions) == 1
    assert kinds(read.problems) == [("line 1", "not_json", "rejected")]


def test_a_year_that_is_a_number_and_another_era():
    read = records({**GOOD, "decision_date": 2553}, calendar="buddhist")
    assert read.decisions[0].decision_date == "2010"


@pytest.mark.parametrize(
    ("number", "cases"),
    [
        ("4399 - 4400/2555", ["4399/2555", "4400/2555"]),
        ("3812-3814/2556", ["3812/2556", "3813/2556", "3814/2556"]),
        ("๑๑๑ –  ๑๑๒/๒๕๑๔", ["111/2514", "112/2514"]),
        ("1478/2528", []),
        ("12-A/2000", []),
        ("9 - 2/2500", ["9/2500", "2/2500"]),
    ],
)
def test_case_numbers(number, cases):
    assert case_numbers(number) == cases


def decision(number, facts):
    return Decision.model_validate({**GOOD, "source_id": number, "fact_pattern": facts})


def test_one_case_is_one_cluster():
    numbers = ["7/2500", "8/2500", "1 - 2/2500", "2/2500", "9/2500", "3/2500", "8/2500"]
    facts = ["a", "b", "c", "d", "e", "d", "f"]
    shared = [found.shared_question for found in with_shared_questions([decision(*pair) for pair in zip(numbers, facts, strict=True)])]
    # 8/2500 twice; 1 - 2 and 2 have a case in common, and 3 has the facts of 2
    assert shared == [None, "8/2500", "1 - 2/2500", "1 - 2/2500", None, "1 - 2/2500", "8/2500"]


@given(st.lists(st.tuples(st.integers(1, 4), st.integers(1, 4)), max_size=12))
def test_clusters_are_closed_under_links(pairs):
    shared = [d.shared_question for d in with_shared_questions([decision(f"{number}/2500", str(facts)) for number, facts in pairs])]
    for i, (number, facts) in enumerate(pairs):
        linked = [j for j, (other, text) in enumerate(pairs) if j != i and (other == number or text == facts)]
        assert (shared[i] is not None) == bool(linked)
        assert all(shared[j] == shared[i] for j in linked)


ISSUE_HEADER = ("issueid", "dekaid", "year", "category", "lawids", "fact", "decision", "isguilty", "isattempt")
ISSUES = {
    "format": "issues_csv",
    "file": "issues.csv",
    "calendar": "buddhist",
    "id_prefix": "x-",
    "title": "No. {number}",
    "columns": {
        "id": "issueid",
        "number": "dekaid",
        "date": "year",
        "category": "category",
        "citations": "lawids",
        "facts": "fact",
        "decision": "decision",
        "guilty": "isguilty",
        "attempt": "isattempt",
    },
    "marks": ["</?discr>"],
    "broken_marks": ["<disc>"],
    "categories": {"P": {"domain": "property", "words": "against property"}},
    "label_text": "section {label}",
    "label_join": ", ",
    "label_names": {"334": "theft"},
    "questions": [
        {
            "question": "Is the accused guilty of {subject}?",
            "verdicts": [
                {"when": {"guilty": "0"}, "text": "Not guilty of {subject}"},
                {"when": {"guilty": "1", "attempt": "1"}, "text": "Guilty of an attempt at {subject}"},
                {"when": {"guilty": "1"}, "text": "Guilty of {subject}"},
                {"when": {"guilty": "-1"}, "text": "{decision}"},
            ],
        },
        {"question": "Which sections apply?", "question_type": "governing_provisions", "verdicts": [{"text": "{provisions}"}]},
    ],
}


def issues(tmp_path, *rows, **changes):
    columns = {
        "law_code": "law_code",
        "label": "label",
        "valid_from": "valid_from",
        "valid_to": "valid_to",
        "text": "text",
        "source_key": "key",
    }
    law = [("A", "334", "2500-01-01", "2560-01-01", "old", "A-334-00"), ("A", "334", "2560-01-01", "", "new", "A-334-01")]
    law += [("A", "83", "2500-01-01", "", "joint", "A-083-00")]
    write_rows(tmp_path / "sections.csv", law, tuple(columns.values()))
    write_rows(tmp_path / "issues.csv", list(rows), ISSUE_HEADER)
    return read_decisions(tmp_path, jurisdiction({"columns": columns, "calendar": "buddhist"}, decisions={**ISSUES, **changes}))


def test_an_issue_becomes_a_decision(tmp_path):
    row = ("7", "12/2528", "2528", "P", "A-334-00, A-083-00", " <discr>He took</discr> it ", "Guilty.", "1", "0")
    read = issues(tmp_path, row)
    assert read.problems == []
    (found,) = read.decisions
    assert (found.decision_id, found.source_id, found.decision_date, found.domain) == ("x-7", "12/2528", "1985", "property")
    assert (found.title, found.fact_pattern, found.shared_question) == ("No. 12/2528", "He took it", None)
    guilt, sections = found.sub_questions
    assert (guilt.question, guilt.verdict, guilt.reasoning) == ("Is the accused guilty of theft?", "Guilty of theft", "Guilty.")
    assert (sections.question_type, sections.depends_on_previous, sections.verdict) == (
        "governing_provisions",
        False,
        "Act A section 334, section 83",
    )
    start = dt.date(1957, 1, 1)
    cited = [DecisionCitation(law_code="A", label=label, valid_from=start) for label in ("334", "83")]
    assert guilt.citations == sections.citations == cited


@pytest.mark.parametrize(
    ("guilty", "attempt", "verdict"),
    [
        ("0", "-1", "Not guilty of theft"),
        ("1", "1", "Guilty of an attempt at theft"),
        ("1", "-1", "Guilty of theft"),
        ("-1", "-1", "It depends."),
    ],
)
def test_verdicts_follow_the_flags(tmp_path, guilty, attempt, verdict):
    read = issues(tmp_path, ("7", "12/2528", "2528", "P", "A-334-01", "facts", "It depends.", guilty, attempt))
    assert read.decisions[0].sub_questions[0].verdict == verdict


def test_problems_of_issues(tmp_path):
    read = issues(
        tmp_path,
        ("1", "12/2528", "2528", "P", "A-334-00", "good", "Guilty.", "1", "0"),
        ("1", "13/2528", "2528", "P", "A-334-00", "again", "Guilty.", "1", "0"),
        ("2", "14/2528", "", "P", "A-334-00", "no date", "Guilty.", "1", "0"),
        ("3", "15/2528", "2528", "P", "A-334-00", "", "Guilty.", "1", "0"),
        ("4", "16/2528", "2528", "P", "A-334-00", "no verdict", "Guilty.", "2", "0"),
        ("5", "17 -  18/2528", "2528", "Q", "A-999-00,A-083-00", "<disc>odd", "Guilty.", "1", "0"),
    )
    assert [found.decision_id for found in read.decisions] == ["x-1", "x-5"]
    assert kinds(read.problems) == [
        ("1", "duplicate_key", "rejected"),
        ("2", "no_date", "rejected"),
        ("3", "empty_text", "rejected"),
        ("4", "no_verdict", "rejected"),
        ("5", "broken_mark", "repaired"),
        ("5", "joined_cases", "noted"),
        ("5", "unknown_category", "noted"),
        ("5", "unknown_version", "noted"),
    ]
    odd = read.decisions[1]
    assert (odd.source_id, odd.domain, odd.fact_pattern) == ("17 - 18/2528", "Q", "odd")
    assert odd.sub_questions[0].citations[0] == DecisionCitation(law="A-999-00")
    assert odd.sub_questions[1].verdict == "A-999-00; Act A section 83"


def test_an_issue_without_category_or_citation_is_a_row_and_the_rest_goes_on(tmp_path):
    read = issues(
        tmp_path,
        ("1", "12/2528", "2528", "", "A-334-00", "no category", "Guilty.", "1", "0"),
        ("2", "13/2528", "2528", "P", "", "no citation", "Guilty.", "1", "0"),
        ("3", "14/2528", "2528", "P", "A-334-00", "good", "Guilty.", "1", "0"),
    )
    assert [found.decision_id for found in read.decisions] == ["x-3"]
    assert kinds(read.problems) == [("1", "bad_record", "rejected"), ("2", "bad_record", "rejected")]
    assert "domain" in read.problems[0].reason
    assert "verdict" in read.problems[1].reason


def test_a_file_without_a_usable_decision_stops(tmp_path):
    with pytest.raises(ConfigError, match="no usable decision; the first problem is: the decision has no date"):
        issues(tmp_path, ("1", "12/2528", "", "P", "A-334-00", "facts", "Guilty.", "1", "0"))


def test_the_bundled_decisions(tmp_path):
    arguments = ["--jurisdiction", "demo", "--jurisdiction-config", str(DEMO_CONFIG), "--root", str(DEMO)]
    main([*arguments, "--decisions", str(tmp_path / "d.jsonl"), "--problems", str(tmp_path / "p.csv")])
    decisions = read_lines(tmp_path / "d.jsonl", Decision)
    assert (len(decisions), sum(len(found.sub_questions) for found in decisions)) == (26, 61)
    assert read_problems(tmp_path / "p.csv") == []
    main([*arguments, "--decisions", str(tmp_path / "again.jsonl"), "--problems", str(tmp_path / "p.csv")])
    assert (tmp_path / "again.jsonl").read_bytes() == (tmp_path / "d.jsonl").read_bytes()


@needs_tscc
def test_the_thai_decisions():
    read = read_decisions(TSCC, tscc_config())
    assert len(read.decisions) == 1207
    assert len({found.source_id for found in read.decisions}) == 998  # of 1,000 spellings; two differ in white space only
    assert sum(len(found.sub_questions[0].citations) for found in read.decisions) == 2046
    by_id = {found.decision_id: found for found in read.decisions}
    assert by_id["tscc-437"].source_id == "4399 - 4400/2555"
    assert by_id["tscc-437"].decision_date == "2012"
    assert {by_id[f"tscc-{number}"].shared_question for number in range(59, 64)} == {"917/2530"}
    text = " ".join(found.fact_pattern + found.sub_questions[0].reasoning for found in read.decisions)
    assert "<" not in text
    assert all("{" not in question.verdict + question.question for found in read.decisions for question in found.sub_questions)
    # every issue names its offence, and no question gives a section away
    assert all("มีความผิดฐาน" in found.sub_questions[0].question for found in read.decisions)
    assert not any("มาตรา " in found.sub_questions[0].question for found in read.decisions)
    assert sorted({problem.kind for problem in read.problems}) == ["broken_mark", "joined_cases"]
    assert sum(problem.kind == "broken_mark" for problem in read.problems) == 3
    assert not any(problem.action == "rejected" for problem in read.problems)


def test_a_row_that_amended_nothing_can_still_be_cited(tmp_path):
    keys = ("law_code", "label", "valid_from", "valid_to", "text", "key")
    law = [("A", "1", "2000-01-01", "2001-01-01", "one", "A-0"), ("A", "1", "2001-01-01", "2001-01-01", "two", "A-1")]
    write_rows(tmp_path / "sections.csv", [*law, ("A", "1", "2001-01-01", "", "one", "A-2")], keys)
    write_rows(tmp_path / "issues.csv", [("7", "12/2528", "2528", "P", "A-2", "He took it", "Guilty.", "1", "0")], ISSUE_HEADER)
    columns = {name: name for name in keys[:-1]} | {"source_key": "key"}
    read = read_decisions(tmp_path, jurisdiction({"columns": columns}, decisions=ISSUES))
    cited = DecisionCitation(law_code="A", label="1", valid_from=dt.date(2000, 1, 1))
    assert (read.problems, read.decisions[0].sub_questions[0].citations) == ([], [cited])


def test_a_decision_of_another_calendar_s_year_is_rejected(tmp_path):
    row = ("7", "12/2528", "1985", "P", "A-334-00", "He took it", "Guilty.", "1", "0")
    kept = ("8", "13/2528", "2528", "P", "A-334-00", "He ran off", "Guilty.", "1", "0")
    read = issues(tmp_path, row, kept)
    assert [decision.decision_id for decision in read.decisions] == ["x-8"]
    assert [(problem.row, problem.kind, problem.action) for problem in read.problems] == [("7", "implausible_year", "rejected")]
