"""Which lines of the response store a run used, and whether a store still holds them byte for byte.

Lines are read by the rules of `records.stored`, as the stores themselves read them: only whole canonical lines count, and of two with
one name the first.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError

from inforce.audit.manifest import ModelUsed
from inforce.records import stored
from inforce.records.files import canonical_json

SEARCHES = "searches"
MEASURED = "measure_retrieval"  # folder of the store in which measure_retrieval keeps its searches
_CLAIM = re.compile(rb'"name"\s*:\s*"([0-9a-f]{64})"')


class Line(NamedTuple):
    """One line that counts: its file, its number from 1, its bytes without the end of line, its name."""

    file: Path
    number: int
    data: bytes
    name: str

    @property
    def sha256(self) -> str:
        """Of the line's bytes."""
        return hashlib.sha256(self.data).hexdigest()

    def value(self) -> dict[str, Any]:
        """The line as JSON."""
        return dict(json.loads(self.data))


class Spare(NamedTuple):
    """A line that does not count: the name that it claims, empty if none, its place, and why."""

    file: Path
    number: int
    name: str
    why: str


class Held(NamedTuple):
    """What is kept of a line that a run used: digest, seed sent, who answered (null: a search), and a search's query and result."""

    file: Path
    number: int
    sha256: str
    seed: int | None
    model: ModelUsed | None
    trace: tuple[str, tuple[str, ...]] | None


class Difference(NamedTuple):
    """What is wrong with a line that a run used: in words; `missing` if the store holds none of that name."""

    name: str
    what: str
    missing: bool


class Checked(NamedTuple):
    """What a store holds of the lines expected: by name, the differences, and words on lines that claim such a name and do not count."""

    held: dict[str, Held]
    differences: list[Difference]
    spare: dict[str, list[str]]


def read_store(folder: Path) -> Iterator[Line | Spare]:
    """Every line of a store's folder, in order: those that count by their form, whether or not an earlier one has their name."""
    for file, number, data in stored.lines_of(folder):
        try:
            yield Line(file, number, data[:-1], str(stored.read_line(data)["name"]))
        except stored.LineError as error:
            claim = _CLAIM.search(data[:200])
            yield Spare(file, number, claim[1].decode() if claim else "", str(error))


def lines_of(folder: Path) -> Iterator[Line]:
    """The lines that count: of each name the first."""
    seen = set()
    for line in read_store(folder):
        if isinstance(line, Line) and line.name not in seen:
            seen.add(line.name)
            yield line


def find_lines(folder: Path, names: set[str]) -> dict[str, Line]:
    """The line that the store would use for each name; names that it does not hold are left out."""
    return {line.name: line for line in lines_of(folder) if line.name in names}


def find_searches(folder: Path, traces: set[tuple[str, tuple[str, ...]]]) -> dict[str, Line]:
    """The stored searches, by name, that gave one of these (query, versions returned)."""
    return {line.name: line for line in lines_of(folder) if hold(line).trace in traces}


def hold(line: Line) -> Held:
    """What an audit compares of a line."""
    value = line.value()
    if "request" not in value:
        return Held(line.file, line.number, line.sha256, None, None, (value["query"], tuple(value["version_uris"])))
    request = value["request"]
    try:
        model = ModelUsed.model_validate({field: request.get(field) for field in ModelUsed.model_fields})
    except ValidationError:
        model = None
    return Held(line.file, line.number, line.sha256, request.get("seed"), model, None)


def models_of(held: Iterable[Held]) -> list[ModelUsed]:
    """Each model with its revision and engine once, in the order of their spelling."""
    kinds = {canonical_json(line.model.model_dump()): line.model for line in held if line.model}
    return [kinds[key] for key in sorted(kinds)]


def check_store(root: Path, store: str, expected: Mapping[str, str]) -> Checked:
    """What a store holds of the lines expected (name -> sha256).

    A line that claims an expected name and does not count is named: as the difference where no other line has the name, else as spare.
    """
    held: dict[str, Held] = {}
    spare: dict[str, list[str]] = defaultdict(list)
    for line in read_store(root / store):
        if line.name not in expected:
            continue
        if isinstance(line, Spare):
            spare[line.name].append(f"{_place(root, line)} differs: {line.why}")
        elif line.name not in held:
            held[line.name] = hold(line)
        elif line.sha256 != held[line.name].sha256:
            spare[line.name].append(f"{_place(root, line)} differs: its name is that of {_place(root, held[line.name])}")
    wrong = []
    for name in sorted(expected):
        if name in held and held[name].sha256 != expected[name]:
            wrong.append(Difference(name, f"{_place(root, held[name])} differs", False))
        elif name not in held and name in spare:
            wrong.append(Difference(name, spare.pop(name)[0], False))
        elif name not in held:
            wrong.append(Difference(name, f"responses/{store} holds no line named {name[:12]}...", True))
    return Checked(held, wrong, dict(spare))


def usual_file(used_by: str, store: str) -> str:
    """The file of a store, below its root, to which the job that makes an answers, grades or retrieval file writes. Empty if none does."""
    parts = Path(used_by).with_suffix("").parts[1:]
    if parts[0] == "answers" and len(parts) == 5:
        return f"{store}/{parts[1]}.{parts[3]}.{parts[4]}.jsonl"
    if parts[0] == "grades" and len(parts) == 6:
        return f"{store}/judge.{'.'.join(parts[1:])}.jsonl"
    return f"{store}/{parts[1]}.jsonl" if store == f"{SEARCHES}/{MEASURED}" and len(parts) > 1 else ""


def missing_words(root: Path, used_by: str, store: str, n_missing: int, n: int) -> str:
    """One sentence for all lines behind a file that a store lacks, with the file in which the run wrote them."""
    file = usual_file(used_by, store)
    if not file:
        return f"responses/{store} lacks {n_missing} of the {n} lines that {used_by} was made from"
    if not (root / file).is_file():
        return f"responses/{file} is missing, and with it {n_missing} of the {n} lines that {used_by} was made from"
    return f"responses/{file} is not whole: it lacks {n_missing} of the {n} lines that {used_by} was made from"


def _place(root: Path, line: Spare | Line | Held) -> str:
    return f"responses/{line.file.relative_to(root)} line {line.number}"


def requests_of(path: Path) -> Iterable[dict[str, Any]]:
    """The records of an answers or grades file."""
    with path.open(encoding="utf-8") as handle:
        for text in handle:
            if text.strip():
                yield json.loads(text)
