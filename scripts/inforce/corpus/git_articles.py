"""Law from a git history with one file a section: each change of the file's text is a version, its day found by the configured rules."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from inforce.config.load import ConfigError
from inforce.config.sources import GitArticles
from inforce.corpus.commit_dates import CommitDates, FoundDay
from inforce.corpus.front_matter import split_front_matter
from inforce.corpus.git_history import Commit, FileChange, Repository
from inforce.corpus.section_history import Key, SectionHistory, clean_text, is_closing, read_label
from inforce.corpus.versions import Law, Version
from inforce.records.labels import LabelRules
from inforce.records.problems import Problem


class _Article(NamedTuple):
    key: Key
    body: str
    found: FoundDay


def read_articles(root: Path, config: GitArticles, labels: LabelRules, laws: dict[str, Law]) -> tuple[list[Version], list[Problem]]:
    """Versions by law, label and history, with what was wrong. Raises ConfigError for a repository that cannot be read or holds no section."""
    path = root / config.repository
    with Repository(path, config.branch) as repository:
        reader = _Reader(path.name, repository, config, labels, laws)
        for commit in repository.commits():
            reader.read(commit)
    reader.end()
    versions = reader.history.finish(labels)
    if not versions:
        raise ConfigError(f"{path} gives no section: {reader.why_nothing()}")
    return versions, reader.history.problems


class _Reader:
    def __init__(self, name: str, repository: Repository, config: GitArticles, labels: LabelRules, laws: dict[str, Law]) -> None:
        self.history = SectionHistory(name, config.noise)
        self._repository, self._config, self._labels, self._laws = repository, config, labels, laws
        self._dates = CommitDates(config.dates)
        self._path, self._body = re.compile(config.path), re.compile(config.body, re.DOTALL | re.MULTILINE) if config.body else None
        self._fits = Counter[str]()  # texts by the key that fitted
        self._owner: dict[Key, str] = {}  # section -> its file
        self._keys: dict[str, Key] = {}  # file -> its section

    def read(self, commit: Commit) -> None:
        """Take one commit in: first what it writes, then what it deletes, so that a moved file is not an end."""
        unknown: Counter[tuple[str, str]] = Counter()
        changes = [change for change in commit.changes if self._path.fullmatch(change.path)]
        deleted = {change.path for change in changes if change.blob is None}
        for change in changes:
            if change.blob is not None:
                self._write(change, change.blob, commit, deleted, unknown)
        for path in sorted(deleted):
            self._delete(path, commit, unknown)
        subject = commit.message.partition("\n")[0]
        for (kind, reason), sections in sorted(unknown.items()):
            action = "noted" if kind in ("newer_than_date", "several_dates") else "repaired"
            self.history.note(commit.sha[:12], kind, f"{reason} ({sections} sections; {subject[:80]})", action)

    def end(self) -> None:
        """Name what the configuration says and no commit has."""
        self.history.note_unmatched(self._dates.unmatched())

    def why_nothing(self) -> str:
        """Which key is at fault where there is no section at all."""
        n, first = self._fits["path"], self.history.problems[:1]
        if not n:
            return f"no file fits `path` ({self._config.path}); paths are matched whole"
        if self._fits["body"] == 0 and self._fits["searched"]:
            return (
                f"`path` fits {n} texts (files in all their states), but `body` ({self._config.body}) finds nothing in any of the "
                f"{self._fits['searched']} that were searched; it is matched on what follows the front matter"
            )
        return f"`path` fits {n} texts (files in all their states), and none is used; the first problem is: {first[0].reason if first else 'none'}"

    def _write(self, change: FileChange, blob: str, commit: Commit, deleted: set[str], unknown: Counter[tuple[str, str]]) -> None:
        where = f"{change.path}@{commit.sha[:12]}"
        self._fits["path"] += 1
        try:
            text = self._repository.text(blob)
        except ValueError as error:
            self.history.note(where, "unreadable_file", str(error), "rejected")
            return
        article = self._article(change.path, text, commit, where, deleted)
        if article is None:
            return
        if is_closing(article.body, self._config.closing):
            if self.history.is_open(article.key):
                self._count(article.found, unknown)
            self.history.close(article.key, article.found.day, where, f"its body is {article.body[:40]!r}")
        elif not article.body:
            self.history.note(where, "empty_text", "the file holds no text", "rejected")
            if self.history.is_open(article.key):
                self._count(article.found, unknown)
            self.history.close(article.key, article.found.day, where, "its file was emptied")
        elif self.history.see(article.key, article.body, article.found.day, where, begun_by=article.found.begun_by):
            self._count(article.found, unknown)

    def _article(self, path: str, text: str, commit: Commit, where: str, deleted: set[str]) -> _Article | None:
        document = split_front_matter(text)
        found = self._path.fullmatch(path)
        assert found is not None
        raw_code = found.groupdict().get("law_code") or self._config.law_code or ""
        code = self._config.law_codes.get(raw_code, raw_code)
        label = read_label(found["label"], self._config.labels, self._labels)
        if code not in self._laws or not label:
            kind, reason = ("unknown_law", f"law {code!r} is not in the catalogue") if label else ("empty_label", "the label is empty")
            self.history.note(where, kind, reason, "rejected")
            return None
        body = document.body
        if self._body is not None:
            matched = self._body.search(body)
            self._fits["searched"] += 1
            self._fits["body"] += matched is not None
            if matched is None:
                self.history.note(where, "no_body", "the pattern `body` finds nothing in the file", "rejected")
                return None
            body = matched["body"] or ""
        key = self._own(path, (code, label), deleted, where)
        return _Article(key, clean_text(body, self._config.noise), self._dates.find(commit, document.keys))

    def _own(self, path: str, key: Key, deleted: set[str], where: str) -> Key:
        """The section that a file holds; of two files with one label at a time the second is named with its folder."""
        if path in self._keys:
            return self._keys[path]
        owner = self._owner.get(key)
        if owner is not None and owner != path and owner not in deleted:
            folder = "-".join(Path(path).parent.as_posix().split()).replace("/", "-").lower()
            longer = (key[0], f"{key[1]}@{folder}")
            self.history.note(where, "duplicate_label", f"{owner} is section {key[1]} too; kept as {longer[1]}", "repaired")
            key = longer
        elif owner is not None and owner != path:
            self._keys.pop(owner, None)
        self._owner[key], self._keys[path] = path, key
        return key

    def _delete(self, path: str, commit: Commit, unknown: Counter[tuple[str, str]]) -> None:
        key = self._keys.pop(path, None)
        if key is None or self._owner.get(key) != path:
            return
        del self._owner[key]
        if self._config.closing.deletion:
            found = self._dates.find(commit, {})
            self._count(found, unknown)
            self.history.close(key, found.day, f"{path}@{commit.sha[:12]}", "its file is gone")

    def _count(self, found: FoundDay, unknown: Counter[tuple[str, str]]) -> None:
        unknown.update(found.notes)
        if found.day is None:
            unknown[("unknown_date", "no usable date; read as unknown")] += 1
