"""Whether text that is to be published holds anything of items that are held back: their names, or their words.

Names (id, decision number) count where no letter or digit of ASCII continues them. Words are looked for in two ways, over texts whose
escapes are resolved and whose white space is one space: as wholes (any text, and any sentence), and as windows of 40 characters taken
every eighth character, so that a piece of 47 characters out of the middle of a text is found as well.

In a document one window is enough. In a record of another case it is not: courts word the same thing alike, so there a whole is
needed, or windows in a row over 100 characters (measured on 1,207 Thai items: what is longer is the same story, what is shorter is
usage). Words are no secret that the law's text has too, or that items held back of two clusters have, unless it is a story of 100
characters. A question shared by a released item and one held back is the released item's own, and so are title and verdict where they
are the same; the facts and the reasoning of the latter are not. Nor is a question among the questions, or a verdict among the
verdicts, of other cases a secret.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from inforce.records.items import Item

WINDOW, STEP = 40, 8  # characters of a window, and from one window of a text to the next
LONG_RUN = 100  # characters in a row from which words of a record are another case's, and not only worded like it
SHORTEST = 20  # of a title, question or verdict looked for: shorter ones stand in many cases
SHORTEST_SENTENCE = 40
WHOLES = ("title", "question", "verdict")
ALIKE = ("question", "verdict")  # fields in which cases say the same: one of another case in the same field gives nothing away
SHORTEST_NUMBER = 5  # of a decision number without any mark in it: a shorter one is any number
_ESCAPE = re.compile(r'\\(?:u([0-9a-fA-F]{4})|([nrtbf])|(["\\/]))')
_SENTENCE_END = re.compile(r"(?<=[.!?]) ")
_TOKEN = re.compile(r"[A-Za-z0-9]+")


def plain(text: str) -> str:
    """The text with escapes of JSON and HTML resolved and its white space as single spaces."""
    read = _ESCAPE.sub(lambda match: chr(int(match[1], 16)) if match[1] else " " if match[2] else match[3], text)
    return " ".join(html.unescape(read).split())


def item_texts(item: Item) -> Iterator[tuple[str, str]]:
    """All that is said of a case in words, plain, each with the name of its field."""
    yield from (("title", plain(item.title)), ("fact_pattern", plain(item.fact_pattern)))
    for question in item.sub_questions:
        yield from ((field, plain(getattr(question, field))) for field in ("question", "verdict", "reasoning"))


def strings(value: Any, field: str = "") -> Iterator[tuple[str, str]]:
    """Every text in a JSON value, with the name of the field that it stands in."""
    if isinstance(value, str):
        yield field, value
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield from strings(inner, name)
    elif isinstance(value, list):
        for inner in value:
            yield from strings(inner, field)


class Names:
    """Names to be found in a text in one pass: by their first run of ASCII letters and digits, which the text must hold as such a run."""

    def __init__(self, names: Iterable[str]) -> None:
        self._by_token: dict[str, list[tuple[int, str]]] = {}
        self._other: list[str] = []  # without any such run
        for name in sorted(set(names)):
            if token := _TOKEN.search(name):
                self._by_token.setdefault(token[0], []).append((token.start(), name))
            else:
                self._other.append(name)

    def within(self, text: str) -> Iterator[str]:
        """Names that stand in the text."""
        for token in _TOKEN.finditer(text):
            for offset, name in self._by_token.get(token[0], ()):
                start = token.start() - offset
                if start >= 0 and text.startswith(name, start) and not _continues(text[start + len(name) : start + len(name) + 1]):
                    yield name
        yield from (name for name in self._other if name in text)


def _continues(sign: str) -> bool:
    return sign.isascii() and sign.isalnum()


class Owned(NamedTuple):
    """Whose words are, the field they stand in, and whether they are a whole: a text or a sentence."""

    item: str
    cluster: str
    field: str
    whole: bool


class Words:
    """The words of items held back that are a secret: see the module for which are none."""

    def __init__(self, held_back: list[Item], released: list[Item], law: Iterable[str]) -> None:
        self._owned: dict[str, Owned] = {}
        for item in held_back:
            name, cluster = item.id, item.cluster
            for words, field, whole in pieces(item):
                if whole or words not in self._owned:
                    self._owned[words] = Owned(name, cluster, field, whole)
        self._by_start = _by_start(self._owned)
        known = {words for text in law for _, words in self._all(plain(text))}
        known.update(words for cluster, words in self._in_items(held_back) if self._is_usage(words, cluster))
        known.update(words for cluster, words in self._in_items(released) if self._is_shared(words, cluster))
        self._owned = {words: owned for words, owned in self._owned.items() if words not in known}
        self._by_start = _by_start(self._owned)

    def _in_items(self, items: list[Item]) -> Iterator[tuple[str, str]]:
        """Words of items held back that stand in these items, each with the item's cluster."""
        for item in items:
            cluster = item.cluster
            yield from ((cluster, words) for _, text in item_texts(item) for _, words in self._all(text))

    def _is_usage(self, words: str, cluster: str) -> bool:
        """Whether words are nobody's, since an item held back of this cluster has them too. A long story told twice stays a secret."""
        owned = self._owned[words]
        return owned.cluster != cluster and (len(words) < LONG_RUN or owned.field in WHOLES)

    def _is_shared(self, words: str, cluster: str) -> bool:
        """Whether words are a question, a title or a verdict that a released item of this cluster has too."""
        owned = self._owned[words]
        return owned.cluster == cluster and owned.field in WHOLES

    def _all(self, text: str) -> Iterator[tuple[int, str]]:
        """Words of items held back in a plain text, and where each begins."""
        by_start = self._by_start
        for start in range(len(text) - SHORTEST + 1):
            for words in by_start.get(text[start : start + SHORTEST], ()):
                if text.startswith(words, start):
                    yield start, words

    def within(self, text: str, field: str | None = None) -> Iterator[tuple[str, str]]:
        """Items held back whose words stand in the text, and the words. field: of the record that the text is in; None in a document."""
        runs: dict[str, tuple[int, int]] = {}  # item -> begin and end of its windows in a row
        for start, words in self._all(plain(text)):
            owned, end = self._owned[words], start + len(words)
            if owned.field == field and field in ALIKE:
                continue
            begin, last = runs.get(owned.item, (start, start))
            runs[owned.item] = (begin, end) if start <= last - WINDOW + STEP else (start, end)
            if owned.whole or field is None or end - runs[owned.item][0] >= LONG_RUN:
                yield owned.item, words


