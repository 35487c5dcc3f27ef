"""Which lines of the response store a run used, and whether a store still holds them byte for byte.

A line is named by the sha256 of its request, and begins `{"name":"...`. Where a name stands twice, the first line that is whole counts,
as it does for the store itself; files are taken in the order of their names.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from inforce.records.files import sha256_json

_HEAD = b'{"name":"'
_NAME = slice(len(_HEAD), len(_HEAD) + 64)
SEARCHES = "searches"


class Line(NamedTuple):
    """One line of a store: its file, its number from 1, its bytes without the end of line."""

    file: Path
    number: int
    data: bytes

    @property
    def name(self) -> str:
        """The name that the line gives itself; empty if it does not look like a stored line."""
        return self.data[_NAME].decode("ascii", "replace") if self.data.startswith(_HEAD) else ""

    @property
    def sha256(self) -> str:
        """Of the line's bytes."""
        return hashlib.sha256(self.data).hexdigest()

    def value(self) -> dict[str, Any] | None:
        """The line as JSON; null if it is none, or if its request does not have the line's name."""
        try:
            value = json.loads(self.data)
        except ValueError:
            return None
        if not isinstance(value, dict) or not isinstance(value.get("name"), str):
            return None
        if "request" in value and sha256_json(value["request"]) != value["name"]:
            return None
        return value


class Difference(NamedTuple):
    """What is wrong with a line that a run used: in words, with file and line where they are known."""

    store: str
    name: str
    what: str


def lines_of(folder: Path) -> Iterator[Line]:
    """All lines of a store's folder; a last line that a kill cut short is left out, as the store leaves it out."""
    for path in sorted(folder.glob("*.jsonl")):
        with path.open("rb") as handle:
            for number, data in enumerate(handle, start=1):
                if data.endswith(b"\n") and data.strip():
                    yield Line(path, number, data[:-1])


def find_lines(folder: Path, names: set[str]) -> dict[str, Line]:
    """The line that the store would use for each name; names that it does not hold are left out."""
    found: dict[str, Line] = {}
    for line in lines_of(folder):
        if line.name in names and line.name not in found and line.value() is not None:
            found[line.name] = line
    return found


def find_searches(folder: Path, traces: set[tuple[str, tuple[str, ...]]]) -> dict[str, Line]:
    """The stored searches, by name, that gave one of these (query, versions returned)."""
    found: dict[str, Line] = {}
    for line in lines_of(folder):
        value = line.value()
        if value is not None and "query" in value and (value["query"], tuple(value["version_uris"])) in traces:
            found[value["name"]] = line  # of two lines of one name the store takes the last
    return found


def check_store(root: Path, store: str, expected: dict[str, str]) -> list[Difference]:
    """What differs between the lines expected (name -> sha256) and those that the store holds, by name.

    A name that is missing is reported together with the lines that cannot be read: it stood in one of them, or the file is not here.
    """
    folder = root / store
    first: dict[str, Line] = {}
    odd: list[Line] = []
    for line in lines_of(folder):
        if line.name not in expected:
            if line.value() is None:
                odd.append(line)
        elif line.name not in first or _goes_before(line, first[line.name], store):
            first[line.name] = line
    wrong = []
    for name in sorted(expected):
        if name not in first:
            where = f"; {_place(root, odd[0])} cannot be read and may be it" if odd else ""
            wrong.append(Difference(store, name, f"responses/{store} holds no line named {name[:12]}...{where}"))
        elif first[name].sha256 != expected[name]:
            wrong.append(Difference(store, name, f"{_place(root, first[name])} differs"))
    return wrong


def _goes_before(later: Line, earlier: Line, store: str) -> bool:
    """Of two lines of one name a store of searches takes the last whole one, a store of responses the first."""
    return later.value() is not None and (store.startswith(SEARCHES) or earlier.value() is None)


def _place(root: Path, line: Line) -> str:
    return f"responses/{line.file.relative_to(root)} line {line.number}"


def requests_of(path: Path) -> Iterable[dict[str, Any]]:
    """The records of an answers or grades file."""
    with path.open(encoding="utf-8") as handle:
        for text in handle:
            if text.strip():
                yield json.loads(text)
