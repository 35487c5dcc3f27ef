"""The first day in force of what a commit holds: the configured sources of a date, tried in order, and what only looks like one."""

from __future__ import annotations

import datetime as dt
import re
from typing import NamedTuple
from zoneinfo import ZoneInfo

from inforce.config.sources import AuthorDate, Dates, FrontMatterDate, MessageDate, TrailerDate
from inforce.corpus.calendars import implausible_year
from inforce.corpus.date_forms import find_day, unknown_months
from inforce.corpus.git_history import Commit


class FoundDay(NamedTuple):
    """A day, null if none is known, and notes of the form (kind, reason) for problems.csv.

    `begun_by`: where the commit's author time is clamped, the latest day on which its text can have begun: the clamp, or a later day named.
    """

    day: dt.date | None
    notes: list[tuple[str, str]]
    begun_by: dt.date | None = None


class Unmatched(NamedTuple):
    """What the configuration names and the source never has: the key, a problem's kind and reason."""

    key: str
    kind: str
    reason: str


class DateKey:
    """Whether a configured key with a date was ever there, and ever readable."""

    def __init__(self, place: str, key: str, form: str, where: str) -> None:
        """`place`: the key of the configuration, e.g. until; `where`: what was searched, e.g. file."""
        self._place, self._key, self._form, self._where = place, key, form, where
        self._searched, self._example, self._read = 0, "", 0

    def count(self, value: str, day: dt.date | None) -> None:
        """Count one file or message. `value` is empty where it does not have the key."""
        self._searched += 1
        self._example = self._example or value
        self._read += day is not None

    def unmatched(self) -> list[Unmatched]:
        """One entry if the key was looked for and never gave a day."""
        if not self._searched or self._read:
            return []
        if not self._example:
            return [Unmatched(f"{self._place}.key", "never_matched", f"{self._place}.key: no {self._where} has the key {self._key!r}")]
        reason = f"{self._place}.form: {self._form!r} fits no value of {self._key}, such as {self._example[:60]!r}"
        return [Unmatched(f"{self._place}.form", "never_matched", reason)]


