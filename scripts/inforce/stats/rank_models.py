"""Ranks of the models of a run in every setting, with the range that the items leave open: ranks.csv.

One row a setting and model. A rank is one more than the number of models with a higher macro-average, so that equal scores
share a rank; a model without a score has none. rank_low and rank_high hold 95 % of the ranks in the resamples of the
cluster bootstrap, all models ranked anew in each on the same items (whole ranks, the range rounded outwards); they say how
far another draw of the items would move a model among these models, not among others. Empty with fewer than two clusters.
"""

from __future__ import annotations

import argparse

import numpy as np
import pandas as pd

from inforce.records.status import SETTINGS
from inforce.records.tables import SCORES, write_csv
from inforce.stats import cells
from inforce.stats.bootstrap import LEVEL, settled
from inforce.stats.frames import Floats, StatsError, read_tables

COLUMNS = ["run", "setting", "model", "score", "rank", "rank_low", "rank_high", "n_models"]
_DECIMALS = 9  # equal to this many places are equal scores, however the sums were ordered


def ranks_of(scores: Floats) -> Floats:
    """Ranks from the highest score (rank 1) in each row (R × M); equal scores share the better rank, NaN has none."""
    rounded = np.round(scores, _DECIMALS)
    ordered = np.sort(-rounded, axis=1)  # NaN last
    better = np.stack([np.searchsorted(row, -values, side="left") for row, values in zip(ordered, rounded, strict=True)])
    return np.where(np.isfinite(scores), better + 1.0, np.nan)


def rank_ranges(resampled: Floats, level: float = LEVEL) -> tuple[Floats, Floats]:
    """The ranks between which `level` of the resamples (R × M) lie, whole numbers rounded outwards; NaN where nothing is known."""
    ranks = ranks_of(resampled)
    tail = (1 - level) / 2
    out = np.full((2, ranks.shape[1]), np.nan)
    for number, column in enumerate(ranks.T):
        known = column[np.isfinite(column)]
        if len(known):
            out[:, number] = np.quantile(known, tail, method="lower"), np.quantile(known, 1 - tail, method="higher")
    return out[0], out[1]


def rank_models(run: str, scores: pd.DataFrame, n_resamples: int) -> pd.DataFrame:
    """ranks.csv of a run: settings in the paper's order, models from rank 1, those without a score last in the order met."""
    table = cells.item_cells(scores, "score", run)
    draws = cells.run_draws(table.items, run, n_resamples)
    blocks = []
    for setting in (setting for setting in SETTINGS if cells.names_of(table.keys, setting)):
        models = cells.names_of(table.keys, setting)
        values = np.column_stack([table.column(model, setting) for model in models])
        value = settled(cells.macro_values(values, table.items))
        low, high = rank_ranges(cells.resampled_macro(draws.many, values))
        none = cells.clusters_of(np.isfinite(values), table.items.clusters) < 2
        block = pd.DataFrame(
            {
                "run": run,
                "setting": setting,
                "model": models,
                "score": value,
                "rank": ranks_of(value[None, :])[0],
                "rank_low": np.where(none, np.nan, low),
                "rank_high": np.where(none, np.nan, high),
                "n_models": len(models),
            }
        )
        blocks.append(block.sort_values("rank", kind="stable", na_position="last"))
    table_ = pd.concat(blocks, ignore_index=True)[COLUMNS]
    return table_.astype(dict.fromkeys(("rank", "rank_low", "rank_high"), "Int64"))


def main(argv: list[str] | None = None) -> None:
    """Read the files, rank, write the table."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.stats.rank_models --run demo --scores results/scores/demo/*/*/*/scores.parquet "
        "--out results/stats/demo/ranks.csv",
    )
    parser.add_argument("--run", required=True)
    parser.add_argument("--resamples", type=int, default=10_000)
    parser.add_argument("--scores", nargs="+", required=True, help="scores.parquet of every model, setting and sample")
    parser.add_argument("--out", required=True)
    args = parser.parse_args(argv)
    try:
        scores = read_tables(args.scores, SCORES, [*cells.COLUMNS, "score"], args.run)
        write_csv(args.out, rank_models(args.run, scores, args.resamples))
    except StatsError as error:
        raise SystemExit(str(error)) from error


if __name__ == "__main__":
    main()
