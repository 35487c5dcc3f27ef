"""Which law a name means: equal names first, then likeness (NitiBench+ B.3), guarded against names that only contain each other."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from rapidfuzz import fuzz, process

from inforce.config.citations import CitationGrammar
from inforce.records.labels import to_ascii_digits

LIKENESS = 85.0  # rapidfuzz.fuzz.WRatio, B.3
# WRatio gives 85.5 to any two names that share one word where one is half as long again (`Road Act`, `Consumer Sales Act 1961`), and 90 to a
# name inside another. The plain ratio of common letters tells them apart.
PLAIN_LIKENESS = 60.0
_BLOCK = 512


class Law(NamedTuple):
    """A law as named: the words used, the name they stand for and its code, both null where they are not known or not one."""

    words: str
    name: str | None
    code: str | None


class _Entry(NamedTuple):
    name: str
    code: str | None


class LawCatalogue:
    """Names, aliases and codes of laws: those of a corpus (rows of the LAWS table) and those that a grammar lists.

    The names of one law in the grammar are taken together: an abbreviation there reaches the law of the corpus that has its name.
    """

    def __init__(self, rows: Iterable[dict[str, Any]], config: CitationGrammar) -> None:
        self._spaced = config.spaced
        self._year = re.compile(rf"[\s,]*(?:{config.laws.year})\s*$") if config.laws.year else None
        self._unlike = [re.compile(pattern) for pattern in [*config.laws.no_likeness, *_of_longer_names(config)]]
        self._spellings: set[str] = set()
        self._exact: dict[str, set[_Entry]] = {}
        self._yearless: dict[str, set[_Entry]] = {}
        for row in rows:
            entry = _Entry(row["name"], row["law_code"])
            self._add(entry, [row["name"], *(row["aliases"] or [])])
            self._exact.setdefault(self.normal(row["law_code"]), set()).add(entry)
        for law in config.laws.names:
            self._join(law.name, [law.name, *law.aliases], law.short)
        self._alike = {key: self._exact.get(key) or self._yearless[key] for key in {*self._exact, *self._yearless}}
        self._names = sorted(self._alike)
        self._found: dict[str, tuple[_Entry, ...]] = {}

    def spellings(self) -> list[str]:
        """All names and aliases as they are written in texts, sorted; neither codes nor abbreviations that need a unit after them."""
        return sorted(self._spellings)

    def normal(self, name: str) -> str:
        """One spelling for equal names: no case, stops or spare space, ASCII digits; no space at all where words are not parted by it."""
        text = unicodedata.normalize("NFC", to_ascii_digits(name)).casefold().replace("’", "'")
        text = re.sub(r"[.,;:\"“”‘«»ฯ]", " ", text)
        return (" " if self._spaced else "").join(text.split())

    def knows(self, name: str) -> bool:
        """Whether a law has exactly this name, alias or code."""
        return self.normal(name) in self._exact

    def find_equal(self, words: str) -> Law:
        """`find` by equal names alone."""
        found = self._equal(words)
        return self.find(words) if found else Law(words, None, None)

    def find(self, words: str) -> Law:
        """The law that the words name; without name and code if none does, without code if more than one does."""
        return next(self.find_all([words]))

    def find_all(self, names: Sequence[str], workers: int = 1) -> Iterator[Law]:
        """`find` for each of many names, in order; every distinct name is looked up once. `workers` threads compare the unlike ones."""
        unknown = [name for name in dict.fromkeys(names) if name not in self._found]
        unlike = []
        for name in unknown:
            entries = self._equal(name)
            if entries is None:
                unlike.append(name)
            else:
                self._found[name] = entries
        for at in range(0, len(unlike), _BLOCK):
            self._compare(unlike[at : at + _BLOCK], workers)
        return (self._law(name) for name in names)

    def _add(self, entry: _Entry, names: Iterable[str]) -> None:
        for name in names:
            if not self.normal(name):
                continue
            self._spellings.add(name)
            self._exact.setdefault(self.normal(name), set()).add(entry)
            bare = self._year.sub("", name) if self._year else name
            if bare and bare != name:
                self._spellings.add(bare)
                self._yearless.setdefault(self.normal(bare), set()).add(entry)

    def _join(self, name: str, names: list[str], short: list[str]) -> None:
        # the first of its names that the corpus has: an alias that other laws share does not make the name theirs
        held = (self._exact.get(self.normal(one)) or self._yearless.get(self.normal(one)) for one in names)
        entries = set(next(filter(None, held), ()))
        for entry in sorted(entries, key=str) or [_Entry(name, None)]:
            self._add(entry, names)
            for one in short:
                self._exact.setdefault(self.normal(one), set()).add(entry)

    def _equal(self, name: str) -> tuple[_Entry, ...] | None:
        """Laws of an equal name, none where likeness must not be asked, null where it must."""
        normal = self.normal(name)
        found = self._exact.get(normal) or self._yearless.get(normal)
        if found:
            return tuple(sorted(found, key=str))
        if not normal or any(pattern.search(name) for pattern in self._unlike):
            return ()
        return None

    def _compare(self, names: list[str], workers: int) -> None:
        if not self._names:
            self._found.update(dict.fromkeys(names, ()))
            return
        normal = [self.normal(name) for name in names]
        plain = process.cdist(normal, self._names, scorer=fuzz.ratio, score_cutoff=PLAIN_LIKENESS, dtype=np.float32, workers=workers)
        near: dict[int, list[int]] = {}
        for row, column in zip(*(places.tolist() for places in np.nonzero(plain)), strict=True):
            near.setdefault(row, []).append(column)
        for row, name in enumerate(names):
            self._found[name] = self._most_alike(normal[row], near.get(row, []))

    def _most_alike(self, name: str, near: list[int]) -> tuple[_Entry, ...]:
        known = [self._names[at] for at in near if any(_same_numbers(name, entry.name) for entry in self._alike[self._names[at]])]
        scored = process.extract(name, known, scorer=fuzz.WRatio, score_cutoff=LIKENESS, limit=None)
        if not scored:
            return ()
        best = max(score for _, score, _ in scored)
        alike = {entry for found, score, _ in scored if score == best for entry in self._alike[found]}
        return tuple(sorted((entry for entry in alike if _same_numbers(name, entry.name)), key=str))

    def _law(self, words: str) -> Law:
        entries = self._found[words]
        names, codes = {entry.name for entry in entries}, {entry.code for entry in entries}
        return Law(words, names.pop() if len(names) == 1 else None, codes.pop() if len(codes) == 1 else None)


def _of_longer_names(config: CitationGrammar) -> list[str]:
    """Names with a word that makes them another's: the draft of a code is not the code, however alike their names."""
    before = [rf"(?i)^\s*{re.escape(text)}" for text in config.laws.not_after]
    return before + [rf"(?i){re.escape(text)}\s*$" for text in config.laws.not_before]


def _same_numbers(name: str, law: str) -> bool:
    """Names that differ in a number are different laws, however alike: Civil Code 1908, Civil Code 1999."""
    numbers, of_law = re.findall(r"\d+", name), re.findall(r"\d+", to_ascii_digits(law))
    return not numbers or not of_law or numbers == of_law
