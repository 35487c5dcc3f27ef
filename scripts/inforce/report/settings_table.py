"""Scores in the settings (NitiBench+ Table 7): one row a model, Citation F1 and Bar-standard score of each setting.

The CSV has the columns model, f1_SETTING, bar_SETTING and scored_SETTING (sub-questions × samples with a Bar-standard
score, of all). A setting that was not run is empty. Rows stand in the models' groups, in the order of the protocol.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import pandas as pd

from inforce.config.model import Model
from inforce.records.status import SETTINGS
from inforce.report.model_rows import best_two, headings_of, model_rows
from inforce.report.table_files import add_table_arguments, write_table_files
from inforce.report.words import ALL, SHORT_NAMES, ReportError, cells_of, fixed, read_csv, read_models

COLUMNS = ["model", *(f"{what}_{setting}" for what in ("f1", "bar", "scored") for setting in SETTINGS)]
HEADER = [
    "Model",
    *(f"{what}: {SHORT_NAMES[setting]}" for what in ("Citation F1", "Bar-standard (0-10)", "Scored") for setting in SETTINGS),
]
NOTE = (
    "Param. = Parametric, GC = Gold-cited, Cur. = Current, InF. = In-force. Sub-questions are averaged within an item, samples within the item, "
    "items within a domain, domains alike. Best of a column bold, second best underlined. ↪ = trained from the model above. Scored = sub-questions × samples with a Bar-standard score, of all; the others are left out of that score."
)


def settings_table(settings: pd.DataFrame, models: dict[str, Model]) -> pd.DataFrame:
    """The table as text, from the rows of settings.csv."""
    chosen = settings[(settings["domain"] == ALL) & settings["metric"].isin(["score", "citation_f1"])]
    cells = cells_of(chosen, ["model", "setting", "metric"])
    rows = []
    for model in model_rows(models):
        row = dict.fromkeys(COLUMNS, "") | {"model": models[model.key].name}
        for setting in SETTINGS:
            score, f1 = (cells.get((model.key, setting, metric)) for metric in ("score", "citation_f1"))
            if score and f1:
                row[f"f1_{setting}"] = fixed(f1["value"], 3)
                row[f"bar_{setting}"] = fixed(score["value"], 2)
                row[f"scored_{setting}"] = f"{score['n_scored']}/{score['n']}"
        rows.append(row)
    return pd.DataFrame(rows, columns=COLUMNS)


def main(argv: list[str] | None = None) -> None:
    """Read settings.csv, write the table."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.report.settings_table --settings results/stats/demo/settings.csv --models-dir config/models "
        "--csv results/report/demo/table07_settings.csv --markdown results/report/demo/table07_settings.md "
        "--latex results/report/demo/table07_settings.tex",
    )
    parser.add_argument("--settings", required=True)
    parser.add_argument("--models-dir", required=True, type=Path)
    add_table_arguments(parser)
    args = parser.parse_args(argv)
    try:
        settings = read_csv(args.settings, ["model", "setting", "domain", "metric", "value", "n_scored", "n"])
        models = read_models(args.models_dir, settings["model"].unique())
        table = settings_table(settings, models)
    except ReportError as error:
        raise SystemExit(str(error)) from error
    order = model_rows(models)
    rows = [[model.label, *row[1:]] for model, row in zip(order, table.to_numpy().tolist(), strict=True)]
    marks = best_two(rows, range(1, 1 + 2 * len(SETTINGS)))
    write_table_files(args, table, HEADER, rows, NOTE, headings_of(order), marks)


if __name__ == "__main__":
    main()
