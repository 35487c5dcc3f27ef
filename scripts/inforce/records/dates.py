"""Dates of law and of decisions (DESIGN §2): ISO days, half-open intervals, dates known only in part."""

from __future__ import annotations

import calendar
import datetime as dt
import re
from typing import Literal

Precision = Literal["day", "month", "year"]

_PARTIAL = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?")


def precision_of(text: str) -> Precision:
    """How much of the date is known: `2014` is a year, `2014-05` a month, `2014-05-03` a day.

    Raises ValueError for anything else, and for a day that no calendar has.
    """
    found = _PARTIAL.fullmatch(text)
    if not found:
        raise ValueError(f"not an ISO date, month or year: {text!r}")
    first_day(text)
    if found.group(3):
        return "day"
    return "month" if found.group(2) else "year"


def first_day(text: str) -> dt.date:
    """The earliest day that a date known in part can mean."""
    year, month, day = _parts(text)
    return dt.date(year, month or 1, day or 1)


def last_day(text: str) -> dt.date:
    """The latest day that a date known in part can mean."""
    year, month, day = _parts(text)
    month = month or 12
    return dt.date(year, month, day or calendar.monthrange(year, month)[1])


def _parts(text: str) -> tuple[int, int | None, int | None]:
    found = _PARTIAL.fullmatch(text)
    if not found:
        raise ValueError(f"not an ISO date, month or year: {text!r}")
    year, month, day = found.groups()
    return int(year), int(month) if month else None, int(day) if day else None


def covers(valid_from: dt.date | None, valid_to: dt.date | None, day: dt.date, begun_by: dt.date | None = None) -> bool:
    """Whether the half-open interval holds the day: `valid_from <= day < valid_to`, null end = still in force.

    An unknown start holds the days from `begun_by` on, the latest day on which the text can have begun. Without that day it holds none:
    it cannot be shown that the text was in force.
    """
    start = valid_from or begun_by
    return start is not None and start <= day and (valid_to is None or day < valid_to)
