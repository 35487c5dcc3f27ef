"""What has become of the law that each decision cites, by court and year (NitiBench+ §3, Table 1 and Figure 2).

A decision takes the most severe state among its resolved citations, repealed above amended above current; the states of citations are
those of classify_citations (A.2). Every citation counts here, background ones too (§3 takes them all). `relied_on` is the state among the citations relied on, which sets the drift band of a benchmark item.

`ended_before`: the decision has its state from versions alone that had already ended when it was made, because the court applied the law
of an earlier day. It counts with its state, since the text applied is not the current one, but that text was gone before the decision.

A decision none of whose citations is resolved has no state. It is counted apart, with the reason: `no_citation` or `none_resolved`.
Records of one court with the same number and date are one decision: a source may part a decision into its issues.

Shares are of the decisions that have a state. A year that is not known is a row of its own, with an empty year.
"""

from __future__ import annotations

import argparse
import csv
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from inforce.records.dates import first_day
from inforce.records.decisions import Decision
from inforce.records.lines import iter_lines
from inforce.records.status import DRIFTS
from inforce.records.tables import write_csv

STATES = ("current", "amended", "repealed")  # the drifts of citations, as Table 1 names them, from the least to the most severe
COUNTS = ("decisions", *STATES, "drifted", "ended_before", "unresolved")


class Cited(NamedTuple):
    """What citations.csv says of one citation; `drift` is empty if it was not resolved."""

    drift: str
    is_loadbearing: bool
    ended_before: bool


class ClassifiedDecision(NamedTuple):
    """A row of decisions.csv. `state` is empty where no citation is resolved, and `reason` says why."""

    decision: str
    court: str
    year: int | None
    records: int
    citations: int
    resolved: int
    state: str
    relied_on: str
    ended_before: bool
    reason: str


class _Heading(NamedTuple):
    """What makes records one decision, and what is said of it."""

    court: str
    source: str
    source_id: str
    decision_date: str


def state_of(cited: Iterable[Cited]) -> str:
    """The most severe state; empty if there is none."""
    ranks = [DRIFTS.index(citation.drift) for citation in cited if citation.drift]
    return STATES[max(ranks)] if ranks else ""


def rests_on_ended(cited: Iterable[Cited]) -> bool:
    """Whether all citations of the most severe state, drifted ones, are of versions that had ended before the decision."""
    found = [citation for citation in cited if citation.drift]
    state = state_of(found)
    severest = [citation for citation in found if STATES[DRIFTS.index(citation.drift)] == state]
    return state not in ("", "current") and all(citation.ended_before for citation in severest)


def classify_decisions(decisions: Iterable[Decision], cited: dict[str, list[Cited]]) -> list[ClassifiedDecision]:
    """One row a decision, in the order in which their first records are met; `cited` by the record's id.

    Raises ValueError where a record has another number of citations than `cited` says: the two files are not of one run.
    """
    records: dict[_Heading, list[str]] = defaultdict(list)
    for decision in decisions:
        given = sum(len(question.citations) for question in decision.sub_questions)
        if given != len(cited.get(decision.decision_id, [])):
            raise ValueError(
                f"{decision.decision_id} has {given} citations, of which {len(cited.get(decision.decision_id, []))} are classified; "
                "run classify_citations again"
            )
        number = decision.source_id or decision.decision_id
        records[_Heading(decision.court, decision.source, number, decision.decision_date)].append(decision.decision_id)
    return [_classified(heading, ids, [line for name in ids for line in cited.get(name, [])]) for heading, ids in records.items()]


def _classified(heading: _Heading, ids: list[str], cited: list[Cited]) -> ClassifiedDecision:
    state = state_of(cited)
    return ClassifiedDecision(
        ids[0],
        heading.court,
        first_day(heading.decision_date).year if heading.decision_date else None,
        len(ids),
        len(cited),
        sum(bool(citation.drift) for citation in cited),
        state,
        state_of(citation for citation in cited if citation.is_loadbearing),
        rests_on_ended(cited),
        "" if state else "none_resolved" if cited else "no_citation",
    )


def decisions_frame(rows: Iterable[ClassifiedDecision]) -> pd.DataFrame:
    """decisions.csv as written: true and false in lower case, an unknown year empty."""
    frame = pd.DataFrame(rows, columns=list(ClassifiedDecision._fields)).astype({"year": "Int64"})
    frame["ended_before"] = frame["ended_before"].map({True: "true", False: "false"})
    return frame


def counted(rows: Iterable[ClassifiedDecision], keys: list[str]) -> pd.DataFrame:
    """Counts and shares in percent of each group. Courts in the order of their size, then by name; years in order, unknown ones last."""
    groups: dict[tuple[object, ...], list[ClassifiedDecision]] = defaultdict(list)
    sizes: dict[str, int] = defaultdict(int)
    for row in rows:
        groups[tuple(getattr(row, key) for key in keys)].append(row)
        sizes[row.court] += 1

    def place(group: tuple[object, ...]) -> tuple[object, ...]:
        court = str(group[0])
        year = group[1] if len(group) > 1 else 0
        return -sizes[court], court, year is None, year or 0

    table = [[*group, *_counts(groups[group])] for group in sorted(groups, key=place)]
    shares = [f"{state}_pct" for state in (*STATES, "drifted")]
    frame = pd.DataFrame(table, columns=[*keys, *COUNTS, *shares])
    return frame.astype({"year": "Int64"}) if "year" in keys else frame


def _counts(rows: list[ClassifiedDecision]) -> list[float | int | None]:
    by_state = [sum(row.state == state for row in rows) for state in STATES]
    total, drifted = sum(by_state), sum(by_state[1:])
    shares = [100 * count / total if total else None for count in (*by_state, drifted)]
    return [total, *by_state, drifted, sum(row.ended_before for row in rows), len(rows) - total, *shares]


def read_citations(path: Path) -> dict[str, list[Cited]]:
    """citations.csv by the decision record's id."""
    found: dict[str, list[Cited]] = defaultdict(list)
    with open(path, encoding="utf-8", newline="") as handle:
        for row in csv.DictReader(handle):
            found[row["decision_id"]].append(Cited(row["drift"], row["is_loadbearing"] == "true", row["coverage"] == "ended_before"))
    return dict(found)


def main(argv: list[str] | None = None) -> None:
    """Command line."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example:\n  python -m inforce.drift.classify_decisions --decisions results/corpus/demo/decisions.jsonl \\\n"
        "    --citations results/drift/demo/citations.csv --out decisions.csv --by-court by_court.csv --by-year by_year.csv",
    )
    parser.add_argument("--decisions", required=True, type=Path, help="decisions.jsonl")
    parser.add_argument("--citations", required=True, type=Path, help="citations.csv of classify_citations")
    parser.add_argument("--out", required=True, type=Path, help="output: decisions.csv, one row a decision")
    parser.add_argument("--by-court", required=True, type=Path, help="output: by_court.csv (Table 1)")
    parser.add_argument("--by-year", required=True, type=Path, help="output: by_year.csv (Figure 2)")
    args = parser.parse_args(argv)
    try:
        rows = classify_decisions(iter_lines(args.decisions, Decision), read_citations(args.citations))
    except (ValueError, FileNotFoundError) as error:
        raise SystemExit(str(error)) from None
    write_csv(args.out, decisions_frame(rows))
    write_csv(args.by_court, counted(rows, ["court"]))
    write_csv(args.by_year, counted(rows, ["court", "year"]))
    print(f"{sum(bool(row.state) for row in rows)} of {len(rows)} decisions have a resolved citation")


if __name__ == "__main__":
    main()