def pieces(item: Item) -> Iterator[tuple[str, str, bool]]:
    """What is looked for of an item, with its field and whether it is a whole: wholes and windows of all its texts."""
    for field, text in item_texts(item):
        if len(text) >= (SHORTEST if field in WHOLES else LONG_RUN):
            yield text, field, True
        yield from ((sentence, field, True) for sentence in _SENTENCE_END.split(text) if len(sentence) >= SHORTEST_SENTENCE)
        yield from ((text[start : start + WINDOW], field, False) for start in range(0, len(text) - WINDOW + 1, STEP))


def _by_start(words: Iterable[str]) -> dict[str, list[str]]:
    out: dict[str, list[str]] = {}
    for one in words:
        out.setdefault(one[:SHORTEST], []).append(one)
    return out


def secret_names(held_back: list[Item], released: list[Item], law: Iterable[str]) -> dict[str, str]:
    """Name -> item held back: ids, and decision numbers that no released item and no law text has. A short bare number is no name."""
    names = {item.id: item.id for item in held_back}
    numbers = {item.source_id: item.id for item in held_back if not item.source_id.isdigit() or len(item.source_id) >= SHORTEST_NUMBER}
    search = Names(numbers)
    shared = {item.source_id for item in released} | {name for text in law for name in search.within(text)}
    return {name: item for name, item in numbers.items() if name and name not in shared} | names


def find_leaks(files: dict[str, str], held_back: list[Item], released: list[Item], law: list[str]) -> list[str]:
    """What of items held back stands in the files, in words; law: the texts of the law that items cite. `.jsonl` files hold records."""
    item_of = secret_names(held_back, released, law)
    names, words = Names(item_of), Words(held_back, released, law)
    found: dict[tuple[str, ...], str] = {}
    for file, text in sorted(files.items()):
        for name in [*names.within(text), *names.within(plain(text))]:
            found.setdefault((file, "name", item_of[name]), f"{file} names item {item_of[name]}, which is held back ({name})")
        said = strings([json.loads(line) for line in text.splitlines()]) if file.endswith(".jsonl") else [(None, text)]
        for item, piece in (hit for field, one in said for hit in words.within(one, field)):
            found.setdefault((file, "words", item), f"{file} holds a text of item {item}, which is held back ({piece!r})")
    return list(found.values())
