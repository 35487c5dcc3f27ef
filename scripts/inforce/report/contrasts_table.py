"""The gain of the text in force over the current text with its intervals (NitiBench+ Table 24), one row a model.

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
from inforce.report.model_rows import headings_of, model_rows
from inforce.report.table_files import add_table_arguments, write_table_files
from inforce.report.words import ACCESS_NAMES, ALL, ALL_MODELS, BAND_NAMES, ReportError, cells_of, read_csv, read_models, signed

MINUS = "minus No drift"
PAIRS = [(access, band) for access in ACCESS_NAMES for band in DRIFT_BANDS]
COLUMNS = ["model", *(f"{prefix}{access}_{band}" for prefix in ("", "interval_", "items_") for access, band in PAIRS)]
HEADER = ["Model", *(f"{ACCESS_NAMES[access]}: {BAND_NAMES[band]}" for access, band in PAIRS)]
READ = ["model", "access", "band", "contrast", "value", "low", "high", "star", "n_items", "n"]
NOTE = (
    "Bar-standard score under the law in force less that under the current law: mean over items of the item's own difference, with the 95 % "
    "interval of a cluster bootstrap over items that share a question; * = the interval does not hold zero. Empty brackets: fewer than two "
    "clusters. In parentheses: items (× models) compared, of all. No drift is the control: the law has not changed. "
    "↪ = trained from the model above."
)
EMPTY = " No row: the run compares neither Gold-cited nor RAG with current text and text in force."


def contrasts_table(gains: pd.DataFrame, models: dict[str, Model]) -> pd.DataFrame:
    """The table as text, from the rows of gain_by_band.csv."""
    cells = cells_of(gains, ["model", "contrast", "access", "band"])
    rows = []
    names = [(row.key, "gain", models[row.key].name) for row in model_rows(models)]
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


def printed_rows(table: pd.DataFrame, models: dict[str, Model]) -> list[list[str]]:
    """Rows for people: value, interval and number of items in one cell, a true minus sign."""
    labels = [*(row.label for row in model_rows(models)), ALL_MODELS, MINUS]
    rows = []
    for label, row in zip(labels, table.to_dict("records"), strict=False):
        cells = [(row[f"{a}_{b}"], row[f"interval_{a}_{b}"] or "[ ]", row[f"items_{a}_{b}"]) for a, b in PAIRS]
        rows.append([label, *(f"{value} {interval} ({items})".replace("-", "−") if value else "" for value, interval, items in cells)])
    return rows


def main(argv: list[str] | None = None) -> None:
    """Read gain_by_band.csv, write the table."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.report.contrasts_table --gain results/stats/demo/gain_by_band.csv --models-dir config/models "
        "--csv results/report/demo/table24_contrasts.csv --markdown results/report/demo/table24_contrasts.md "
        "--latex results/report/demo/table24_contrasts.tex",
    )
    parser.add_argument("--gain", required=True)
    parser.add_argument("--models-dir", required=True, type=Path)
    add_table_arguments(parser)
    args = parser.parse_args(argv)
    try:
        gains = read_csv(args.gain, READ)
        models = read_models(args.models_dir, gains["model"].unique())
        table = contrasts_table(gains, models)
    except ReportError as error:
        raise SystemExit(str(error)) from error
    note = NOTE if len(table) else NOTE + EMPTY
    write_table_files(args, table, HEADER, printed_rows(table, models), note, headings_of(model_rows(models)))


if __name__ == "__main__":
    main()
