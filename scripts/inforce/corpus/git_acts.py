"""Law from a git history with one file an act: sections are found by their headings, each change of a section's text is a version.

What an act's file can say besides:

- its own end (`until`): a version's end is the earlier of that and the next version's start; where the two do not meet, the pair is named in
  problems (`until_disagrees`);
- a note, anywhere in the act, that names a section and the later day on which it begins (`notes.commences`), or from which the second of two
  sections with its label replaces the first (`notes.replaced_from`); other equal labels are told apart by the part they stand in, or by number;
- that it was repealed (`closing.status`): counted only on the last version of the file.
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import NamedTuple

from inforce.config.load import ConfigError
from inforce.config.sources import GitActs
from inforce.corpus.commit_dates import CommitDates, DateKey, FoundDay, Unmatched
from inforce.corpus.date_forms import date_pattern, matched_day
from inforce.corpus.front_matter import split_front_matter
from inforce.corpus.git_history import Commit, FileChange, Repository
from inforce.corpus.section_history import Key, SectionHistory, clean_text, is_closing, read_label
from inforce.corpus.versions import Law, Version
from inforce.records.files import sha256_text
from inforce.records.labels import LabelRules
from inforce.records.problems import Problem

_DAY = dt.timedelta(days=1)


class SectionText(NamedTuple):
    """One section of an act's file: label as written, the part it stands in (empty if none), title and body as written."""

    label: str
    part: str
    title: str
    body: str


@dataclass(slots=True)
class _Act:
    """The last version read of an act."""

    where: str
    day: dt.date | None
    until: dt.date | None  # first day after the end that it declares
    status: str


def split_sections(text: str, heading: re.Pattern[str], container: re.Pattern[str] | None) -> list[SectionText]:
    """Sections of an act in the order of the file; what stands before the first heading, or after a container line, belongs to none."""
    sections: list[SectionText] = []
    part, open_section, lines = "", False, list[str]()
    for line in [*text.split("\n"), None]:
        begins = heading.fullmatch(line) if line else None
        parts = container.fullmatch(line) if line and container and not begins else None
        if begins or parts or line is None:
            if open_section:
                sections[-1] = sections[-1]._replace(body="\n".join(lines))
            open_section, lines = bool(begins), []
            if begins:
                sections.append(SectionText(begins["label"], part, begins.groupdict().get("title") or "", ""))
            elif parts:
                part = (parts.groupdict().get("name") or parts.group()).strip()
        elif open_section:
            lines.append(line)
    return sections


def read_acts(root: Path, config: GitActs, labels: LabelRules, laws: dict[str, Law]) -> tuple[list[Version], list[Problem]]:
    """Versions by law, label and history, with what was wrong. Raises ConfigError for a repository that cannot be read or holds no section."""
    path = root / config.repository
    with Repository(path, config.branch) as repository:
        reader = _Reader(path.name, repository, config, labels, laws)
        for commit in repository.commits():
            for change in commit.changes:
                reader.read(commit, change)
    reader.end()
    versions = reader.history.finish(labels)
    if not versions:
        raise ConfigError(
            f"{path}: no section found; `path` ({config.path}) must fit whole paths, `heading` ({config.heading}) whole lines"
        )
    return versions, reader.history.problems


