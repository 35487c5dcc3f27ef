"""Make benchmark items from decisions and their resolved citations (NitiBench+ A.1).

`law_date`, the day whose law the harness serves: the latest day, at most the last possible day of the decision, on which every
version that the court relies on is in force. If it lies before the decision it is the item's `applicable_date` as well. If there is
no such day, the last possible day of the decision is taken, with a row in problems.csv. Background citations do not count.

`drift_band` is the most severe drift among the citations relied on. An item none of whose citations relied on is resolved is
rejected: it has no band, and nothing to score. composition.csv counts items as table 5 of the paper does.
"""

from __future__ import annotations

import argparse
import csv
import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple, cast, get_args

import pandas as pd

from inforce.config.jurisdiction import Jurisdiction
from inforce.config.load import ConfigError, read_config
from inforce.records.dates import first_day, last_day, precision_of
from inforce.records.decisions import Decision, DecisionCitation, DecisionQuestion, QuestionType
from inforce.records.items import Citation, Item, SubQuestion
from inforce.records.lines import read_lines, write_lines
from inforce.records.problems import Problem, write_problems
from inforce.records.status import DRIFT_BANDS, DRIFTS, Drift, DriftBand
from inforce.records.tables import LAWS, read_rows, write_csv

CitationKey = tuple[str, int, int]  # decision_id, sub-question and position, both from 1


class Resolved(NamedTuple):
    """What citations.csv says of one citation."""

    version_uri: str | None
    valid_from: dt.date | None
    valid_to: dt.date | None
    current_uri: str | None
    drift: Drift | None
    applicable_date: dt.date | None


class LawDate(NamedTuple):
    """The day whose law is served; `is_common` = every version relied on is in force on it."""

    day: dt.date
    is_common: bool


def make_items(
    decisions: Iterable[Decision], resolved: dict[CitationKey, Resolved], law_names: dict[str, str], corpus_date: dt.date, source: str
) -> tuple[list[Item], list[Problem]]:
    """Items sorted by id, and what was wrong in the order of the decisions.

    Raises ValueError for a citation that `resolved` does not have: the two files are not of one run.
    """
    problems: list[Problem] = []
    made = []
    sharing: dict[str, list[str]] = defaultdict(list)
    for decision in decisions:
        item = _item(decision, resolved, law_names, corpus_date, source, problems)
        if item:
            made.append((decision, item))
            if decision.shared_question:
                sharing[decision.shared_question].append(item.id)
    items = [_with_others(item, sharing.get(decision.shared_question or "", [])) for decision, item in made]
    return sorted(items, key=lambda item: item.id), problems


def _with_others(item: Item, sharing: list[str]) -> Item:
    return item.model_copy(update={"asks_shared_question": sorted(set(sharing) - {item.id})})


def _item(
    decision: Decision,
    resolved: dict[CitationKey, Resolved],
    law_names: dict[str, str],
    corpus_date: dt.date,
    source: str,
    problems: list[Problem],
) -> Item | None:
    questions = [
        _question(decision.decision_id, number, question, resolved, law_names)
        for number, question in enumerate(decision.sub_questions, start=1)
    ]
    citations = [citation for question in questions for citation in question.citations]
    relied_on = [citation for citation in citations if citation.is_scored]
    if not relied_on:
        reason = "no citation that the court relies on could be resolved"
        problems.append(Problem(source, decision.decision_id, "no_resolved_citation", reason, "rejected"))
        return None
    first, last = first_day(decision.decision_date), last_day(decision.decision_date)
    law_date = law_date_of(relied_on, last)
    if not law_date.is_common:
        reason = f"on no day until {last} are all cited versions known to be in force; the law of {last} is served"
        problems.append(Problem(source, decision.decision_id, "no_common_day", reason, "noted"))
    return Item(
        id=decision.decision_id,
        domain=decision.domain,
        court=decision.court,
        source=decision.source,
        source_id=decision.source_id,
        decision_date=decision.decision_date,
        date_precision=precision_of(decision.decision_date),
        law_date=law_date.day,
        applicable_date=law_date.day if law_date.day < first else None,
        year_be=first.year + 543,
        decade=f"{first.year // 10 * 10}s",
        title=decision.title,
        fact_pattern=decision.fact_pattern,
        drift_band=band_of(relied_on),
        n_sub_questions=len(questions),
        n_cited_laws=len({citation.law_code for citation in citations if citation.version_uri}),
        asks_shared_question=[],
        corpus_date=corpus_date,
        sub_questions=questions,
    )


def _question(
    decision_id: str, number: int, question: DecisionQuestion, resolved: dict[CitationKey, Resolved], law_names: dict[str, str]
) -> SubQuestion:
    return SubQuestion(
        question=question.question,
        question_type=question.question_type,
        depends_on_previous=question.depends_on_previous,
        verdict=question.verdict,
        reasoning=question.reasoning,
        citations=[
            _citation((decision_id, number, position), given, resolved, law_names)
            for position, given in enumerate(question.citations, start=1)
        ],
    )


