import csv
import datetime as dt

import pytest
from corpus.small import DEMO, DEMO_CONFIG, TSCC, TSCC_CONFIG, needs_tscc
from hypothesis import given
from hypothesis import strategies as st

from inforce.corpus import read_decisions, read_law
from inforce.drift import classify_citations
from inforce.drift.classify_decisions import Cited, classify_decisions, counted, main, rests_on_ended, state_of
from inforce.items import make_items
from inforce.records.decisions import Decision
from inforce.records.labels import LabelRules
from inforce.records.status import DRIFTS

CURRENT, AMENDED, REPEALED = (Cited(drift, True, False) for drift in DRIFTS)
UNRESOLVED = Cited("", True, False)
BACKGROUND = Cited("repealed", False, False)
EARLIER = Cited("repealed", True, True)


def decision(decision_id, date="2001", number="", court="Supreme Court", citations=1):
    question = {"question": "Q", "verdict": "V", "reasoning": "R", "citations": [{"law": "x"}] * citations}
    fields = dict.fromkeys(("source", "domain", "title", "fact_pattern"), "x")
    fields |= {"decision_id": decision_id, "court": court, "decision_date": date, "source_id": number, "sub_questions": [question]}
    return Decision.model_validate(fields)


def classified(*cited):
    (row,) = classify_decisions([decision("d", citations=len(cited))], {"d": list(cited)})
    return row


@pytest.mark.parametrize(
    ("cited", "state", "relied_on", "ended_before", "reason"),
    [
        ([CURRENT], "current", "current", False, ""),
        ([CURRENT, AMENDED, CURRENT], "amended", "amended", False, ""),
        ([AMENDED, REPEALED], "repealed", "repealed", False, ""),
        ([AMENDED, UNRESOLVED], "amended", "amended", False, ""),
        ([CURRENT, BACKGROUND], "repealed", "current", False, ""),  # §3 counts every citation, the band only those relied on
        ([BACKGROUND], "repealed", "", False, ""),
        ([AMENDED, EARLIER], "repealed", "repealed", True, ""),
        ([REPEALED, EARLIER], "repealed", "repealed", False, ""),
        ([Cited("unchanged", True, True)], "current", "current", False, ""),
        ([UNRESOLVED], "", "", False, "none_resolved"),
        ([], "", "", False, "no_citation"),
    ],
)
def test_the_most_severe_state(cited, state, relied_on, ended_before, reason):
    row = classified(*cited)
    assert (row.state, row.relied_on, row.ended_before, row.reason) == (state, relied_on, ended_before, reason)
    assert (row.citations, row.resolved) == (len(cited), sum(bool(found.drift) for found in cited))


lines = st.lists(st.builds(Cited, st.sampled_from(["", *DRIFTS]), st.booleans(), st.booleans()), max_size=6)


@given(lines, st.randoms())
def test_order_does_not_matter_and_a_further_citation_never_lessens(cited, random):
    shuffled = random.sample(cited, len(cited))
    assert (state_of(cited), rests_on_ended(cited)) == (state_of(shuffled), rests_on_ended(shuffled))
    rank = ["", "current", "amended", "repealed"].index
    assert all(rank(state_of([*cited, more])) >= rank(state_of(cited)) for more in (CURRENT, AMENDED, REPEALED, UNRESOLVED))


def test_issues_of_one_decision_are_one_decision():
    records = [
        decision("a", number="12/2001"),
        decision("b", number="12/2001"),
        decision("c", "2002", number="12/2001"),
        decision("d"),
        decision("e"),
    ]
    rows = classify_decisions(records, {"a": [CURRENT], "b": [AMENDED], "c": [CURRENT], "d": [CURRENT], "e": [CURRENT]})
    assert [(row.decision, row.records, row.state) for row in rows] == [
        ("a", 2, "amended"),
        ("c", 1, "current"),  # the same number in another year
        ("d", 1, "current"),  # no number: by the record's own id
        ("e", 1, "current"),
    ]


def test_files_of_two_runs_are_refused():
    with pytest.raises(ValueError, match="d has 2 citations, of which 1 are classified"):
        classify_decisions([decision("d", citations=2)], {"d": [CURRENT]})


D = dt.date


def version(law, label, start, end, text):
    section = f"j/law/{law}/section-{label}"
    return classify_citations.Version(f"{section}/v/{start}", section, law, label, start, end, text, text)


