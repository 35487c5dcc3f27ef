"""The first day in force of what a commit holds: the configured sources of a date, tried in order, and what only looks like one."""

from __future__ import annotations

import datetime as dt
import re
from typing import NamedTuple
from zoneinfo import ZoneInfo

from inforce.config.sources import AuthorDate, Dates, FrontMatterDate, MessageDate, TrailerDate
from inforce.corpus.date_forms import find_day
from inforce.corpus.git_history import Commit


class FoundDay(NamedTuple):
    """A day, null if none is known, and notes of the form (kind, reason) for problems.csv."""

    day: dt.date | None
    notes: list[tuple[str, str]]


class CommitDates:
    """Finds days by one jurisdiction's rules."""

    def __init__(self, rules: Dates) -> None:
        self._rules = rules
        self._sentinels = {dt.date.fromisoformat(text) for text in rules.no_date.dates}

    def find(self, commit: Commit, front_matter: dict[str, str]) -> FoundDay:
        """The first usable date in the configured order."""
        notes: list[tuple[str, str]] = []
        named = self._named_in_message(commit)
        for rule in self._rules.order:
            day = self._by_rule(rule, commit, front_matter, notes)
            if day is None:
                continue
            if day in self._sentinels:
                notes.append(("sentinel_date", f"{day} ({rule.source}) stands for no date"))
            elif self.is_clamped(commit) and day > self._clamp_day():
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
                return FoundDay(day, notes)
        return FoundDay(None, notes)

    def is_clamped(self, commit: Commit) -> bool:
        """Whether the author date only says "before the earliest date that git can write"."""
        moment = self._rules.no_date.clamped_before
        return moment is not None and commit.author_time < moment.timestamp()

    def _clamp_day(self) -> dt.date:
        assert self._rules.no_date.clamped_before is not None
        return self._rules.no_date.clamped_before.date()

    def _named_in_message(self, commit: Commit) -> dt.date | None:
        days = [self._in_message(rule, commit.message) for rule in self._rules.order if isinstance(rule, MessageDate)]
        return max((day for day in days if day), default=None)

    def _by_rule(
        self,
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
            return self._in_message(rule, commit.message)
        if isinstance(rule, TrailerDate):
            values = re.findall(rf"^{re.escape(rule.key)}:[ \t]*(.*)$", commit.message, re.MULTILINE | re.IGNORECASE)
            if len(set(values)) > 1:
                notes.append(("several_dates", f"{rule.key} is given {len(values)} times ({', '.join(values)}); the first is taken"))
        else:
            values = [front_matter[rule.key]] if front_matter.get(rule.key) else []
        return find_day(values[0], rule.form, self._rules.calendar, self._rules.months) if values else None

    def _in_message(self, rule: MessageDate, message: str) -> dt.date | None:
        text = message.partition("\n")[0] if rule.part == "subject" else message
        if rule.clause:
            starts = [found.start() for found in re.finditer(rule.clause, text)]
            text = text[starts[-1] :] if starts else text
        days = (find_day(text, form, self._rules.calendar, self._rules.months) for form in rule.forms)
        return next((day for day in days if day), None)
