"""How far the judges agree, and which of them is harsher (judges_agreement), over all settings and in each.

The CSV has setting, measure, judge, other, value, low, high, n (sub-questions × samples). A panel of one seat has no rows.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import pandas as pd

from inforce.config.load import ConfigError, read_config
from inforce.config.model import Judge
from inforce.report.shown import read_numbers
from inforce.report.table_files import add_table_arguments, write_table_files
from inforce.report.words import ALL, SETTING_NAMES, ReportError, fixed

MEASURES = {
    "alpha_interval": ("Krippendorff's alpha, interval", 3),
    "alpha_ordinal": ("Krippendorff's alpha, ordinal", 3),
    "correlation": ("Correlation", 3),
    "exact": ("Equal scores (%)", 1),
    "difference": ("Mean difference (points)", 2),
    "bias": ("Bias against the others (points)", 2),
}
COLUMNS = ["setting", "measure", "judge", "other", "value", "low", "high", "n"]
HEADER = ["Measure", "Setting", "Judge", "Other judge", "Value", "95 %", "n"]
NOTE = (
    "Scores of the panel's seats on the same answers. Bias = a judge's score less the mean of the others'. Intervals of a cluster bootstrap over "
    "items that share a question. n = sub-questions × samples × models that the measure rests on. Correlation does not show a bias; see the differences."
)
ONE_JUDGE = " All seats are filled by one judge: the measures say how far it agrees with itself, not that it is right."
EMPTY = " The panel has one seat: there is nobody to agree with."


def judge_table(agreement: pd.DataFrame, names: dict[str, str]) -> pd.DataFrame:
    """The table with the judges' printed names; values as numbers."""
    seats = agreement.assign(
        judge=agreement["judge"].map(lambda seat: seat_name(seat, names)), other=agreement["other"].map(lambda seat: seat_name(seat, names))
    )
    return seats[COLUMNS]


def seat_name(seat: str, names: dict[str, str]) -> str:
    """`key#2` -> `Printed name, seat 2`."""
    key, _, number = seat.partition("#")
    return names.get(key, key) + (f", seat {number}" if number else "")


def printed_rows(table: pd.DataFrame) -> list[list[str]]:
    """Rows for people."""
    rows = []
    for row in table.to_dict("records"):
        words, digits = MEASURES[str(row["measure"])]
        setting = "All" if row["setting"] == ALL else SETTING_NAMES[str(row["setting"])]
        bounds = f"[{fixed(row['low'], digits)}, {fixed(row['high'], digits)}]" if pd.notna(row["low"]) else ""
        cells = [words, setting, row["judge"], row["other"], fixed(row["value"], digits), bounds, fixed(row["n"], 0)]
        rows.append([str(cell).replace("-", "−") if place > 3 else str(cell) for place, cell in enumerate(cells)])
    return rows


def main(argv: list[str] | None = None) -> None:
    """Read judge_agreement.csv, write the table."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.report.judge_table --agreement results/stats/demo/judge_agreement.csv --judges-dir config/judges "
        "--csv results/report/demo/judges_agreement.csv --markdown results/report/demo/judges_agreement.md "
        "--latex results/report/demo/judges_agreement.tex",
    )
    parser.add_argument("--agreement", required=True)
    parser.add_argument("--judges-dir", required=True, type=Path)
    add_table_arguments(parser)
    args = parser.parse_args(argv)
    try:
        agreement = read_numbers(args.agreement, ["setting", "measure", "judge", "other"], ["value", "low", "high", "n"])
        keys = sorted({seat.partition("#")[0] for seat in [*agreement["judge"], *agreement["other"]] if seat})
        names = {key: read_config(args.judges_dir / f"{key}.yaml", Judge).name for key in keys}
    except (ReportError, ConfigError) as error:
        raise SystemExit(str(error)) from error
    table = judge_table(agreement, names)
    note = NOTE + (EMPTY if table.empty else ONE_JUDGE if len(keys) == 1 else "")
    write_table_files(args, table.astype({"n": "int64"}), HEADER, printed_rows(table), note)


if __name__ == "__main__":
    main()
