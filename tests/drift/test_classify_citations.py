import csv
import datetime as dt

import pytest
from corpus.small import DEMO, DEMO_CONFIG, TSCC, TSCC_CONFIG, needs_tscc
from hypothesis import given
from hypothesis import strategies as st

from inforce.corpus import read_decisions, read_law
from inforce.drift.classify_citations import (
    COVERAGES,
    Corpus,
    Law,
    Version,
    citation_split,
    classify_citations,
    corpus_facts,
    coverage_of,
    main,
)
from inforce.records.decisions import Decision, DecisionCitation
from inforce.records.labels import LabelRules
from inforce.records.problems import read_problems

D = dt.date
LABELS = LabelRules(unit_words=("section",), suffix_words=("bis",), sub_paragraph_words=("paragraph",))


def version(label, start, end, text, law="A", begun_by=None):
    section = f"j/law/{law}/section-{label}"
    return Version(f"{section}/v/{start or 'unknown'}", section, law, label, start, end, text, f"sha of {text}", begun_by)


TODAY = D(2020, 1, 1)


def corpus(*versions, laws=None):
    sections = {}
    for found in versions:
        sections.setdefault((found.law_code, found.label), []).append(found)
    return Corpus(laws or {"A": Law("Act A", None, True)}, sections, LABELS, TODAY)


def decision(date, *citations, decision_id="d"):
    question = {"question": "Q", "verdict": "V", "reasoning": "R", "citations": [citation.model_dump() for citation in citations]}
    fields = dict.fromkeys(("court", "source", "source_id", "domain", "title", "fact_pattern"), "x")
    return Decision.model_validate({**fields, "decision_id": decision_id, "decision_date": date, "sub_questions": [question]})


def cite(label="1", law_code="A", **values):
    return DecisionCitation(law_code=law_code, label=label, **values)


def classified(date, citation, law):
    rows, problems = classify_citations([decision(date, citation)], law, "d.jsonl")
    return rows[0], [(problem.kind, problem.action) for problem in problems]


TWO = corpus(version("1", D(2000, 1, 1), D(2010, 7, 1), "old"), version("1", D(2010, 7, 1), None, "new"))


@pytest.mark.parametrize(
    ("date", "start", "coverage", "drift"),
    [
        ("2005-01-01", "2000-01-01", "whole", "amended"),
        ("2010-06-30", "2000-01-01", "whole", "amended"),
        ("2010-07-01", "2010-07-01", "whole", "unchanged"),  # the day of the change: the new text is in force
        ("2009", "2000-01-01", "whole", "amended"),
        ("2010-06", "2000-01-01", "whole", "amended"),
        ("2010", "2010-07-01", "part", "unchanged"),  # two versions in that year: the latest
        ("2011", "2010-07-01", "whole", "unchanged"),
    ],
)
def test_the_version_in_force_on_the_decision_date(date, start, coverage, drift):
    row, problems = classified(date, cite(), TWO)
    assert (row.version_uri, row.coverage, row.drift, row.applicable_date) == (f"j/law/A/section-1/v/{start}", coverage, drift, None)
    assert row.current_uri == "j/law/A/section-1/v/2010-07-01"
    assert problems == []


def test_a_version_that_the_source_names_goes_before_the_date():
    row, problems = classified("2015", cite(valid_from=D(2000, 1, 1)), TWO)
    assert (row.valid_from, row.coverage, row.drift, row.applicable_date) == (D(2000, 1, 1), "ended_before", "amended", D(2010, 6, 30))
    row, _ = classified("2010", cite(valid_from=D(2000, 1, 1)), TWO)
    assert (row.coverage, row.applicable_date) == ("part", None)
    row, _ = classified("2005", cite(valid_from=D(2010, 7, 1)), TWO)
    assert (row.coverage, row.applicable_date) == ("begins_after", None)
    assert problems == []


@pytest.mark.parametrize(
    ("citation", "kind"),
    [
        (cite(law_code="Z"), "unknown_law"),
        (cite("99"), "unknown_section"),
        (cite(valid_from=D(2001, 1, 1)), "unknown_version"),
        (DecisionCitation(label="1"), "unknown_law"),
    ],
)
def test_what_the_corpus_does_not_hold_is_kept_without_an_identifier(citation, kind):
    row, problems = classified("2005-01-01", citation, TWO)
    assert problems == [(kind, "noted")]
    assert (row.law_code, row.label) == (citation.law_code, citation.label)
    assert (row.version_uri, row.current_uri, row.drift, row.coverage) == (None, None, None, None)


def test_nothing_is_said_of_a_decision_without_a_date():
    row, problems = classified("", cite(valid_from=D(2000, 1, 1)), TWO)
    assert (row.version_uri, row.drift, problems) == (None, None, [("no_date", "noted")])


def test_a_version_after_the_decision_is_not_taken():
    row, problems = classified("1999-12-31", cite(), TWO)
    assert (row.version_uri, problems) == (None, [("not_yet_in_force", "noted")])


ENACTED = version("1", D(1949, 5, 23), D(1949, 5, 24), "old")  # the next text has no date: held in force on its first day only


