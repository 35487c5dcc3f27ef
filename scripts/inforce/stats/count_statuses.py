"""How every answer and every panel ended: statuses.csv, one row a model, setting, kind and status that was met.

`kind` answer counts answers (items × samples) by their status, panel counts sub-questions × samples by the panel's.
"""

from __future__ import annotations

import argparse

import pandas as pd

from inforce.records.status import STATUSES
from inforce.records.tables import ITEM_SCORES, SCORES, write_csv
from inforce.stats.frames import StatsError, by_setting, read_tables

COLUMNS = ["run", "model", "setting", "kind", "status", "n"]


def count_statuses(run: str, scores: pd.DataFrame, answers: pd.DataFrame) -> pd.DataFrame:
    """Counts in a fixed order: models as met, settings of the paper, answers before panels, statuses as declared (ok first)."""
    rows = []
    for model in answers["model"].unique():
        of_model = answers[answers["model"] == model], scores[scores["model"] == model]
        for setting in by_setting(of_model[0]["setting"]):
            for kind, frame, column in (("answer", of_model[0], "status"), ("panel", of_model[1], "panel_status")):
                counts = frame.loc[frame["setting"] == setting, column].value_counts()
                unknown = sorted(set(counts.index) - set(STATUSES))
                if unknown:
                    raise StatsError(f"{model}, {setting}: {column} {unknown[0]!r} is none of {', '.join(STATUSES)}")
                rows += [(run, model, setting, kind, status, int(counts[status])) for status in STATUSES if status in counts.index]
    return pd.DataFrame(rows, columns=COLUMNS)


def main(argv: list[str] | None = None) -> None:
    """Read the files, count, write the table."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.stats.count_statuses --run demo --scores results/scores/demo/*/*/*/scores.parquet "
        "--item-scores results/scores/demo/*/*/*/items.parquet --out results/stats/demo/statuses.csv",
    )
    parser.add_argument("--run", required=True)
    parser.add_argument("--scores", nargs="+", required=True)
    parser.add_argument("--item-scores", nargs="+", required=True)
    parser.add_argument("--out", required=True)
    args = parser.parse_args(argv)
    try:
        scores = read_tables(args.scores, SCORES, ["run", "model", "setting", "panel_status"], args.run)
        answers = read_tables(args.item_scores, ITEM_SCORES, ["run", "model", "setting", "status"], args.run)
        write_csv(args.out, count_statuses(args.run, scores, answers))
    except StatsError as error:
        raise SystemExit(str(error)) from error


if __name__ == "__main__":
    main()
