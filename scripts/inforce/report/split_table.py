"""Full benchmark, test split and validation split (NitiBench+ Table 12), one row a model, then their agreement.

The CSV has SETTING_PART for the settings of the leaderboard and the parts full, test and validation, and items_PART. The rows
below the models (kind = agreement) hold Spearman's correlation, mean and largest absolute difference, in the column of the part that
the test split is compared with. A run that does not hold both splits has no rows.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import pandas as pd

from inforce.config.model import Model
from inforce.report.model_rows import headings_of, model_rows
from inforce.report.shown import TOLD, read_numbers
from inforce.report.table_files import add_table_arguments, write_table_files
from inforce.report.words import SHORT_NAMES, ReportError, cells_of, fixed, read_models

PARTS = ("full", "test", "validation")
PART_NAMES = {"full": "Full", "test": "Test", "validation": "Val."}
CELLS = [(setting, part) for setting in TOLD for part in PARTS]
COLUMNS = ["kind", "model", *(f"{setting}_{part}" for setting, part in CELLS), *(f"items_{part}" for part in PARTS)]
HEADER = ["Model", *(f"{SHORT_NAMES[setting]}: {PART_NAMES[part]}" for setting, part in CELLS)]
STATISTICS = {  # statistic -> words, digits, part in whose column it stands
    "spearman_test_validation": ("Spearman, test against validation", 3, "validation"),
    "spearman_test_full": ("Spearman, test against full", 3, "full"),
    "mean_difference_test_validation": ("Mean absolute difference, test against validation", 2, "validation"),
    "largest_difference_test_validation": ("Largest absolute difference, test against validation", 2, "validation"),
    "largest_difference_test_full": ("Largest absolute difference, test against full", 2, "full"),
}
NOTE = (
    "Bar-standard score on all items of the run, on the test split and on the validation split, each averaged over its domains alike. "
    "Below the models: how far the parts agree on them; Spearman's correlation needs three models. ↪ = trained from the model above."
)
EMPTY = " This run does not hold items of both splits, so there is nothing to compare: run a protocol with split: all."


def split_table(splits: pd.DataFrame, agreement: pd.DataFrame, models: dict[str, Model]) -> pd.DataFrame:
    """The table as text; models as they are printed, without the arrow."""
    if not {"test", "validation"} <= set(splits["part"]):
        return pd.DataFrame(columns=COLUMNS)
    cells = cells_of(splits, ["model", "setting", "part"])
    items = splits.groupby("part")["n_items"].max().to_dict()
    rows = []
    for line in model_rows(models):
        row = dict.fromkeys(COLUMNS, "") | {"kind": "model", "model": models[line.key].name}
        for setting, part in CELLS:
            cell = cells.get((line.key, setting, part))
            row[f"{setting}_{part}"] = fixed(cell["value"], 2) if cell else ""
        rows.append(row | {f"items_{part}": f"{items.get(part, 0):.0f}" for part in PARTS})
    statistics = cells_of(agreement, ["setting", "statistic"])
    for name, (words, digits, part) in STATISTICS.items():
        row = dict.fromkeys(COLUMNS, "") | {"kind": "agreement", "model": words}
        for setting in TOLD:
            cell = statistics.get((setting, name))
            row[f"{setting}_{part}"] = fixed(cell["value"], digits) if cell else ""
        rows.append(row)
    return pd.DataFrame(rows, columns=COLUMNS)


def main(argv: list[str] | None = None) -> None:
    """Read both tables, write the table."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.report.split_table --splits results/stats/demo/splits.csv "
        "--agreement results/stats/demo/split_agreement.csv --models-dir config/models --csv results/report/demo/table12_splits.csv "
        "--markdown results/report/demo/table12_splits.md --latex results/report/demo/table12_splits.tex",
    )
    parser.add_argument("--splits", required=True)
    parser.add_argument("--agreement", required=True)
    parser.add_argument("--models-dir", required=True, type=Path)
    add_table_arguments(parser)
    args = parser.parse_args(argv)
    try:
        splits = read_numbers(args.splits, ["model", "setting", "part"], ["value", "n_items"])
        agreement = read_numbers(args.agreement, ["setting", "statistic"], ["value"])
        models = read_models(args.models_dir, splits["model"].unique())
        table = split_table(splits, agreement, models)
    except ReportError as error:
        raise SystemExit(str(error)) from error
    rows = table[["model", *(f"{setting}_{part}" for setting, part in CELLS)]].to_numpy().tolist()
    lines = model_rows(models) if rows else []
    for number, line in enumerate(lines):
        rows[number][0] = line.label
    headings = dict(headings_of(lines)) | ({len(lines): "Agreement"} if lines else {})
    write_table_files(args, table, HEADER, rows, NOTE + ("" if rows else EMPTY), headings)


if __name__ == "__main__":
    main()
