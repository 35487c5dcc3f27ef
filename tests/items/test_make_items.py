import csv
import datetime as dt

import pytest
from corpus.small import DEMO, DEMO_CONFIG, TSCC, TSCC_CONFIG, needs_tscc
from hypothesis import given
from hypothesis import strategies as st

from inforce.corpus import read_decisions, read_law
from inforce.drift import classify_citations
from inforce.items.make_items import Resolved, band_of, composition, law_date_of, main, make_items
from inforce.records.decisions import Decision
from inforce.records.items import Citation, Item
from inforce.records.lines import read_lines
from inforce.records.problems import read_problems

D = dt.date
LAW_NAMES = {"A": "Act A", "B": "Act B"}


def citation(start, end=None, drift="unchanged", **values):
    fields = {"law_code": "A", "law_name_th": "Act A", "label": "1", "is_loadbearing": True, "version_uri": "u", "current_uri": "u"}
    return Citation.model_validate({**fields, "valid_from": start, "valid_to": end, "drift": drift, **values})


@pytest.mark.parametrize(
    ("spans", "day", "is_common"),
    [
        ([(D(2000, 1, 1), None)], D(2010, 12, 31), True),
        ([(D(2000, 1, 1), D(2010, 7, 1))], D(2010, 6, 30), True),  # ends in the year of the decision
        ([(D(2000, 1, 1), D(2005, 1, 1)), (D(2003, 1, 1), None)], D(2004, 12, 31), True),  # the law of an earlier day
        ([(D(2000, 1, 1), D(2005, 1, 1)), (D(2005, 1, 1), None)], D(2010, 12, 31), False),  # never in force together
        ([(D(2011, 1, 1), None)], D(2010, 12, 31), False),  # begins after the decision
        ([(None, None)], D(2010, 12, 31), True),  # an unknown start is resolved only where it has begun by the decision
        ([(None, D(2005, 1, 1))], D(2004, 12, 31), True),  # its own last day
        ([(None, None), (D(2000, 1, 1), D(2005, 1, 1))], D(2010, 12, 31), False),  # may not have begun by 2004
    ],
)
def test_the_day_whose_law_is_served(spans, day, is_common):
    assert law_date_of([citation(*span) for span in spans], D(2010, 12, 31)) == (day, is_common)


days = st.dates(min_value=D(2000, 1, 1), max_value=D(2000, 3, 1))


@given(st.lists(st.tuples(days, st.none() | days), min_size=1, max_size=4), days)
def test_the_law_date_is_the_latest_common_day(spans, last):
    spans = [(start, end) for start, end in spans if end is None or start < end] or [(D(2000, 1, 1), None)]
    candidates = [D(2000, 1, 1) + dt.timedelta(days=n) for n in range((last - D(2000, 1, 1)).days + 1)]
    common = [day for day in candidates if all(start <= day and (end is None or day < end) for start, end in spans)]
    expected = (max(common), True) if common else (last, False)
    assert law_date_of([citation(*span) for span in spans], last) == expected


def test_the_most_severe_drift_sets_the_band():
    assert band_of([citation(D(2000, 1, 1), drift="unchanged")]) == "no_drift"
    assert band_of([citation(D(2000, 1, 1), drift="amended"), citation(D(2000, 1, 1), drift="unchanged")]) == "amended"
    assert band_of([citation(D(2000, 1, 1), drift="amended"), citation(D(2000, 1, 1), drift="repealed")]) == "repealed"


def decision(decision_id, date, *questions, shared=None, domain="x"):
    fields = dict.fromkeys(("court", "source", "source_id", "title", "fact_pattern"), "x")
    asked = [{"question": "Q", "verdict": "V", "reasoning": "R", "citations": list(citations)} for citations in questions]
    return Decision.model_validate(
        {**fields, "decision_id": decision_id, "decision_date": date, "domain": domain, "shared_question": shared, "sub_questions": asked}
    )


