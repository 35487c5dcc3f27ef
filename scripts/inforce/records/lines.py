"""JSON Lines files of pydantic records: one canonical spelling a line, in the order given."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from inforce.records.files import canonical_json, write_text

Record = TypeVar("Record", bound=BaseModel)


def write_lines(path: Path | str, records: Iterable[BaseModel]) -> None:
    """Write one record a line, every field present, atomically."""
    write_text(path, "".join(canonical_json(record.model_dump(mode="json")) + "\n" for record in records))


def iter_lines(path: Path | str, kind: type[Record]) -> Iterator[Record]:
    """Yield the records of a file.

    A byte order mark is passed over. Raises ValueError that names the file, the line and the field of the first line that does not fit.
    """
    with open(path, "rb") as handle:
        for number, data in enumerate(handle, start=1):
            try:
                line = data.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError as error:
                raise ValueError(f"{path}, line {number}: not UTF-8 text; save the file as UTF-8") from error
            if not line.strip():
                continue
            try:
                yield kind.model_validate(json.loads(line))
            except (json.JSONDecodeError, ValidationError) as error:
                raise ValueError(f"{path}, line {number}: not a {kind.__name__}: {error}") from error


def read_lines(path: Path | str, kind: type[Record]) -> list[Record]:
    """All records of a file, in file order."""
    return list(iter_lines(path, kind))
