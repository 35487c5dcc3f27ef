"""Compare the statute texts inside a question set with the law of today (NitiBench+ Table 4).

A question set is written against one state of the law and carries the text of each section cited. Of every citation:

- `version_uri`: the version whose text it carries, the latest that has begun by the corpus date if several are equal; found by the text
  (`basis` = text), or, where no version has that text and the set says of which day its texts are, by that day (`basis` = snapshot).
- `state`: `current` (that text is the one in force on the corpus date), `amended` (another is), `repealed` (the section has no version in
  force, or its law is not active). The last two are stale. `unmatched`: neither text nor day says which version it is, so that nothing can
  be said of it. `unresolved`: the corpus has no such law or no such section, or the start of the section's last version is unknown, so that
  nothing can be said of the law of today.
- `ever_amended`: whether versions of the section that have begun by the corpus date differ in their text.

Texts are compared without white space at the ends and with one space for a run of it, digits of any script alike, and without the set's
`noise`. A law is found by its code, its name or an alias, whole and without regard to case: a question set that names it otherwise needs an
alias in the catalogue. What is unresolved or unmatched is in problems.csv as well.

A jurisdiction without a question set gets files without rows.
"""

from __future__ import annotations

import argparse
import csv
import datetime as dt
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from inforce.config.jurisdiction import Jurisdiction, QuestionSet
from inforce.config.load import ConfigError, read_config
from inforce.drift.classify_citations import Corpus, Version, may_be_in_force, read_corpus, version_on
from inforce.drift.distances import one_spaced, trigram_distance
from inforce.records.labels import base_label, normalise_label, to_ascii_digits
from inforce.records.problems import Problem, write_problems
from inforce.records.tables import LAWS, read_rows, write_csv

STALE = ("amended", "repealed")
SUMMARY = (
    "question_set",
    "snapshot",
    "questions",
    "citations",
    "compared",
    "stale",
    "stale_pct",
    "amended",
    "repealed",
    "unmatched",
    "unresolved",
    "sections",
    "ever_amended",
    "ever_amended_pct",
)


class EmbeddedText(NamedTuple):
    """A citation of a question with the statute text that the set carries. Positions count from 1."""

    question_id: str
    position: int
    law: str
    label: str
    text: str


class ComparedText(NamedTuple):
    """A row of question_set.csv."""

    question_id: str
    position: int
    law: str
    label: str
    law_code: str | None = None
    section_uri: str | None = None
    version_uri: str | None = None
    current_uri: str | None = None
    basis: str | None = None
    state: str = "unresolved"
    ever_amended: bool | None = None
    distance_to_current: float | None = None  # trigram distance of the embedded text


class Asked(NamedTuple):
    """What was read of a question set: its questions, some without a citation, and the texts they carry."""

    question_ids: list[str]
    texts: list[EmbeddedText]
    problems: list[Problem]  # rows of the file that were rejected


def compare(
    texts: Iterable[EmbeddedText], corpus: Corpus, laws: dict[str, set[str]], entry: QuestionSet
) -> tuple[list[ComparedText], list[Problem]]:
    """Each text in the order given, and what could not be found. `laws`: law codes by name, see `laws_by_name`."""
    rows, problems = [], []
    for text in texts:
        row, problem = _compared(text, corpus, laws, entry)
        rows.append(row)
        if problem:
            kind, reason = problem
            problems.append(Problem(entry.file, f"{text.question_id} citation {text.position}", kind, reason, "noted"))
    return rows, problems


