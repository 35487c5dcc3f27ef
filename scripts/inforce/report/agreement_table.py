"""Verdict agreement and the score of agreeing answers under the current text and the text in force, by drift band (NitiBench+ Table 10).

The CSV has a row an access (gold, rag) and band: agrees_SIDE (% of answers), score_SIDE (mean Bar-standard score of the agreeing ones) and
scored_SIDE (answers with a panel's verdict, of all), SIDE = current or in_force. A comparison that was not run has no row.
"""

from __future__ import annotations

import argparse

import pandas as pd

from inforce.records.status import DRIFT_BANDS
from inforce.report.table_files import add_table_arguments, write_table_files
from inforce.report.words import ACCESS_NAMES, BAND_NAMES, ReportError, cells_of, fixed, read_csv

SIDES = {"current": "Current", "in_force": "In force"}
COLUMNS = ["access", "band", *(f"{what}_{side}" for what in ("agrees", "score", "scored") for side in SIDES)]
HEADER = [
    "Band",
    *(f"{what}: {side}" for what in ("Agrees with court (%)", "Score if agreeing", "Scored") for side in SIDES.values()),
]
NOTE = (
    "Agrees with court = share of answers to sub-questions in tiers T4 to T8; score if agreeing = mean Bar-standard score of those. Answers of all "
    "models and samples are pooled. Scored = answers with a full panel, of all; intervals are in agreement_by_band.csv."
)
EMPTY = " No row: the run has no setting with current text or text in force."


def agreement_table(agreement: pd.DataFrame) -> pd.DataFrame:
    """The table as text, from the rows of agreement_by_band.csv."""
    cells = cells_of(agreement, ["access", "band", "setting", "metric"])
    rows = []
    for access in ACCESS_NAMES:
        for band in DRIFT_BANDS:
            row = dict.fromkeys(COLUMNS, "") | {"access": access, "band": band}
            for side in SIDES:
                agrees, score = (cells.get((access, band, f"{access}_{side}", metric)) for metric in ("agreement", "score_if_agreeing"))
                if agrees and score:
                    row |= {f"agrees_{side}": fixed(agrees["value"], 1), f"score_{side}": fixed(score["value"], 2)}
                    row[f"scored_{side}"] = f"{agrees['n_scored']:.0f}/{agrees['n']:.0f}"
            if any(row[column] for column in COLUMNS[2:]):
                rows.append(row)
    return pd.DataFrame(rows, columns=COLUMNS)


def main(argv: list[str] | None = None) -> None:
    """Read agreement_by_band.csv, write the table."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.report.agreement_table --agreement results/stats/demo/agreement_by_band.csv "
        "--csv results/report/demo/table10_agreement.csv --markdown results/report/demo/table10_agreement.md "
        "--latex results/report/demo/table10_agreement.tex",
    )
    parser.add_argument("--agreement", required=True, help="agreement_by_band.csv")
    add_table_arguments(parser)
    args = parser.parse_args(argv)
    try:
        table = agreement_table(read_csv(args.agreement, ["access", "band", "setting", "metric", "value", "n_scored", "n"]))
    except ReportError as error:
        raise SystemExit(str(error)) from error
    rows = [[BAND_NAMES[row["band"]], *(row[column] for column in COLUMNS[2:])] for row in table.to_dict("records")]
    firsts = {access: list(table["access"]).index(access) for access in table["access"].unique()}
    headings = {number: ACCESS_NAMES[access] for access, number in firsts.items()}
    write_table_files(args, table, HEADER, rows, NOTE if rows else NOTE + EMPTY, headings)


if __name__ == "__main__":
    main()
