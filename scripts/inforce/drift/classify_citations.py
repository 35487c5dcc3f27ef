"""Resolve every gold citation to the version in force on the decision date and compare it with the law of today (NitiBench+ A.2).

Which version: the one whose start the source names; else the one in force on the decision date; where only the year or the month is
known, the version in force on some day of it, the latest if there are several. Where no version was in force, because the section
or its law had already ended, the court applied the law of an earlier day: the last version before the decision is taken, and noted.

Drift: `repealed` if the law is not active on the corpus date, was already repealed on the decision date, or has no version of the
section in force today; `amended` if the two texts differ, white space aside; `unchanged` otherwise.

A version of unknown start is in force from the day by which it has certainly begun (`begun_by`), where the source proves one. Where one that
nothing bounds may be the version applied, or the one of today, nothing can be said: the citation stays unresolved (`unknown_start`).

Coverage of the decision's day, month or year by the cited version's interval: `whole`, `part`, `ended_before`, `begins_after`.

citations.csv holds one row a citation of each sub-question. citation_split.csv counts coverage over distinct pairs of decision and
version, so that a version which several sub-questions of one decision cite counts once, as in the source.
"""

from __future__ import annotations

import argparse
import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

import pandas as pd
import pyarrow.parquet as pq

from inforce.config.jurisdiction import Jurisdiction
from inforce.config.load import ConfigError, read_config
from inforce.records.dates import covers, first_day, last_day
from inforce.records.decisions import Decision, DecisionCitation
from inforce.records.labels import LabelRules, base_label, normalise_label
from inforce.records.lines import read_lines
from inforce.records.problems import Problem, write_problems
from inforce.records.status import Drift
from inforce.records.tables import LAWS, SECTIONS, read_rows, write_csv

Coverage = Literal["whole", "part", "ended_before", "begins_after"]
COVERAGES: tuple[str, ...] = get_args(Coverage)
COLUMNS = (
    "decision_id",
    "sub_question",
    "position",
    "law_code",
    "law_name",
    "label",
    "law",
    "is_loadbearing",
    "version_uri",
    "valid_from",
    "valid_to",
    "current_uri",
    "drift",
    "coverage",
    "applicable_date",
)
_SECTION_COLUMNS = ["version_uri", "section_uri", "law_code", "label", "valid_from", "valid_to", "text", "text_sha256", "begun_by"]


class Version(NamedTuple):
    """One dated version of a section, as far as it matters here."""

    version_uri: str
    section_uri: str
    law_code: str
    label: str
    valid_from: dt.date | None
    valid_to: dt.date | None
    text: str
    text_sha256: str
    begun_by: dt.date | None = None  # of an unknown start

    def is_in_force(self, day: dt.date) -> bool:
        """Whether it is certainly in force on the day."""
        return covers(self.valid_from, self.valid_to, day, self.begun_by)

    def has_begun(self, day: dt.date) -> bool:
        """Whether it has certainly begun by the day."""
        start = self.valid_from or self.begun_by
        return start is not None and start <= day


class Law(NamedTuple):
    """One law, as far as it matters here."""

    name: str
    repealed_on: dt.date | None
    is_active: bool


class Corpus(NamedTuple):
    """The law to resolve against; versions of a section in the order of its history."""

    laws: dict[str, Law]
    sections: dict[tuple[str, str], list[Version]]  # by law code and normalised label
    labels: LabelRules
    corpus_date: dt.date


class CitationRow(NamedTuple):
    """A row of citations.csv. Sub-questions and positions count from 1. Null without an identifier: not resolved."""

    decision_id: str
    sub_question: int
    position: int
    law_code: str | None
    law_name: str | None
    label: str | None
    law: str | None
    is_loadbearing: bool
    version_uri: str | None = None
    valid_from: dt.date | None = None
    valid_to: dt.date | None = None
    current_uri: str | None = None
    drift: Drift | None = None
    coverage: Coverage | None = None
    applicable_date: dt.date | None = None