def _compared(
    text: EmbeddedText, corpus: Corpus, laws: dict[str, set[str]], entry: QuestionSet
) -> tuple[ComparedText, tuple[str, str] | None]:
    row = ComparedText(text.question_id, text.position, text.law, text.label)
    codes = laws.get(name_key(text.law), set())
    if len(codes) != 1:
        kind = "ambiguous_law" if codes else "unknown_law"
        return row, (kind, f"{text.law!r} is the name of {'several laws' if codes else 'no law in the catalogue'}")
    (law_code,) = codes
    versions = _versions(law_code, text.label, corpus)
    if not versions:
        return row._replace(law_code=law_code), ("unknown_section", f"{law_code} has no section {text.label!r} in the corpus")
    begun = [version for version in versions if not version.valid_from or version.valid_from <= corpus.corpus_date]
    current = version_on(versions, corpus.corpus_date) if corpus.laws[law_code].is_active else None
    if current is None and corpus.laws[law_code].is_active and may_be_in_force(versions, corpus.corpus_date):
        reason = f"the last version of {versions[0].section_uri} has no known start: it cannot be said whether it is in force"
        return row._replace(law_code=law_code), ("unknown_start", reason)
    cleaned = {version.version_uri: clean(version.text, entry.noise) for version in begun}
    own = clean(text.text, entry.noise)
    row = row._replace(
        law_code=law_code,
        section_uri=versions[0].section_uri,
        current_uri=current.version_uri if current else None,
        ever_amended=len(set(cleaned.values())) > 1,
        distance_to_current=trigram_distance(own, cleaned[current.version_uri]) if current else None,
    )
    equal = [version for version in begun if cleaned[version.version_uri] == own]
    problem = None if equal else ("text_of_no_version", f"the text is that of no version of {versions[0].section_uri}")
    found: Version | None = None
    if equal:
        found = current if current in equal else equal[-1]
    elif entry.snapshot:
        found = version_on(begun, entry.snapshot)
    if found is None:
        return row._replace(state="unmatched"), problem
    state = "repealed" if current is None else "current" if cleaned[found.version_uri] == cleaned[current.version_uri] else "amended"
    return row._replace(version_uri=found.version_uri, basis="text" if equal else "snapshot", state=state), problem


def _versions(law_code: str, label: str, corpus: Corpus) -> list[Version]:
    whole, base = normalise_label(label, corpus.labels), base_label(label, corpus.labels)
    return corpus.sections.get((law_code, whole)) or corpus.sections.get((law_code, base)) or []


def clean(text: str, noise: Iterable[str]) -> str:
    """The text as it is compared."""
    for pattern in noise:
        text = re.sub(pattern, "", text)
    return to_ascii_digits(one_spaced(text))


def name_key(name: str) -> str:
    """One spelling for names that are the same law."""
    return to_ascii_digits(one_spaced(name)).casefold()


def laws_by_name(rows: Iterable[dict[str, Any]]) -> dict[str, set[str]]:
    """The law codes that a code, name or alias can mean."""
    found: dict[str, set[str]] = defaultdict(set)
    for law in rows:
        for name in (law["law_code"], law["name"], *(law["aliases"] or [])):
            found[name_key(name)].add(law["law_code"])
    return dict(found)


def read_question_set(path: Path, entry: QuestionSet) -> Asked:
    """Read a .jsonl or a .csv as the jurisdiction says; a row of a .csv with more fields than its header is rejected.

    Raises ValueError that names the file, the line and the key.
    """
    lines = list(_jsonl(path) if path.suffix == ".jsonl" else _csv(path))
    key = {name: entry.columns.get(name, name) for name in ("question_id", "citations", "law", "label", "text")}  # type: ignore[call-overload]
    ids: dict[str, int] = {}  # the number of citations met
    texts, problems = [], []
    for number, line in lines:
        where = f"{path}, line {number}"
        if isinstance(line, dict) and None in line:
            problems.append(Problem(entry.file, f"line {number}", "ragged_row", "the row has more fields than the header", "rejected"))
            continue
        question_id = str(_value(line, key["question_id"], where))
        if path.suffix == ".jsonl":
            if question_id in ids:
                raise ValueError(f"{where}: question {question_id!r} is there twice; give each its own {key['question_id']}")
            given = _value(line, key["citations"], where)
            if not isinstance(given, list):
                raise ValueError(f"{where}: {key['citations']} is not a list")
        else:
            given = [line]
        ids.setdefault(question_id, 0)
        for citation in given:
            ids[question_id] += 1
            law, label, text = (str(_value(citation, key[name], where)) for name in ("law", "label", "text"))
            texts.append(EmbeddedText(question_id, ids[question_id], law, label, text))
    return Asked(list(ids), texts, problems)


def _value(line: Any, key: str, where: str) -> Any:
    if not isinstance(line, dict) or line.get(key) is None:
        raise ValueError(f"{where}: no {key}; name the file's own key under question_set.columns")
    return line[key]


