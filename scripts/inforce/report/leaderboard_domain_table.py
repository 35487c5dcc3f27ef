"""The leaderboard by domain (NitiBench+ Table 21): models in the leaderboard's order, domains as in Table 5, the largest first.

The CSV has model, a column a domain, named as the domain is, and overall (the macro-average). Best of each domain bold, second
underlined.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import pandas as pd

from inforce.config.model import Model
from inforce.report.model_domain_table import score_matrix
from inforce.report.model_rows import best_two
from inforce.report.shown import domain_name, main_setting, read_numbers
from inforce.report.table_files import add_table_arguments, write_table_files
from inforce.report.words import ALL, SETTING_NAMES, ReportError, fixed, read_models

OVERALL = "overall"
NOTE = "Bar-standard score in {main}. Domains as in Table 5, by number of items. Best of a column bold, second underlined."


def leaderboard_domain_table(settings: pd.DataFrame, means: pd.DataFrame, models: dict[str, Model]) -> pd.DataFrame:
    """The table as text."""
    main = main_setting(settings["setting"])
    here = means[(means["setting"] == main) & (means["domain"] != ALL)]
    order = list(here.sort_values(["n_items", "domain"], ascending=[False, True], kind="stable")["domain"])
    matrix = score_matrix(settings, main)[[*order, ALL]]
    rows = [
        [models[str(name)].name, *(fixed(value, 2) for value in values)]
        for name, values in zip(matrix.index, matrix.to_numpy(), strict=True)
    ]
    return pd.DataFrame(rows, columns=["model", *order, OVERALL])


def main(argv: list[str] | None = None) -> None:
    """Read both tables, write the table."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.report.leaderboard_domain_table --settings results/stats/demo/settings.csv "
        "--means results/stats/demo/domain_means.csv --models-dir config/models --csv results/report/demo/table21_leaderboard_by_domain.csv "
        "--markdown results/report/demo/table21_leaderboard_by_domain.md --latex results/report/demo/table21_leaderboard_by_domain.tex",
    )
    parser.add_argument("--settings", required=True)
    parser.add_argument("--means", required=True)
    parser.add_argument("--models-dir", required=True, type=Path)
    add_table_arguments(parser)
    args = parser.parse_args(argv)
    try:
        settings = read_numbers(args.settings, ["model", "setting", "domain", "metric"], ["value"])
        means = read_numbers(args.means, ["setting", "domain"], ["n_items"])
        table = leaderboard_domain_table(settings, means, read_models(args.models_dir, settings["model"].unique()))
        note = NOTE.format(main=SETTING_NAMES[main_setting(settings["setting"])])
    except ReportError as error:
        raise SystemExit(str(error)) from error
    header = ["Model", *(domain_name(str(name)) for name in table.columns[1:])]
    rows = table.to_numpy().tolist()
    write_table_files(args, table, header, rows, note, None, best_two(rows, range(1, len(header))))


if __name__ == "__main__":
    main()
