"""A law's own list of its amendments: which sections each one changed, and the day on which each section's change came into force.

The list is running text. White space means nothing in it (numbers are broken at line ends), so it is taken out first. An entry begins with its
date of promulgation and goes on to the next. Its clauses either name sections or say when something comes into force; a clause that does both
speaks of the sections that it names, one that names none speaks of all others.
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass, field

from inforce.config.sources import AmendmentHistory, Commencement
from inforce.corpus.calendars import implausible_year
from inforce.corpus.date_forms import add_months, date_pattern, matched_day
from inforce.corpus.numerals import to_number

Numbers = dict[str, bool]  # section number -> whether only a part of it is meant


@dataclass(slots=True)
class Amendment:
    """One promulgated change. `is_stated`: the record says when it comes into force, if only that this is left to an order."""

    promulgated: dt.date
    number: int  # among the changes of that day
    sections: Numbers = field(default_factory=dict)
    general: dt.date | None = None
    own: dict[str, list[dt.date | None]] = field(default_factory=dict)  # days of whole sections named apart
    parts: dict[str, list[dt.date | None]] = field(default_factory=dict)  # days of parts of sections
    is_stated: bool = False
    is_default: bool = False  # nothing is stated, and the configuration's default holds

    @property
    def key(self) -> tuple[dt.date, int]:
        """The change's name within its law."""
        return self.promulgated, self.number

    def commencement(self, section: str) -> dt.date | None:
        """The first day on which the section's new text is in force with all parts of known day; null if no day is known."""
        days = self.own[section] if section in self.own else [*self.parts.get(section, []), self.general]
        return max((day for day in days if day), default=None)

    def is_split(self, section: str) -> bool:
        """Whether parts of the section came into force on different days."""
        return section not in self.own and len({*self.parts.get(section, []), self.general}) > 1 and section in self.parts