def _jsonl(path: Path) -> Iterator[tuple[int, Any]]:
    with open(path, encoding="utf-8-sig") as handle:
        for number, line in enumerate(handle, start=1):
            if line.strip():
                try:
                    yield number, json.loads(line)
                except json.JSONDecodeError as error:
                    raise ValueError(f"{path}, line {number}: not JSON: {error}") from error


def _csv(path: Path) -> Iterator[tuple[int, Any]]:
    with open(path, encoding="utf-8-sig", newline="") as handle:
        reader = csv.DictReader(handle)
        for row in reader:
            yield reader.line_num, row


def summary(title: str, snapshot: dt.date | None, questions: int, rows: list[ComparedText]) -> dict[str, object]:
    """The set's row of Table 4: stale citations of those compared, and sections ever amended of those cited and found, each once."""
    counts = {state: sum(row.state == state for row in rows) for state in (*STALE, "unmatched", "unresolved")}
    compared = len(rows) - counts["unmatched"] - counts["unresolved"]
    stale = sum(counts[state] for state in STALE)
    sections = {row.section_uri: bool(row.ever_amended) for row in rows if row.section_uri}
    amended = sum(sections.values())
    return {
        "question_set": title,
        "snapshot": snapshot.isoformat() if snapshot else None,
        "questions": questions,
        "citations": len(rows),
        "compared": compared,
        "stale": stale,
        "stale_pct": 100 * stale / compared if compared else None,
        **counts,
        "sections": len(sections),
        "ever_amended": amended,
        "ever_amended_pct": 100 * amended / len(sections) if sections else None,
    }


def rows_frame(rows: Iterable[ComparedText]) -> pd.DataFrame:
    """question_set.csv as written: true and false in lower case, empty for what is not known."""
    frame = pd.DataFrame(rows, columns=list(ComparedText._fields))
    frame["ever_amended"] = frame["ever_amended"].map({True: "true", False: "false"})
    return frame


def main(argv: list[str] | None = None) -> None:
    """Command line."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example:\n  python -m inforce.drift.compare_question_set --jurisdiction-config config/jurisdictions/demo.yaml \\\n"
        "    --root config/jurisdictions/demo --laws laws.parquet --sections sections.parquet \\\n"
        "    --out question_set.csv --summary question_set_summary.csv --problems question_set_problems.csv",
    )
    parser.add_argument("--jurisdiction-config", required=True, type=Path, help="config/jurisdictions/NAME.yaml")
    parser.add_argument("--root", required=True, type=Path, help="folder of the jurisdiction's data")
    parser.add_argument("--laws", required=True, type=Path, help="laws.parquet")
    parser.add_argument("--sections", required=True, type=Path, help="sections.parquet")
    parser.add_argument("--out", required=True, type=Path, help="output: question_set.csv, one row a citation")
    parser.add_argument("--summary", required=True, type=Path, help="output: question_set_summary.csv, the row of Table 4")
    parser.add_argument("--problems", required=True, type=Path, help="output: question_set_problems.csv")
    args = parser.parse_args(argv)
    rows: list[ComparedText] = []
    problems: list[Problem] = []
    table = []
    try:
        config = read_config(args.jurisdiction_config, Jurisdiction)
        if config.question_set:
            entry = config.question_set
            asked = read_question_set(args.root / entry.file, entry)
            laws = laws_by_name(read_rows(args.laws, LAWS))
            codes = {code for text in asked.texts for code in laws.get(name_key(text.law), set())}
            corpus = read_corpus(args.laws, args.sections, config.labels, config.corpus_date, codes)
            rows, found = compare(asked.texts, corpus, laws, entry)
            problems = [*asked.problems, *found]
            table = [summary(entry.title, entry.snapshot, len(asked.question_ids), rows)]
    except (ConfigError, ValueError, FileNotFoundError) as error:
        raise SystemExit(str(error)) from None
    write_csv(args.out, rows_frame(rows))
    write_csv(args.summary, pd.DataFrame(table, columns=list(SUMMARY)))
    write_problems(args.problems, problems)
    print(f"{len(rows)} citations of question sets, {len(problems)} problems" if config.question_set else "no question set is declared")


if __name__ == "__main__":
    main()
