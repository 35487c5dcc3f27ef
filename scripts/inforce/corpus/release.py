"""The NitiBench+ release (Appendix A.1): decided cases from validation_split.jsonl, section texts from gold_sections.jsonl.

The release holds of each gold section two versions only, so its corpus answers questions on these and on no others: set
`holds_whole_laws: false` in the jurisdiction. Its identifiers (`/law/CODE/section-LABEL/v/DAY`) get the jurisdiction's name in front. Every
record carries a canary string that keeps it out of training corpora; it is not copied into results.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple, get_args

from inforce.config.load import ConfigError
from inforce.config.sources import SENTINEL_DATES, Release
from inforce.corpus.calendars import implausible_year, is_beyond
from inforce.corpus.sources import BadRow, RejectedError, bad_text, json_lines
from inforce.corpus.versions import Law, LawRead, Version, natural_key
from inforce.records.dates import precision_of
from inforce.records.decisions import Decision, DecisionCitation, DecisionQuestion, QuestionType
from inforce.records.labels import LabelRules, normalise_label
from inforce.records.problems import Problem
from inforce.records.uris import parse_uri

_SECTION_FIELDS = ("version_uri", "law_code", "law_name_th", "label", "component_type", "valid_from", "valid_to", "is_law_active", "text")
_CASE_FIELDS = (
    "id",
    "domain",
    "court",
    "source",
    "source_id",
    "decision_date",
    "title",
    "fact_pattern",
    "asks_shared_question",
    "sub_questions",
)


def read_release_law(root: Path, config: Release, labels: LabelRules, corpus_date: dt.date) -> LawRead:
    """Laws and versions of gold_sections.jsonl. Raises ConfigError for a file that is missing, unreadable or empty."""
    path = root / config.file
    laws: dict[str, _ReleaseLaw] = {}
    versions: dict[tuple[str, str, dt.date | None], Version] = {}
    problems: list[Problem] = []
    for number, record in _records(path, problems):
        missing = [name for name in _SECTION_FIELDS if name not in record]
        if missing:
            problems.append(Problem(path.name, f"line {number}", "missing_field", f"lacks {', '.join(missing)}", "rejected"))
            continue
        try:
            version = _version(record, labels, path.name, number, problems)
        except ValueError as error:
            kind = error.kind if isinstance(error, RejectedError) else "bad_record"
            problems.append(Problem(path.name, f"line {number}", kind, str(error), "rejected"))
            continue
        key = (version.law_code, version.label, version.valid_from)
        if key in versions:
            reason = f"{version.key} is held already {_difference(versions[key], version)}"
            problems.append(Problem(path.name, f"line {number}", "duplicate_key", reason, "rejected"))
            continue
        versions[key] = version
        law = _law(record, version.law_code, corpus_date)
        if law.name is None:
            problems.append(Problem(path.name, f"line {number}", "unnamed_law", _unnamed(law.code), "repaired"))
        known = laws.setdefault(law.code, law)
        if known.name is None:
            laws[law.code] = known._replace(name=law.name)
        if law._replace(name=law.name or known.name) != known._replace(name=known.name or law.name):
            reason = f"its name or whether {law.code} is active differs from a line before; that line holds"
            problems.append(Problem(path.name, f"line {number}", "conflicting_law", reason, "noted"))
    if not versions:
        raise ConfigError(f"{path} holds no usable section version; it should be the release's gold_sections.jsonl")
    ordered = sorted(
        versions.values(),
        key=lambda version: (version.law_code, natural_key(version.label, labels), version.label, version.valid_from or dt.date.min),
    )
    for before, after in pairwise(ordered):
        same = (before.law_code, before.label) == (after.law_code, after.label)
        if same and before.valid_from and after.valid_from and (before.valid_to is None or before.valid_to > after.valid_from):
            problems.append(Problem(path.name, before.key, "overlap", f"is in force while {after.key} is", "noted"))
    return LawRead(sorted(law.as_law() for law in laws.values()), ordered, problems)


def _difference(held: Version, other: Version) -> str:
    for what in ("text", "valid_to", "component_type"):
        if getattr(held, what) != getattr(other, what):
            return f"with another {what}"
    return "with the same contents"


def read_release_decisions(
    path: Path, labels: LabelRules, sentinels: Sequence[str] = SENTINEL_DATES
) -> tuple[list[Decision], list[Problem]]:
    """Cases of validation_split.jsonl as decisions, by id. Raises ConfigError for a file that is missing, unreadable or empty."""
    problems: list[Problem] = []
    decisions: dict[str, Decision] = {}
    for number, record in _records(path, problems):
        key = str(record.get("id") or f"line {number}")
        missing = [name for name in _CASE_FIELDS if name not in record]
        if missing:
            problems.append(Problem(path.name, key, "missing_field", f"lacks {', '.join(missing)}", "rejected"))
        elif key in decisions:
            problems.append(Problem(path.name, key, "duplicate_key", f"line {number} repeats the id", "rejected"))
        else:
            try:
                decisions[key] = _decision(record, labels, path.name, sentinels, problems)
            except RejectedError as error:
                problems.append(Problem(path.name, key, error.kind, str(error), "rejected"))
            except (ValueError, TypeError, KeyError, AttributeError) as error:
                problems.append(Problem(path.name, key, "bad_record", f"{type(error).__name__}: {error}", "rejected"))
    if not decisions:
        raise ConfigError(f"{path} holds no usable case; it should be the release's validation_split.jsonl")
    return [decisions[key] for key in sorted(decisions)], problems


def _records(path: Path, problems: list[Problem]) -> Iterator[tuple[int, dict[str, Any]]]:
    if not path.is_file():
        raise ConfigError(f"{path} does not exist; put the release's files there")
    for number, record in json_lines(path):
        if isinstance(record, BadRow):
            problems.append(Problem(path.name, f"line {number}", record.kind, record.reason, "rejected"))
        else:
            yield number, record


def _version(record: dict[str, Any], labels: LabelRules, file: str, number: int, problems: list[Problem]) -> Version:
    label = normalise_label(str(record["label"] or ""), labels)
    start, end = _day(record["valid_from"]), _end(record["valid_to"], file, number, problems)
    text = str(record["text"] or "").replace("\r\n", "\n").strip()
    if not label or not text:
        raise ValueError("the label or the text is empty")
    for value in (label, text):
        if bad := bad_text(value):
            raise ValueError(bad.reason)
    if start and end and end <= start:
        raise ValueError(f"the end {end} is not after the start {start}")
    named = parse_uri(f"release/{str(record['version_uri']).lstrip('/')}")
    if named is None or named.law_code != record["law_code"]:
        raise ValueError(f"version_uri {record['version_uri']!r} is not /law/{record['law_code']}/section-LABEL/v/DAY")
    status = "exact" if start else "unknown"
    component = str(record["component_type"] or "section")
    return Version(str(record["law_code"]), label, component, start, end, status, text, f"{file}#{number}", str(record["version_uri"]))  # type: ignore[arg-type]


class _ReleaseLaw(NamedTuple):
    """A law as the lines of the release know it; name null while no line has one."""

    code: str
    name: str | None
    repealed_on: dt.date | None

    def as_law(self) -> Law:
        return Law(self.code, self.name or self.code, [], "act", None, self.repealed_on)


def _law(record: dict[str, Any], code: str, corpus_date: dt.date) -> _ReleaseLaw:
    """A law as the release knows it. Of a law no longer active it does not say since when: it ended by the corpus date at the latest."""
    name = " ".join(str(record["law_name_th"] or "").split())
    return _ReleaseLaw(code, name or None, None if record["is_law_active"] else corpus_date)


def _unnamed(code: str) -> str:
    return f"law_name_th is empty; the law has the name that another line or the configuration gives {code}, else its code stands for it"


def _day(value: Any) -> dt.date | None:
    if not value:
        return None
    day = dt.date.fromisoformat(str(value)[:10])
    if reason := implausible_year(day.year, "gregorian"):
        raise RejectedError("implausible_year", f"{value}: {reason}")
    return day


def _end(value: Any, file: str, number: int, problems: list[Problem]) -> dt.date | None:
    """The end of a version; one that lies beyond every calendar stands for none."""
    if value and is_beyond(dt.date.fromisoformat(str(value)[:10]).year, "gregorian"):
        problems.append(
            Problem(file, f"line {number}", "sentinel_date", f"valid_to {value} stands for no date; read as no end", "repaired")
        )
        return None
    return _day(value)


def _decision_date(value: Any, sentinels: Sequence[str]) -> str:
    text = str(value or "").strip()
    if not text:
        raise ValueError("the decision has no date")
    if text in sentinels:
        raise ValueError(f"decision_date {text} stands for no date")
    precision_of(text)
    if reason := implausible_year(int(text[:4]), "gregorian"):
        raise RejectedError("implausible_year", f"{text}: {reason}")
    return text


def _decision(record: dict[str, Any], labels: LabelRules, file: str, sentinels: Sequence[str], problems: list[Problem]) -> Decision:
    if not record["sub_questions"]:
        raise ValueError("the decision has no sub-question")
    shared = sorted([record["id"], *(record["asks_shared_question"] or [])])
    return Decision(
        decision_id=record["id"],
        court=record["court"],
        source=record["source"],
        source_id=record["source_id"],
        decision_date=_decision_date(record["decision_date"], sentinels),
        domain=record["domain"],
        title=record["title"],
        fact_pattern=record["fact_pattern"],
        shared_question=shared[0] if len(shared) > 1 else None,
        sub_questions=[_question(question, record["id"], labels, file, problems) for question in record["sub_questions"]],
    )


def _question(question: dict[str, Any], case: str, labels: LabelRules, file: str, problems: list[Problem]) -> DecisionQuestion:
    kind = question["question_type"]
    if kind not in get_args(QuestionType):
        problems.append(Problem(file, case, "unknown_question_type", f"{kind!r} is read as ruling", "repaired"))
        kind = "ruling"
    return DecisionQuestion(
        question=question["question"],
        question_type=kind,
        depends_on_previous=question["depends_on_previous"],
        verdict=question["verdict"],
        reasoning=question["reasoning"],
        citations=[_citation(citation, labels) for citation in question["citations"]],
    )


def _citation(citation: dict[str, Any], labels: LabelRules) -> DecisionCitation:
    if not citation.get("version_uri"):
        law = citation.get("law") or citation.get("law_name_th") or citation.get("law_code")
        return DecisionCitation(law=law, is_loadbearing=citation["is_loadbearing"])
    named = parse_uri(f"release/{citation['version_uri'].lstrip('/')}")
    if named is None:
        raise ValueError(f"version_uri {citation['version_uri']!r} is not /law/CODE/section-LABEL/v/DAY")
    start = _day(citation.get("valid_from")) or named.valid_from
    label = normalise_label(str(citation.get("label") or named.label), labels)
    return DecisionCitation(law_code=named.law_code, label=label, valid_from=start, is_loadbearing=citation["is_loadbearing"])
