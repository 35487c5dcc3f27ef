"""The leaderboard of one run (NitiBench+ Table 17), the best first in the main setting, with the range of each rank.

The CSV has rank, rank_low and rank_high (95 % of the resamples), model, access, the scores in the settings of the leaderboard,
interval of the main setting's, and Citation F1, precision and recall in it. Unknown is empty.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import pandas as pd

from inforce.config.model import Model
from inforce.report.model_rows import best_two
from inforce.report.shown import interval, main_setting, read_numbers, values_of
from inforce.report.table_files import add_table_arguments, write_table_files
from inforce.report.words import ALL, SETTING_NAMES, SHORT_NAMES, ReportError, cells_of, fixed, read_models

SCORES = ("rag_in_force", "parametric", "gold_in_force")
CITATIONS = {"f1": "citation_f1", "precision": "citation_precision", "recall": "citation_recall"}
COLUMNS = ["rank", "rank_low", "rank_high", "model", "access", *SCORES, "interval", *CITATIONS]
HEADER = ["Model", "Rank", "Rank, 95 %", "Access", *(SHORT_NAMES[setting] for setting in SCORES), "95 %", "F1", "Precision", "Recall"]
NOTE = (
    "Bar-standard score (0-10). Sorted by {main}; the interval behind the scores, Citation F1, precision and recall are of that setting. Rank = one more than "
    "the number of models with a higher score; its range holds 95 % of the ranks when the item clusters are drawn anew, for all models alike. "
    "Best of a column bold, second underlined."
)


def leaderboard_table(settings: pd.DataFrame, ranks: pd.DataFrame, models: dict[str, Model]) -> pd.DataFrame:
    """The table as text, in the order of ranks.csv for the main setting."""
    main = main_setting(ranks["setting"])
    values = values_of(settings)
    bounds = cells_of(settings[(settings["domain"] == ALL) & (settings["metric"] == "score")], ["model", "setting"])
    rows = []
    for place in ranks[ranks["setting"] == main].to_dict("records"):
        key = str(place["model"])
        row = {name: fixed(place[name], 0) for name in ("rank", "rank_low", "rank_high")}
        row |= {"model": models[key].name, "access": models[key].access}
        row |= {setting: fixed(values.get((key, setting, "score")), 2) for setting in SCORES}
        row["interval"] = interval(bounds[key, main]["low"], bounds[key, main]["high"])
        rows.append(row | {name: fixed(values.get((key, main, metric)), 3) for name, metric in CITATIONS.items()})
    return pd.DataFrame(rows, columns=COLUMNS)


def printed_rows(table: pd.DataFrame) -> list[list[str]]:
    """Rows for people, the model first."""
    rows = []
    for row in table.to_dict("records"):
        between = row["rank_low"] if row["rank_low"] == row["rank_high"] else f"{row['rank_low']}–{row['rank_high']}"
        cells = [row["model"], row["rank"], between, str(row["access"]).capitalize(), *(row[name] for name in SCORES), row["interval"]]
        rows.append([str(cell) for cell in [*cells, *(row[name] for name in CITATIONS)]])
    return rows


def main(argv: list[str] | None = None) -> None:
    """Read both tables, write the table."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.report.leaderboard_table --settings results/stats/demo/settings.csv --ranks results/stats/demo/ranks.csv "
        "--models-dir config/models --csv results/report/demo/table17_leaderboard.csv "
        "--markdown results/report/demo/table17_leaderboard.md --latex results/report/demo/table17_leaderboard.tex",
    )
    parser.add_argument("--settings", required=True)
    parser.add_argument("--ranks", required=True)
    parser.add_argument("--models-dir", required=True, type=Path)
    add_table_arguments(parser)
    args = parser.parse_args(argv)
    try:
        settings = read_numbers(args.settings, ["model", "setting", "domain", "metric"], ["value", "low", "high"])
        ranks = read_numbers(args.ranks, ["setting", "model"], ["rank", "rank_low", "rank_high"])
        table = leaderboard_table(settings, ranks, read_models(args.models_dir, ranks["model"].unique()))
        note = NOTE.format(main=SETTING_NAMES[main_setting(ranks["setting"])])
    except ReportError as error:
        raise SystemExit(str(error)) from error
    rows = printed_rows(table)
    marks = best_two(rows, [HEADER.index(name) for name in (*(SHORT_NAMES[s] for s in SCORES), "F1", "Precision", "Recall")])
    write_table_files(args, table, HEADER, rows, note, None, marks)


if __name__ == "__main__":
    main()
