"""Read a jurisdiction's decisions: facts, questions, the court's answers and the citations as the source gives them.

Three formats. `jsonl`: one record of inforce.records.decisions a line. `issues_csv`: a table with one decided issue a row,
whose questions and verdicts are worded in the configuration and whose citations are the source's own names of section versions.
`release`: the validation split of the NitiBench+ release. Records and issues may also come as .csv or .parquet; a cell of a
record that is no text (sub_questions) is JSON there, or a nested column of Parquet.

Writes decisions.jsonl in the order of the source, and one row in problems.csv for everything that was wrong.
Rejected: lines and rows that do not fit, decisions without a date or with one that stands for no date, a second record with the same id.

Issues that are about one case share a question (`shared_question`), so that intervals treat them as one cluster: issues of one
decision, of joined cases that have a case number in common, and issues with the very same facts.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError

from inforce.config.jurisdiction import DecisionsTable, IssueQuestion, Jurisdiction
from inforce.config.load import ConfigError, read_config
from inforce.corpus.calendars import implausible_year, is_sentinel, to_common_era
from inforce.corpus.read_law import read_law
from inforce.corpus.release import read_release_decisions
from inforce.corpus.sources import (
    BadRow,
    RejectedError,
    Row,
    Rows,
    bad_text,
    csv_records,
    json_object,
    key_of,
    parquet_records,
    source_file,
    usable,
)
from inforce.corpus.versions import Version
from inforce.records.decisions import Decision, DecisionCitation, DecisionQuestion
from inforce.records.labels import LabelRules, base_label, normalise_label, to_ascii_digits
from inforce.records.lines import write_lines
from inforce.records.problems import Problem, write_problems

_JOINED = re.compile(r"(\d+)\s*[-–]\s*(\d+)\s*/\s*(\d+)")  # 4399 - 4400/2555: the cases of a year that were decided together


class DecisionsRead(NamedTuple):
    """Decisions in the order of the source, and what was wrong."""

    decisions: list[Decision]
    problems: list[Problem]


class Provisions(NamedTuple):
    """What issues cite: versions by the source's own key, and the names of their laws."""

    by_key: dict[str, Version]
    law_names: dict[str, str]


def read_decisions(root: Path, jurisdiction: Jurisdiction) -> DecisionsRead:
    """Read the decisions in the jurisdiction's folder. Raises ConfigError for a missing or unusable file."""
    table = jurisdiction.decisions
    path = source_file(root, table.file, jurisdiction)
    if table.format == "jsonl" and path.suffix in (".csv", ".parquet"):
        read = read_table(path, table)
    elif table.format == "jsonl":
        with open(path, "rb") as lines:
            read = read_records(lines, path.name, table)
    elif table.format == "release":
        read = DecisionsRead(*read_release_decisions(path, jurisdiction.labels, table.sentinel_dates))
    else:
        law = read_law(root, jurisdiction)
        by_key = {key: version for version in law.versions for key in (version.key, *version.also)}
        provisions = Provisions(by_key, {entry.law_code: entry.name for entry in law.laws})
        read = read_issues(Rows(path, table.columns), path.name, table, jurisdiction.labels, provisions)
    if not read.decisions:
        raise ConfigError(
            f"{path} holds no usable decision; the first problem is: {read.problems[0].reason if read.problems else 'it is empty'}"
        )
    return read


def read_records(lines: Iterable[bytes], source: str, table: DecisionsTable) -> DecisionsRead:
    """Decisions of our own schema, one a line."""
    given = ((f"line {number}", json_object(line)) for number, line in enumerate(lines, start=1) if line.strip())
    return _read(given, source, table)


def read_table(path: Path, table: DecisionsTable) -> DecisionsRead:
    """Decisions of our own schema, one a row of a .csv or .parquet with a column for each field; an empty cell is a field not given."""
    rows = parquet_records(path) if path.suffix == ".parquet" else csv_records(path)
    return _read(((f"row {number}", _fields(values)) for number, values in rows), path.name, table)


def _fields(values: dict[str, Any] | BadRow) -> dict[str, Any] | BadRow:
    if isinstance(values, BadRow):
        return values
    given = {name: value for name, value in values.items() if value not in (None, "")} | {
        name: ""
        for name in ("court", "source", "source_id", "title")
        if values.get(name) == ""  # may be empty
    }
    questions = given.get("sub_questions")
    if isinstance(questions, str):
        try:
            given["sub_questions"] = json.loads(questions)
        except (ValueError, RecursionError) as error:
            return BadRow("not_json", f"sub_questions: not JSON: {error}")
    return given


def _read(given: Iterable[tuple[str, dict[str, Any] | BadRow]], source: str, table: DecisionsTable) -> DecisionsRead:
    decisions: dict[str, Decision] = {}
    problems: list[Problem] = []
    for row, values in given:
        try:
            decision = _record(values, table)
            if decision.decision_id in decisions:
                raise RejectedError("duplicate_key", f"decision {decision.decision_id} was already read")
            decisions[decision.decision_id] = decision
        except RejectedError as error:
            problems.append(Problem(source, row, error.kind, str(error), "rejected"))
    return DecisionsRead(list(decisions.values()), problems)


