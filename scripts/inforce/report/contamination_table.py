"""Signs that a model has seen what it is asked (contamination), one row a model and setting.

The CSV has split_gap (validation less test) and cutoff_gap (decided after the model's knowledge cut-off less decided up to it), each with
interval, both sides' scores and items, and why_… where it is empty. Rows come also where neither can be computed, with the reason.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import pandas as pd

from inforce.config.model import Model
from inforce.report.shown import UNKNOWN, interval, read_numbers
from inforce.report.table_files import add_table_arguments, write_table_files
from inforce.report.words import SETTING_NAMES, ReportError, cells_of, fixed, read_models, signed

CHECKS = ("split_gap", "cutoff_gap")
_PARTS = ("", "interval_", "first_", "second_", "n_first_", "n_second_", "why_")
COLUMNS = ["model", "setting", "knowledge_cutoff", *(f"{part}{check}" for check in CHECKS for part in _PARTS)]
HEADER = ["Model", "Setting", "Validation", "Test", "Val. − test", "95 %", "Cut-off", "After", "Up to", "After − up to", "95 % "]
NOTE = (
    "Bar-standard score on the validation split, which is public, less that on the test split; and on cases decided after the model's knowledge "
    "cut-off less that on cases decided up to it, within domains. * = the 95 % interval of a cluster bootstrap does not hold zero. A model whose "
    "validation score runs ahead has seen the split; a fall after the cut-off is a hint and no proof, since law and questions change with the years."
)
REASONS = " Not computed (–): {reasons}."


def contamination_table(checks: pd.DataFrame, models: dict[str, Model]) -> pd.DataFrame:
    """The table as text."""
    cells = cells_of(checks, ["model", "setting", "check"])
    rows = []
    for model, setting in dict.fromkeys(zip(checks["model"], checks["setting"], strict=True)):
        row = {"model": models[model].name, "setting": setting, "knowledge_cutoff": cells[model, setting, "cutoff_gap"]["knowledge_cutoff"]}
        for check in CHECKS:
            cell = cells[model, setting, check]
            row |= {check: signed(cell["value"], star=cell["star"]), f"interval_{check}": interval(cell["low"], cell["high"], "+")}
            row |= {f"{side}_{check}": fixed(cell[side], 2) for side in ("first", "second")}
            row |= {f"n_{side}_{check}": fixed(cell[f"n_{side}"], 0) for side in ("first", "second")}
            row[f"why_{check}"] = cell["missing"]
        rows.append(row)
    return pd.DataFrame(rows, columns=COLUMNS)


def printed_rows(table: pd.DataFrame) -> list[list[str]]:
    """Rows for people: scores with their number of items in brackets."""
    rows = []
    for row in table.to_dict("records"):
        cells = [row["model"], SETTING_NAMES[str(row["setting"])]]
        for check in CHECKS:
            cells += [row["knowledge_cutoff"] or UNKNOWN] if check == "cutoff_gap" else []
            cells += [f"{row[f'{side}_{check}']} ({row[f'n_{side}_{check}']})" if row[check] else UNKNOWN for side in ("first", "second")]
            cells += [str(row[check]).replace("-", "−") or UNKNOWN, str(row[f"interval_{check}"]).replace("-", "−")]
        rows.append([str(cell) for cell in cells])
    return rows


def main(argv: list[str] | None = None) -> None:
    """Read contamination.csv, write the table."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.report.contamination_table --checks results/stats/demo/contamination.csv --models-dir config/models "
        "--csv results/report/demo/contamination.csv --markdown results/report/demo/contamination.md "
        "--latex results/report/demo/contamination.tex",
    )
    parser.add_argument("--checks", required=True)
    parser.add_argument("--models-dir", required=True, type=Path)
    add_table_arguments(parser)
    args = parser.parse_args(argv)
    try:
        texts = ["model", "setting", "check", "star", "knowledge_cutoff", "missing"]
        checks = read_numbers(args.checks, texts, ["value", "low", "high", "first", "second", "n_first", "n_second"])
        table = contamination_table(checks, read_models(args.models_dir, checks["model"].unique()))
    except ReportError as error:
        raise SystemExit(str(error)) from error
    reasons = sorted({why for why in checks["missing"] if why})
    write_table_files(args, table, HEADER, printed_rows(table), NOTE + (REASONS.format(reasons="; ".join(reasons)) if reasons else ""))


if __name__ == "__main__":
    main()