class _Reader:
    def __init__(self, name: str, repository: Repository, config: GitActs, labels: LabelRules, laws: dict[str, Law]) -> None:
        self.history = SectionHistory(name, config.noise)
        self._repository, self._config, self._laws = repository, config, laws
        self._label = lru_cache(maxsize=1 << 16)(partial(read_label, reading=config.labels, labels=labels))
        self._dates = CommitDates(config.dates)
        self._path, self._heading = re.compile(config.path), re.compile(config.heading)
        self._container = re.compile(config.container) if config.container else None
        self._until_key = DateKey("until", config.until.key, config.until.form, "file") if config.until else None
        self._note_fits = {("commences", form): False for form in config.notes.commences}
        self._note_fits |= {("replaced_from", form): False for form in config.notes.replaced_from}
        self._has_status = False
        self._acts: dict[str, _Act] = {}
        self._found = FoundDay(None, [])  # of the act being read
        self._raw: dict[Key, str] = {}  # digest of a section as it last stood in the file

    def read(self, commit: Commit, change: FileChange) -> None:
        """Take one file of a commit in."""
        found = self._path.fullmatch(change.path)
        if found is None:
            return
        raw = found.groupdict().get("law_code") or self._config.law_code or ""
        code = self._config.law_codes.get(raw, raw)
        where = f"{change.path}@{commit.sha[:12]}"
        if code not in self._laws:
            self.history.note(where, "unknown_law", f"law {code!r} is not in the catalogue", "rejected")
        elif change.blob is None:
            if self._config.closing.deletion:
                self._raw = {key: raw for key, raw in self._raw.items() if key[0] != code}
                self._close_all(code, self._dates.find(commit, {}).day, where, "its act's file is gone")
        else:
            try:
                text = self._repository.text(change.blob)
            except ValueError as error:
                self.history.note(where, "unreadable_file", str(error), "rejected")
                return
            self._read_act(code, text, commit, where)

    def end(self) -> None:
        """What the last version of each act says of its own end; what the configuration names and no act has."""
        self.history.note_unmatched(self._unmatched())
        status = self._config.closing.status
        for code, act in self._acts.items():
            if act.until is not None:
                self._close_all(code, act.until, act.where, "the last version of its act declares this end")
            elif status and act.status.casefold() in {value.casefold() for value in status.values}:
                self._close_all(code, None, act.where, f"the last version of its act is marked {act.status}")

    def _unmatched(self) -> list[Unmatched]:
        if not self._acts:
            return []
        found = [*self._dates.unmatched(), *(self._until_key.unmatched() if self._until_key else [])]
        status = self._config.closing.status
        if status and not self._has_status:
            place = "closing.status.key"
            found.append(Unmatched(place, "never_matched", f"{place}: no file has the key {status.key!r}"))
        for (name, form), has_fitted in self._note_fits.items():
            if not has_fitted:
                place = f"notes.{name}"
                found.append(Unmatched(place, "never_matched", f"{place}: no act, in no state, has a note that fits {form!r}"))
        return found

    def _read_act(self, code: str, text: str, commit: Commit, where: str) -> None:
        document = split_front_matter(text)
        found = self._found = self._dates.find(commit, document.keys)
        for kind, reason in found.notes:
            self.history.note(where, kind, reason, "noted" if kind in ("newer_than_date", "several_dates") else "repaired")
        if found.day is None:
            self.history.note(where, "unknown_date", "no usable date; read as unknown", "repaired")
        last = self._acts.get(code)
        if last and last.until and found.day and last.until != found.day:
            what = "overlap" if found.day < last.until else "leave a gap"
            reason = f"{last.where} declares an end on {last.until - _DAY}, this version begins on {found.day}: they {what}"
            self.history.note(f"{code} {where}", "until_disagrees", reason, "noted")
        status = self._config.closing.status
        self._has_status |= bool(status and status.key in document.keys)
        self._acts[code] = _Act(where, found.day, self._until(document.keys, where), document.keys.get(status.key, "") if status else "")
        self._read_sections(code, document.body, found.day, where, last.until if last else None)

    def _until(self, keys: dict[str, str], where: str) -> dt.date | None:
        rule = self._config.until
        if rule is None or self._until_key is None:
            return None
        day = self._dates.read(keys.get(rule.key, ""), rule.form)
        self._until_key.count(keys.get(rule.key, ""), day)
        if day is None or day == dt.date.max or day.isoformat() in self._config.dates.no_date.dates:
            return None  # no day follows the calendar's last, so it is an end that no text has
        if reason := self._dates.implausible(day):
            self.history.note(where, "implausible_year", f"{rule.key} {day}: {reason}; read as no end", "repaired")
            return None
        return day + _DAY if rule.inclusive else day

    def _read_sections(self, code: str, body: str, day: dt.date | None, where: str, until: dt.date | None) -> None:
        sections = split_sections(body, self._heading, self._container)
        if not sections:
            self.history.note(where, "no_section", "no line of the file fits `heading`", "rejected")
            return
        begins = self._noted_days(body, "commences", self._config.notes.commences)
        replaced = self._noted_days(body, "replaced_from", self._config.notes.replaced_from)
        named: dict[str, list[SectionText]] = {}
        for section in sections:
            named.setdefault(self._label(section.label), []).append(section)
        taken = set(named)
        for label, same in named.items():
            if len(same) == 2 and label in replaced:
                self._see_both(code, label, same, replaced[label], day, where, until)
                continue
            self._see(code, label, same[0], day, where, until, begins.get(label))
            for other in same[1:]:
                longer = self._distinct(label, other, same[0], taken, where)
                taken.add(longer)
                self._see(code, longer, other, day, where, until)
        if self._config.closing.deletion:
            for key in self.history.open_keys(code):
                if key[1] not in taken:
                    self._raw.pop(key, None)
                    self.history.close(key, day, where, "it is no longer in the act", until)

    def _see_both(
        self, code: str, label: str, same: list[SectionText], replaced: dt.date, day: dt.date | None, where: str, until: dt.date | None
    ) -> None:
        """Two wordings of one section, the second of which holds from a day that a note names."""
        if self.history.holds((code, label), self._text(same[1])):
            return  # read already from an earlier version of the act
        if day is None or replaced > day:
            self._see(code, label, same[0], day, where, until)
            reason = f"section {label} stands twice; the second wording holds from {replaced} by the editors' note"
            self.history.note(f"{code}/{label} {where}", "two_wordings", reason, "repaired")
            self._see(code, label, same[1], replaced, where, None)
        else:
            self._see(code, label, same[1], day, where, until)

    def _distinct(self, label: str, section: SectionText, first: SectionText, taken: set[str], where: str) -> str:
        """A label of its own for a section whose label is taken: with the part it stands in, else with its number."""
        part = "-".join(re.findall(r"\w+", section.part.lower()))
        stem = f"{label}@{part}" if part and section.part != first.part else label
        longer, number = stem, 2
        while longer in taken:
            longer, number = f"{stem}@{number}", number + 1
        self.history.note(
            where, "duplicate_label", f"section {label} stands more than once in the file; this one is kept as {longer}", "repaired"
        )
        return longer

    def _see(
        self,
        code: str,
        label: str,
        section: SectionText,
        day: dt.date | None,
        where: str,
        until: dt.date | None,
        commences: dt.date | None = None,
    ) -> None:
        key = (code, label)
        raw = sha256_text(f"{section.title}\n{section.body}")
        if self._raw.get(key) == raw:
            return  # byte for byte what it was; most sections of most versions are
        self._raw[key] = raw
        body, text = clean_text(section.body, self._config.noise), self._text(section)
        if is_closing(body, self._config.closing) or is_closing(text, self._config.closing):
            self.history.close(key, day, where, f"its body is {body[:40]!r}", until)
            return
        if commences and day and commences > day and not self.history.holds(key, text):
            self.history.note(
                f"{code}/{label} {where}", "own_commencement", f"in force from {commences} by the editors' note, not {day}", "repaired"
            )
            day, until = commences, None
        begun_by = self._found.begun_by if day == self._found.day else None  # a note's day may be later than the commit
        self.history.see(key, text, day, where, until, begun_by)

    def _text(self, section: SectionText) -> str:
        title, body = (clean_text(text, self._config.noise) for text in (section.title, section.body))
        return f"{title}\n\n{body}".strip()

    def _noted_days(self, text: str, name: str, forms: list[str]) -> dict[str, dt.date]:
        """Label -> day of the notes that name a section and a day, wherever in the act they stand."""
        days = {}
        for form in forms:
            self._dates.see_months(text, form)
            for found in date_pattern(form, tuple(self._config.dates.months)).finditer(text):
                self._note_fits[name, form] = True
                label = self._label(found["label"])
                try:
                    day = matched_day(found, self._config.dates.calendar, self._config.dates.months)
                    if reason := self._dates.implausible(day):
                        raise ValueError(reason)
                    days[label] = day
                except ValueError as error:
                    self.history.note(label, "bad_note", f"{found.group()!r} names no day: {error}", "rejected")
        return days

    def _close_all(self, code: str, day: dt.date | None, where: str, why: str) -> None:
        for key in self.history.open_keys(code):
            self.history.close(key, day, where, why)