def _citation(key: CitationKey, given: DecisionCitation, resolved: dict[CitationKey, Resolved], law_names: dict[str, str]) -> Citation:
    found = resolved.get(key)
    if found is None:
        raise ValueError(
            f"{key[0]}, sub-question {key[1]}, citation {key[2]} is not among the classified citations; run classify_citations again"
        )
    return Citation(
        law_code=given.law_code,
        law_name_th=law_names.get(given.law_code or ""),
        label=given.label,
        law=given.law,
        is_loadbearing=given.is_loadbearing,
        **found._asdict(),
    )


def law_date_of(citations: list[Citation], last: dt.date) -> LawDate:
    """The latest day, at most `last`, on which every cited version is known to be in force; `last` itself if there is none.

    A version of unknown start is resolved only where it has begun by the decision or ended before: known to be in force are `last` and its own last day.
    """
    ends = [citation.valid_to - dt.timedelta(days=1) for citation in citations if citation.valid_to]
    day = min([last, *ends])
    if all(citation.valid_from <= day if citation.valid_from else day in (last, _last_day_of(citation)) for citation in citations):
        return LawDate(day, True)
    return LawDate(last, False)


def _last_day_of(citation: Citation) -> dt.date | None:
    return citation.valid_to - dt.timedelta(days=1) if citation.valid_to else None


def band_of(citations: list[Citation]) -> DriftBand:
    """The band of the most severe drift: repealed above amended above unchanged."""
    return cast(DriftBand, DRIFT_BANDS[max(DRIFTS.index(citation.drift) for citation in citations if citation.drift)])


def composition(items: Iterable[Item]) -> pd.DataFrame:
    """Items and sub-questions by domain, drift band and question type; domains by size, then the total."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for item in items:
        for domain in (item.domain, "total"):
            counts[domain].update(["items", item.drift_band])
            counts[domain].update({"sub_questions": item.n_sub_questions})
            counts[domain].update(question.question_type for question in item.sub_questions)
    columns = ["items", "sub_questions", *DRIFT_BANDS, *get_args(QuestionType)]
    domains = sorted(counts, key=lambda domain: (domain == "total", -counts[domain]["items"], domain))
    return pd.DataFrame([[domain, *(counts[domain][column] for column in columns)] for domain in domains], columns=["domain", *columns])


def read_citations(path: Path) -> dict[CitationKey, Resolved]:
    """citations.csv by decision, sub-question and position."""

    def day(text: str) -> dt.date | None:
        return dt.date.fromisoformat(text) if text else None

    with open(path, encoding="utf-8", newline="") as handle:
        return {
            (row["decision_id"], int(row["sub_question"]), int(row["position"])): Resolved(
                row["version_uri"] or None,
                day(row["valid_from"]),
                day(row["valid_to"]),
                row["current_uri"] or None,
                cast("Drift | None", row["drift"] or None),
                day(row["applicable_date"]),
            )
            for row in csv.DictReader(handle)
        }


def main(argv: list[str] | None = None) -> None:
    """Command line."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example:\n  python -m inforce.items.make_items --jurisdiction-config config/jurisdictions/demo.yaml --decisions decisions.jsonl \\\n"
        "    --citations citations.csv --laws laws.parquet --items items.jsonl --composition composition.csv --problems problems.csv",
    )
    parser.add_argument("--jurisdiction-config", required=True, type=Path, help="config/jurisdictions/NAME.yaml")
    parser.add_argument("--decisions", required=True, type=Path, help="decisions.jsonl")
    parser.add_argument("--citations", required=True, type=Path, help="citations.csv of classify_citations")
    parser.add_argument("--laws", required=True, type=Path, help="laws.parquet")
    parser.add_argument("--items", required=True, type=Path, help="output: items.jsonl")
    parser.add_argument("--composition", required=True, type=Path, help="output: composition.csv")
    parser.add_argument("--problems", required=True, type=Path, help="output: problems.csv")
    args = parser.parse_args(argv)
    try:
        config = read_config(args.jurisdiction_config, Jurisdiction)
        law_names = {str(law["law_code"]): str(law["name"]) for law in read_rows(args.laws, LAWS)}
        decisions = read_lines(args.decisions, Decision)
        items, problems = make_items(decisions, read_citations(args.citations), law_names, config.corpus_date, args.decisions.name)
    except (ConfigError, ValueError, FileNotFoundError) as error:
        raise SystemExit(str(error)) from None
    write_lines(args.items, items)
    write_csv(args.composition, composition(items))
    write_problems(args.problems, problems)
    print(f"{len(items)} items, {sum(item.n_sub_questions for item in items)} sub-questions, {len(problems)} problems")


if __name__ == "__main__":
    main()
