"""The gain where an amendment changed the rule, and where it changed the wording only (NitiBench+ Table 9).

The CSV has a row a change (rule, wording) and size (all; small, large = trigram distance below, not below the median): items with a gain
of all so labelled, median distance, and the gains in Bar-standard score and citation F1 with their 95 % intervals.
"""

from __future__ import annotations

import argparse

import pandas as pd

from inforce.report.table_files import add_table_arguments, write_table_files
from inforce.report.words import ReportError, cells_of, fixed, read_csv, signed

COLUMNS = ["amendment", "size", "items", "median_d", "delta_bar", "delta_f1"]
HEADER = ["Amendment", "Items", "Median d", "Δ Bar-standard", "Δ Citation F1"]
CHANGE_NAMES = {"rule": "Rule changed", "wording": "Wording only"}
SIZE_NAMES = {"all": "", "small": ", d below the median", "large": ", d not below it"}
NOTE = (
    "Items of the Amended band by what their amendments changed: the rule, if any section's amendment changed the rule that the question turns "
    "on. d = trigram distance between the text in force and the current text, mean over the item's sections. Δ = Gold-cited In-force minus "
    "Current, pooled over models, with 95 % intervals of a cluster bootstrap. Items = with a score on both sides, of all so labelled; where "
    "Citation F1 has other items than the score, first those of the score."
)
EMPTY = " No row: no amended item is labelled. Write config/labels/JURISDICTION.csv (see config/labels/README.md)."


def change_table(gains: pd.DataFrame) -> pd.DataFrame:
    """The table as text, from the rows of gain_by_change.csv."""
    cells = cells_of(gains, ["change", "size", "metric"])
    rows = []
    for change in CHANGE_NAMES:
        for size in SIZE_NAMES:
            score, f1 = (cells.get((change, size, metric)) for metric in ("score", "citation_f1"))
            if score and f1:
                rows.append(
                    (change, size, counted_items(score, f1), fixed(score["median_distance"], 2), with_interval(score), with_interval(f1))
                )
    return pd.DataFrame(rows, columns=COLUMNS)


def counted_items(*cells: dict[str, float] | None) -> str:
    """`12/20`, items of all; `12/20; 11/20` where the columns rest on different ones, in the order of the columns."""
    return "; ".join(dict.fromkeys(f"{cell['n_items']:.0f}/{cell['n']:.0f}" for cell in cells if cell))


def with_interval(cell: dict[str, float], digits: int = 2) -> str:
    """`+0.45 [+0.38, +0.53]`; without brackets where there is no interval; empty where there is no value."""
    value = signed(cell["value"], digits)
    return f"{value} [{signed(cell['low'], digits)}, {signed(cell['high'], digits)}]" if value and pd.notna(cell["low"]) else value


def main(argv: list[str] | None = None) -> None:
    """Read gain_by_change.csv, write the table."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.report.change_table --gain results/stats/demo/gain_by_change.csv "
        "--csv results/report/demo/table09_rule_change.csv --markdown results/report/demo/table09_rule_change.md "
        "--latex results/report/demo/table09_rule_change.tex",
    )
    parser.add_argument("--gain", required=True, help="gain_by_change.csv")
    add_table_arguments(parser)
    args = parser.parse_args(argv)
    try:
        table = change_table(read_csv(args.gain, ["change", "size", "metric", "value", "low", "high", "median_distance", "n_items", "n"]))
    except ReportError as error:
        raise SystemExit(str(error)) from error
    rows = [
        [CHANGE_NAMES[row[0]] + SIZE_NAMES[row[1]], row[2], row[3], *(cell.replace("-", "−") for cell in row[4:])]
        for row in table.to_numpy().tolist()
    ]
    write_table_files(args, table, HEADER, rows, NOTE if rows else NOTE + EMPTY)


if __name__ == "__main__":
    main()
