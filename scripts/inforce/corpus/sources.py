"""Foreign files: where they lie, and tables of text read row by row."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

from inforce.config.jurisdiction import Jurisdiction
from inforce.config.load import ConfigError, nearest


class Rows:
    """A CSV file's records, each with its row number as a spreadsheet shows it (the header is row 1)."""

    def __init__(self, path: Path, needed: dict[str, str]) -> None:
        """`needed`: our column -> the file's column. Raises ConfigError for a file without one of them, or not UTF-8."""
        self.path, self._columns = path, needed
        csv.field_size_limit(1 << 30)  # a section can be longer than the module's 128 KiB
        header = next(self._records(), [])
        for ours, theirs in needed.items():
            if theirs not in header:
                near = nearest(theirs, header)
                hint = f"did you mean {near}?" if near else f"its columns are {', '.join(header)}"
                raise ConfigError(f"{path} has no column {theirs!r}, which the configuration names for {ours}; {hint}")

    def __iter__(self) -> Iterator[tuple[int, dict[str, str] | None]]:
        """Yield row number and values by our column names; null in place of the values where a row has too few or too many fields."""
        records = self._records()
        header = next(records, [])
        for number, row in enumerate(records, start=2):
            if len(row) == len(header):
                named = dict(zip(header, row, strict=True))
                yield number, {ours: named[theirs] for ours, theirs in self._columns.items()}
            elif row:  # an empty line is no row
                yield number, None

    def _records(self) -> Iterator[list[str]]:
        with open(self.path, encoding="utf-8-sig", newline="") as handle:
            try:
                yield from csv.reader(handle, strict=True)
            except (UnicodeDecodeError, csv.Error) as error:
                raise ConfigError(f"{self.path} is not a CSV file in UTF-8: {error}") from error


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
