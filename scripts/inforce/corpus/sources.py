"""Foreign files: where they lie, and tables read row by row: CSV, Parquet (.parquet) and JSON Lines (.jsonl), by the file's name."""

from __future__ import annotations

import csv
import datetime as dt
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from inforce.config.jurisdiction import Jurisdiction
from inforce.config.load import ConfigError, nearest
from inforce.records.files import canonical_json


class BadRow(NamedTuple):
    """A row that cannot be used, with the kind and the reason of its problem."""

    kind: str
    reason: str


Row = tuple[int, dict[str, str] | BadRow]

RAGGED = BadRow("ragged_row", "the row has too few or too many fields")


class RejectedError(ValueError):
    """A row that cannot be used; `kind` is the problem's kind."""

    def __init__(self, kind: str, reason: str) -> None:
        super().__init__(reason)
        self.kind = kind


def usable(row: dict[str, str] | BadRow) -> dict[str, str]:
    """The row's values. Raises RejectedError for a row that has none."""
    if isinstance(row, BadRow):
        raise RejectedError(row.kind, row.reason)
    return row


def key_of(number: int, row: dict[str, str] | BadRow, column: str) -> str:
    """The row's own key where it has one, else `row N`."""
    return (row.get(column) if isinstance(row, dict) else None) or f"row {number}"


class Rows:
    """A table's records with their numbers: of a CSV file as a spreadsheet shows them (the header is row 1), of JSON Lines the line, of Parquet from 1.

    All values are text: a date is ISO, a number as it is written, null empty.
    """

    def __init__(self, path: Path, needed: dict[str, str]) -> None:
        """`needed`: our column -> the file's column.

        Raises ConfigError for a file that is empty, unreadable or not UTF-8, and for one without one of them or with one of them twice.
        """
        self.path, self._columns = path, needed
        header = self._header()
        for ours, theirs in needed.items():
            if theirs not in header:
                near = nearest(theirs, header)
                hint = f"did you mean {near}?" if near else f"its columns are {', '.join(header)}"
                raise ConfigError(f"{path} has no column {theirs!r}, which the configuration names for {ours}; {hint}")
            if header.count(theirs) > 1:
                raise ConfigError(
                    f"{path} has {header.count(theirs)} columns {theirs!r}, which the configuration names for {ours}; rename all but one"
                )

    def __iter__(self) -> Iterator[Row]:
        """Yield row number and values by our column names, or what is wrong with the row in their place."""
        for number, values in self._values():
            if isinstance(values, BadRow):
                yield number, values
                continue
            named = {ours: values.get(theirs, "") for ours, theirs in self._columns.items()}
            nested = next((ours for ours, value in named.items() if isinstance(value, dict | list | bytes)), None)
            if nested:
                yield number, BadRow("bad_record", f"{self._columns[nested]} holds no text, number or date")
                continue
            row = {ours: _text(value) for ours, value in named.items()}
            yield number, next((bad for value in row.values() if (bad := bad_text(value))), row)

    def _header(self) -> list[str]:
        if self.path.suffix == ".parquet":
            return list(_parquet(self.path).schema_arrow.names)
        if self.path.suffix == ".jsonl":
            names = Counter(name for _, values in json_lines(self.path) if isinstance(values, dict) for name in values)
            if not names:
                raise ConfigError(f"{self.path} holds no JSON object, one a line")
            return list(names)
        header = next((row for _, row in _csv_records(self.path)), None)
        if not header:
            raise ConfigError(f"{self.path} is empty; its first line should name the columns")
        return header

    def _values(self) -> Iterator[tuple[int, dict[str, Any] | BadRow]]:
        if self.path.suffix == ".parquet":
            yield from parquet_records(self.path, sorted(set(self._columns.values())))
        elif self.path.suffix == ".jsonl":
            yield from json_lines(self.path)
        else:
            yield from csv_records(self.path)


def csv_records(path: Path) -> Iterator[tuple[int, dict[str, Any] | BadRow]]:
    """The records of a CSV file by its own columns, numbered from 2; empty lines are no records. Raises ConfigError if it cannot be read."""
    records = _csv_records(path)
    _, header = next(records, (0, []))
    for number, (_, row) in enumerate(records, start=2):
        if len(row) == len(header):
            yield number, dict(zip(header, row, strict=True))
        elif row:
            yield number, RAGGED


