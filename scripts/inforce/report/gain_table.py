"""What the law in force gains over the current law (NitiBench+ Tables 8 and E.6), one row a model.

The CSV has gold_BAND and rag_BAND (points of Bar-standard score, * where the 95 % interval does not hold zero),
interval_ACCESS_BAND and items_ACCESS_BAND (items × models compared, of all). Models are followed by all of them pooled
and by the pooled gain less that on items whose law has not changed. A comparison that was not run is empty.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import pandas as pd

from inforce.config.model import Model
from inforce.records.status import DRIFT_BANDS
from inforce.report.table_files import add_table_arguments, write_table_files
from inforce.report.words import (
    ACCESS_NAMES,
    ALL,
    ALL_MODELS,
    BAND_NAMES,
    ReportError,
    cells_of,
    read_csv,
    read_models,
    signed,
)

MINUS = "minus No drift"
PAIRS = [(access, band) for access in ACCESS_NAMES for band in DRIFT_BANDS]
COLUMNS = ["model", *(f"{prefix}{access}_{band}" for prefix in ("", "interval_", "items_") for access, band in PAIRS)]
HEADER = ["Model", *(f"{ACCESS_NAMES[access]}: {BAND_NAMES[band]}" for access, band in PAIRS)]
NOTE = (
    "Bar-standard score under the law in force less that under the current law: mean over items of the item's own difference, with the 95 % "
    "interval of a cluster bootstrap over items that share a question; * = the interval does not hold zero. Empty brackets: fewer than two "
    "clusters. No drift is the control: the law has not changed."
)


def gain_table(gains: pd.DataFrame, models: dict[str, Model]) -> pd.DataFrame:
    """The table as text, from the rows of gain_by_band.csv."""
    cells = cells_of(gains, ["model", "contrast", "access", "band"])
    rows = []
    names = [(model, "gain", models[model].name) for model in gains["model"].unique() if model != ALL]
    for model, contrast, name in [*names, (ALL, "gain", ALL_MODELS), (ALL, "minus_no_drift", MINUS)]:
        row = dict.fromkeys(COLUMNS, "") | {"model": name}
        for access, band in PAIRS:
            cell = cells.get((model, contrast, access, band))
            if cell:
                row[f"{access}_{band}"] = signed(cell["value"], star=cell["star"])
                row[f"interval_{access}_{band}"] = f"[{signed(cell['low'])}, {signed(cell['high'])}]" if pd.notna(cell["low"]) else ""
                row[f"items_{access}_{band}"] = f"{cell['n_items']:.0f}/{cell['n']:.0f}"
        rows.append(row)
    return pd.DataFrame(rows if len(gains) else [], columns=COLUMNS)


def printed_rows(table: pd.DataFrame) -> list[list[str]]:
    """Rows for people: value, interval and number of items in one cell, a true minus sign."""
    rows = []
    for row in table.to_dict("records"):
        cells = [(row[f"{a}_{b}"], row[f"interval_{a}_{b}"] or "[ ]", row[f"items_{a}_{b}"]) for a, b in PAIRS]
        rows.append(
            [str(row["model"]), *(f"{value} {interval} ({items})".replace("-", "−") if value else "" for value, interval, items in cells)]
        )
    return rows


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
        gains = read_csv(args.gain, ["model", "access", "band", "contrast", "value", "low", "high", "star", "n_items", "n"])
        table = gain_table(gains, read_models(args.models_dir, gains["model"].unique()))
    except ReportError as error:
        raise SystemExit(str(error)) from error
    write_table_files(args, table, HEADER, printed_rows(table), NOTE)


if __name__ == "__main__":
    main()
