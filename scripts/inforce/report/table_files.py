"""A table of the report in its three forms: CSV for programs, Markdown for reading, LaTeX for a paper."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import pandas as pd

from inforce.records.files import write_text
from inforce.records.tables import write_csv
from inforce.report.words import Headings, Marks, latex, markdown


def add_table_arguments(parser: argparse.ArgumentParser) -> None:
    """The options --csv, --markdown and --latex, one file each."""
    for form in ("csv", "markdown", "latex"):
        parser.add_argument(f"--{form}", required=True, help=f"the table as {form}")


def write_table_files(
    args: argparse.Namespace,
    table: pd.DataFrame,
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    note: str,
    headings: Headings | None = None,
    marks: Marks | None = None,
) -> None:
    """Write `table` as CSV, and `header` with `rows` (text, as printed) as Markdown with the note below and as LaTeX.

    `headings` stand above rows, `marks` name the best and the second best cells (see report.model_rows).
    A table without rows is written all the same: its note says what it would need.
    Raises ValueError if a row is not as wide as the header.
    """
    for number, row in enumerate(rows):
        if len(row) != len(header):
            raise ValueError(f"row {number} has {len(row)} cells, the header {len(header)}")
    write_csv(args.csv, table)
    write_text(args.markdown, markdown(header, rows, headings, marks) + f"\n{note}\n")
    write_text(args.latex, f"% {note}\n" + latex(header, rows, headings, marks))
