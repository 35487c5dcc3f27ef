"""The run's scores beside an outside index of the same models (NitiBench+ §7.8, Figure 11).

The index is the user's file, columns model, index, value, date, source: a model's name as in config/models, the index's
name, its value (higher = better), the day it was read and where. A model without a row, or with an empty value, is left
out. Where a model has several rows of one index, the latest counts.

ranks.csv: one row a index and model that has both a value and a score in the main setting (rag_in_force, else the last
setting that was run), ranked by each among these models; equal values share the better rank. The index's order.
correlations.csv: Spearman's correlation of both over all these models, and over the eight best by the index (more where the
eighth place is shared); empty with fewer than three models.
"""

from __future__ import annotations

import argparse

import numpy as np
import pandas as pd

from inforce.records.tables import write_csv
from inforce.stats.domain_means import ALL, MAIN_SETTING, read_settings
from inforce.stats.frames import StatsError, by_setting
from inforce.stats.rank_models import ranks_of
from inforce.stats.split_scores import spearman

INPUT = ["model", "index", "value", "date", "source"]
RANKS = ["run", "setting", "index", "model", "value", "index_rank", "score", "score_rank", "date"]
CORRELATIONS = ["run", "setting", "index", "among", "spearman", "n_models"]
TOP = 8


def read_index(path: str) -> pd.DataFrame:
    """The index file, the latest row of each index and model, without those that have no value. Raises StatsError naming the line."""
    try:
        frame = pd.read_csv(path, dtype=str, keep_default_na=False, encoding="utf-8")
    except (FileNotFoundError, pd.errors.EmptyDataError) as error:
        raise StatsError(f"{path} does not exist or is empty; its first line is {','.join(INPUT)}") from error
    if list(frame.columns) != INPUT:
        raise StatsError(f"{path}: columns are {list(frame.columns)}, expected {INPUT}")
    for number, row in enumerate(frame.to_dict("records"), start=2):
        if row["value"] and (not _is_number(row["value"]) or pd.isna(pd.to_datetime(row["date"], format="%Y-%m-%d", errors="coerce"))):
            raise StatsError(f"{path}, line {number}: value {row['value']!r} with date {row['date']!r}; expected a number and YYYY-MM-DD")
    frame = frame[frame["value"] != ""].sort_values("date", kind="stable").drop_duplicates(["index", "model"], keep="last")
    return frame.assign(value=frame["value"].astype(np.float64)).sort_index()


def compare(run: str, scores: dict[str, float], index: pd.DataFrame, setting: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """ranks and correlations of the models (name -> score) against each index; without rows where none has a value."""
    ranks, correlations = [], []
    for name, rows in index.groupby("index", sort=False):
        known = rows[rows["model"].map(lambda model: np.isfinite(scores.get(model, np.nan)))]
        if known.empty:
            continue
        value, score = known["value"].to_numpy(np.float64), np.array([scores[model] for model in known["model"]])
        table = known.assign(run=run, setting=setting, score=score)
        table = table.assign(index_rank=ranks_of(value[None])[0].astype(int), score_rank=ranks_of(score[None])[0].astype(int))
        table = table.sort_values(["index_rank", "score_rank", "model"], kind="stable")
        ranks.append(table[RANKS])
        for among, part in (("all", table), (f"top {TOP}", table[table["index_rank"] <= TOP])):
            correlation = spearman(part["value"].to_numpy(np.float64), part["score"].to_numpy(np.float64))
            correlations.append((run, setting, name, among, correlation, len(part)))
    return pd.concat(ranks, ignore_index=True) if ranks else pd.DataFrame(columns=RANKS), pd.DataFrame(correlations, columns=CORRELATIONS)


def outside_index(settings: pd.DataFrame, index: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Both tables of a run from the rows of settings.csv."""
    rows = settings[(settings["domain"] == ALL) & (settings["metric"] == "score")]
    if rows.empty:
        raise StatsError("settings.csv holds no scores; make it again with aggregate_scores")
    met = by_setting(list(rows["setting"]))
    setting = MAIN_SETTING if MAIN_SETTING in met else met[-1]
    here = rows[rows["setting"] == setting]
    return compare(str(rows["run"].iloc[0]), dict(zip(here["model"], here["value"], strict=True)), index, setting)


def _is_number(text: str) -> bool:
    try:
        return bool(np.isfinite(float(text)))
    except ValueError:
        return False


def main(argv: list[str] | None = None) -> None:
    """Read both files, rank, write both tables."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.stats.outside_index --settings results/stats/demo/settings.csv --index config/outside_index.csv "
        "--ranks results/stats/demo/outside_ranks.csv --correlations results/stats/demo/outside_correlations.csv",
    )
    parser.add_argument("--settings", required=True)
    parser.add_argument("--index", required=True, help="CSV: model, index, value, date, source")
    parser.add_argument("--ranks", required=True)
    parser.add_argument("--correlations", required=True)
    args = parser.parse_args(argv)
    try:
        ranks, correlations = outside_index(read_settings(args.settings), read_index(args.index))
    except StatsError as error:
        raise SystemExit(str(error)) from error
    write_csv(args.ranks, ranks)
    write_csv(args.correlations, correlations)


if __name__ == "__main__":
    main()
