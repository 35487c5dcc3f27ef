"""How many decisions of each court cite law that has changed since (NitiBench+ Table 1), the last row for all courts.

The CSV has the counts as well; shares are in percent of the decisions with a resolved citation.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import pandas as pd

from inforce.config.jurisdiction import Jurisdiction
from inforce.config.load import ConfigError, read_config
from inforce.report.table_files import add_table_arguments, write_table_files
from inforce.report.words import ReportError, fixed, read_csv

ALL_COURTS = "All courts"
STATES = ("current", "amended", "repealed")
COUNTS = ["decisions", *STATES, "drifted", "ended_before", "unresolved"]
SHARES = [f"{state}_pct" for state in (*STATES, "drifted")]
COLUMNS = ["court", *COUNTS, *SHARES]
HEADER = ["Court", "Decisions", "Current", "Amended", "Repealed", "Drifted"]


def drift_table(by_court: pd.DataFrame, court_names: dict[str, str]) -> pd.DataFrame:
    """Courts under the names that people read, and their sum, if there is more than one. Shares are null where there is no decision."""
    table = by_court[["court", *COUNTS]].copy()
    table["court"] = [court_names.get(court, court) for court in table["court"]]
    if len(table) > 1:
        table.loc[len(table)] = [ALL_COURTS, *table[COUNTS].sum()]
    for state in (*STATES, "drifted"):
        table[f"{state}_pct"] = (100 * table[state] / table["decisions"].where(table["decisions"] > 0)).astype(float)
    return table[COLUMNS]


def printed_rows(table: pd.DataFrame) -> list[list[str]]:
    """Rows for people: counts with a comma, shares with one decimal."""
    return [[str(row["court"]), f"{row['decisions']:,}", *(fixed(row[share], 1) for share in SHARES)] for row in table.to_dict("records")]


def note(table: pd.DataFrame, corpus_date: str) -> str:
    """What the shares mean, and what is not in them."""
    if table.empty:
        return "No decisions."
    total = table.iloc[-1]
    of = f"{total['decisions'] + total['unresolved']:,}"
    return (
        f"Percent of the decisions with a resolved citation ({total['decisions']:,} of {of}; the others, {total['unresolved']:,}, are left "
        f"out), by the most severe state of any citation on {corpus_date}: drifted = amended or repealed. Shares are rounded one by one. "
        f"Of the drifted, {total['ended_before']:,} rest on law that had already ended when they were made."
    )


def main(argv: list[str] | None = None) -> None:
    """Read by_court.csv, write the table."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.report.drift_table --by-court results/drift/demo/by_court.csv "
        "--jurisdiction-config config/jurisdictions/demo.yaml --csv table01_drift_by_court.csv --markdown table01_drift_by_court.md "
        "--latex table01_drift_by_court.tex",
    )
    parser.add_argument("--by-court", required=True, help="by_court.csv of classify_decisions")
    parser.add_argument("--jurisdiction-config", required=True, type=Path, help="config/jurisdictions/NAME.yaml")
    add_table_arguments(parser)
    args = parser.parse_args(argv)
    try:
        config = read_config(args.jurisdiction_config, Jurisdiction)
        table = drift_table(read_csv(args.by_court, ["court", *COUNTS]), config.court_names)
    except (ConfigError, ReportError) as error:
        raise SystemExit(str(error)) from error
    write_table_files(args, table, HEADER, printed_rows(table), note(table, config.corpus_date.isoformat()))


if __name__ == "__main__":
    main()
