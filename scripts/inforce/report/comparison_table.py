"""Every pair of models, tested (model_comparison). Markdown and LaTeX show the main setting, the CSV all settings.

The CSV has setting, model, other and the columns of stats.compare_models: verdict agreement with McNemar's tests, score difference with
its interval, p values as they are and corrected by Holm's method. A run of one model has no rows.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import pandas as pd

from inforce.config.model import Model
from inforce.report.shown import interval, main_setting, read_numbers
from inforce.report.table_files import add_table_arguments, write_table_files
from inforce.report.words import SETTING_NAMES, ReportError, fixed, read_models, signed

TESTS = ("p_mcnemar", "p_mid", "p_clustered", "p_wald")
NUMBERS = [
    *("n", "only_model", "only_other", "agreement_difference", "score_difference", "low", "high", "n_items", "n_clusters"),
    *(f"{test}{end}" for test in TESTS for end in ("", "_holm")),
]
COLUMNS = ["setting", "model", "other", *NUMBERS]
HEADER = [
    *(
        "Model",
        "Other model",
        "n",
        "Only first agrees",
        "Only second agrees",
        "Agreement (points of %)",
        "McNemar mid-p, Holm",
        "Clustered p, Holm",
    ),
    *("Score difference", "95 %", "Score p, Holm"),
]
NOTE = (
    "{main}; the other settings are in the CSV. Agreement with the court on the same sub-questions, first samples, and score difference on the "
    "same items; first model less second. McNemar's test takes sub-questions to be independent, which those of one case are not: go by the "
    "clustered p. The score p is a Wald test: the difference over its cluster-bootstrap standard error, two-sided against the normal distribution; the "
    "interval is the bootstrap's percentile interval. p values are corrected by Holm's method over all pairs of the setting, each test by itself."
)
EMPTY = "The run has one model: there is no pair to compare."


def comparison_table(comparison: pd.DataFrame, models: dict[str, Model]) -> pd.DataFrame:
    """The table with the models' printed names."""
    names = {key: model.name for key, model in models.items()}
    return comparison.assign(model=comparison["model"].map(names), other=comparison["other"].map(names))[COLUMNS]


def printed_rows(table: pd.DataFrame) -> list[list[str]]:
    """Rows of the main setting for people."""
    rows = []
    for row in table[table["setting"] == main_setting(table["setting"])].to_dict("records") if len(table) else []:
        counts = [fixed(row[name], 0) for name in ("n", "only_model", "only_other")]
        verdicts = [signed(row["agreement_difference"], 1, minus="−"), p_value(row["p_mid_holm"]), p_value(row["p_clustered_holm"])]
        score = [signed(row["score_difference"], minus="−"), interval(row["low"], row["high"], "+").replace("-", "−")]
        rows.append([str(row["model"]), str(row["other"]), *counts, *verdicts, *score, p_value(row["p_wald_holm"])])
    return rows


def p_value(p: float) -> str:
    """Three digits; below .001 said so."""
    return "" if pd.isna(p) else "<.001" if p < 0.001 else f"{p:.3f}"


def main(argv: list[str] | None = None) -> None:
    """Read model_comparison.csv, write the table."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.report.comparison_table --comparison results/stats/demo/model_comparison.csv --models-dir config/models "
        "--csv results/report/demo/model_comparison.csv --markdown results/report/demo/model_comparison.md "
        "--latex results/report/demo/model_comparison.tex",
    )
    parser.add_argument("--comparison", required=True)
    parser.add_argument("--models-dir", required=True, type=Path)
    add_table_arguments(parser)
    args = parser.parse_args(argv)
    try:
        comparison = read_numbers(args.comparison, ["setting", "model", "other"], NUMBERS)
        table = comparison_table(comparison, read_models(args.models_dir, dict.fromkeys([*comparison["model"], *comparison["other"]])))
        note = NOTE.format(main=SETTING_NAMES[main_setting(table["setting"])]) if len(table) else EMPTY
    except ReportError as error:
        raise SystemExit(str(error)) from error
    write_table_files(args, table, HEADER, printed_rows(table), note)


if __name__ == "__main__":
    main()
