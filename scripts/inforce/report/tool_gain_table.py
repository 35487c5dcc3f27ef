"""What the search tool adds and what is left to gain (NitiBench+ Table 13), one row a model.

The CSV has the scores in the three settings, gain (RAG In-force less Parametric) and gap (Gold-cited In-force less RAG
In-force) with gain_interval and gap_interval, and searches an item in RAG In-force. What was not run is empty.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import pandas as pd

from inforce.config.model import Model
from inforce.report.model_rows import best_two, headings_of, model_rows
from inforce.report.shown import interval, read_numbers, values_of
from inforce.report.table_files import add_table_arguments, write_table_files
from inforce.report.words import SHORT_NAMES, ReportError, cells_of, fixed, read_models, signed

SCORES = ("parametric", "rag_in_force", "gold_in_force")
COLUMNS = ["model", *SCORES, "gain", "gain_interval", "gap", "gap_interval", "searches"]
HEADER = ["Model", *(SHORT_NAMES[setting] for setting in SCORES), "Gain", "Gain, 95 %", "Gap", "Gap, 95 %", "Searches"]
NOTE = (
    "Bar-standard score in three settings. Gain = RAG In-force less Parametric: what the search tool adds. Gap = Gold-cited In-force less RAG "
    "In-force: what the court's sections would still add. 95 % intervals of a cluster bootstrap, both settings on the same draws. Searches an "
    "item in RAG In-force. Best of a column bold, second underlined; of the gap the smallest is best. ↪ = trained from the model above."
)
EMPTY = " Needs the settings parametric and rag_in_force (gain) or gold_in_force and rag_in_force (gap), which this run lacks."


def tool_gain_table(settings: pd.DataFrame, gains: pd.DataFrame, models: dict[str, Model]) -> pd.DataFrame:
    """The table as text, models in groups."""
    values = values_of(settings)
    cells = cells_of(gains, ["model", "contrast"])
    rows = []
    for line in model_rows(models) if len(gains) else []:
        row = dict.fromkeys(COLUMNS, "") | {"model": models[line.key].name}
        row |= {setting: fixed(values.get((line.key, setting, "score")), 2) for setting in SCORES}
        for name in ("gain", "gap"):
            cell = cells.get((line.key, name))
            if cell:
                row |= {name: signed(cell["value"]), f"{name}_interval": interval(cell["low"], cell["high"], "+")}
        rows.append(row | {"searches": fixed(values.get((line.key, "rag_in_force", "searches")), 1)})
    return pd.DataFrame(rows, columns=COLUMNS)


def main(argv: list[str] | None = None) -> None:
    """Read both tables, write the table."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.report.tool_gain_table --settings results/stats/demo/settings.csv "
        "--gain results/stats/demo/tool_gain.csv --models-dir config/models --csv results/report/demo/table13_tool_gain.csv "
        "--markdown results/report/demo/table13_tool_gain.md --latex results/report/demo/table13_tool_gain.tex",
    )
    parser.add_argument("--settings", required=True)
    parser.add_argument("--gain", required=True)
    parser.add_argument("--models-dir", required=True, type=Path)
    add_table_arguments(parser)
    args = parser.parse_args(argv)
    try:
        settings = read_numbers(args.settings, ["model", "setting", "domain", "metric"], ["value"])
        gains = read_numbers(args.gain, ["model", "contrast"], ["value", "low", "high"])
        models = read_models(args.models_dir, settings["model"].unique())
        table = tool_gain_table(settings, gains, models)
    except ReportError as error:
        raise SystemExit(str(error)) from error
    rows = [[str(cell).replace("-", "−") if place else str(cell) for place, cell in enumerate(row)] for row in table.to_numpy().tolist()]
    lines = model_rows(models) if rows else []
    for number, line in enumerate(lines):
        rows[number][0] = line.label
    place = HEADER.index
    marks = best_two(rows, [1, 2, 3, place("Gain")]) | best_two(rows, [place("Gap")], lowest=True)
    write_table_files(args, table, HEADER, rows, NOTE + ("" if rows else EMPTY), headings_of(lines), marks)


if __name__ == "__main__":
    main()
