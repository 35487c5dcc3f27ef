"""What the law in force gains over the current law (NitiBench+ Table 8), one row a model; Table 24 has the intervals.

The CSV has gold_BAND and rag_BAND (points of Bar-standard score, * where the 95 % interval does not hold zero) and
items_ACCESS_BAND (items × models compared, of all). Models are followed by all of them pooled. In print the items whose law has
not changed are the last row, the control of both columns. A comparison that was not run is empty.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import pandas as pd

from inforce.config.model import Model
from inforce.report.contrasts_table import EMPTY, MINUS, PAIRS, READ, contrasts_table
from inforce.report.model_rows import headings_of, model_rows
from inforce.report.table_files import add_table_arguments, write_table_files
from inforce.report.words import ACCESS_NAMES, ALL_MODELS, BAND_NAMES, ReportError, read_csv, read_models

CONTROL = "No-drift control"
SHOWN = [(access, band) for access, band in PAIRS if band != "no_drift"]
COLUMNS = ["model", *(f"{prefix}{access}_{band}" for prefix in ("", "items_") for access, band in PAIRS)]
HEADER = ["Model", *(f"{ACCESS_NAMES[access]}: {BAND_NAMES[band]}" for access, band in SHOWN)]
NOTE = (
    "Points of Bar-standard score under the law in force less that under the current law, mean over items of the item's own difference. "
    "* = the 95 % interval of a cluster bootstrap does not hold zero; intervals and numbers of items are in Table 24. The control is the "
    "same difference, all models, on items whose law has not changed. ↪ = trained from the model above."
)


def gain_table(gains: pd.DataFrame, models: dict[str, Model]) -> pd.DataFrame:
    """The table as text, from the rows of gain_by_band.csv."""
    table = contrasts_table(gains, models)
    return table[table["model"] != MINUS][COLUMNS]


def printed_rows(table: pd.DataFrame, models: dict[str, Model]) -> list[list[str]]:
    """Rows for people, a true minus sign, the control below."""
    if table.empty:
        return []
    labels = [*(row.label for row in model_rows(models)), ALL_MODELS]
    rows = [[label, *(row[f"{a}_{b}"] for a, b in SHOWN)] for label, row in zip(labels, table.to_dict("records"), strict=True)]
    pooled = table.iloc[-1]
    control = [str(pooled[f"{access}_no_drift"]) if band == SHOWN[0][1] else "" for access, band in SHOWN]
    return [[cell.replace("-", "−") if place else cell for place, cell in enumerate(row)] for row in [*rows, [CONTROL, *control]]]


def main(argv: list[str] | None = None) -> None:
    """Read gain_by_band.csv, write the table."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.report.gain_table --gain results/stats/demo/gain_by_band.csv --models-dir config/models "
        "--csv results/report/demo/table08_gain.csv --markdown results/report/demo/table08_gain.md "
        "--latex results/report/demo/table08_gain.tex",
    )
    parser.add_argument("--gain", required=True)
    parser.add_argument("--models-dir", required=True, type=Path)
    add_table_arguments(parser)
    args = parser.parse_args(argv)
    try:
        gains = read_csv(args.gain, READ)
        models = read_models(args.models_dir, gains["model"].unique())
        table = gain_table(gains, models)
    except ReportError as error:
        raise SystemExit(str(error)) from error
    note = NOTE if len(table) else NOTE + EMPTY
    write_table_files(args, table, HEADER, printed_rows(table, models), note, headings_of(model_rows(models)))


if __name__ == "__main__":
    main()
