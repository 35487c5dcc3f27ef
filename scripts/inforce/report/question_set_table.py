"""What has become of the statute texts inside a question set (NitiBench+ Table 4), one row a set."""

from __future__ import annotations

import argparse
from typing import Any

import pandas as pd

from inforce.report.table_files import add_table_arguments, write_table_files
from inforce.report.words import ReportError, fixed, read_csv

NEEDED = [
    "question_set",
    "snapshot",
    "questions",
    "citations",
    "compared",
    "stale",
    "stale_pct",
    "unmatched",
    "unresolved",
    "sections",
    "ever_amended",
    "ever_amended_pct",
]
HEADER = ["Question set", "Questions", "Amended ever", "Stale"]
NONE = "This jurisdiction declares no question set with embedded statute texts (question_set in its YAML file), so there is nothing to compare."


def printed_rows(table: pd.DataFrame) -> list[list[str]]:
    """Rows for people: shares with the numbers that they are taken of."""
    return [
        [
            str(row["question_set"]),
            f"{row['questions']:,}",
            _share(row["ever_amended_pct"], row["ever_amended"], row["sections"]),
            _share(row["stale_pct"], row["stale"], row["compared"]),
        ]
        for row in table.to_dict("records")
    ]


def _share(percent: float | str, count: int, total: int) -> str:
    """`2.3% (12/520)`; only the counts where there is nothing to take a share of."""
    return f"{fixed(float(percent), 1)}% ({count:,}/{total:,})" if percent != "" else f"({count:,}/{total:,})"


def note(table: pd.DataFrame) -> str:
    """What the shares are of, and what is not in them."""
    if table.empty:
        return NONE
    apart = "; ".join(f"{row['question_set']}: {_apart(row)}" for row in table.to_dict("records"))
    return (
        "Amended ever: of the sections cited, each counted once, those whose text has changed by the corpus date. Stale: of the citations "
        "compared, those whose text is no longer the current one, because the section was amended or has ended. "
        f"Not compared: {apart}."
    )


def _apart(row: dict[Any, Any]) -> str:
    return f"{row['unresolved']} of {row['citations']} citations not in the corpus, {row['unmatched']} with a text of no version"


def main(argv: list[str] | None = None) -> None:
    """Read question_set_summary.csv, write the table."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.report.question_set_table --summary results/drift/demo/question_set_summary.csv "
        "--csv table04_question_set.csv --markdown table04_question_set.md --latex table04_question_set.tex",
    )
    parser.add_argument("--summary", required=True, help="question_set_summary.csv of compare_question_set")
    add_table_arguments(parser)
    args = parser.parse_args(argv)
    try:
        table = read_csv(args.summary, NEEDED)
    except ReportError as error:
        raise SystemExit(str(error)) from error
    write_table_files(args, table, HEADER, printed_rows(table), note(table))


if __name__ == "__main__":
    main()
