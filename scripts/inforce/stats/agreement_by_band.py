"""Verdict and reasoning apart: how many answers agree with the court, and how those score (NitiBench+ Table 10).

One row an access (gold, rag), band, setting and metric -> agreement_by_band.csv. `agreement` is the share (%) of answers to sub-questions
that the panel puts in tiers T4 to T8; `score_if_agreeing` the mean Bar-standard score of those answers. Answers to sub-questions of all
models and samples are pooled alike, n_scored of n have a panel's verdict (score_if_agreeing: n_scored of the n that agree). Intervals
are 95 % percentile intervals of a cluster bootstrap over items. A setting that was not run has no rows.
"""

from __future__ import annotations

import argparse

import numpy as np
import pandas as pd

from inforce.records.status import DRIFT_BANDS
from inforce.records.tables import SCORES, write_csv
from inforce.stats.aggregation import group_sums
from inforce.stats.bootstrap import (
    count_clusters,
    draw_clusters,
    every_cluster_once,
    percentile_interval,
    prepare_draws,
    quotient,
    resampled_sums,
    seed_of,
    settled,
)
from inforce.stats.frames import StatsError, numbers, read_tables
from inforce.stats.item_scores import one_of_each_item

ACCESSES = {"gold": ("gold_current", "gold_in_force"), "rag": ("rag_current", "rag_in_force")}
METRICS = ("agreement", "score_if_agreeing")
COLUMNS = ["run", "access", "band", "setting", "metric", "value", "low", "high", "n_scored", "n", "n_items", "n_clusters"]


def agreement_by_band(run: str, scores: pd.DataFrame, n_resamples: int) -> pd.DataFrame:
    """The table of a run: gold before rag, bands by severity, current before in force."""
    if scores.empty:
        return pd.DataFrame(columns=COLUMNS)
    items = one_of_each_item(scores, ["drift_band", "cluster"])
    clusters, _ = pd.factorize(items["cluster"], sort=True)
    bands = np.array([DRIFT_BANDS.index(band) for band in items["drift_band"]], dtype=np.intp)
    n_clusters = int(clusters.max()) + 1
    once, draws = (
        prepare_draws(drawn, clusters, bands, len(DRIFT_BANDS))
        for drawn in (every_cluster_once(n_clusters), draw_clusters(n_clusters, n_resamples, seed_of(run, "agreement_by_band")))
    )
    rows = []
    for access, settings in ACCESSES.items():
        for setting in settings:
            sums = _sums_of_items(scores[scores["setting"] == setting], pd.Index(items["item_id"]))
            above, below = sums[:, :2], sums[:, 2:4]
            value, many = (quotient(s[..., :2], s[..., 2:4]) for s in (resampled_sums(p, sums) for p in (once, draws)))
            for number, band in enumerate(DRIFT_BANDS):
                here = bands == number
                known = here[:, None] & (below > 0)
                counted = count_clusters(known, clusters)
                interval = percentile_interval(many[:, number], counted)
                n = sums[here, 4].sum(), above[here, 0].sum() / 100
                for place, metric in enumerate(METRICS):
                    if sums[here, 4].any():
                        rows.append(
                            {
                                **{"run": run, "access": access, "band": band, "setting": setting, "metric": metric},
                                **{"value": settled(value[0, number])[place], "low": interval.low[place], "high": interval.high[place]},
                                **{"n_scored": round(below[here, place].sum()), "n": round(n[place])},
                                **{"n_items": known[:, place].sum(), "n_clusters": counted[place]},
                            }
                        )
    order = {band: number for number, band in enumerate(DRIFT_BANDS)}
    table = pd.DataFrame(rows, columns=COLUMNS)
    return table.sort_values(["access", "band"], key=lambda column: column.map(order) if column.name == "band" else column, kind="stable")


def _sums_of_items(rows: pd.DataFrame, ids: pd.Index[str]) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Items × (100 × agreeing, their scores, with a verdict, agreeing with a score, all answers to sub-questions)."""
    agrees, score = numbers(rows, ["agrees_with_court", "score"]).T
    yes = agrees == 1
    scored = yes & np.isfinite(score)
    values = np.column_stack([100.0 * yes, np.where(scored, score, 0.0), np.isfinite(agrees), scored, np.ones(len(rows))])
    return group_sums(values.astype(np.float64), ids.get_indexer(pd.Index(rows["item_id"])), len(ids))


def main(argv: list[str] | None = None) -> None:
    """Read the files, count, write the table."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.stats.agreement_by_band --run demo --scores results/scores/demo/*/*/*/scores.parquet "
        "--out results/stats/demo/agreement_by_band.csv",
    )
    parser.add_argument("--run", required=True)
    parser.add_argument("--resamples", type=int, default=10_000)
    parser.add_argument("--scores", nargs="*", default=[], help="scores.parquet of every model, setting and sample")
    parser.add_argument("--out", required=True)
    args = parser.parse_args(argv)
    try:
        columns = ["run", "setting", "item_id", "drift_band", "cluster", "score", "agrees_with_court"]
        scores = read_tables(args.scores, SCORES, columns, args.run) if args.scores else pd.DataFrame(columns=columns)
        write_csv(args.out, agreement_by_band(args.run, scores, args.resamples))
    except StatsError as error:
        raise SystemExit(str(error)) from error


if __name__ == "__main__":
    main()
