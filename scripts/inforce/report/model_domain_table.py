"""Scores by model and domain in the main setting (NitiBench+ Table 20), best model first, domains from the easiest to the hardest.

The CSV has model, all (the macro-average) and a column a domain, named as the domain is; the last row is the mean over the models.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import pandas as pd

from inforce.config.model import Model
from inforce.report.shown import by_score, domain_name, main_setting, read_numbers
from inforce.report.table_files import add_table_arguments, write_table_files
from inforce.report.words import ALL, SETTING_NAMES, ReportError, fixed, read_models

MEAN = "Mean"
NOTE = "Bar-standard score in {main}. Domains from the easiest to the hardest by the mean over the models, which is the last row."


def score_matrix(settings: pd.DataFrame, main: str) -> pd.DataFrame:
    """Scores of one setting, models (best first) × `all` and the domains in the order met; NaN where nothing was scored."""
    rows = settings[(settings["setting"] == main) & (settings["metric"] == "score")]
    wide = rows.pivot(index="model", columns="domain", values="value")
    domains = [ALL, *(str(name) for name in rows["domain"].unique() if name != ALL)]
    overall = {str(name): float(value) for name, value in wide[ALL].items()}
    return wide.reindex(index=by_score(list(rows["model"].unique()), overall), columns=domains)


def model_domain_table(settings: pd.DataFrame, means: pd.DataFrame, models: dict[str, Model]) -> pd.DataFrame:
    """The table as text; domains in the order of domain_means.csv."""
    main = main_setting(settings["setting"])
    here = means[means["setting"] == main]
    order = [ALL, *(name for name in here["domain"] if name != ALL)]
    matrix = score_matrix(settings, main)[order]
    rows = [
        [models[str(name)].name, *(fixed(value, 2) for value in values)]
        for name, values in zip(matrix.index, matrix.to_numpy(), strict=True)
    ]
    mean = dict(zip(here["domain"], here["mean"], strict=True))
    return pd.DataFrame([*rows, [MEAN, *(fixed(mean[name], 2) for name in order)]], columns=["model", *order])


def printed_header(table: pd.DataFrame) -> list[str]:
    """The header for people."""
    return ["Model", *("All" if name == ALL else domain_name(str(name)) for name in table.columns[1:])]


def main(argv: list[str] | None = None) -> None:
    """Read both tables, write the table."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.report.model_domain_table --settings results/stats/demo/settings.csv "
        "--means results/stats/demo/domain_means.csv --models-dir config/models --csv results/report/demo/table20_model_by_domain.csv "
        "--markdown results/report/demo/table20_model_by_domain.md --latex results/report/demo/table20_model_by_domain.tex",
    )
    parser.add_argument("--settings", required=True)
    parser.add_argument("--means", required=True)
    parser.add_argument("--models-dir", required=True, type=Path)
    add_table_arguments(parser)
    args = parser.parse_args(argv)
    try:
        settings = read_numbers(args.settings, ["model", "setting", "domain", "metric"], ["value"])
        means = read_numbers(args.means, ["setting", "domain"], ["mean"])
        table = model_domain_table(settings, means, read_models(args.models_dir, settings["model"].unique()))
        note = NOTE.format(main=SETTING_NAMES[main_setting(settings["setting"])])
    except ReportError as error:
        raise SystemExit(str(error)) from error
    write_table_files(args, table, printed_header(table), table.to_numpy().tolist(), note)


if __name__ == "__main__":
    main()
