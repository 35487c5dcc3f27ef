"""Law from dated dumps: one JSON file a law, overwritten now and then, so that versions are what changed between two dumps.

A dump's own day is not the law's. Where the record holds its list of amendments, a new text begins on the day on which the amendment that names
its section came into force, and a change that no new amendment names is the editors' correction of the version before it, not a version. A text
whose commencement is left to an order not yet recorded has no start, and the text before it goes on. Without such a list versions begin on the
dump's day.
"""

from __future__ import annotations

import datetime as dt
import json
import re
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path
from typing import NamedTuple

from inforce.config.load import ConfigError
from inforce.config.sources import GitDumps
from inforce.corpus.amendments import Amendment, AmendmentReader
from inforce.corpus.commit_dates import CommitDates
from inforce.corpus.git_history import Commit, FileChange, Repository
from inforce.corpus.section_history import Key, SectionHistory, clean_text, is_closing, read_label
from inforce.corpus.versions import Law, Version
from inforce.records.files import sha256_text
from inforce.records.labels import LabelRules
from inforce.records.problems import Problem

AmendmentKey = tuple[dt.date, int]


class _Change(NamedTuple):
    """A section's new text (null = gone or repealed) in a dump, with the amendments that are new in that dump."""

    key: Key
    text: str | None
    day: dt.date | None
    where: str
    causes: list[AmendmentKey]
    is_first: bool


@dataclass(slots=True)
class _LawFile:
    """What is held of a law between two dumps."""

    raw: dict[str, str] = field(default_factory=dict)  # label -> digest of its text, white space apart
    amendments: dict[AmendmentKey, Amendment] = field(default_factory=dict)
    changes: list[_Change] = field(default_factory=list)


def read_dumps(root: Path, config: GitDumps, labels: LabelRules, laws: dict[str, Law]) -> tuple[list[Version], list[Problem]]:
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
            f"{path}: no section found; `path` ({config.path}) must fit whole paths, `sections`, `label` and `text` name JSON keys"
        )
    return versions, reader.history.problems


