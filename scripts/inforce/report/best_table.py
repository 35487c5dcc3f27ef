"""The best of the samples of each item (NitiBench+ Table 22): a ceiling, laid out as Table 7. No claim rests on it.

The CSV has the columns model, f1_SETTING, bar_SETTING, scored_SETTING and samples. A model with one sample has no row.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from inforce.records.status import SETTINGS
from inforce.report.model_rows import best_two, headings_of, model_rows
from inforce.report.sample_tables import EMPTY, READ, header, printed_rows, sample_table
from inforce.report.table_files import add_table_arguments, write_table_files
from inforce.report.words import ReportError, read_csv, read_models

HEADER = header("Citation F1", "Bar-standard (0-10)")
NOTE = (
    "The best of the samples of each item, then averaged as in Table 7: a ceiling. Best of a column bold, second best underlined. "
    "Scored = sub-questions × samples with a Bar-standard score, of all. ↪ = trained from the model above."
)


def main(argv: list[str] | None = None) -> None:
    """Read samples.csv, write the table."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.report.best_table --samples results/stats/demo/samples.csv --models-dir config/models "
        "--csv results/report/demo/table22_best_of_samples.csv --markdown results/report/demo/table22_best_of_samples.md "
        "--latex results/report/demo/table22_best_of_samples.tex",
    )
    parser.add_argument("--samples", required=True, help="samples.csv")
    parser.add_argument("--models-dir", required=True, type=Path)
    add_table_arguments(parser)
    args = parser.parse_args(argv)
    try:
        samples = read_csv(args.samples, READ)
        models = read_models(args.models_dir, samples["model"].unique())
        table = sample_table(samples, "best", models)
    except ReportError as error:
        raise SystemExit(str(error)) from error
    order = model_rows(models)
    rows = printed_rows(table, order)
    write_table_files(
        args, table, HEADER, rows, NOTE if rows else NOTE + EMPTY, headings_of(order), best_two(rows, range(1, 1 + 2 * len(SETTINGS)))
    )


if __name__ == "__main__":
    main()