class CommitDates:
    """Finds days by one jurisdiction's rules."""

    def __init__(self, rules: Dates) -> None:
        self._rules = rules
        self._unknown_months: dict[str, str] = {}  # word -> a date with it
        self._keys = {
            number: DateKey(f"dates.order.{number}", rule.key, rule.form, "commit message" if isinstance(rule, TrailerDate) else "file")
            for number, rule in enumerate(rules.order)
            if isinstance(rule, TrailerDate | FrontMatterDate)
        }
        self._has_message_day = {number: False for number, rule in enumerate(rules.order) if isinstance(rule, MessageDate)}
        self._message_days: tuple[str, dict[int, dt.date | None]] = ("", {})  # of the last commit: one commit may hold many files
        self._sentinels = {dt.date.fromisoformat(text) for text in rules.no_date.dates}

    def find(self, commit: Commit, front_matter: dict[str, str]) -> FoundDay:
        """The first usable date in the configured order."""
        notes: list[tuple[str, str]] = []
        begun_by = self._clamp_day() if self.is_clamped(commit) else None
        in_message = self._in_messages(commit)
        named = max((day for day in in_message.values() if day and not self.implausible(day)), default=None)
        for number, rule in enumerate(self._rules.order):
            day = self._by_rule(number, rule, commit, front_matter, notes)
            if day is None:
                continue
            if day in self._sentinels:
                notes.append(("sentinel_date", f"{day} ({rule.source}) stands for no date"))
            elif reason := self.implausible(day, isinstance(rule, AuthorDate)):
                notes.append(("implausible_year", f"{day} ({rule.source}): {reason}"))
            elif begun_by is not None and day > self._clamp_day():
                begun_by = max(begun_by, day)  # the source contradicts itself: what holds on either reading is the later day
                notes.append(
                    (
                        "newer_than_commit",
                        f"the date is {day} ({rule.source}), but the commit's place in history says before {self._clamp_day()}",
                    )
                )
            else:
                if named is not None and named > day and not isinstance(rule, MessageDate):
                    notes.append(
                        (
                            "newer_than_date",
                            f"dated {day}, but the message names a later law, of {named}: the text may be newer than its date",
                        )
                    )
                return FoundDay(day, notes, begun_by)
        return FoundDay(None, notes, begun_by)

    def implausible(self, day: dt.date, is_git: bool = False) -> str | None:
        """Why the configured calendar can have no law of this day; `is_git`: the day is of git's own calendar."""
        return implausible_year(day.year, "gregorian" if is_git else self._rules.calendar)

    def read(self, text: str, form: str) -> dt.date | None:
        """The first date of that form, by the calendar and the months of the configuration; months without a number are remembered."""
        day = find_day(text, form, self._rules.calendar, self._rules.months)
        if day is None:
            self.see_months(text, form)
        return day

    def see_months(self, text: str, form: str) -> None:
        """Remember the words that stand for a month in dates of that form and that `months` does not have."""
        for word, example in unknown_months(text, form, self._rules.months):
            self._unknown_months.setdefault(word.casefold(), example)

    def unmatched(self) -> list[Unmatched]:
        """What the rules name and nothing that was read has. Keys that were never tried, since one before them always gave a date, are not named."""
        found = [entry for key in self._keys.values() for entry in key.unmatched()]
        for number, has_day in self._has_message_day.items():
            if not has_day:
                place = f"dates.order.{number}.forms"
                found.append(Unmatched(place, "never_matched", f"{place}: no commit message has a date of any of these forms"))
        for word, example in sorted(self._unknown_months.items()):
            reason = (
                f"dates.months: has no {word!r}, which stands for a month in {' '.join(example.split())[-60:]!r}; such dates are not read"
            )
            found.append(Unmatched("dates.months", "unknown_month", reason))
        return found

    def is_clamped(self, commit: Commit) -> bool:
        """Whether the author date only says "before the earliest date that git can write"."""
        moment = self._rules.no_date.clamped_before
        return moment is not None and commit.author_time < moment.timestamp()

    def _clamp_day(self) -> dt.date:
        assert self._rules.no_date.clamped_before is not None
        return self._rules.no_date.clamped_before.date()

    def _in_messages(self, commit: Commit) -> dict[int, dt.date | None]:
        """Number of the rule -> the day that the commit's message gives by it."""
        sha, days = self._message_days
        if sha != commit.sha:
            rules = enumerate(self._rules.order)
            days = {number: self._in_message(rule, commit.message) for number, rule in rules if isinstance(rule, MessageDate)}
            for number, day in days.items():
                self._has_message_day[number] |= day is not None
            self._message_days = commit.sha, days
        return days

    def _by_rule(
        self,
        number: int,
        rule: TrailerDate | FrontMatterDate | MessageDate | AuthorDate,
        commit: Commit,
        front_matter: dict[str, str],
        notes: list[tuple[str, str]],
    ) -> dt.date | None:
        if isinstance(rule, AuthorDate):
            if self.is_clamped(commit):
                return None
            zone = ZoneInfo(rule.time_zone) if rule.time_zone else commit.author_zone
            return dt.datetime.fromtimestamp(commit.author_time, zone).date()
        if isinstance(rule, MessageDate):
            return self._in_messages(commit)[number]
        if isinstance(rule, TrailerDate):
            values = re.findall(rf"^{re.escape(rule.key)}:[ \t]*(.*)$", commit.message, re.MULTILINE | re.IGNORECASE)
            if len(set(values)) > 1:
                notes.append(("several_dates", f"{rule.key} is given {len(values)} times ({', '.join(values)}); the first is taken"))
        else:
            values = [front_matter[rule.key]] if front_matter.get(rule.key) else []
        day = self.read(values[0], rule.form) if values else None
        self._keys[number].count(values[0] if values else "", day)
        return day

    def _in_message(self, rule: MessageDate, message: str) -> dt.date | None:
        text = message.partition("\n")[0] if rule.part == "subject" else message
        if rule.clause:
            starts = [found.start() for found in re.finditer(rule.clause, text)]
            text = text[starts[-1] :] if starts else text
        days = (self.read(text, form) for form in rule.forms)
        return next((day for day in days if day), None)
