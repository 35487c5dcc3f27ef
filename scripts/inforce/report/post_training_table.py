"""Base models and their post-trainings (NitiBench+ Table 14): each base, below it the models trained from it.

The CSV has, for score in each setting of the leaderboard and Citation F1 and searches in the main setting, the value,
difference_… from the base, interval_… and star_… (* = the interval, before it is rounded, leaves zero out); a base has no difference. A run without a model whose base it holds has no rows.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import pandas as pd

from inforce.config.model import Model
from inforce.report.model_rows import ARROW
from inforce.report.shown import TOLD, interval, main_setting, read_numbers
from inforce.report.table_files import add_table_arguments, write_table_files
from inforce.report.words import SHORT_NAMES, ReportError, cells_of, fixed, read_models, signed

PRINTED = {**dict.fromkeys(TOLD, 2), "citation_f1": 3, "searches": 1}  # column -> digits
COLUMNS = ["model", "base", *(f"{prefix}{name}" for prefix in ("", "difference_", "interval_", "star_") for name in PRINTED)]
HEADER = ["Model", *(SHORT_NAMES[setting] for setting in TOLD), "Citation F1", "Searches"]
NOTE = (
    "Bar-standard score in three settings, Citation F1 and searches an item in RAG In-force (or the last setting run). ↪ = trained from, or "
    "compared with, the model above; in brackets the difference from it, * where its 95 % interval of a cluster bootstrap does not hold zero."
)
EMPTY = " No model of this run names a base that the run holds: set base in the model file and run both."
_NUMBERS = ["value", "base_value", "difference", "low", "high"]


def post_training_table(pairs: pd.DataFrame, models: dict[str, Model]) -> pd.DataFrame:
    """The table as text: bases in the order met, each followed by the models trained from it."""
    if pairs.empty:
        return pd.DataFrame(columns=COLUMNS)
    main = main_setting(pairs["setting"])
    cells = cells_of(pairs, ["model", "base", "setting", "metric"])
    rows = []
    for base in pairs["base"].unique():
        trained = list(pairs.loc[pairs["base"] == base, "model"].unique())
        row = dict.fromkeys(COLUMNS, "") | {"model": models[base].name}
        for name, digits in PRINTED.items():
            known = [cells[key] for model in trained if (key := _key(model, base, name, main)) in cells]
            row[name] = fixed(known[0]["base_value"], digits) if known else ""
        rows.append(row)
        for model in trained:
            row = dict.fromkeys(COLUMNS, "") | {"model": models[model].name, "base": models[base].name}
            for name, digits in PRINTED.items():
                cell = cells.get(_key(model, base, name, main))
                if cell:
                    row[name] = fixed(cell["value"], digits)
                    row[f"difference_{name}"] = signed(cell["difference"], digits)
                    row[f"interval_{name}"] = interval(cell["low"], cell["high"], "+") if digits != 3 else _fine(cell["low"], cell["high"])
                    row[f"star_{name}"] = "*" if cell["low"] > 0 or cell["high"] < 0 else ""
            rows.append(row)
    return pd.DataFrame(rows, columns=COLUMNS)


def printed_rows(table: pd.DataFrame) -> list[list[str]]:
    """Rows for people: the difference in brackets behind the value, a star where the interval does not hold zero."""
    rows = []
    for row in table.to_dict("records"):
        cells = [f"{ARROW} {row['model']}" if row["base"] else str(row["model"])]
        for name in PRINTED:
            difference = str(row[f"difference_{name}"]).replace("-", "−")
            cells.append(f"{row[name]} ({difference}{row[f'star_{name}']})" if difference else str(row[name]))
        rows.append(cells)
    return rows


def _key(model: str, base: str, name: str, main: str) -> tuple[str, str, str, str]:
    return (model, base, name, "score") if name in TOLD else (model, base, main, name)


def _fine(low: float, high: float) -> str:
    return f"[{low:+.3f}, {high:+.3f}]" if pd.notna(low) else ""


def main(argv: list[str] | None = None) -> None:
    """Read post_training.csv, write the table."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.report.post_training_table --pairs results/stats/demo/post_training.csv --models-dir config/models "
        "--csv results/report/demo/table14_post_training.csv --markdown results/report/demo/table14_post_training.md "
        "--latex results/report/demo/table14_post_training.tex",
    )
    parser.add_argument("--pairs", required=True)
    parser.add_argument("--models-dir", required=True, type=Path)
    add_table_arguments(parser)
    args = parser.parse_args(argv)
    try:
        pairs = read_numbers(args.pairs, ["model", "base", "setting", "metric"], _NUMBERS)
        table = post_training_table(pairs, read_models(args.models_dir, dict.fromkeys([*pairs["base"], *pairs["model"]])))
    except ReportError as error:
        raise SystemExit(str(error)) from error
    write_table_files(args, table, HEADER, printed_rows(table), NOTE + ("" if len(table) else EMPTY))


if __name__ == "__main__":
    main()