OPEN = Resolved("j/law/A/section-1/v/2000-01-01", D(2000, 1, 1), None, "j/law/A/section-1/v/2000-01-01", "unchanged", None)
ENDED = Resolved("j/law/B/section-1/v/1990-01-01", D(1990, 1, 1), D(2005, 1, 1), None, "repealed", D(2004, 12, 31))
UNHELD = Resolved(None, None, None, None, None, None)
RELIED_A, RELIED_B = {"law_code": "A", "label": "1"}, {"law_code": "B", "label": "1"}
BACKGROUND_B = {**RELIED_B, "is_loadbearing": False}


def made(*decisions, **resolved):
    lines = {
        (decision_id, number, position): found
        for decision_id, by_place in resolved.items()
        for (number, position), found in by_place.items()
    }
    items, problems = make_items(decisions, lines, LAW_NAMES, D(2020, 1, 1), "d.jsonl")
    return items, [(problem.row, problem.kind, problem.action) for problem in problems]


def test_an_item_of_a_dated_decision():
    (item,), problems = made(
        decision("d", "2015-05-03", [RELIED_A, BACKGROUND_B], [{"law": "Order"}]), d={(1, 1): OPEN, (1, 2): ENDED, (2, 1): UNHELD}
    )
    assert problems == []
    assert (item.date_precision, item.law_date, item.applicable_date, item.year_be, item.decade) == (
        "day",
        D(2015, 5, 3),
        None,
        2558,
        "2010s",
    )
    assert (item.drift_band, item.n_sub_questions, item.n_cited_laws) == ("no_drift", 2, 2)  # background counts as cited, not in the band
    first, second = item.sub_questions
    assert [found.law_name_th for found in first.citations] == ["Act A", "Act B"]
    assert first.citations[1].applicable_date == D(2004, 12, 31)
    assert (second.citations[0].law, second.citations[0].version_uri, second.citations[0].law_name_th) == ("Order", None, None)


def test_the_law_of_an_earlier_day_is_the_items_applicable_date():
    (item,), _ = made(decision("d", "2015", [RELIED_A, RELIED_B]), d={(1, 1): OPEN, (1, 2): ENDED})
    assert (item.law_date, item.applicable_date, item.drift_band) == (D(2004, 12, 31), D(2004, 12, 31), "repealed")


def test_a_version_that_ends_in_the_year_of_the_decision_is_not_of_an_earlier_day():
    ends = OPEN._replace(valid_to=D(2015, 7, 1))
    (item,), _ = made(decision("d", "2015", [RELIED_A]), d={(1, 1): ends})
    assert (item.law_date, item.applicable_date) == (D(2015, 6, 30), None)


def test_versions_that_were_never_in_force_together():
    later = OPEN._replace(valid_from=D(2005, 1, 1))
    (item,), problems = made(decision("d", "2015-05-03", [RELIED_A], [RELIED_B]), d={(1, 1): later, (2, 1): ENDED})
    assert (item.law_date, item.applicable_date) == (D(2015, 5, 3), None)
    assert problems == [("d", "no_common_day", "noted")]


def test_an_item_needs_one_resolved_citation_that_the_court_relies_on():
    items, problems = made(
        decision("a", "2015", [RELIED_A], [RELIED_A]),
        decision("b", "2015", [RELIED_A]),
        decision("c", "2015", [BACKGROUND_B]),
        a={(1, 1): UNHELD, (2, 1): OPEN},
        b={(1, 1): UNHELD},
        c={(1, 1): ENDED},
    )
    assert [item.id for item in items] == ["a"]
    assert problems == [("b", "no_resolved_citation", "rejected"), ("c", "no_resolved_citation", "rejected")]


def test_items_that_ask_the_same_question_name_each_other():
    decisions = [decision(name, "2015", [RELIED_A], shared=shared) for name, shared in [("c", "q"), ("a", "q"), ("b", None), ("d", "q")]]
    items, _ = made(*decisions, **{name: {(1, 1): OPEN if name != "d" else UNHELD} for name in "abcd"})
    assert [(item.id, item.asks_shared_question, item.cluster) for item in items] == [("a", ["c"], "a"), ("b", [], "b"), ("c", ["a"], "a")]


