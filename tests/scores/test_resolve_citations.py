import datetime as dt
import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scores.cases import DAY, LAWS, LOOKUP, RULES, SECTIONS, answer, by_name, by_uri, gold, item, question, sub, unheld, version

from inforce.records.answers import AnswerCitation
from inforce.records.lines import write_lines
from inforce.records.tables import CITATION_SCORES, read_rows, write_table
from inforce.records.tables import LAWS as LAWS_SCHEMA
from inforce.records.tables import SECTIONS as SECTIONS_SCHEMA
from inforce.scores.dated_sections import DatedSections
from inforce.scores.resolve_citations import citation_rows, is_range, main, resolve, split_labels

ROOT = Path(__file__).parents[2]
V = "qm/law/CODE/section-10/v/"


def outcome(citation, lookup=LOOKUP, unheld_names=frozenset()):
    return [(found.outcome, found.key, found.version and found.version.uri) for _, found in resolve(citation, lookup, DAY, unheld_names)]


def one(citation, **more):
    found = outcome(citation, **more)
    assert len(found) == 1
    return found[0]


@pytest.mark.parametrize(
    ("text", "uri"),
    [
        (f"{V}2000-01-01", f"{V}2000-01-01"),
        (f"{V}1950-01-01", f"{V}1950-01-01"),  # another version than the one in force
        (f"/{V}2000-01-01", f"{V}2000-01-01"),
        ("law/CODE/section-10/v/2000-01-01", f"{V}2000-01-01"),  # the jurisdiction left out
        ("/law/CODE/section-10/v/2000-01-01/", f"{V}2000-01-01"),
        (f' "[{V}2000-01-01]" ', f"{V}2000-01-01"),  # copied with its brackets
        ("qm/law/CODE/section-๑๐/v/๒๐๐๐-๐๑-๐๑", f"{V}2000-01-01"),
        ("qm/law/CODE/section-10", f"{V}2000-01-01"),  # a section: its version in force on the item's day, 2005-06-01
        (f"{V}2004-05-05", f"{V}2000-01-01"),  # not held: the version in force on the day that it names
        (f"{V}1999-12-31", f"{V}1950-01-01"),
        (f"{V}1900-01-01", None),  # no version was in force: the section alone
        (f"{V}2004-13-45", f"{V}2000-01-01"),  # no day at all: as a section
        (f"{V}unknown", f"{V}2000-01-01"),
        ("qm/law/code/section-10", f"{V}2000-01-01"),  # the law's code in another case
    ],
)
def test_identifiers_lead_to_the_section(text, uri):
    assert one(AnswerCitation(version=text)) == ("section", "CODE/10", uri)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("qm/law/CODE/section-14_bis/v/1950-01-01", "CODE/14 bis"),
        ("qm/law/CODE/section-14 bis", "CODE/14 bis"),
        ("qm/law/CODE/section-335(1)", "CODE/335"),
    ],
)
def test_identifiers_of_odd_labels(text, expected):
    assert one(AnswerCitation(version=text))[:2] == ("section", expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("qm/law/CODE/section-999/v/2000-01-01", "invented_section"),
        ("qm/law/NOSUCH/section-1/v/2000-01-01", "invented_law"),
        ("xx/law/CODE/section-1", "invented_law"),  # another jurisdiction
        ("qm/law/RENT/section-1", "undecidable"),  # repealed, its text is not held
        ("qm/law/CODE", "undecidable"),  # names no section
        ("qm/law/CODE/section-x", "undecidable"),
        ("the Penal Code", "undecidable"),
    ],
)
def test_identifiers_that_lead_nowhere(text, expected):
    assert one(AnswerCitation(version=text))[0] == expected


@pytest.mark.parametrize("label", ["10", "Section 10", "มาตรา ๑๐", "s. 10(2)", "10 paragraph 2", "10, paragraph 2", "มาตรา 10 วรรคสอง"])
@pytest.mark.parametrize("name", ["Penal Code", "PC", "the Penal Code"])
def test_names_lead_to_the_version_in_force(name, label):
    assert one(by_name(name, label)) == ("section", "CODE/10", f"{V}2000-01-01")


