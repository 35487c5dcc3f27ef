"""Citation precision, recall and F1 of each model and setting (NitiBench+ Table 25).

The CSV has the columns model, precision_SETTING, recall_SETTING, f1_SETTING and scored_SETTING (sub-questions × samples with a citation
score, of all; the others have no resolvable gold). In print the three stand below each other. A setting that was not run is empty.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import pandas as pd

from inforce.config.model import Model
from inforce.records.status import SETTINGS
from inforce.report.model_rows import best_two, headings_of, model_rows
from inforce.report.table_files import add_table_arguments, write_table_files
from inforce.report.words import ALL, SHORT_NAMES, Mark, ReportError, cells_of, fixed, read_csv, read_models

METRICS = {"precision": "citation_precision", "recall": "citation_recall", "f1": "citation_f1"}
METRIC_NAMES = {"precision": "Citation precision", "recall": "Citation recall", "f1": "Citation F1"}
COLUMNS = ["model", *(f"{what}_{setting}" for what in (*METRICS, "scored") for setting in SETTINGS)]
HEADER = ["Model", *(SHORT_NAMES[setting] for setting in SETTINGS)]
NOTE = (
    "Of the sections cited, the share that the court relied on (precision); of those, the share that was cited (recall); their harmonic mean a "
    "sub-question (F1). Averaged as in Table 7. An answer that does not parse counts as zero. Best of a column bold, second best underlined. "
    "↪ = trained from the model above. The CSV says how many sub-questions were scored."
)


def citations_table(settings: pd.DataFrame, models: dict[str, Model]) -> pd.DataFrame:
    """The table as text, from the rows of settings.csv."""
    chosen = settings[(settings["domain"] == ALL) & settings["metric"].isin(METRICS.values())]
    cells = cells_of(chosen, ["model", "setting", "metric"])
    rows = []
    for model in model_rows(models):
        row = dict.fromkeys(COLUMNS, "") | {"model": models[model.key].name}
        for setting in SETTINGS:
            for what, metric in METRICS.items():
                cell = cells.get((model.key, setting, metric))
                if cell:
                    row[f"{what}_{setting}"] = fixed(cell["value"], 3)
                    row[f"scored_{setting}"] = f"{cell['n_scored']:.0f}/{cell['n']:.0f}"
        rows.append(row)
    return pd.DataFrame(rows, columns=COLUMNS)


def main(argv: list[str] | None = None) -> None:
    """Read settings.csv, write the table."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.report.citations_table --settings results/stats/demo/settings.csv --models-dir config/models "
        "--csv results/report/demo/table25_citations.csv --markdown results/report/demo/table25_citations.md "
        "--latex results/report/demo/table25_citations.tex",
    )
    parser.add_argument("--settings", required=True)
    parser.add_argument("--models-dir", required=True, type=Path)
    add_table_arguments(parser)
    args = parser.parse_args(argv)
    try:
        settings = read_csv(args.settings, ["model", "setting", "domain", "metric", "value", "n_scored", "n"])
        models = read_models(args.models_dir, settings["model"].unique())
        table = citations_table(settings, models)
    except ReportError as error:
        raise SystemExit(str(error)) from error
    order = model_rows(models)
    groups = headings_of(order)
    rows: list[list[str]] = []
    headings: dict[int, str] = {}
    marks: dict[tuple[int, int], Mark] = {}
    for what, name in METRIC_NAMES.items():
        start = len(rows)
        block = [[row.label, *(line[f"{what}_{s}"] for s in SETTINGS)] for row, line in zip(order, table.to_dict("records"), strict=True)]
        rows += block
        headings |= {start: name} | {start + place: f"{name}: {group}" for place, group in groups.items()}
        marks |= {(start + row, column): mark for (row, column), mark in best_two(block, range(1, len(HEADER))).items()}
    write_table_files(args, table, HEADER, rows, NOTE, headings, marks)


if __name__ == "__main__":
    main()