@pytest.mark.parametrize("date", ["1949", "1960-01-01", "2015-05-05", "2015"])
def test_an_open_text_of_unknown_start_is_neither_repealed_nor_too_new(date):
    row, problems = classified(date, cite(), corpus(ENACTED, version("1", None, None, "new")))
    assert (row.version_uri, row.current_uri, row.drift, row.coverage, row.applicable_date) == (None,) * 5
    assert problems == [("unknown_start", "noted")]
    row, problems = classified(date, cite(), corpus(version("1", None, None, "new")))
    assert (row.drift, problems) == (None, [("unknown_start", "noted")])


def test_nothing_is_said_of_a_known_text_if_that_of_today_is_unknown():
    law = corpus(ENACTED, version("1", None, None, "new"))
    for citation in (cite(), cite(valid_from=D(1949, 5, 23))):
        row, problems = classified("1949-05-23", citation, law)
        assert (row.drift, problems) == (None, [("unknown_start", "noted")])
    ended = law._replace(laws={"A": Law("Act A", D(2010, 1, 1), False)})
    assert classified("1949-05-23", cite(), ended)[0].drift == "repealed"  # its law has ended, whatever its text was


@pytest.mark.parametrize(("date", "drift"), [("2015-05-05", "unchanged"), ("1970-01-01", "unchanged"), ("1949-05-23", "amended")])
def test_a_text_is_in_force_from_the_day_by_which_it_has_begun(date, drift):
    law = corpus(ENACTED, version("1", None, None, "new", begun_by=D(1970, 1, 1)))
    row, problems = classified(date, cite(), law)
    assert (row.drift, row.coverage, row.current_uri, problems) == (drift, "whole", "j/law/A/section-1/v/unknown", [])
    assert classified("1969-12-31", cite(), law)[1] == [("unknown_start", "noted")]


def test_a_text_of_unknown_start_that_has_ended_is_the_last_before_the_decision():
    law = corpus(ENACTED, version("1", None, D(1960, 1, 1), "new", begun_by=D(1959, 12, 31)))
    row, problems = classified("1970-01-01", cite(), law)
    assert (row.version_uri, row.drift, row.applicable_date) == ("j/law/A/section-1/v/unknown", "repealed", D(1959, 12, 31))
    assert problems == [("ended_before_decision", "repaired")]


def test_a_pending_text_leaves_the_one_in_force_alone():
    law = corpus(version("1", D(2000, 1, 1), None, "old"), version("1", None, None, "pending"))
    assert classified("2015-01-01", cite(), law)[0].drift == "unchanged"


def test_an_instrument_by_name_is_no_problem():
    row, problems = classified("2005-01-01", DecisionCitation(law="Hygiene Order 1993", is_loadbearing=False), TWO)
    assert (row.law, row.version_uri, row.is_loadbearing, problems) == ("Hygiene Order 1993", None, False, [])


def test_sub_paragraphs_belong_to_their_section_unless_they_have_a_version_of_their_own():
    law = corpus(version("12", D(2000, 1, 1), None, "whole"), version("12(3)", D(2000, 1, 1), None, "third"))
    uris = [classified("2005-01-01", cite(label), law)[0].version_uri for label in ("Section 12(3)", "12(4)", "12, paragraph 2")]
    assert uris == [f"j/law/A/section-{label}/v/2000-01-01" for label in ("12(3)", "12", "12")]


def test_repealed_in_three_ways():
    gone = corpus(version("1", D(2000, 1, 1), D(2010, 1, 1), "text"))
    assert classified("2005-01-01", cite(), gone)[0][7:13] == (
        True,
        "j/law/A/section-1/v/2000-01-01",
        D(2000, 1, 1),
        D(2010, 1, 1),
        None,
        "repealed",
    )
    inactive = corpus(version("1", D(2000, 1, 1), None, "text"), laws={"A": Law("Act A", D(2010, 1, 1), False)})
    row, _ = classified("2005-01-01", cite(), inactive)
    assert (row.drift, row.current_uri) == ("repealed", None)
    # already repealed on the decision date: the last version before is the law of the day of the act
    row, problems = classified("2015-01-01", cite(), gone)
    assert (row.drift, row.coverage, row.applicable_date) == ("repealed", "ended_before", D(2009, 12, 31))
    assert problems == [("ended_before_decision", "repaired")]


def test_a_version_not_yet_in_force_on_the_corpus_date_is_not_current():
    law = corpus(version("1", D(2000, 1, 1), D(2027, 1, 1), "now"), version("1", D(2027, 1, 1), None, "later"))
    row, _ = classified("2005-01-01", cite(), law)
    assert (row.drift, row.current_uri) == ("unchanged", "j/law/A/section-1/v/2000-01-01")


def test_white_space_is_no_amendment():
    law = corpus(version("1", D(2000, 1, 1), D(2010, 1, 1), "a  b\nc"), version("1", D(2010, 1, 1), None, "a b c"))
    assert classified("2005-01-01", cite(), law)[0].drift == "unchanged"


def test_a_decision_after_the_corpus_date_is_noted():
    assert classified("2021-01-01", cite(), TWO)[1] == [("after_corpus_date", "noted")]