def test_sections_are_compared_whole():
    keys = {label: one(by_name("Penal Code", label))[1] for label in ("1", "10", "11")}
    assert keys == {"1": "CODE/1", "10": "CODE/10", "11": "CODE/11"}
    for label in ("0", "33", "3350", "14", "14 ter", "bis"):
        assert one(by_name("Penal Code", label))[1] is None, label


@pytest.mark.parametrize(
    ("name", "label", "expected"),
    [
        ("Penal Code", "999", "invented_section"),
        ("Penal Code", "10 ter", "invented_section"),
        ("Fisheries Ordinance", "1", "invented_law"),
        ("Lettings Act 1926", "3", "undecidable"),  # a repealed law whose text is not held
        ("Penal Code (Amendment) Act 1999", "3", "undecidable"),  # an amending act
        ("Ministerial Regulation No. 4", "3", "undecidable"),  # of a kind that the corpus does not collect
        ("Penal Code", "", "undecidable"),  # no section
        ("Penal Code", "general part", "undecidable"),  # no number
        ("Fisheries Ordinance", None, "undecidable"),
        ("", "10", "undecidable"),  # no law
        (None, "10", "undecidable"),
        ("Penal Code", "500-510", "undecidable"),  # a range names no one section
        ("Penal Code", "500 ถึง 510", "undecidable"),
    ],
)
def test_names_that_lead_nowhere(name, label, expected):
    assert one(by_name(name, label))[0] == expected


def test_a_corpus_of_parts_of_laws_calls_no_section_invented():
    parts = LOOKUP._replace(holds_whole_laws=False)
    assert one(by_name("Penal Code", "999"), lookup=parts)[0] == "undecidable"
    assert one(by_name("Penal Code", "10"), lookup=parts)[0] == "section"
    assert one(by_name("Fisheries Ordinance", "1"), lookup=parts)[0] == "invented_law"


def test_of_two_laws_of_one_name_the_one_in_force_on_the_day():
    assert one(by_name("Trade Act", "7"))[1] == "TRADE2/7"  # 2005: the second
    [(_, found)] = resolve(by_name("Trade Act", "7"), LOOKUP, dt.date(1990, 1, 1))
    assert found.key == "TRADE1/7"


def test_the_identifier_goes_before_the_name():
    both = AnswerCitation(version=f"{V}1950-01-01", law="Penal Code", section="11")
    assert one(both) == ("section", "CODE/10", f"{V}1950-01-01")
    broken = AnswerCitation(version="qm/law/NOSUCH/section-1", law="Penal Code", section="11")
    assert one(broken)[1] == "CODE/11"
    hopeless = AnswerCitation(version="qm/law/NOSUCH/section-1", law="Penal Code", section="999")
    assert one(hopeless)[0] == "invented_law"
    assert one(AnswerCitation(version="?", law="Penal Code", section="999"))[0] == "invented_section"


def test_a_list_names_several_sections():
    found = resolve(by_name("Penal Code", "10, 11 and 999"), LOOKUP, DAY)
    assert [(json.loads(cited)["section"], r.key, r.outcome) for cited, r in found] == [
        ("10", "CODE/10", "section"),
        ("11", "CODE/11", "section"),
        ("999", None, "invented_section"),
    ]


@pytest.mark.parametrize(
    ("label", "parts"),
    [
        ("290, 295", ["290", "295"]),
        ("มาตรา 290 และมาตรา 295", ["290", "295"]),
        ("290、295", ["290", "295"]),
        ("335 (1), (7)", ["335 (1), (7)"]),
        ("12, paragraph 2", ["12, paragraph 2"]),
        ("14 bis", ["14 bis"]),
    ],
)
def test_lists(label, parts):
    assert split_labels(label, RULES) == parts


def test_ranges_and_labels_with_a_hyphen():
    assert is_range("140-143") and is_range("281 to 288") and is_range("281 ถึง 288")
    assert not is_range("37-1") and not is_range("193/14") and not is_range("10")


# version classes, in the order of the reasons

GOLD = question(gold("CODE", "10", "2000-01-01"), gold("CODE", "11", "1950-01-01", loadbearing=False))


def classes(*citations, q=GOLD):
    return [
        (r["version_class"], r["is_hit"], r["is_checked"], r["invented"])
        for r in citation_rows("run", item(q), answer(sub(1, citations)), LOOKUP)
    ]


