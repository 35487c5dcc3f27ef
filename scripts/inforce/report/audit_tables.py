"""What benchmarks record about time: counts by period (NitiBench+ Table 2) and every benchmark (Table 3)."""

from __future__ import annotations

import argparse

import pandas as pd

from inforce.report.table_files import write_table_files
from inforce.report.words import ReportError, read_csv

MARKS = ("cites_statute", "item_date", "version", "snapshot")
MARK_NAMES = ["Cites statute", "Item date", "Version", "Snapshot"]
COUNTS_HEADER = ["Released", "Benchmarks", *MARK_NAMES]
ROWS_HEADER = ["Benchmark", "Year", "Jurisdiction", *MARK_NAMES]
MARK_WORDS = {"yes": "yes", "partial": "partly", "no": "–"}
COUNTS_NOTE = "Benchmarks that record it in full; in brackets, with a plus sign, those that record it in part."
FORMS = ("csv", "markdown", "latex")


def counts_rows(counts: pd.DataFrame) -> list[list[str]]:
    """`20 (+24)`: in full and in part; only the first where the second is zero."""
    rows = []
    for row in counts.to_dict("records"):
        cells = [(row[f"{mark}_yes"], row[f"{mark}_partial"]) for mark in MARKS]
        rows.append([_period(row["released"]), str(row["benchmarks"]), *(f"{yes} (+{part})" if part else str(yes) for yes, part in cells)])
    return rows


def audit_rows(audit: pd.DataFrame) -> list[list[str]]:
    """One row a benchmark, in the order of the file."""
    return [
        [row["benchmark"], str(row["year"]), row["jurisdiction"].replace(";", ","), *(MARK_WORDS[row[mark]] for mark in MARKS)]
        for row in audit.to_dict("records")
    ]


def audit_note(audit: pd.DataFrame) -> str:
    """What the marks mean, where they are from, and how sure they are."""
    sources = ", ".join(dict.fromkeys(source for source in audit["source"] if source)) or "not named"
    low = sum(audit["confidence"] == "low")
    return (
        "Cites statute: in the gold answers. Item date: of every item. Version: of the statute cited. Snapshot: the day of the statute text is "
        f"stated. Source of the marks: {sources}." + (f" {low} rows are of low confidence." if low else "")
    )


def _period(name: str) -> str:
    return str(name).replace("-", "–")


def main(argv: list[str] | None = None) -> None:
    """Read both files of count_audit, write both tables."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.report.audit_tables --counts results/drift/audit_counts.csv --rows results/drift/audit.csv "
        "--counts-csv table02.csv --counts-markdown table02.md --counts-latex table02.tex "
        "--rows-csv table03.csv --rows-markdown table03.md --rows-latex table03.tex",
    )
    parser.add_argument("--counts", required=True, help="audit_counts.csv of count_audit")
    parser.add_argument("--rows", required=True, help="audit.csv of count_audit")
    for name in ("counts", "rows"):
        for form in FORMS:
            parser.add_argument(f"--{name}-{form}", required=True, help=f"output: the table of {name} as {form}")
    args = parser.parse_args(argv)
    try:
        counts = read_csv(args.counts, ["released", "benchmarks", *(f"{mark}_{value}" for mark in MARKS for value in ("yes", "partial"))])
        audit = read_csv(args.rows, ["benchmark", "year", "jurisdiction", *MARKS, "confidence", "source"])
    except ReportError as error:
        raise SystemExit(str(error)) from error
    for name, table, header, rows, note in (
        ("counts", counts, COUNTS_HEADER, counts_rows(counts), COUNTS_NOTE),
        ("rows", audit, ROWS_HEADER, audit_rows(audit), audit_note(audit)),
    ):
        files = argparse.Namespace(**{form: getattr(args, f"{name}_{form}") for form in FORMS})
        write_table_files(files, table, header, rows, note)


if __name__ == "__main__":
    main()