# Law A lives, law B ended in 2015; today is 2020-01-01
LAW = [
    version("A", "1", D(2000, 1, 1), None, "never changed"),
    version("A", "2", D(2000, 1, 1), D(2010, 1, 1), "old rule"),
    version("A", "2", D(2010, 1, 1), None, "new rule"),
    version("A", "3", D(2000, 1, 1), D(2012, 1, 1), "no longer there"),
    version("A", "4", D(2000, 1, 1), D(2021, 1, 1), "changes tomorrow"),
    version("A", "4", D(2021, 1, 1), None, "changed"),
    version("B", "1", D(1990, 1, 1), D(2015, 1, 1), "of a law that ended"),
]


def cite(law_code, label, is_loadbearing=True, **more):
    return {"law_code": law_code, "label": label, "is_loadbearing": is_loadbearing, **more}


@pytest.mark.parametrize(
    ("date", "citations", "band", "state"),
    [
        ("2005-06-01", [cite("A", "1")], "no_drift", "current"),
        ("2005-06-01", [cite("A", "4")], "no_drift", "current"),  # an amendment after the corpus date
        ("2005-06-01", [cite("A", "1"), cite("A", "2")], "amended", "amended"),
        ("2010-01-01", [cite("A", "2")], "no_drift", "current"),  # decided on the day of the change
        ("2005-06-01", [cite("A", "2"), cite("A", "3")], "repealed", "repealed"),  # the section ended, its law lives
        ("2005-06-01", [cite("B", "1"), cite("A", "2")], "repealed", "repealed"),  # the law ended after the decision
        ("2016-06-01", [cite("B", "1"), cite("A", "1")], "repealed", "repealed"),  # it had ended before
        ("2005-06-01", [cite("A", "1"), cite("A", "3", is_loadbearing=False)], "no_drift", "repealed"),  # background sets no band
        ("2005-06-01", [cite("A", "3", is_loadbearing=False)], None, "repealed"),  # nothing relied on: no item, yet a decision
        ("2012-06-01", [cite("A", "2", valid_from="2000-01-01")], "amended", "amended"),  # the law of an earlier day
        ("2005-06-01", [cite("A", "9"), cite("A", "2")], "amended", "amended"),  # one citation of no known section
        ("2005-06-01", [cite("A", "9")], None, ""),
    ],
)
def test_bands_of_items_and_states_of_decisions_by_hand(date, citations, band, state):
    sections = {}
    for found in LAW:
        sections.setdefault((found.law_code, found.label), []).append(found)
    laws = {"A": classify_citations.Law("Act A", None, True), "B": classify_citations.Law("Act B", D(2015, 1, 1), False)}
    corpus = classify_citations.Corpus(laws, sections, LabelRules(), D(2020, 1, 1))
    given = decision("d", date).model_dump()
    given["sub_questions"][0]["citations"] = citations
    record = Decision.model_validate(given)
    rows, _ = classify_citations.classify_citations([record], corpus, "d.jsonl")
    cited = [Cited(row.drift or "", row.is_loadbearing, row.coverage == "ended_before") for row in rows]
    (classified_row,) = classify_decisions([record], {"d": cited})
    resolved = {
        (row.decision_id, row.sub_question, row.position): make_items.Resolved(
            row.version_uri, row.valid_from, row.valid_to, row.current_uri, row.drift, row.applicable_date
        )
        for row in rows
    }
    items, _ = make_items.make_items([record], resolved, {"A": "Act A", "B": "Act B"}, D(2020, 1, 1), "d.jsonl")
    assert [item.drift_band for item in items] == ([band] if band else [])
    assert (classified_row.state, classified_row.relied_on) == (state, {"no_drift": "current", None: ""}.get(band, band))


TEN = {
    "a": ("1999-05-01", "Supreme Court", [CURRENT]),
    "b": ("1999", "Supreme Court", [AMENDED]),
    "c": ("2000", "Supreme Court", [REPEALED]),
    "d": ("2000-03", "Supreme Court", [REPEALED]),
    "e": ("2000", "Supreme Court", [UNRESOLVED]),
    "f": ("", "Supreme Court", [CURRENT]),
    "g": ("2001", "Appeal Court", []),
    "h": ("2001", "Appeal Court", [AMENDED]),
    "i": ("2003", "Other Court", []),
}


def ten():
    records = [decision(name, date, court=court, citations=len(cited)) for name, (date, court, cited) in TEN.items()]
    return classify_decisions(records, {name: cited for name, (_, _, cited) in TEN.items()})