def test_version_classes():
    assert classes(
        *by_uri(f"{V}2000-01-01", f"{V}1950-01-01", f"{V}2010-01-01", f"{V}2004-05-05", f"{V}1900-01-01", "qm/law/CODE/section-11"),
        by_name("Penal Code", "10"),
        by_name("Penal Code", "335"),
        by_name("Penal Code", "999"),
        by_name("Fisheries Ordinance", "1"),
        by_name("Ministerial Regulation No. 4", "1"),
    ) == [
        ("exact", True, True, None),
        ("stale", True, True, None),  # ended before the court's version began
        ("future", True, True, None),  # began after it
        ("exact", True, True, None),  # not held; the day it names lies in the court's version
        ("stale", True, True, None),  # not held; its day lies before any version
        ("background", False, True, None),
        ("exact", True, True, None),  # by name: the version in force
        ("wrong_section", False, True, None),
        ("nonexistent", False, True, "section"),
        ("nonexistent", False, True, "law"),
        ("undecidable", False, False, None),
    ]


def test_background_that_is_also_load_bearing_counts():
    both = question(gold("CODE", "10", "2000-01-01"), gold("CODE", "10", "1950-01-01", loadbearing=False))
    assert classes(by_name("Penal Code", "10"), q=both) == [("exact", True, True, None)]


def test_background_is_the_sub_question_s_own():
    other = question(gold("CODE", "1", "1950-01-01"))
    rows = citation_rows(
        "run", item(GOLD, other), answer(sub(1, by_uri("qm/law/CODE/section-11")), sub(2, by_uri("qm/law/CODE/section-11"))), LOOKUP
    )
    assert [row["version_class"] for row in rows] == ["background", "wrong_section"]


def test_a_gold_section_without_a_version_is_left_out():
    q = question(gold("CODE", "10", "2000-01-01"), gold("CODE", "335", None))
    assert classes(by_name("Penal Code", "335"), q=q) == [("background", False, True, None)]


def test_without_gold_there_is_no_class_and_inventions_still_count():
    q = question(unheld("Notice 12"))
    assert classes(by_name("Penal Code", "10"), by_name("Fisheries Ordinance", "1"), by_name("Notice 12", "3"), q=q) == [
        (None, False, True, None),
        (None, False, True, "law"),
        (None, False, False, None),  # a real instrument: the item's own gold names it
    ]


def test_two_gold_versions_of_one_section():
    q = question(gold("CODE", "10", "1950-01-01"), gold("CODE", "10", "2000-01-01"))
    found = classes(*by_uri(f"{V}1950-01-01", f"{V}2000-01-01", f"{V}2010-01-01"), q=q)
    assert [cls for cls, *_ in found] == ["exact", "exact", "future"]


def test_another_sub_paragraph_of_the_same_days_is_the_same_version():
    lookup = LOOKUP._replace(sections=DatedSections([version("CODE", label, "1950-01-01") for label in ("289(1)", "289(4)")], RULES))
    q = question(gold("CODE", "289(4)", "1950-01-01"))
    rows = citation_rows("run", item(q), answer(sub(1, [by_name("Penal Code", "289 (1)")])), lookup)
    assert [(row["section_key"], row["version_class"]) for row in rows] == [("CODE/289", "exact")]


def test_an_unknown_start_cannot_be_ordered():
    lookup = LOOKUP._replace(sections=DatedSections([version("CODE", "10", None), *SECTIONS], RULES))
    rows = citation_rows("run", item(GOLD), answer(sub(1, by_uri(f"{V}unknown"))), lookup)
    assert [(row["version_class"], row["is_hit"]) for row in rows] == [("undecidable", True)]


def test_rows_say_what_was_cited_and_where():
    rows = citation_rows("run", item(GOLD, GOLD), answer(sub(1), sub(2, [*by_uri(f"{V}2000-01-01"), by_name("Penal Code", "10")])), LOOKUP)
    assert [(row["sub_question"], row["position"], row["cited"]) for row in rows] == [
        (2, 1, '{"version":"qm/law/CODE/section-10/v/2000-01-01"}'),
        (2, 2, '{"law":"Penal Code","section":"10"}'),
    ]
    assert {(row["law_code"], row["section_key"], row["version_uri"]) for row in rows} == {("CODE", "CODE/10", f"{V}2000-01-01")}


