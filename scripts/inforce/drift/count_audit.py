"""What benchmarks record about time, counted by period of release (NitiBench+ §3, Table 2).

The audit has one row a benchmark: benchmark, year, jurisdiction (several parted by ;), four marks yes, partial or no, and, where there are
any, evidence, confidence and source. The marks say whether the gold answers cite statutes, whether every item has a date, whether a
version of the statute is named, and whether the day of the statute text is stated.

The rows of config/benchmark_audit.csv are those of NitiBench+ (second version), Table 3: names, years, jurisdictions and marks. That
table cuts off long cells; names are shortened where it does, and the jurisdictions of LexGLUE and LeXFiles are those that can be read.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal

import pandas as pd
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from inforce.records.tables import write_csv

Mark = Literal["yes", "partial", "no"]
MARKS = ("cites_statute", "item_date", "version", "snapshot")
ALL = "All"


class Benchmark(BaseModel):
    """A row of the audit."""

    model_config = ConfigDict(extra="forbid")

    benchmark: str = Field(min_length=1)
    year: int = Field(ge=1900, le=2200)
    jurisdiction: str
    cites_statute: Mark
    item_date: Mark
    version: Mark
    snapshot: Mark
    evidence: str = ""
    confidence: Literal["", "high", "medium", "low"] = ""
    source: str = ""


def read_audit(path: Path) -> list[Benchmark]:
    """All rows of an audit, by year and name. Raises ValueError that names the file, the line and the column."""
    found = []
    with open(path, encoding="utf-8-sig", newline="") as handle:
        reader = csv.DictReader(handle)
        for row in reader:
            try:
                found.append(Benchmark.model_validate(row))
            except ValidationError as error:
                faults = "; ".join(f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors())
                raise ValueError(f"{path}, line {reader.line_num}: {faults}") from None
    names = [row.benchmark for row in found]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise ValueError(f"{path}: {', '.join(twice)} is there twice; keep one row")
    return sorted(found, key=lambda row: (row.year, row.benchmark.casefold()))


def period_of(year: int, starts: Sequence[int], last_year: int) -> str:
    """The period of a year: `before 2024`, `2024-2025`, `2026`. `starts`: first years, rising; the last period ends with `last_year`."""
    begun = [start for start in starts if start <= year]
    if not begun:
        return f"before {starts[0]}"
    later = starts[len(begun) :]
    end = later[0] - 1 if later else max(last_year, begun[-1])
    return f"{begun[-1]}-{end}" if end > begun[-1] else str(end)


def period_names(starts: Sequence[int], last_year: int) -> list[str]:
    """All periods in order."""
    return [period_of(year, starts, last_year) for year in (starts[0] - 1, *starts)]


def count_audit(rows: Iterable[Benchmark], starts: Sequence[int]) -> pd.DataFrame:
    """Benchmarks by period and in all, and of each mark how many are yes and how many partial."""
    rows = list(rows)
    last_year = max((row.year for row in rows), default=starts[-1])
    table = []
    for period in [*period_names(starts, last_year), ALL]:
        here = [row for row in rows if period in (ALL, period_of(row.year, starts, last_year))]
        counts = [sum(getattr(row, mark) == value for row in here) for mark in MARKS for value in ("yes", "partial")]
        table.append([period, len(here), *counts])
    return pd.DataFrame(table, columns=["released", "benchmarks", *(f"{mark}_{value}" for mark in MARKS for value in ("yes", "partial"))])


def audit_frame(rows: Iterable[Benchmark], starts: Sequence[int]) -> pd.DataFrame:
    """The rows with their period, sorted."""
    rows = list(rows)
    last_year = max((row.year for row in rows), default=starts[-1])
    fields = list(Benchmark.model_fields)
    lines = [[period_of(row.year, starts, last_year), *(getattr(row, field) for field in fields)] for row in rows]
    return pd.DataFrame(lines, columns=["released", *fields])


def main(argv: list[str] | None = None) -> None:
    """Command line."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.drift.count_audit --audit config/benchmark_audit.csv --period-starts 2024 2026 "
        "--counts results/drift/audit_counts.csv --rows results/drift/audit.csv",
    )
    parser.add_argument("--audit", required=True, type=Path, help="the audit, one row a benchmark")
    parser.add_argument("--period-starts", required=True, type=int, nargs="+", help="first year of each period but the first")
    parser.add_argument("--counts", required=True, type=Path, help="output: counts by period (Table 2)")
    parser.add_argument("--rows", required=True, type=Path, help="output: the rows, sorted and with their period (Table 3)")
    args = parser.parse_args(argv)
    if sorted(set(args.period_starts)) != args.period_starts:
        raise SystemExit(f"--period-starts {args.period_starts}: give the years once each and in order")
    try:
        rows = read_audit(args.audit)
    except (ValueError, FileNotFoundError) as error:
        raise SystemExit(str(error)) from None
    write_csv(args.counts, count_audit(rows, args.period_starts))
    write_csv(args.rows, audit_frame(rows, args.period_starts))
    print(f"{len(rows)} benchmarks")


if __name__ == "__main__":
    main()
