"""What a source of law yields, whatever its shape: laws, dated versions of sections, and what was wrong."""

from __future__ import annotations

import datetime as dt
import re
from typing import Literal, NamedTuple

from inforce.records.labels import LabelRules
from inforce.records.problems import Problem

DateStatus = Literal["exact", "derived", "unknown"]

_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")


class Law(NamedTuple):
    """One law of the catalogue; `repealed_on` is the first day on which it is no longer in force."""

    law_code: str
    name: str
    aliases: list[str]
    kind: str
    enacted: dt.date | None
    repealed_on: dt.date | None

    def is_active(self, day: dt.date) -> bool:
        """Whether the law is in force on the day."""
        return (self.enacted is None or self.enacted <= day) and (self.repealed_on is None or day < self.repealed_on)


class Version(NamedTuple):
    """One dated version of a section; `valid_to` is the first day on which it is no longer in force.

    `begun_by`: where the start is unknown, the latest day on which the text can have begun, if the source proves one.
    `also`: the source's keys of further rows that hold the same text for the days right after; decisions may cite these.
    """

    law_code: str
    label: str
    component_type: str
    valid_from: dt.date | None
    valid_to: dt.date | None
    date_status: DateStatus
    text: str
    source: str  # file and the source's own key
    key: str
    begun_by: dt.date | None = None
    also: tuple[str, ...] = ()


class LawRead(NamedTuple):
    """What was read: laws and versions in the order of the output, and what was wrong."""

    laws: list[Law]
    versions: list[Version]
    problems: list[Problem]


def natural_key(label: str, labels: LabelRules) -> list[tuple[int, int, str]]:
    """Sort key by which 2 < 10 < 10¹ < 10 bis < 10 ter < 11: numbers by value, suffixes in the order of the configuration."""
    rank = {word.lower(): place for place, word in enumerate(labels.suffix_words)}
    parts = [part.strip() for part in re.split(r"([0-9]+|[⁰¹²³⁴⁵⁶⁷⁸⁹]+)", label)]
    return [_part(part, rank) for part in parts if part]


def _part(part: str, rank: dict[str, int]) -> tuple[int, int, str]:
    if part.isdecimal():
        return 0, int(part), ""
    if part[0] in "⁰¹²³⁴⁵⁶⁷⁸⁹":
        return 1, int(part.translate(_SUPERSCRIPTS)) - 10_000, ""
    return 1, rank.get(part, len(rank)), part