def test_an_answer_to_a_sub_question_that_the_item_lacks_is_an_error():
    with pytest.raises(ValueError, match="case-1 has 1 sub-questions; its answer names number 2"):
        citation_rows("run", item(GOLD), answer(sub(2)), LOOKUP)


@given(st.text(max_size=40), st.text(max_size=20), st.text(max_size=40))
def test_no_words_break_it_or_hit_by_chance(law, section, uri):
    citation = AnswerCitation(law=law, section=section, version=uri)
    for cited, found in resolve(citation, LOOKUP, DAY):
        json.loads(cited)
        assert (found.outcome == "section") == (found.key is not None)


@given(
    st.sampled_from(["1", "10", "11", "335", "14 bis"]),
    st.sampled_from(["", "section ", "มาตรา "]),
    st.sampled_from(["", " (1)", " paragraph 2"]),
)
def test_spelling_does_not_change_the_section(label, before, after):
    assert one(by_name("Penal Code", before + label + after))[1] == f"CODE/{label}"


# files


def write_inputs(folder, items, answers):
    write_lines(folder / "items.jsonl", items)
    write_lines(folder / "answers.jsonl", answers)
    write_table(folder / "laws.parquet", LAWS, LAWS_SCHEMA)
    write_table(folder / "sections.parquet", SECTIONS, SECTIONS_SCHEMA)
    (folder / "qm.yaml").write_text(
        "title: Q\nlanguage: en\ncorpus_date: 2026-09-01\nroot: .\nlaws_file: laws.csv\n"
        "sections: {file: s.csv, columns: {law_code: a, label: b, valid_from: c, valid_to: d, text: e}}\n"
        "decisions: {file: d.jsonl}\nlabels: {unit_words: [section], suffix_words: [bis], sub_paragraph_words: [paragraph]}\n"
        "unheld_kinds: ['regulation']\n"
    )
    return [
        *("--run", "r", "--jurisdiction", "qm", "--jurisdiction-config", folder / "qm.yaml", "--items", folder / "items.jsonl"),
        *("--answers", folder / "answers.jsonl", "--laws", folder / "laws.parquet", "--sections", folder / "sections.parquet"),
        *("--out", folder / "out" / "citations.parquet"),
    ]


def test_the_command_writes_the_same_bytes_in_two_places(tmp_path):
    items = [item(GOLD, item_id="b"), item(GOLD, item_id="a")]
    answers = [
        answer(sub(1, [by_name("Penal Code", "10"), *by_uri(f"{V}1950-01-01")]), item_id="a"),
        answer(status="unparsed", item_id="b"),
    ]
    found = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        command = [sys.executable, "-m", "inforce.scores.resolve_citations", *map(str, write_inputs(tmp_path / name, items, answers))]
        subprocess.run(command, check=True, cwd=tmp_path / name, env={"PYTHONPATH": str(ROOT / "scripts")})
        found.append((tmp_path / name / "out" / "citations.parquet").read_bytes())
    assert found[0] == found[1]
    rows = read_rows(tmp_path / "one" / "out" / "citations.parquet", CITATION_SCORES)
    assert [(row["item_id"], row["version_class"]) for row in rows] == [("a", "exact"), ("a", "stale")]


def test_answers_that_are_not_these_items_are_refused(tmp_path):
    arguments = write_inputs(tmp_path, [item(GOLD, item_id="a")], [answer(sub(1), item_id="b")])
    with pytest.raises(SystemExit, match=r"answers\.jsonl does not answer each item of .*items\.jsonl once.*'a'.*'b'"):
        main([str(part) for part in arguments])
    assert not (tmp_path / "out").exists()


def test_a_missing_file_is_one_sentence(tmp_path):
    arguments = write_inputs(tmp_path, [item(GOLD, item_id="a")], [answer(sub(1), item_id="a")])
    (tmp_path / "laws.parquet").unlink()
    with pytest.raises(SystemExit, match=r"laws\.parquet"):
        main([str(part) for part in arguments])
