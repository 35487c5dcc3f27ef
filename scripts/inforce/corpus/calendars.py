"""Dates of foreign sources: other eras, other digits, spellings that mean no date."""

from __future__ import annotations

import datetime as dt
import re

from inforce.config.jurisdiction import Calendar
from inforce.records.dates import precision_of
from inforce.records.labels import to_ascii_digits

# Years to take off to get the common era. The Buddhist era's months and days are those of the Gregorian calendar
# from 1941 on; Thai years before that began in April, and sources that convert them to January do not say so.
_ERA = {"gregorian": 0, "buddhist": 543, "roc": -1911}
# Years that a date of law can have, first and last, as each calendar counts them. Outside of them a year is of another calendar or misprinted:
# all Buddhist years of modern law lie after the last Gregorian one, and all Gregorian ones before the first Buddhist one.
_YEARS = {"gregorian": (1000, 2200), "buddhist": (2400, 2743), "roc": (1, 289)}
_PARTIAL = re.compile(r"(\d{4})((?:-\d{2}){0,2})")
_ROC = re.compile(r"(\d{1,4})((?:-\d{2}){0,2})")  # Minguo years have one to three digits


def to_common_era(text: str, calendar: Calendar) -> str:
    """A day, month or year of the calendar as ISO text of the common era: buddhist `2559-02-29`, roc `105-02-29` -> `2016-02-29`.

    The year is changed in the text: 29 February 2559 BE exists, although no Python date (2559, 2, 29) does.
    Digits may be of any script. Raises ValueError for anything that is not a date, and for a day that does not exist.
    """
    found = (_ROC if calendar == "roc" else _PARTIAL).fullmatch(to_ascii_digits(text.strip()))
    if not found:
        raise ValueError(f"{text!r} is not of the form YYYY-MM-DD")
    if calendar == "roc" and int(found.group(1)) == 0:
        raise ValueError(f"{text!r}: the calendar roc has no year 0, its year 1 is 1912")
    year = int(found.group(1)) - _ERA[calendar]
    if year < 1:
        raise ValueError(f"{text!r} lies before year 1 of the common era; is the calendar {calendar}?")
    iso = f"{year:04d}{found.group(2)}"
    try:
        precision_of(iso)
    except ValueError as error:
        raise ValueError(f"{text!r} is no day of the {calendar} calendar") from error
    return iso


def to_day(text: str, calendar: Calendar) -> dt.date:
    """The same for a full date. Raises ValueError for a month or a year alone as well."""
    iso = to_common_era(text, calendar)
    if len(iso) != len("YYYY-MM-DD"):
        raise ValueError(f"{text!r} is not a full date (YYYY-MM-DD)")
    return dt.date.fromisoformat(iso)


def implausible_year(year: int, calendar: Calendar) -> str | None:
    """Why no date of law is of a year of the common era, which the calendar writes in its own way; null if one can be."""
    first, last = _YEARS[calendar]
    written = year + _ERA[calendar]
    if first <= written <= last:
        return None
    return f"no law is of the year {written} of the calendar {calendar}, which should lie between {first} and {last}; is it of another calendar?"


def is_beyond(year: int, calendar: Calendar) -> bool:
    """Whether a year of the common era, as the calendar writes it, is no year of law of any calendar: 3000 stands for `no end`, 2543 does not."""
    return year + _ERA[calendar] > max(last for _, last in _YEARS.values())


def is_sentinel(text: str, calendar: Calendar, sentinels: list[str]) -> bool:
    """Whether a date, as written or in the common era, is one of those that stand for no date."""
    plain = to_ascii_digits(text.strip())
    if plain in sentinels:
        return True
    try:
        return to_common_era(plain, calendar) in sentinels
    except ValueError:
        return False