class _Reader:
    def __init__(self, name: str, repository: Repository, config: GitDumps, labels: LabelRules, laws: dict[str, Law]) -> None:
        self.history = SectionHistory(name, config.noise)
        self._repository, self._config, self._laws = repository, config, laws
        self._label = lru_cache(maxsize=1 << 16)(partial(read_label, reading=config.labels, labels=labels))
        self._dates, self._path = CommitDates(config.dates), re.compile(config.path)
        self._amendments = AmendmentReader(config.history) if config.history else None
        self._files: dict[str, _LawFile] = {}

    def read(self, commit: Commit, change: FileChange) -> None:
        """Take one dump of a law in."""
        found = self._path.fullmatch(change.path)
        if found is None:
            return
        raw = found.groupdict().get("law_code") or self._config.law_code or ""
        code = self._config.law_codes.get(raw, raw)
        where = f"{change.path}@{commit.sha[:12]}"
        if code not in self._laws:
            self.history.note(where, "unknown_law", f"law {code!r} is not in the catalogue", "rejected")
            return
        dated = self._dates.find(commit, {})
        for kind, reason in dated.notes:
            self.history.note(where, kind, reason, "repaired")
        file = self._files.setdefault(code, _LawFile())
        if change.blob is None:
            if self._config.closing.deletion:
                file.changes += [_Change((code, label), None, dated.day, where, [], False) for label in file.raw]
                file.raw = {}
            return
        try:
            record = json.loads(self._repository.text(change.blob))
            texts = self._texts(record, where)
            amendments = self._read_amendments(record)
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            self.history.note(where, "unreadable_file", f"{type(error).__name__}: {error}", "rejected")
            return
        self._compare(code, file, texts, amendments, dated.day, where)

    def end(self) -> None:
        """Date the changes by each law's last list of amendments, which knows the orders that came later."""
        self.history.note_unmatched(self._dates.unmatched())
        for code, file in self._files.items():
            defaults: set[AmendmentKey] = set()
            for change in file.changes:
                self._apply(change, file, defaults)
            for promulgated, number in sorted(defaults):
                reason = f"the change of {promulgated} (number {number + 1} of that day) says nothing on its commencement; from the day of promulgation"
                self.history.note(f"{code} {promulgated}", "no_commencement", reason, "repaired")

    def _texts(self, record: dict[str, object], where: str) -> dict[str, str]:
        texts: dict[str, str] = {}
        entries = record[self._config.sections]
        if not isinstance(entries, list):
            raise TypeError(f"{self._config.sections} is not a list")
        for entry in entries:
            if self._config.label not in entry:
                continue
            label = self._label(str(entry[self._config.label]))
            if label in texts:
                number = next(n for n in range(2, len(entries) + 3) if f"{label}@{n}" not in texts)
                self.history.note(
                    where, "duplicate_label", f"section {label} stands more than once; this one is kept as {label}@{number}", "repaired"
                )
                label = f"{label}@{number}"
            if "\0" in str(entry.get(self._config.text)):
                raise ValueError(f"section {label} holds a NUL, which no text has")
            texts[label] = clean_text(str(entry.get(self._config.text) or "").replace("\r\n", "\n"), self._config.noise)
        return texts

    def _read_amendments(self, record: dict[str, object]) -> dict[AmendmentKey, Amendment]:
        if self._amendments is None or self._config.history is None:
            return {}
        text = str(record.get(self._config.history.field) or "")
        return {amendment.key: amendment for amendment in self._amendments.read(text)}

    def _compare(
        self, code: str, file: _LawFile, texts: dict[str, str], amendments: dict[AmendmentKey, Amendment], day: dt.date | None, where: str
    ) -> None:
        is_first = not file.raw
        fresh = [amendment for key, amendment in amendments.items() if key not in file.amendments]
        for label, text in texts.items():
            digest = sha256_text("".join(text.split()))
            if file.raw.get(label) != digest:
                causes = [amendment.key for amendment in fresh if label in amendment.sections]
                file.changes.append(_Change((code, label), text, day, where, causes, is_first))
            file.raw[label] = digest
        for label in [label for label in file.raw if label not in texts]:
            del file.raw[label]
            causes = [amendment.key for amendment in fresh if label in amendment.sections or amendment.sections.get("1") is False]
            file.changes.append(_Change((code, label), None, day, where, causes, False))
        file.amendments.update(amendments)

    def _apply(self, change: _Change, file: _LawFile, defaults: set[AmendmentKey]) -> None:
        key, row = change.key, f"{'/'.join(change.key)} {change.where}"
        closes = change.text is None or is_closing(change.text, self._config.closing)
        if self._amendments is None:
            self._put(change, closes, change.day)
            return
        causes = [file.amendments[cause] for cause in change.causes]
        if not causes:
            if change.is_first or not self.history.is_open(key) or closes:
                if change.is_first and closes:
                    return
                self.history.note(
                    row, "no_amendment_named", "no amendment of the record names this section; the start is unknown", "repaired"
                )
                self._put(change, closes, None)
            elif change.text is not None and not self.history.holds(key, change.text):
                self.history.note(
                    row, "editorial_change", "the text differs, but no new amendment names the section; not a version", "repaired"
                )
                self.history.correct(key, change.text)
            return
        last = causes[-1]
        if last.is_default:
            defaults.add(last.key)
        day = last.commencement(key[1])
        if last.is_split(key[1]):
            self.history.note(
                row, "parts_apart", f"parts of the change of {last.promulgated} came into force apart; dated {day}, the last known", "noted"
            )
        if len(causes) > 1 and not change.is_first:
            self._skip_missed(change, causes, row)
        if day is None and change.text is not None and not closes:
            reason = f"the change of {last.promulgated} is left to an order that the record does not hold; not in force as far as is known"
            self.history.note(row, "set_later", reason, "noted")
            self.history.see_pending(key, change.text, change.where)
        elif not (change.is_first and closes):
            self._put(change, closes, day)

    def _skip_missed(self, change: _Change, causes: list[Amendment], row: str) -> None:
        """Texts that came and went between two dumps: the version before them ends with the first."""
        first = causes[0].commencement(change.key[1])
        promulgated = ", ".join(str(cause.promulgated) for cause in causes[:-1])
        self.history.note(
            row, "missed_version", f"changed more than once since the dump before; the texts of {promulgated} are not held", "noted"
        )
        if first is not None and first != causes[-1].commencement(change.key[1]):
            self.history.close(change.key, first, change.where, "amended by a text that is not held")

    def _put(self, change: _Change, closes: bool, day: dt.date | None) -> None:
        if closes or change.text is None:
            self.history.close(change.key, day, change.where, "repealed" if change.text else "it is no longer in the law")
        elif change.text:
            self.history.see(change.key, change.text, day, change.where)
        else:
            self.history.note(f"{'/'.join(change.key)} {change.where}", "empty_text", "the text is empty", "rejected")
            self.history.close(change.key, day, change.where, "its text was emptied")
