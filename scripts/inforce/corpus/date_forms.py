"""Dates in running text: forms with {year}, {month} and {day} turned into patterns, and what they match into days."""

from __future__ import annotations

import datetime as dt
import re
from functools import lru_cache

from inforce.config.sources import Era
from inforce.corpus.numerals import NUMBER, to_number

ERA_OFFSET: dict[Era, int] = {"gregorian": 0, "buddhist": -543, "roc": 1911}


@lru_cache(maxsize=512)
def date_pattern(form: str, months: tuple[str, ...] = ()) -> re.Pattern[str]:
    """The pattern of a date form, with the groups year, month and day. `form` may be any pattern without these fields too.

    Without words between them the fields have fixed widths: `{year}{month}{day}` is 20190531.
    """
    names = "|".join(re.escape(name) for name in sorted(months, key=len, reverse=True))
    tight = "{year}{month}{day}" in form
    year, number = (r"\d{4}", r"\d{2}") if tight else (NUMBER, NUMBER)
    fields = {
        "{year}": rf"(?P<year>{year})",
        "{month}": rf"(?P<month>{f'{names}|' if names else ''}{number})",
        "{day}": rf"(?P<day>{number})",
    }
    for field, pattern in fields.items():
        form = form.replace(field, pattern)
    return re.compile(form, re.IGNORECASE)


def matched_day(found: re.Match[str], calendar: Era, months: dict[str, int]) -> dt.date:
    """The day that a match of `date_pattern` names. Raises ValueError for a day that no calendar has, and for a year written short (1/2/99)."""
    if calendar != "roc" and len(found["year"]) < 4 and to_number(found["year"]) < 1000:
        raise ValueError(f"{found['year']!r} is no year of the {calendar} calendar in full")
    named = {name.casefold(): number for name, number in months.items()}
    month = found["month"].casefold()
    year = to_number(found["year"]) + ERA_OFFSET[calendar]
    return dt.date(year, named[month] if month in named else to_number(month), to_number(found["day"]))


@lru_cache(maxsize=512)
def _any_month(form: str) -> re.Pattern[str]:
    """The pattern of a date form in which the month is any word."""
    fields = {"{year}": f"(?:{NUMBER})", "{month}": r"(?P<month>[^\W\d_]+\.?)", "{day}": f"(?:{NUMBER})"}
    for field, pattern in fields.items():
        form = form.replace(field, pattern)
    return re.compile(form, re.IGNORECASE)


def unknown_months(text: str, form: str, months: dict[str, int]) -> list[tuple[str, str]]:
    """Words that stand where the form has its month and that are neither numbers nor in `months`, each with all that the form fits."""
    if "{month}" not in form or "{year}{month}{day}" in form:
        return []
    known = {found.start() for found in date_pattern(form, tuple(months)).finditer(text)}
    return [(found["month"], found.group()) for found in _any_month(form).finditer(text) if found.start() not in known]


def find_day(text: str, form: str, calendar: Era, months: dict[str, int]) -> dt.date | None:
    """The first date of that form in the text; null if there is none, or none that a calendar has."""
    for found in date_pattern(form, tuple(months)).finditer(text):
        try:
            return matched_day(found, calendar, months)
        except ValueError:
            continue
    return None


def add_months(day: dt.date, months: int) -> dt.date:
    """The same day of a later month, or its last day where it is shorter: 31 August + 6 months = 28 or 29 February."""
    month = day.month - 1 + months
    first = dt.date(day.year + month // 12, month % 12 + 1, 1)
    following = dt.date(first.year + first.month // 12, first.month % 12 + 1, 1)
    return min(first + dt.timedelta(days=day.day - 1), following - dt.timedelta(days=1))