def _record(given: dict[str, Any] | BadRow, table: DecisionsTable) -> Decision:
    if isinstance(given, BadRow):
        raise RejectedError(given.kind, given.reason)
    values = given | {"decision_date": _decision_date(str(given.get("decision_date") or ""), table)}
    try:
        decision = Decision.model_validate(values)
    except ValidationError as error:
        raise RejectedError("bad_record", _reason(error)) from error
    for text in _texts(decision.model_dump()):
        if bad := bad_text(text):
            raise RejectedError(bad.kind, bad.reason)
    if not decision.sub_questions:
        raise RejectedError("no_questions", "the decision has no sub-question")
    return decision


def _reason(error: ValidationError) -> str:
    return "; ".join(f"{'.'.join(str(part) for part in details['loc'])}: {details['msg']}" for details in error.errors())


def _texts(value: Any) -> Iterator[str]:
    """All texts of a record."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _texts(part)


def _decision_date(text: str, table: DecisionsTable) -> str:
    """As much of the date as is known, as ISO text of the common era."""
    if not text.strip():
        raise RejectedError("no_date", "the decision has no date")
    if is_sentinel(text, table.calendar, table.sentinel_dates):
        raise RejectedError("sentinel_date", f"{text} stands for no date")
    try:
        date = to_common_era(text, table.calendar)
    except ValueError as error:
        raise RejectedError("bad_date", str(error)) from error
    if reason := implausible_year(int(date[:4]), table.calendar):
        raise RejectedError("implausible_year", f"{text}: {reason}")
    return date


def read_issues(rows: Iterable[Row], source: str, table: DecisionsTable, labels: LabelRules, provisions: Provisions) -> DecisionsRead:
    """One decision a row: the issue's facts, and each of the configured questions with the court's answer."""
    decisions: dict[str, Decision] = {}
    problems: list[Problem] = []
    for number, row in rows:
        key = key_of(number, row, "id")
        found: list[Problem] = []
        try:
            values = {name: value.strip() for name, value in usable(row).items()}
            decision = _issue(values, key, source, table, labels, provisions, found)
            if decision.decision_id in decisions:
                raise RejectedError("duplicate_key", f"issue {key} was already read")
            decisions[decision.decision_id] = decision
            problems += found
        except ValidationError as error:  # nothing where a decision needs something: a category, a verdict
            problems.append(Problem(source, key, "bad_record", _reason(error), "rejected"))
        except RejectedError as error:
            problems.append(Problem(source, key, error.kind, str(error), "rejected"))
    return DecisionsRead(with_shared_questions(list(decisions.values())), problems)


def _issue(
    row: dict[str, str], key: str, source: str, table: DecisionsTable, labels: LabelRules, provisions: Provisions, problems: list[Problem]
) -> Decision:
    for column in ("facts", "decision"):
        row[column] = _without_marks(row[column], column, key, source, table, problems)
    missing = [column for column in ("id", "number", "facts", "decision") if not row[column]]
    if missing:
        raise RejectedError("empty_text", f"nothing in {', '.join(missing)}")
    number = " ".join(row["number"].split())
    if cases := case_numbers(number):
        problems.append(Problem(source, key, "joined_cases", f"{number} decides {len(cases)} cases: {', '.join(cases)}", "noted"))
    category = table.categories.get(row["category"])
    if category is None and table.categories:
        problems.append(
            Problem(
                source, key, "unknown_category", f"category {row['category']!r} is not in the configuration; taken as the domain", "noted"
            )
        )
    cited = [part.strip() for part in row["citations"].split(table.citation_separator) if part.strip()]
    citations = [_citation(name, key, source, provisions, problems) for name in cited]
    words = category.words if category else ""
    fields = {
        **row,
        "number": number,
        "category": words,
        "provisions": _in_words(citations, table, provisions),
        "subject": _subject(citations, table, labels) or words,
    }
    return Decision(
        decision_id=f"{table.id_prefix}{row['id']}",
        court=table.court,
        source=table.source,
        source_id=number,
        decision_date=_decision_date(row["date"], table),
        domain=category.domain if category else row["category"],
        title=table.title.format_map(fields),
        fact_pattern=row["facts"],
        sub_questions=[_question(asked, row, fields, citations) for asked in table.questions],
    )


def _question(asked: IssueQuestion, row: dict[str, str], fields: dict[str, str], citations: list[DecisionCitation]) -> DecisionQuestion:
    for rule in asked.verdicts:
        if all(row[column] == value for column, value in rule.when.items()):
            return DecisionQuestion(
                question=asked.question.format_map(fields),
                question_type=asked.question_type,
                depends_on_previous=asked.depends_on_previous,
                verdict=rule.text.format_map(fields),
                reasoning=asked.reasoning.format_map(fields),
                citations=citations,
            )
    raise RejectedError("no_verdict", f"no verdict of the configuration fits the question {asked.question!r}")


def _without_marks(text: str, column: str, key: str, source: str, table: DecisionsTable, problems: list[Problem]) -> str:
    for pattern in table.marks:
        text = re.sub(pattern, "", text)
    for pattern in table.broken_marks:
        for found in re.finditer(pattern, text):
            problems.append(Problem(source, key, "broken_mark", f"{column}: {found.group()!r} taken out of the text", "repaired"))
        text = re.sub(pattern, "", text)
    return text.strip()


def _citation(name: str, key: str, source: str, provisions: Provisions, problems: list[Problem]) -> DecisionCitation:
    version = provisions.by_key.get(name)
    if version is None:
        problems.append(
            Problem(source, key, "unknown_version", f"{name} is not a section version of the law read; kept without an identifier", "noted")
        )
        return DecisionCitation(law=name)
    return DecisionCitation(law_code=version.law_code, label=version.label, valid_from=version.valid_from)


def _in_words(citations: list[DecisionCitation], table: DecisionsTable, provisions: Provisions) -> str:
    """`Penal Code section 288, section 83; ...`: each law once, with its sections in the order cited."""
    by_law: dict[str, list[str]] = {}
    for citation in citations:
        if citation.law_code and citation.label:
            by_law.setdefault(provisions.law_names[citation.law_code], []).append(table.label_text.format(label=citation.label))
        elif citation.law:
            by_law.setdefault(citation.law, [])
    return "; ".join(" ".join([law, table.label_join.join(sections)]).strip() for law, sections in by_law.items())


def _subject(citations: list[DecisionCitation], table: DecisionsTable, labels: LabelRules) -> str:
    """The name of the first cited section that has one; a section's name also holds for its parts."""
    names = {normalise_label(label, labels): name for label, name in table.label_names.items()}
    for citation in citations:
        if citation.label:
            name = names.get(citation.label) or names.get(base_label(citation.label, labels))
            if name:
                return name
    return ""


