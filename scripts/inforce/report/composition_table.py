"""What the benchmark is made of (NitiBench+ Table 5), one row a domain and the total.

The CSV is composition.csv as it is: items, sub-questions, drift bands, question types, years, splits, items asked, decades. In print
stand the paper's columns, the years of the decisions and the items that the run asked.
"""

from __future__ import annotations

import argparse

import pandas as pd

from inforce.report.table_files import add_table_arguments, write_table_files
from inforce.report.words import ReportError, read_csv

PRINTED = {
    "items": "Items",
    "sub_questions": "Sub-q.",
    "no_drift": "No drift",
    "amended": "Amended",
    "repealed": "Repealed",
    "ruling": "Court's own",
    "governing_provisions": "Governs",
    "legal_consequences": "Conseq.",
    "provision_interaction": "Combine",
    "lower_court_departure": "Lower ct.",
}
HEADER = ["Domain", *PRINTED.values(), "Years", "Asked"]
NOTE = (
    "Items by domain and drift band, the most severe state among the citations that an item relies on; sub-questions by type: the court's own, "
    "and which provisions govern, which consequence follows, how provisions combine, where the court departs from the one below. "
    "Years = first and last of the decisions. Asked = items of this run."
)


def printed_rows(table: pd.DataFrame) -> list[list[str]]:
    """Rows for people: thousands with a comma, the years of a domain in one cell."""
    rows = []
    for row in table.to_dict("records"):
        years = f"{row['first_year']}–{row['last_year']}" if row["first_year"] != row["last_year"] else str(row["first_year"])
        name = "Total" if row["domain"] == "total" else str(row["domain"])
        rows.append([name, *(f"{row[column]:,}" for column in PRINTED), years, f"{row['asked']:,}"])
    return rows


def main(argv: list[str] | None = None) -> None:
    """Read composition.csv, write the table."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.report.composition_table --composition results/stats/demo/composition.csv "
        "--csv results/report/demo/table05_composition.csv --markdown results/report/demo/table05_composition.md "
        "--latex results/report/demo/table05_composition.tex",
    )
    parser.add_argument("--composition", required=True)
    add_table_arguments(parser)
    args = parser.parse_args(argv)
    try:
        table = read_csv(args.composition, ["domain", *PRINTED, "first_year", "last_year", "asked"])
    except ReportError as error:
        raise SystemExit(str(error)) from error
    write_table_files(args, table, HEADER, printed_rows(table), NOTE if len(table) else NOTE + " No row: there are no items.")


if __name__ == "__main__":
    main()
