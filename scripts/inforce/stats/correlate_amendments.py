"""Does a larger amendment cost more? Spearman's correlation of its size with the item's gain (NitiBench+ Table 11).

One row a measure of size (trigram_distance, levenshtein_distance) and metric (score, citation_f1) -> amendment_correlation.csv. Over the
items of the Amended band, the size (mean over the item's amended sections) against the mean over models of gold_in_force - gold_current.
n_items of n items have both. Intervals are 95 % percentile intervals of a cluster bootstrap, ranks taken anew in each resample;
n_resamples_known of the resamples have a correlation, and where fewer than 95 % do there is no interval. A run without amended items, or
without both settings, has no rows.
"""

from __future__ import annotations

import argparse

import pandas as pd

from inforce.records.tables import write_csv
from inforce.stats.bootstrap import seed_of
from inforce.stats.frames import StatsError
from inforce.stats.gain_by_change import METRICS, read_items
from inforce.stats.rank_correlation import spearman

MEASURES = ("trigram_distance", "levenshtein_distance")
COLUMNS = ["run", "measure", "metric", "value", "low", "high", "n_items", "n", "n_clusters", "n_resamples_known"]


def correlate_amendments(run: str, items: pd.DataFrame, n_resamples: int) -> pd.DataFrame:
    """The table of a run from the rows of amended_items.csv."""
    clusters, _ = pd.factorize(items["cluster"], sort=True)
    rows = []
    for measure in MEASURES:
        for metric, (gain, _) in METRICS.items():
            found = spearman(
                items[measure].to_numpy(dtype=float),
                items[gain].to_numpy(dtype=float),
                clusters,
                n_resamples,
                seed_of(run, "correlate_amendments"),
            )
            if found.n_items:
                counts = (found.n_items, len(items), found.n_clusters, found.n_resamples_known)
                rows.append((run, measure, metric, found.value, found.low, found.high, *counts))
    return pd.DataFrame(rows, columns=COLUMNS)


def main(argv: list[str] | None = None) -> None:
    """Read the table, correlate, write."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.stats.correlate_amendments --run demo --items results/stats/demo/amended_items.csv "
        "--out results/stats/demo/amendment_correlation.csv",
    )
    parser.add_argument("--run", required=True)
    parser.add_argument("--resamples", type=int, default=10_000)
    parser.add_argument("--items", required=True, help="amended_items.csv")
    parser.add_argument("--out", required=True)
    args = parser.parse_args(argv)
    try:
        write_csv(args.out, correlate_amendments(args.run, read_items(args.items), args.resamples))
    except StatsError as error:
        raise SystemExit(str(error)) from error


if __name__ == "__main__":
    main()