def test_files_of_two_runs_are_refused():
    with pytest.raises(ValueError, match="d, sub-question 1, citation 2 is not among the classified citations"):
        made(decision("d", "2015", [RELIED_A, RELIED_A]), d={(1, 1): OPEN})


def test_composition_counts_every_item_once_and_in_the_total():
    decisions = [decision("a", "2015", [RELIED_A], [RELIED_A], domain="small"), decision("b", "2015", [RELIED_A], domain="large")]
    decisions.append(decision("c", "2015", [RELIED_B], domain="large"))
    items, _ = made(*decisions, a={(1, 1): OPEN, (2, 1): OPEN}, b={(1, 1): OPEN}, c={(1, 1): ENDED})
    table = composition(items).set_index("domain")
    assert list(table.index) == ["large", "small", "total"]
    assert list(table.columns[:5]) == ["items", "sub_questions", "no_drift", "amended", "repealed"]
    assert list(table.loc["total"]) == [3, 4, 2, 0, 1, 4, 0, 0, 0, 0]


def make(config, root, out):
    common = ["--jurisdiction", config.stem, "--jurisdiction-config", str(config)]
    names = ("laws", "sections", "decisions", "citations", "split", "items", "composition", "problems")
    parquet = {"laws": "laws.parquet", "sections": "sections.parquet"}
    path = {name: [f"--{name}", str(out / parquet.get(name, name))] for name in names}

    def files(*wanted):
        return [part for name in wanted for part in path[name]]

    read_law.main([*common, "--root", str(root), *files("laws", "sections", "problems")])
    read_decisions.main([*common, "--root", str(root), *files("decisions", "problems")])
    classify_citations.main([*common, *files("laws", "sections", "decisions", "citations", "split", "problems")])
    main([*common[2:], *files("decisions", "citations", "laws", "items", "composition", "problems")])
    with (out / "composition").open(encoding="utf-8", newline="") as handle:
        *_, total = csv.DictReader(handle)
    return read_lines(out / "items", Item), total, read_problems(out / "problems")


def test_the_bundled_items(tmp_path):
    items, total, problems = make(DEMO_CONFIG, DEMO, tmp_path)
    assert len(items) == 26
    assert [item.id for item in items] == sorted(item.id for item in items)
    # the counts of config/jurisdictions/demo/README.md
    expected = {"domain": "total", "items": "26", "sub_questions": "61", "no_drift": "8", "amended": "11", "repealed": "7"}
    expected |= {
        "ruling": "32",
        "governing_provisions": "4",
        "legal_consequences": "14",
        "provision_interaction": "6",
        "lower_court_departure": "5",
    }
    assert total == expected
    assert len({item.cluster for item in items}) == 26 - 4
    # one case relies on an act and on the act that replaced it
    assert [(problem.row, problem.kind) for problem in problems] == [("demo-2013-0476", "no_common_day")]
    before = (tmp_path / "items").read_bytes()
    make(DEMO_CONFIG, DEMO, tmp_path)
    assert (tmp_path / "items").read_bytes() == before


@needs_tscc
def test_the_thai_items(tmp_path):
    items, total, problems = make(TSCC_CONFIG, TSCC, tmp_path)
    assert problems == []
    assert (total["items"], total["sub_questions"], total["no_drift"], total["amended"], total["repealed"]) == (
        "1207",
        "2414",
        "378",
        "829",
        "0",
    )
    earlier = [item for item in items if item.applicable_date]
    assert all(item.applicable_date == item.law_date < D(int(item.decision_date), 1, 1) for item in earlier)
    # the items whose court applied the law of an earlier day hold exactly the 25 citations of such versions
    ended = {
        (item.id, found.version_uri)
        for item in items
        for question in item.sub_questions
        for found in question.citations
        if found.applicable_date
    }
    assert len(ended) == 25
    assert {item.id for item in earlier} == {item_id for item_id, _ in ended}
