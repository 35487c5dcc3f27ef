import csv

import pytest
from corpus.small import DEMO, DEMO_CONFIG, TSCC, TSCC_CONFIG, needs_tscc
from hypothesis import given
from hypothesis import strategies as st

from inforce.corpus import read_decisions, read_law
from inforce.drift import classify_citations
from inforce.drift.classify_decisions import Cited, classify_decisions, counted, main, rests_on_ended, state_of
from inforce.records.decisions import Decision
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
    path = {name: [f"--{name}", str(out / name)] for name in names}

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