class AmendmentReader:
    """Reads the lists of one jurisdiction."""

    def __init__(self, rules: AmendmentHistory) -> None:
        self._rules = rules
        self._entry = date_pattern(rules.entry)
        self._number = re.compile(rules.number)
        part = f"(?P<part>(?:{rules.part})+)?" if rules.part else "(?P<part>(?!))?"
        self._sections = re.compile(f"(?:{rules.sections}){part}")
        self._commencement = [(date_pattern(rule.pattern), rule) for rule in rules.commencement]

    def read(self, text: str) -> list[Amendment]:
        """The changes in the order of the list. Raises ValueError for a date that does not exist."""
        plain = "".join(text.split())
        for pattern in self._rules.strip:
            plain = re.sub(pattern, "", plain)
        starts = list(self._entry.finditer(plain))
        amendments: list[Amendment] = []
        held = 0  # sections that parts of the law enacted one after another hold
        for place, start in enumerate(starts):
            entry = plain[start.end() : starts[place + 1].start() if place + 1 < len(starts) else len(plain)]
            if any(re.search(pattern, entry) for pattern in self._rules.noise):
                continue
            day = self._named_day(start)
            if self._rules.order and re.search(self._rules.order, entry):
                if amendments:
                    self._set_commencement(amendments[-1], entry, day, is_order=True)
                continue
            amendment = Amendment(day, sum(known.promulgated == day for known in amendments))
            held = self._name_sections(amendment, entry, held)
            self._set_commencement(amendment, entry, day, is_order=False)
            if not amendment.is_stated and self._rules.default == "from_promulgation":
                amendment.general, amendment.is_default = self._from_promulgation(day), True
            amendments.append(amendment)
        return amendments

    def numbers(self, text: str) -> Numbers:
        """Section numbers that a text names, ranges written out; a number with a part after it is marked."""
        named: Numbers = {}
        for found in self._sections.finditer(text):
            numbers = self._expand(found["list"])
            for number in numbers:
                only_part = found["part"] is not None and number == numbers[-1]
                named[number] = only_part and named.get(number, True)
        return named

    def _expand(self, text: str) -> list[str]:
        numbers: list[str] = []
        end = 0
        for found in self._number.finditer(text):
            between, end = text[end : found.start()], found.end()
            if numbers and any(mark in between for mark in self._rules.range_marks):
                numbers += _between(numbers[-1], found.group())
            else:
                numbers.append(found.group())
        return numbers

    def _name_sections(self, amendment: Amendment, entry: str, held: int) -> int:
        for clause in re.split(self._rules.clauses, entry):
            if not self._days_in(clause, amendment.promulgated):
                amendment.sections.update(self.numbers(clause))
        for pattern in self._rules.whole:
            for found in re.finditer(pattern, entry):
                count = to_number(found["count"])
                first = held + 1 if found.groupdict().get("book") else 1
                held = first + count - 1
                amendment.sections.update({str(number): False for number in range(first, held + 1)})
        if not amendment.sections:  # everything stands in one clause with its commencement
            amendment.sections.update(self.numbers(entry))
        return held

    def _set_commencement(self, amendment: Amendment, entry: str, day: dt.date, is_order: bool) -> None:
        for clause in re.split(self._rules.clauses, entry):
            exception = re.search(self._rules.exception, clause) if self._rules.exception else None
            if exception:
                self._set_days(amendment, exception["except"], day, names_sections=True)
                self._set_days(amendment, exception["rest"], day, names_sections=False)
            else:
                self._set_days(
                    amendment, clause, day, names_sections=None if is_order or not self._starts_with_changes(clause, amendment) else False
                )

    def _starts_with_changes(self, clause: str, amendment: Amendment) -> bool:
        """Whether a clause is the one that names the changes, so that a day in it is the day of all of them."""
        named = self.numbers(clause)
        return bool(named) and named.keys() == amendment.sections.keys()

    def _set_days(self, amendment: Amendment, clause: str, day: dt.date, names_sections: bool | None) -> None:
        """Take the commencement of one clause in; `names_sections` null = the clause itself decides."""
        days = self._days_in(clause, day)
        if not days:
            if names_sections:  # excepted, with the day left open
                for number, only_part in self.numbers(clause).items():
                    (amendment.parts if only_part else amendment.own).setdefault(number, [])
            return
        amendment.is_stated = True
        start, value = days[0]
        named = self.numbers(clause) if names_sections is None else self.numbers(clause[:start]) if names_sections else {}
        if not named:
            amendment.general = value
        for number, only_part in named.items():
            (amendment.parts if only_part else amendment.own).setdefault(number, []).append(value)

    def _days_in(self, clause: str, promulgated: dt.date) -> list[tuple[int, dt.date | None]]:
        """Places and days of the commencements in a clause; a null day is one that is set later."""
        for pattern, rule in self._commencement:
            for found in pattern.finditer(clause):
                try:
                    return [(found.start(), self._day(found, rule, promulgated))]
                except ValueError:
                    continue
        return []

    def _day(self, found: re.Match[str], rule: Commencement, promulgated: dt.date) -> dt.date | None:
        if rule.means == "date":
            return self._named_day(found)
        if rule.means == "from_promulgation":
            return self._from_promulgation(promulgated)
        if rule.means == "set_later":
            return None
        groups = found.groupdict()
        return add_months(promulgated, to_number(groups.get("months") or "0") + 12 * to_number(groups.get("years") or "0"))

    def _named_day(self, found: re.Match[str]) -> dt.date:
        """The day that a match names. Raises ValueError for one that does not exist, and for a year of no law."""
        day = matched_day(found, self._rules.calendar, {})
        if reason := implausible_year(day.year, self._rules.calendar):
            raise ValueError(f"{found[0]!r}: {reason}")
        return day

    def _from_promulgation(self, day: dt.date) -> dt.date:
        return day + dt.timedelta(days=self._rules.promulgation_day - 1)


def _between(first: str, last: str) -> list[str]:
    """What follows the first number of a range: 3～5 -> 4, 5; 31-1～31-3 -> 31-2, 31-3; 83～85-1 -> 84, 85, 85-1."""
    (base, _, sub), (end, _, end_sub) = first.partition("-"), last.partition("-")
    if not (base.isdecimal() and end.isdecimal()) or int(end) < int(base) or int(end) - int(base) > 5_000:
        return [last]
    if base == end:
        return [f"{base}-{number}" for number in range(int(sub or "0") + 1, int(end_sub or "0") + 1)]
    return [str(number) for number in range(int(base) + 1, int(end) + 1)] + [
        f"{end}-{number}" for number in range(1, int(end_sub or "0") + 1)
    ]
