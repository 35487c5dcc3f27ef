"""The law catalog: which law a name means (NitiBench+ B.3), and which names the corpus cannot decide on (§7.5)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt
from rapidfuzz import fuzz, process

from inforce.records.items import Item
from inforce.records.labels import to_ascii_digits

THRESHOLD = 85.0  # rapidfuzz.WRatio, B.3
# Guards beyond B.3, off unless a jurisdiction asks for them (`name_guards`):
SHORTEST = 6  # letters; anything shorter must be equal: WRatio finds the abbreviation EA in "Teachers Act", and "Act" in every act, at 90


def normalise_name(name: str) -> str:
    """One spelling for equal names: NFC, ASCII digits, no case, single spaces, no quotation marks or stops around it."""
    text = unicodedata.normalize("NFC", to_ascii_digits(name)).casefold()
    return " ".join(text.split()).strip(" .,;:\"'“”‘’")


def unheld_names(item: Item) -> frozenset[str]:
    """Normalised names of the instruments that the item's own gold cites and the corpus does not hold."""
    return frozenset(
        normalise_name(citation.law)
        for question in item.sub_questions
        for citation in question.citations
        if citation.law and not citation.version_uri
    )


class LawCatalog:
    """Names, aliases and codes of the laws of a corpus.

    laws: rows of the LAWS table. unheld_kinds: regular expressions of names of instruments on which the corpus cannot decide.
    guarded: names that share no more than a common word or a short abbreviation are not alike. The paper has no such guard (B.3);
    without it WRatio takes many an invented name for a real law, which lowers the invented-citation rate.
    """

    def __init__(self, laws: Iterable[dict[str, Any]], unheld_kinds: Iterable[str] = (), *, guarded: bool = False) -> None:
        self._guarded = guarded
        equal: dict[str, set[str]] = {}
        alike: set[str] = set()
        for law in laws:
            names = {normalise_name(name) for name in (law["name"], *(law["aliases"] or [])) if name}
            for name in names | {normalise_name(law["law_code"])}:
                equal.setdefault(name, set()).add(law["law_code"])
            alike |= {name for name in names if len(name) >= (SHORTEST if guarded else 1)}
        self._codes_of = {name: sorted(codes) for name, codes in equal.items() if name}
        self._names = _Names(sorted(alike)) if guarded else None
        self._all_names = sorted(alike)
        self._unheld = [re.compile(pattern, re.IGNORECASE) for pattern in unheld_kinds]
        self._alike: dict[str, tuple[float, list[str]]] = {}

    def find(self, name: str, unheld_names: frozenset[str] = frozenset()) -> list[str] | None:
        """Codes of the laws that a name can mean, sorted: one, unless laws share a name or two names are equally like it.

        An empty list = no law of the corpus. Null = not decidable: an instrument of a kind that the corpus cannot decide, or one of
        `unheld_names` (normalised). An equal name, alias or code is found first, then the name or alias that is most alike. A likeness of
        85 does not tell an amending act from the act that it amends, so a name of an undecidable kind is like no law that is not itself
        of that kind, and a name that is as much like one of `unheld_names` is that.
        """
        name = normalise_name(name)
        if name in self._codes_of:
            return self._codes_of[name]
        if name in unheld_names:
            return None
        kinds = [kind for kind in self._unheld if kind.search(name)]
        if len(name) < (SHORTEST if self._guarded else 1):
            return None if kinds else []
        if name not in self._alike:
            self._alike[name] = self._names.most_alike(name) if self._names else _most_alike(name, self._all_names, guarded=False)
        score, best = self._alike[name]
        best = [found for found in best if all(kind.search(found) for kind in kinds)]
        if unheld_names and _most_alike(name, unheld_names, guarded=self._guarded)[0] >= max(score, THRESHOLD):
            return None
        if kinds and not best:
            return None
        return sorted({code for found in best for code in self._codes_of[found]})

    def exact(self, name: str) -> list[str]:
        """Codes of the laws with this very code, name or alias, sorted."""
        return self._codes_of.get(normalise_name(name), [])


class _Names:
    """Names to compare with. Most are passed over because they share too few letters with the name asked for.

    A likeness of 85 needs more than .8 of the shorter name's letters in the longer one (whole names, sorted or shared words, or the
    shorter inside the longer; a word said twice counts once, as it may for WRatio), so .7 loses nothing, and WRatio, at 3 microseconds a pair, is asked for a small part of a large catalog.
    """

    def __init__(self, names: list[str]) -> None:
        self.names = names
        self._column = {letter: n for n, letter in enumerate(sorted({letter for name in names for letter in name if letter != " "}))}
        self._counts = np.array([self._bag(name) for name in names], dtype=np.int16).reshape(len(names), len(self._column))
        self._lengths = np.array([_distinct(name) for name in names])

    def most_alike(self, name: str) -> tuple[float, list[str]]:
        """As the function of this name, over all names."""
        shared = np.minimum(self._counts, self._bag(name)).sum(axis=1)
        enough = shared >= 0.7 * np.minimum(self._lengths, _distinct(name))
        return _most_alike(name, [self.names[n] for n in np.flatnonzero(enough)])

    def _bag(self, name: str) -> npt.NDArray[np.int16]:
        columns = [self._column[letter] for letter in name if letter in self._column]
        return np.bincount(columns, minlength=len(self._column)).astype(np.int16)


def _distinct(name: str) -> int:
    """Letters of the name's distinct words."""
    return sum(len(word) for word in set(name.split()))


def _most_alike(name: str, known: Iterable[str], *, guarded: bool = True) -> tuple[float, list[str]]:
    """The best likeness of at least THRESHOLD, 0-100, and every name that has it; 0 and none if there is no such name."""
    found = process.extract(name, sorted(known), scorer=fuzz.WRatio, score_cutoff=THRESHOLD, limit=None)
    alike = [(other, score) for other, score, _ in found if not (guarded and _only_shares_a_word(name, other, score))]
    best = max((score for _, score in alike), default=0.0)
    return best, [other for other, score in alike if score == best]


def _only_shares_a_word(name: str, other: str, score: float) -> bool:
    """Whether the likeness may be no more than one common word.

    WRatio gives 85.5 (.95 x .9 x 100) to any two names with a word in common of which one is half as long again as the other: `Fisheries
    Act` would be every act with a long name.
    """
    return score <= 85.5 and max(len(name), len(other)) >= 1.5 * min(len(name), len(other))
