"""Names of sections and of their versions (DESIGN §2): `{jurisdiction}/law/{law_code}/section-{label}/v/{valid_from}`."""

from __future__ import annotations

import datetime as dt
import re
from typing import NamedTuple

_VERSION = re.compile(
    r"(?P<jurisdiction>[^/\s]+)/law/(?P<law_code>[^/\s]+)/section-(?P<label>\S+?)(?:/v/(?P<day>\d{4}-\d{2}-\d{2}|unknown(?:-\d+)?))?"
)


class ParsedUri(NamedTuple):
    """The parts of a section or version identifier; `valid_from` is null for a section and for an unknown start."""

    jurisdiction: str
    law_code: str
    label: str
    valid_from: dt.date | None
    section_uri: str
    is_version: bool


def section_uri(jurisdiction: str, law_code: str, label: str) -> str:
    """The section's name; white space in a label is written `_`, so that a name is one word, and a `_` of its own `%5F`, so that names differ."""
    return f"{jurisdiction}/law/{law_code}/section-{'_'.join(label.replace('_', '%5F').split())}"


def version_uri(jurisdiction: str, law_code: str, label: str, valid_from: dt.date | None, number: int = 1) -> str:
    """The version's name: the section's, and the day from which the text was in force, `unknown` if not known.

    `number`: 2 for the second of a section's versions with an unknown start, whose name is `unknown-2`, and so on.
    """
    day = valid_from.isoformat() if valid_from else "unknown" if number == 1 else f"unknown-{number}"
    return f"{section_uri(jurisdiction, law_code, label)}/v/{day}"


def parse_uri(text: str) -> ParsedUri | None:
    """Take an identifier apart; null if the text is not one. Says nothing on whether the corpus holds it."""
    found = _VERSION.fullmatch(text.strip().lstrip("/"))
    if not found:
        return None
    day = found["day"]
    try:
        valid_from = dt.date.fromisoformat(day) if day and not day.startswith("unknown") else None
    except ValueError:
        return None
    label = found["label"].replace("_", " ").replace("%5F", "_")
    return ParsedUri(
        found["jurisdiction"],
        found["law_code"],
        label,
        valid_from,
        section_uri(found["jurisdiction"], found["law_code"], label),
        day is not None,
    )