def json_lines(path: Path) -> Iterator[tuple[int, dict[str, Any] | BadRow]]:
    """The objects of a JSON Lines file, numbered by line; a line that is none is a bad row. Empty lines are no records."""
    with open(path, "rb") as handle:
        for number, line in enumerate(handle, start=1):
            if line.strip():
                yield number, json_object(line)


def json_object(line: bytes) -> dict[str, Any] | BadRow:
    """One line's JSON object, or why it is none: not UTF-8, not JSON, nested beyond reason, or something else than an object."""
    try:
        values = json.loads(line.decode("utf-8-sig"))
        canonical_json(values).encode("utf-8")  # NaN and lone surrogates are refused here, not when they are written
    except (ValueError, RecursionError) as error:
        return BadRow("not_json", f"not JSON in UTF-8: {error}")
    return values if isinstance(values, dict) else BadRow("bad_record", "not a JSON object")


def parquet_records(path: Path, columns: list[str] | None = None) -> Iterator[tuple[int, dict[str, Any] | BadRow]]:
    """The records of a Parquet file, numbered from 1; `columns` null = all of them. Raises ConfigError if it cannot be read."""
    number = 0
    try:
        for batch in _parquet(path).iter_batches(columns=columns):
            for values in batch.to_pylist():
                number += 1
                yield number, values
    except (pa.ArrowException, OSError) as error:
        raise ConfigError(f"{path} cannot be read as Parquet: {error}") from error


def _parquet(path: Path) -> pq.ParquetFile:
    try:
        return pq.ParquetFile(path)
    except (pa.ArrowException, OSError) as error:
        raise ConfigError(f"{path} is not a Parquet file: {error}") from error


def _csv_records(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Lines as fields, each with the number of the line on which it ends."""
    csv.field_size_limit(1 << 30)  # a section can be longer than the module's 128 KiB
    with open(path, encoding="utf-8-sig", newline="") as handle:
        reader = csv.reader(handle, strict=True)
        try:
            for row in reader:
                yield reader.line_num, row
        except csv.Error as error:
            raise ConfigError(f"{path}, line {reader.line_num}: not a CSV file in UTF-8: {error}") from error
        except UnicodeDecodeError as error:
            line, reason = _undecodable(path)
            raise ConfigError(f"{path}, line {line}: not a CSV file in UTF-8: {reason}") from error


def _undecodable(path: Path) -> tuple[int, str]:
    """The first line that is not UTF-8, and why: the reader itself decodes in blocks and does not know."""
    with open(path, "rb") as handle:
        for number, line in enumerate(handle, start=1):
            try:
                line.decode("utf-8-sig")
            except UnicodeDecodeError as error:
                return number, str(error)
    return 0, "bytes that are no UTF-8"


def bad_text(text: str) -> BadRow | None:
    """What no text holds, though CSV and JSON can spell it: a NUL."""
    return BadRow("nul_character", f"a NUL character stands in {text[:40]!r}") if "\0" in text else None


def _text(value: Any) -> str:
    """A value as a CSV file would have it. A time of midnight is a day, a float without fraction a whole number: tables often hold both so."""
    if value is None or (isinstance(value, float) and value != value):
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, dt.datetime):
        return value.date().isoformat() if value.time() == dt.time() else value.isoformat()
    return value.isoformat() if isinstance(value, dt.date) else str(value)


def source_file(root: Path, file: str, jurisdiction: Jurisdiction) -> Path:
    """The path of one of a jurisdiction's files.

    Raises ConfigError with one sentence that says what is missing and how to get it.
    """
    path = root / file
    if path.is_file():
        return path
    missing = f"the folder {root} does not exist" if not root.is_dir() else f"{path} does not exist"
    if jurisdiction.outside_data:
        terms = f" {jurisdiction.terms.strip().rstrip('.')}." if jurisdiction.terms else ""
        held = file if jurisdiction.root.strip("./") == "" else f"{jurisdiction.root.rstrip('/')}/"
        raise ConfigError(
            f'{missing}: the data of "{jurisdiction.title}" does not come with this project.{terms} Put it there, or name the folder that holds '
            f"{file} with --root; in the pipeline the variable INFORCE_DATA (or data_root in the run's configuration) names the folder that holds "
            f"{held}. See data/README.md."
        )
    raise ConfigError(f'{missing}; the jurisdiction "{jurisdiction.title}" names it (root, file)')