class Unresolved(ValueError):  # noqa: N818 - not a fault of the program
    """A citation that the corpus cannot resolve; `kind` is the problem's kind."""

    def __init__(self, kind: str, reason: str) -> None:
        super().__init__(reason)
        self.kind = kind


def classify_citations(decisions: Iterable[Decision], corpus: Corpus, source: str) -> tuple[list[CitationRow], list[Problem]]:
    """Every citation in the order of the decisions, and what could not be resolved or had to be read otherwise."""
    rows: list[CitationRow] = []
    problems: list[Problem] = []
    for decision in decisions:
        if decision.decision_date and first_day(decision.decision_date) > corpus.corpus_date:
            reason = f"decided on {decision.decision_date}, after the corpus date {corpus.corpus_date}: the current law is older than the law applied"
            problems.append(Problem(source, decision.decision_id, "after_corpus_date", reason, "noted"))
        for number, question in enumerate(decision.sub_questions, start=1):
            for position, citation in enumerate(question.citations, start=1):
                rows.append(_classify(decision, number, position, citation, corpus, source, problems))
    return rows, problems


def _classify(
    decision: Decision, number: int, position: int, citation: DecisionCitation, corpus: Corpus, source: str, problems: list[Problem]
) -> CitationRow:
    law = corpus.laws.get(citation.law_code or "")
    row = CitationRow(
        decision.decision_id,
        number,
        position,
        citation.law_code,
        law.name if law else None,
        citation.label,
        citation.law,
        citation.is_loadbearing,
    )
    if citation.law_code is None and citation.law:
        return row  # an instrument that the corpus does not hold, and does not claim to
    key = f"{decision.decision_id} sub-question {number} citation {position}"
    if not decision.decision_date:
        problems.append(Problem(source, key, "no_date", "the decision has no date; kept without an identifier", "noted"))
        return row
    period = first_day(decision.decision_date), last_day(decision.decision_date)
    try:
        version = cited_version(citation, period, corpus)
        law_now = corpus.laws[version.law_code]
        current = version_on(corpus.sections[version.law_code, version.label], corpus.corpus_date)
        if current is None and law_now.is_active and may_be_in_force(corpus.sections[version.law_code, version.label], corpus.corpus_date):
            reason = f"the last version of {version.section_uri} has no known start: it cannot be said whether it is in force on {corpus.corpus_date}"
            raise Unresolved("unknown_start", reason)
    except Unresolved as error:
        problems.append(Problem(source, key, error.kind, f"{error}; kept without an identifier", "noted"))
        return row
    coverage = coverage_of(version, period)
    if coverage == "ended_before" and citation.valid_from is None:
        reason = f"no version of {version.section_uri} was in force on {decision.decision_date}; the last one before, {version.version_uri}, is taken"
        problems.append(Problem(source, key, "ended_before_decision", reason, "repaired"))
    drift = drift_of(version, current, law_now, period[0])
    return row._replace(
        version_uri=version.version_uri,
        valid_from=version.valid_from,
        valid_to=version.valid_to,
        current_uri=current.version_uri if current and law_now.is_active else None,
        drift=drift,
        coverage=coverage,
        applicable_date=version.valid_to - dt.timedelta(days=1) if version.valid_to and coverage == "ended_before" else None,
    )


def cited_version(citation: DecisionCitation, period: tuple[dt.date, dt.date], corpus: Corpus) -> Version:
    """The version that a citation means, for a decision made within the period (first and last day). Raises Unresolved."""
    if not citation.law_code or citation.law_code not in corpus.laws:
        raise Unresolved("unknown_law", f"law {citation.law_code!r} is not in the catalogue of laws")
    label = citation.label or ""
    versions = corpus.sections.get((citation.law_code, normalise_label(label, corpus.labels))) or corpus.sections.get(
        (citation.law_code, base_label(label, corpus.labels))
    )
    if not versions:
        raise Unresolved("unknown_section", f"{citation.law_code} has no section {label!r} in the corpus")
    if citation.valid_from:
        named = [version for version in versions if version.valid_from == citation.valid_from]
        if not named:
            raise Unresolved("unknown_version", f"{versions[0].section_uri} has no version that starts on {citation.valid_from}")
        return named[0]
    return _version_applied(versions, period[1])