def test_shares_of_courts():
    table = counted(ten(), ["court"])
    assert list(table.columns[:8]) == ["court", "decisions", "current", "amended", "repealed", "drifted", "ended_before", "unresolved"]
    assert table.iloc[:, :8].to_numpy().tolist() == [
        ["Supreme Court", 5, 2, 1, 2, 3, 0, 1],
        ["Appeal Court", 1, 0, 1, 0, 1, 0, 1],
        ["Other Court", 0, 0, 0, 0, 0, 0, 1],
    ]
    assert table.iloc[0, 8:].tolist() == [40, 20, 40, 60]
    assert table.iloc[2, 8:].isna().all()  # no decision to take a share of


def test_years_and_the_unknown_one():
    table = counted(ten(), ["court", "year"])
    assert [None if year is None or year != year else year for year in table["year"].astype(object).where(table["year"].notna(), None)] == [
        1999,
        2000,
        None,
        2001,
        2003,
    ]
    assert table["decisions"].tolist() == [2, 2, 1, 1, 0]
    assert table["unresolved"].tolist() == [0, 1, 0, 1, 1]


@given(st.lists(st.tuples(st.sampled_from(["", "1999", "2000-01"]), st.sampled_from("AB"), lines), max_size=8))
def test_nothing_is_lost_and_shares_add_up(found):
    names = [str(number) for number in range(len(found))]
    records = [decision(name, date, court=court, citations=len(cited)) for name, (date, court, cited) in zip(names, found, strict=True)]
    rows = classify_decisions(records, {name: cited for name, (_, _, cited) in zip(names, found, strict=True)})
    for keys in (["court"], ["court", "year"]):
        table = counted(rows, keys)
        assert table["decisions"].sum() + table["unresolved"].sum() == len(found)
        for row in table.to_dict("records"):
            assert row["current"] + row["amended"] + row["repealed"] == row["decisions"]
            if row["decisions"]:
                assert row["current_pct"] + row["amended_pct"] + row["repealed_pct"] == pytest.approx(100)
                assert row["amended_pct"] + row["repealed_pct"] == pytest.approx(row["drifted_pct"])


def make(config, root, out):
    common = ["--jurisdiction", config.stem, "--jurisdiction-config", str(config)]
    names = ("laws", "sections", "decisions", "citations", "split", "problems", "out", "by-court", "by-year")
    parquet = {"laws": "laws.parquet", "sections": "sections.parquet"}
    path = {name: [f"--{name}", str(out / parquet.get(name, name))] for name in names}

    def files(*wanted):
        return [part for name in wanted for part in path[name]]

    read_law.main([*common, "--root", str(root), *files("laws", "sections", "problems")])
    read_decisions.main([*common, "--root", str(root), *files("decisions", "problems")])
    classify_citations.main([*common, *files("laws", "sections", "decisions", "citations", "split", "problems")])
    main(files("decisions", "citations", "out", "by-court", "by-year"))
    return [list(csv.DictReader((out / name).open(encoding="utf-8", newline=""))) for name in ("out", "by-court", "by-year")]


def test_the_bundled_decisions(tmp_path):
    rows, courts, years = make(DEMO_CONFIG, DEMO, tmp_path)
    assert len(rows) == 26
    # the bands of config/jurisdictions/demo/README.md
    states = [row["relied_on"] for row in rows]
    assert [states.count(state) for state in ("current", "amended", "repealed")] == [8, 11, 7]
    # a background citation that is itself amended
    (mentioning,) = [row for row in rows if row["decision"] == "demo-2014-0367"]
    assert (mentioning["state"], mentioning["relied_on"]) == ("amended", "current")
    assert {row["court"]: int(row["decisions"]) for row in courts} == {
        "Supreme Court of Quellmark": 20,
        "Supreme Administrative Court of Quellmark": 6,
    }
    assert sum(int(row["decisions"]) for row in years) == 26
    before = {name: (tmp_path / name).read_bytes() for name in ("out", "by-court", "by-year")}
    make(DEMO_CONFIG, DEMO, tmp_path)
    assert before == {name: (tmp_path / name).read_bytes() for name in before}


@needs_tscc
def test_the_thai_decisions(tmp_path):
    rows, courts, years = make(TSCC_CONFIG, TSCC, tmp_path)
    # 1,207 issues of 1,000 numbers as spelled, two of which (12265 - 12266/2556, 13089 - 13090/2558) differ from another in spaces alone
    assert len(rows) == 998
    assert sum(int(row["records"]) for row in rows) == 1207
    assert [(row["decisions"], row["repealed"], row["unresolved"]) for row in courts] == [("998", "0", "0")]
    assert sum(int(row["decisions"]) for row in years) == 998