def case_numbers(number: str) -> list[str]:
    """The single cases of a joined decision: `4399 - 4400/2555` -> `4399/2555`, `4400/2555`; empty if it is not joined."""
    found = _JOINED.fullmatch(to_ascii_digits(number))
    if not found:
        return []
    first, last, year = int(found.group(1)), int(found.group(2)), found.group(3)
    return [f"{case}/{year}" for case in range(first, last + 1)] if first < last <= first + 1000 else [f"{first}/{year}", f"{last}/{year}"]


def with_shared_questions(decisions: list[Decision]) -> list[Decision]:
    """Give all decisions about one case the same `shared_question`: the number of the first of them.

    About one case are decisions with a case number in common or with the same facts, and whoever is linked through others.
    """
    first_with: dict[tuple[str, str], int] = {}
    group = list(range(len(decisions)))
    for index, decision in enumerate(decisions):
        numbers = case_numbers(decision.source_id) or [decision.source_id]
        for key in [*(("case", number) for number in numbers), ("facts", decision.fact_pattern)]:
            other = first_with.setdefault(key, index)
            low, high = sorted((_root(group, index), _root(group, other)))
            group[high] = low
    roots = [_root(group, index) for index in range(len(decisions))]
    sizes = Counter(roots)
    return [
        decision.model_copy(update={"shared_question": decisions[root].source_id}) if sizes[root] > 1 else decision
        for decision, root in zip(decisions, roots, strict=True)
    ]


def _root(group: list[int], index: int) -> int:
    while group[index] != index:
        group[index] = group[group[index]]
        index = group[index]
    return index


def main(argv: list[str] | None = None) -> None:
    """Command line."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example:\n  python -m inforce.corpus.read_decisions --jurisdiction demo --jurisdiction-config config/jurisdictions/demo.yaml \\\n"
        "    --root config/jurisdictions/demo --decisions decisions.jsonl --problems problems.csv",
    )
    parser.add_argument("--jurisdiction", required=True, help="name of the jurisdiction")
    parser.add_argument("--jurisdiction-config", required=True, type=Path, help="config/jurisdictions/NAME.yaml")
    parser.add_argument("--root", required=True, type=Path, help="folder of the jurisdiction's data")
    parser.add_argument("--decisions", required=True, type=Path, help="output: decisions.jsonl")
    parser.add_argument("--problems", required=True, type=Path, help="output: problems.csv")
    args = parser.parse_args(argv)
    try:
        read = read_decisions(args.root, read_config(args.jurisdiction_config, Jurisdiction))
    except ConfigError as error:
        raise SystemExit(str(error)) from None
    write_lines(args.decisions, read.decisions)
    write_problems(args.problems, read.problems)
    print(f"{args.jurisdiction}: {len(read.decisions)} decisions, {len(read.problems)} problems")


if __name__ == "__main__":
    main()
