"""The standard deviation over samples of the scores of each setting (NitiBench+ Table 23), laid out as Table 7.

The CSV has the columns model, f1_SETTING, bar_SETTING, scored_SETTING and samples. A model with one sample has no row.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from inforce.report.model_rows import headings_of, model_rows
from inforce.report.sample_tables import EMPTY, READ, header, printed_rows, sample_table
from inforce.report.table_files import add_table_arguments, write_table_files
from inforce.report.words import ReportError, read_csv, read_models

HEADER = header("Citation F1, SD", "Bar-standard, SD")
NOTE = (
    "Each sample scored alone over the whole run: the standard deviation of these figures (divisor one less than the samples). "
    "Scored = sub-questions × samples with a Bar-standard score, of all. ↪ = trained from the model above."
)


def main(argv: list[str] | None = None) -> None:
    """Read samples.csv, write the table."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.report.spread_table --samples results/stats/demo/samples.csv --models-dir config/models "
        "--csv results/report/demo/table23_spread.csv --markdown results/report/demo/table23_spread.md "
        "--latex results/report/demo/table23_spread.tex",
    )
    parser.add_argument("--samples", required=True, help="samples.csv")
    parser.add_argument("--models-dir", required=True, type=Path)
    add_table_arguments(parser)
    args = parser.parse_args(argv)
    try:
        samples = read_csv(args.samples, READ)
        models = read_models(args.models_dir, samples["model"].unique())
        table = sample_table(samples, "sd", models)
    except ReportError as error:
        raise SystemExit(str(error)) from error
    order = model_rows(models)
    rows = printed_rows(table, order)
    write_table_files(args, table, HEADER, rows, NOTE if rows else NOTE + EMPTY, headings_of(order), None)


if __name__ == "__main__":
    main()
