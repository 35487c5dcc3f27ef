"""problems.csv: what was wrong in foreign data and what was done about it (DESIGN §2). Nothing is dropped in silence."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from pathlib import Path
from typing import Literal, NamedTuple

from inforce.records.files import write_text


class Problem(NamedTuple):
    """One thing wrong. `row` is the source's own row number or key, `kind` a short fixed word to count by."""

    source: str
    row: str
    kind: str
    reason: str
    action: Literal["repaired", "rejected", "noted"]


def write_problems(path: Path | str, problems: Iterable[Problem]) -> None:
    """Write problems.csv in the order met; a file with only the header means that nothing was wrong."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(Problem._fields)
    writer.writerows(problems)
    write_text(path, out.getvalue())


def read_problems(path: Path | str) -> list[Problem]:
    """All rows of a problems.csv."""
    with open(path, encoding="utf-8", newline="") as handle:
        return [Problem(**row) for row in csv.DictReader(handle)]  # type: ignore[arg-type]
