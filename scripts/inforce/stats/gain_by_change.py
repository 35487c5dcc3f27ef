"""What the text in force gains where an amendment changed the rule, and where it changed the wording only (NitiBench+ Table 9, §6.4).

One row a change (rule, wording), size and metric (score, citation_f1) -> gain_by_change.csv. `size` is all, small (trigram distance below
the median of the labelled items) or large. `value` is the mean over items and models of gold_in_force - gold_current, as in the rows of
all models of gain_by_band.csv; the intervals are its too. n_items = items with a gain, of n items of the band so labelled;
median_distance = their median trigram distance. Items without a label are in no row: a run without labels has none.
"""

from __future__ import annotations

import argparse

import numpy as np
import pandas as pd

from inforce.records.tables import write_csv
from inforce.stats.amended_items import CHANGES
from inforce.stats.amended_items import COLUMNS as ITEM_COLUMNS
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
from inforce.stats.frames import StatsError

METRICS = {"score": ("gain_score", "n_models_score"), "citation_f1": ("gain_f1", "n_models_f1")}
SIZES = ("all", "small", "large")
COLUMNS = ["run", "change", "size", "metric", "value", "low", "high", "median_distance", "n_items", "n", "n_clusters"]


def gain_by_change(run: str, items: pd.DataFrame, n_resamples: int) -> pd.DataFrame:
    """The table of a run from the rows of amended_items.csv; rule before wording, all sizes before small and large."""
    labelled = items[items["change"].isin(CHANGES)].reset_index(drop=True)
    if labelled.empty:
        return pd.DataFrame(columns=COLUMNS)
    clusters, _ = pd.factorize(labelled["cluster"], sort=True)
    large = (labelled["trigram_distance"] >= labelled["trigram_distance"].median()).to_numpy()
    draws = draw_clusters(int(clusters.max()) + 1, n_resamples, seed_of(run, "gain_by_change"))
    once = every_cluster_once(int(clusters.max()) + 1)
    weights = np.column_stack([labelled[count].to_numpy(dtype=np.float64) for _, count in METRICS.values()])
    values = np.column_stack([labelled[gain].to_numpy(dtype=np.float64) for gain, _ in METRICS.values()])
    both = np.hstack([np.where(weights > 0, values, 0.0) * weights, weights])
    width = len(METRICS)
    rows = []
    for change in CHANGES:
        for size in SIZES:
            part = (labelled["change"] == change).to_numpy() & (size == "all" or (large == (size == "large")))
            if not part.any():
                continue
            groups = np.where(part, 0, 1)  # one group of these items, one of all others
            value, many = (
                quotient(sums[:, 0, :width], sums[:, 0, width:])
                for sums in (resampled_sums(prepare_draws(drawn, clusters, groups, 1), both) for drawn in (once, draws))
            )
            known = part[:, None] & (weights > 0)
            n_clusters = count_clusters(known, clusters)
            interval = percentile_interval(many, n_clusters)
            for place, metric in enumerate(METRICS):
                rows.append(
                    {
                        **{"run": run, "change": change, "size": size, "metric": metric, "value": settled(value[0])[place]},
                        **{"low": interval.low[place], "high": interval.high[place]},
                        **{"median_distance": labelled["trigram_distance"][part].median(), "n_items": known[:, place].sum()},
                        **{"n": part.sum(), "n_clusters": n_clusters[place]},
                    }
                )
    return pd.DataFrame(rows, columns=COLUMNS)


def read_items(path: str) -> pd.DataFrame:
    """amended_items.csv. Raises StatsError if it is another file."""
    try:
        frame = pd.read_csv(path, encoding="utf-8", dtype={"item_id": str, "cluster": str, "change": str}, keep_default_na=True)
    except FileNotFoundError as error:
        raise StatsError(f"{path} does not exist; run the step that makes it (amended_items)") from error
    if list(frame.columns) != ITEM_COLUMNS:
        raise StatsError(f"{path}: columns are {list(frame.columns)}, expected {ITEM_COLUMNS}; make it again with amended_items")
    return frame.assign(change=frame["change"].fillna(""))


def main(argv: list[str] | None = None) -> None:
    """Read the table, compare, write."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.stats.gain_by_change --run demo --items results/stats/demo/amended_items.csv "
        "--out results/stats/demo/gain_by_change.csv",
    )
    parser.add_argument("--run", required=True)
    parser.add_argument("--resamples", type=int, default=10_000)
    parser.add_argument("--items", required=True, help="amended_items.csv")
    parser.add_argument("--out", required=True)
    args = parser.parse_args(argv)
    try:
        write_csv(args.out, gain_by_change(args.run, read_items(args.items), args.resamples))
    except StatsError as error:
        raise SystemExit(str(error)) from error


if __name__ == "__main__":
    main()