def test_a_version_counts_once_a_decision():
    twice = decision("2005", cite(), cite("1", valid_from=D(2000, 1, 1)), cite("99"), decision_id="one")
    again = decision("2015", cite(), cite(valid_from=D(2000, 1, 1)), decision_id="two")
    rows, _ = classify_citations([twice, again], TWO, "d.jsonl")
    assert citation_split(rows) == {"whole": 2, "part": 0, "ended_before": 1, "begins_after": 0}


days = st.dates(min_value=D(2000, 1, 1), max_value=D(2001, 12, 31))


@given(days, st.none() | days, days, st.integers(0, 60))
def test_coverage_against_counting_days(start, end, first, length):
    if end is not None and end <= start:
        return
    period = [first + dt.timedelta(days=n) for n in range(length + 1)]
    held = [start <= day and (end is None or day < end) for day in period]
    expected = "whole" if all(held) else "part" if any(held) else "ended_before" if end and end <= first else "begins_after"
    assert coverage_of(version("1", start, end, "x"), (period[0], period[-1])) == expected


def test_facts_of_a_corpus():
    law = corpus(
        version("1", D(2000, 1, 1), D(2010, 1, 1), "a"),
        version("1", D(2010, 1, 1), None, "b"),
        version("2", D(1990, 1, 1), D(1995, 1, 1), "c"),
        version("2", D(1996, 1, 1), None, "d"),
        version("3", D(2000, 1, 1), None, "e"),
    )
    rows, _ = classify_citations([decision("2005", cite("1"), cite("1"), cite("3"))], law, "d.jsonl")
    assert corpus_facts(law, rows) == (3, 5, 2, 2, 1, D(1990, 1, 1), D(2010, 1, 1), 2, 1)


def make(config, root, out):
    common = ["--jurisdiction", config.stem, "--jurisdiction-config", str(config)]
    paths = {name: str(out / name) for name in ("decisions", "problems", "citations", "split", "facts")}
    paths |= {"laws": str(out / "laws.parquet"), "sections": str(out / "sections.parquet")}
    read_law.main(
        [*common, "--root", str(root), *(part for name in ("laws", "sections", "problems") for part in (f"--{name}", paths[name]))]
    )
    read_decisions.main(
        [*common, "--root", str(root), *(part for name in ("decisions", "problems") for part in (f"--{name}", paths[name]))]
    )
    main([*common, *(part for name, path in paths.items() for part in (f"--{name}", path))])
    tables = {name: list(csv.DictReader((out / name).open(encoding="utf-8", newline=""))) for name in ("citations", "split", "facts")}
    split = {row["coverage"]: int(row["n"]) for row in tables["split"]}
    return tables["citations"], split, {row["fact"]: row["value"] for row in tables["facts"]}


def test_the_bundled_citations(tmp_path):
    citations, split, facts = make(DEMO_CONFIG, DEMO, tmp_path)
    # the counts of config/jurisdictions/demo/README.md
    assert len(citations) == 96
    assert sum(row["is_loadbearing"] == "false" for row in citations) == 22
    assert sum(row["applicable_date"] != "" for row in citations) == 7
    assert sum(row["version_uri"] == "" for row in citations) == 3
    assert (facts["sections"], facts["versions"]) == ("94", "204")
    assert tuple(split) == COVERAGES
    assert read_problems(tmp_path / "problems") == []
    before = {name: (tmp_path / name).read_bytes() for name in ("citations", "split", "facts")}
    make(DEMO_CONFIG, DEMO, tmp_path)
    assert before == {name: (tmp_path / name).read_bytes() for name in before}


def test_a_catalogue_in_place_of_sections_is_refused(tmp_path):
    make(DEMO_CONFIG, DEMO, tmp_path)
    names = {"laws": "laws.parquet", "sections": "laws.parquet", "decisions": "decisions", "citations": "c", "split": "s", "problems": "p"}
    arguments = [part for name, file in names.items() for part in (f"--{name}", str(tmp_path / file))]
    with pytest.raises(SystemExit, match=r"is not a sections.parquet of this version"):
        main(["--jurisdiction", "demo", "--jurisdiction-config", str(DEMO_CONFIG), *arguments])


@needs_tscc
def test_the_thai_citations(tmp_path):
    citations, split, facts = make(TSCC_CONFIG, TSCC, tmp_path)
    assert split == {"whole": 2012, "part": 9, "ended_before": 25, "begins_after": 0}
    assert facts == {
        "sections": "76",
        "versions": "122",
        "amended_sections": "36",
        "consecutive_pairs": "46",
        "contiguous_pairs": "46",
        "first_start": "1957-01-01",
        "last_start": "2017-03-21",
        "citations": "2046",
        "citations_of_amended_sections": "904",
    }
    assert f"{100 * int(facts['amended_sections']) / int(facts['sections']):.1f}" == "47.4"
    assert len(citations) == 2 * 2046  # both questions of an issue carry its citations
    assert read_problems(tmp_path / "problems") == []
    assert {row["drift"] for row in citations} == {"unchanged", "amended"}
    assert sum(row["applicable_date"] != "" for row in citations) == 2 * 25