def _version_applied(versions: list[Version], last: dt.date) -> Version:
    """The last version that has begun by the day, if no later one of unknown start may have replaced it by then. Raises Unresolved."""
    places = [place for place, version in enumerate(versions) if version.has_begun(last)]
    applied = versions[places[-1]] if places else None
    if applied and applied.is_in_force(last):
        return applied
    section = versions[0].section_uri
    if any(version.valid_from is None for version in versions[places[-1] + 1 if places else 0 :]):
        raise Unresolved("unknown_start", f"a version of {section} has no known start: it may have been in force on {last}")
    if applied is None:
        raise Unresolved("not_yet_in_force", f"no version of {section} is known to have started by {last}")
    return applied


def coverage_of(version: Version, period: tuple[dt.date, dt.date]) -> Coverage:
    """How the version's interval lies to a decision's first and last possible day. An unknown start covers part at best."""
    first, last = period
    if version.valid_to and version.valid_to <= first:
        return "ended_before"
    if version.valid_from and version.valid_from > last:
        return "begins_after"
    if version.is_in_force(first) and version.is_in_force(last):
        return "whole"
    return "part"


def version_on(versions: list[Version], day: dt.date) -> Version | None:
    """The version in force on the day; null if none is known to be."""
    found = [version for version in versions if version.is_in_force(day)]
    return found[-1] if found else None


def may_be_in_force(versions: list[Version], day: dt.date) -> bool:
    """Whether the last version that is not known to begin later has an unknown start and has not ended: it may be in force on the day or not."""
    last = next((version for version in reversed(versions) if version.valid_from is None or version.valid_from <= day), None)
    return last is not None and last.valid_from is None and (last.valid_to is None or last.valid_to > day)


def drift_of(cited: Version, current: Version | None, law: Law, decided: dt.date) -> Drift:
    """What has become of the cited text by the corpus date. `decided`: the first possible day of the decision."""
    already_repealed = law.repealed_on is not None and law.repealed_on <= decided
    if current is None or not law.is_active or already_repealed:
        return "repealed"
    return "unchanged" if _same_text(cited, current) else "amended"


def _same_text(one: Version, other: Version) -> bool:
    return one.text_sha256 == other.text_sha256 or one.text.split() == other.text.split()


def citation_split(rows: Iterable[CitationRow]) -> dict[str, int]:
    """Resolved citations by coverage, each version once a decision."""
    pairs = {(row.decision_id, row.version_uri): row.coverage for row in rows if row.version_uri}
    counts = Counter(pairs.values())
    return {coverage: counts[coverage] for coverage in get_args(Coverage)}


class CorpusFacts(NamedTuple):
    """What a corpus holds, and how much of what is cited has ever changed. Versions are counted once a decision."""

    sections: int
    versions: int
    amended_sections: int  # with more than one version
    consecutive_pairs: int
    contiguous_pairs: int  # the next version starts on the day the one before ends
    first_start: dt.date | None
    last_start: dt.date | None
    citations: int
    citations_of_amended_sections: int


def corpus_facts(corpus: Corpus, rows: Iterable[CitationRow]) -> CorpusFacts:
    """Count them. A check against what a source says of itself."""
    amended = {versions[0].section_uri for versions in corpus.sections.values() if len(versions) > 1}
    pairs = [pair for versions in corpus.sections.values() for pair in pairwise(versions)]
    starts = [version.valid_from for versions in corpus.sections.values() for version in versions if version.valid_from]
    cited = {(row.decision_id, row.version_uri) for row in rows if row.version_uri}
    return CorpusFacts(
        len(corpus.sections),
        sum(map(len, corpus.sections.values())),
        len(amended),
        len(pairs),
        sum(before.valid_to == after.valid_from for before, after in pairs),
        min(starts, default=None),
        max(starts, default=None),
        len(cited),
        sum(uri.split("/v/")[0] in amended for _, uri in cited if uri),
    )


