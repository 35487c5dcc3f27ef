"""Scores by domain over the models (NitiBench+ Table 19), from the easiest to the hardest in the main setting, all domains last.

The CSV has domain, items, the mean over the models in each setting of the leaderboard, and in the main setting the best model
with its score and the lowest score; with one model they are all its own.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import pandas as pd

from inforce.config.model import Model
from inforce.report.shown import TOLD, domain_name, main_setting, read_numbers
from inforce.report.table_files import add_table_arguments, write_table_files
from inforce.report.words import ALL, SETTING_NAMES, SHORT_NAMES, ReportError, cells_of, fixed, read_models

COLUMNS = ["domain", "items", *TOLD, "best_model", "best_score", "lowest_score"]
HEADER = ["Domain", "Items", *(SHORT_NAMES[setting] for setting in TOLD), "Best model", "Best", "Lowest"]
NOTE = (
    "Bar-standard score by domain, mean over the {n} models of the run in three settings; best and lowest are single models in {main}, by "
    "which the domains are sorted from the easiest to the hardest. All domains = mean over domains alike."
)


def domain_table(means: pd.DataFrame, models: dict[str, Model]) -> pd.DataFrame:
    """The table as text."""
    main = main_setting(means["setting"])
    cells = cells_of(means, ["setting", "domain"])
    rows = []
    for domain in means.loc[means["setting"] == main, "domain"]:
        cell = cells[main, domain]
        row = {"domain": domain, "items": fixed(cell["n_items"], 0)}
        row |= {setting: fixed(cells[setting, domain]["mean"], 2) if (setting, domain) in cells else "" for setting in TOLD}
        row |= {"best_model": models[cell["best_model"]].name if cell["best_model"] else ""}
        rows.append(row | {name: fixed(cell[name], 2) for name in ("best_score", "lowest_score")})
    return pd.DataFrame(rows, columns=COLUMNS)


def main(argv: list[str] | None = None) -> None:
    """Read domain_means.csv, write the table."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.report.domain_table --means results/stats/demo/domain_means.csv --models-dir config/models "
        "--csv results/report/demo/table19_domain_means.csv --markdown results/report/demo/table19_domain_means.md "
        "--latex results/report/demo/table19_domain_means.tex",
    )
    parser.add_argument("--means", required=True)
    parser.add_argument("--models-dir", required=True, type=Path)
    add_table_arguments(parser)
    args = parser.parse_args(argv)
    try:
        numbers = ["n_items", "n_models", "mean", "best_score", "lowest_score"]
        means = read_numbers(args.means, ["setting", "domain", "best_model"], numbers)
        table = domain_table(means, read_models(args.models_dir, [name for name in means["best_model"].unique() if name]))
        note = NOTE.format(n=f"{means['n_models'].max():.0f}", main=SETTING_NAMES[main_setting(means["setting"])])
    except ReportError as error:
        raise SystemExit(str(error)) from error
    rows = [["All domains" if row[0] == ALL else domain_name(row[0]), *row[1:]] for row in table.to_numpy().tolist()]
    write_table_files(args, table, HEADER, rows, note)


if __name__ == "__main__":
    main()
