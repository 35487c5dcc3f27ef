"""Cost and behaviour of each model in the main setting (NitiBench+ Table 18), in the order of the leaderboard.

The CSV has rank, model, bar_standard, cost_usd (an item), output_tokens_thousands (an item), searches (an item) and
hallucinated_pct (invented citations of those checked). Unknown is empty and never zero: a model without a price has no cost.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import pandas as pd

from inforce.config.model import Model
from inforce.report.shown import UNKNOWN, main_setting, read_numbers, values_of
from inforce.report.table_files import add_table_arguments, write_table_files
from inforce.report.words import SETTING_NAMES, ReportError, amount, fixed, read_models

MEASURES = {  # column -> metric, digits, divisor
    "bar_standard": ("score", 2, 1),
    "cost_usd": ("cost_usd", 3, 1),
    "output_tokens_thousands": ("output_tokens", 1, 1000),
    "searches": ("searches", 1, 1),
    "hallucinated_pct": ("invented_rate", 1, 1),
}
COLUMNS = ["rank", "model", *MEASURES]
HEADER = ["Model", "Rank", "Bar-standard", "Cost ($)", "Output tokens (thousands)", "Searches", "Hallucinated"]
NOTE = (
    "{main}. Cost is what an answer would have cost to buy, US dollars an item at the prices of config/prices.csv; output tokens and searches are "
    "means an item. Hallucinated = share of the checked citations that do not exist in the corpus. – = not known."
)
NO_PRICES = " No model of this run has a price: fill config/prices.csv and name its key in the model files."


def cost_table(settings: pd.DataFrame, ranks: pd.DataFrame, models: dict[str, Model]) -> pd.DataFrame:
    """The table as text."""
    main = main_setting(ranks["setting"])
    values = values_of(settings)
    rows = []
    for place in ranks[ranks["setting"] == main].to_dict("records"):
        row = {"rank": fixed(place["rank"], 0), "model": models[str(place["model"])].name}
        for column, (metric, digits, divisor) in MEASURES.items():
            value = values.get((str(place["model"]), main, metric))
            write = amount if column == "cost_usd" else fixed  # a small cost is no gift
            row[column] = "" if value is None else write(value / divisor, digits)
        rows.append(row)
    return pd.DataFrame(rows, columns=COLUMNS)


def printed_rows(table: pd.DataFrame) -> list[list[str]]:
    """Rows for people, the model first, a dash for what is not known."""
    rows = []
    for row in table.to_dict("records"):
        rate = f"{row['hallucinated_pct']} %" if row["hallucinated_pct"] else ""
        cells = [row["model"], row["rank"], *(row[name] for name in MEASURES if name != "hallucinated_pct"), rate]
        rows.append([str(cell) or UNKNOWN for cell in cells])
    return rows


def main(argv: list[str] | None = None) -> None:
    """Read both tables, write the table."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.report.cost_table --settings results/stats/demo/settings.csv --ranks results/stats/demo/ranks.csv "
        "--models-dir config/models --csv results/report/demo/table18_cost_behaviour.csv "
        "--markdown results/report/demo/table18_cost_behaviour.md --latex results/report/demo/table18_cost_behaviour.tex",
    )
    parser.add_argument("--settings", required=True)
    parser.add_argument("--ranks", required=True)
    parser.add_argument("--models-dir", required=True, type=Path)
    add_table_arguments(parser)
    args = parser.parse_args(argv)
    try:
        settings = read_numbers(args.settings, ["model", "setting", "domain", "metric"], ["value"])
        ranks = read_numbers(args.ranks, ["setting", "model"], ["rank"])
        table = cost_table(settings, ranks, read_models(args.models_dir, ranks["model"].unique()))
        note = NOTE.format(main=SETTING_NAMES[main_setting(ranks["setting"])])
    except ReportError as error:
        raise SystemExit(str(error)) from error
    write_table_files(args, table, HEADER, printed_rows(table), note + ("" if table["cost_usd"].any() else NO_PRICES))


if __name__ == "__main__":
    main()