def read_corpus(laws: Path, sections: Path, labels: LabelRules, corpus_date: dt.date, law_codes: set[str]) -> Corpus:
    """Read the catalogue, and the sections of the laws named: a decision cites few of thousands."""
    catalogue: dict[str, Law] = {}
    for row in read_rows(laws, LAWS):
        fields: dict[str, Any] = dict(row)
        catalogue[fields["law_code"]] = Law(fields["name"], fields["repealed_on"], fields["is_active"])
    by_section: dict[tuple[str, str], list[Version]] = defaultdict(list)
    for version in _versions(sections, law_codes):
        by_section[version.law_code, version.label].append(version)
    return Corpus(catalogue, dict(by_section), labels, corpus_date)


def _versions(path: Path, law_codes: set[str]) -> Iterator[Version]:
    if pq.read_schema(path).names != SECTIONS.names:
        raise ConfigError(f"{path} is not a sections.parquet of this version; make it again with read_law")
    table = pq.read_table(path, columns=_SECTION_COLUMNS, filters=[("law_code", "in", sorted(law_codes))] if law_codes else None)
    for row in table.to_pylist():
        yield Version(**row)


def citations_frame(rows: Iterable[CitationRow]) -> pd.DataFrame:
    """The table as written: empty for null, true and false in lower case."""
    text = [[str(value).lower() if isinstance(value, bool) else "" if value is None else str(value) for value in row] for row in rows]
    return pd.DataFrame(text, columns=list(COLUMNS))


def main(argv: list[str] | None = None) -> None:
    """Command line."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example:\n  python -m inforce.drift.classify_citations --jurisdiction demo --jurisdiction-config config/jurisdictions/demo.yaml \\\n"
        "    --laws laws.parquet --sections sections.parquet --decisions decisions.jsonl \\\n"
        "    --citations citations.csv --split citation_split.csv --problems problems.csv",
    )
    parser.add_argument("--jurisdiction", required=True, help="name of the jurisdiction")
    parser.add_argument("--jurisdiction-config", required=True, type=Path, help="config/jurisdictions/NAME.yaml")
    parser.add_argument("--laws", required=True, type=Path, help="laws.parquet")
    parser.add_argument("--sections", required=True, type=Path, help="sections.parquet")
    parser.add_argument("--decisions", required=True, type=Path, help="decisions.jsonl")
    parser.add_argument("--citations", required=True, type=Path, help="output: citations.csv")
    parser.add_argument("--split", required=True, type=Path, help="output: citation_split.csv")
    parser.add_argument("--problems", required=True, type=Path, help="output: problems.csv")
    parser.add_argument(
        "--facts", type=Path, help="output, if given: corpus_facts.csv, what the corpus holds and how much of it was ever amended"
    )
    args = parser.parse_args(argv)
    try:
        config = read_config(args.jurisdiction_config, Jurisdiction)
        decisions = read_lines(args.decisions, Decision)
        cited = {citation.law_code for decision in decisions for question in decision.sub_questions for citation in question.citations}
        law_codes = set() if args.facts else {code for code in cited if code}  # the facts are about the whole corpus
        corpus = read_corpus(args.laws, args.sections, config.labels, config.corpus_date, law_codes)
    except (ConfigError, ValueError, FileNotFoundError) as error:
        raise SystemExit(str(error)) from None
    rows, problems = classify_citations(decisions, corpus, args.decisions.name)
    split = citation_split(rows)
    write_csv(args.citations, citations_frame(rows))
    write_csv(args.split, pd.DataFrame({"coverage": list(split), "n": list(split.values())}))
    write_problems(args.problems, problems)
    if args.facts:
        facts = corpus_facts(corpus, rows)._asdict()
        write_csv(args.facts, pd.DataFrame({"fact": list(facts), "value": [str(value) for value in facts.values()]}))
    print(f"{args.jurisdiction}: {len(rows)} citations, {sum(split.values())} version citations ({split}), {len(problems)} problems")


if __name__ == "__main__":
    main()
