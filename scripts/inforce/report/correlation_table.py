"""Spearman's correlation of an amendment's size with what the text in force gains (NitiBench+ Table 11), one row a measure of size."""

from __future__ import annotations

import argparse

import pandas as pd

from inforce.report.change_table import counted_items, with_interval
from inforce.report.table_files import add_table_arguments, write_table_files
from inforce.report.words import ReportError, cells_of, read_csv

MEASURE_NAMES = {"trigram_distance": "1 − character-trigram Jaccard", "levenshtein_distance": "Normalized Levenshtein distance"}
COLUMNS = ["amendment_size", "delta_bar", "delta_f1", "items"]
HEADER = ["Amendment size", "Δ Bar-standard", "Δ Citation F1", "Items"]
NOTE = (
    "Spearman's correlation over the items of the Amended band of the amendment's size, mean over the item's amended sections, with the item's "
    "change from Gold-cited Current to Gold-cited In-force, mean over models; 95 % intervals of a cluster bootstrap. Items = with a score "
    "on both sides, of all; where Citation F1 has other items than the score, first those of the score."
)
NO_INTERVAL = (
    " Without an interval: the items are too few or too alike, so that more than 5 % of the resamples draw items that do not differ in size or "
    "in change and have no correlation, or all items are of one cluster."
)
EMPTY = " No row: no amended item has a score in both Gold-cited settings."


def correlation_table(correlations: pd.DataFrame) -> pd.DataFrame:
    """The table as text, from the rows of amendment_correlation.csv."""
    cells = cells_of(correlations, ["measure", "metric"])
    rows = []
    for measure in MEASURE_NAMES:
        score, f1 = (cells.get((measure, metric)) for metric in ("score", "citation_f1"))
        if score or f1:
            values = [with_interval(cell) if cell else "" for cell in (score, f1)]
            rows.append((measure, *values, counted_items(score, f1)))
    return pd.DataFrame(rows, columns=COLUMNS)


def main(argv: list[str] | None = None) -> None:
    """Read amendment_correlation.csv, write the table."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.report.correlation_table --correlations results/stats/demo/amendment_correlation.csv "
        "--csv results/report/demo/table11_spearman.csv --markdown results/report/demo/table11_spearman.md "
        "--latex results/report/demo/table11_spearman.tex",
    )
    parser.add_argument("--correlations", required=True, help="amendment_correlation.csv")
    add_table_arguments(parser)
    args = parser.parse_args(argv)
    try:
        table = correlation_table(read_csv(args.correlations, ["measure", "metric", "value", "low", "high", "n_items", "n"]))
    except ReportError as error:
        raise SystemExit(str(error)) from error
    bare = any(cell and "[" not in cell for cell in table[["delta_bar", "delta_f1"]].to_numpy().ravel())
    note = NOTE + (NO_INTERVAL if bare else "") + ("" if len(table) else EMPTY)
    rows = [[MEASURE_NAMES[row[0]], *(cell.replace("-", "−") for cell in row[1:3]), row[3]] for row in table.to_numpy().tolist()]
    write_table_files(args, table, HEADER, rows, note)


if __name__ == "__main__":
    main()
