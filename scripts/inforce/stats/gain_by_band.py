"""What the law in force gains over the current law, in each drift band (NitiBench+ Tables 8 and E.6).

One row a model, access, band and contrast. `access` is gold (gold_in_force - gold_current) or rag (rag_in_force -
rag_current); `model` is a model's name, or `all` for all models' items pooled. `contrast` is gain, the mean over the
band's items of the item's own difference in score, or minus_no_drift, that gain less the gain on items whose law has not
changed. Items scored in one setting only are left out of both: n_items of n says how many items (× models) remain.
Intervals are 95 % percentile intervals of a cluster bootstrap, drawn once and used for both settings, all bands and all
models; star is * where the interval does not hold zero. A setting that was not run has no rows.
"""

from __future__ import annotations

import argparse
from typing import NamedTuple

import numpy as np
import pandas as pd

from inforce.records.status import DRIFT_BANDS
from inforce.records.tables import SCORES, write_csv
from inforce.stats.aggregation import item_means
from inforce.stats.bootstrap import (
    GroupDraws,
    count_clusters,
    draw_clusters,
    every_cluster_once,
    item_differences,
    percentile_interval,
    prepare_draws,
    quotient,
    resampled_sums,
    seed_of,
    settled,
)
from inforce.stats.frames import Codes, Floats, StatsError, numbers, read_tables

ALL = "all"
ACCESSES = {"gold": ("gold_in_force", "gold_current"), "rag": ("rag_in_force", "rag_current")}
COLUMNS = ["run", "model", "access", "band", "contrast", "value", "low", "high", "star", "n_items", "n", "n_clusters"]
_CONTROL = DRIFT_BANDS.index("no_drift")


class Bands(NamedTuple):
    """The items of a run: each one's band and cluster as numbers, and the draws of clusters split by band."""

    bands: Codes
    clusters: Codes
    once: list[GroupDraws]
    draws: list[GroupDraws]


def band_gains(differences: Floats, items: Bands) -> pd.DataFrame:
    """Gains of models × items (NaN = not paired), the models pooled -> a row a band and contrast."""
    known = np.isfinite(differences)
    both = np.column_stack([np.where(known, differences, 0.0).sum(axis=0), known.sum(axis=0)])
    once, many = resampled_sums(items.once, both), resampled_sums(items.draws, both)
    value, resampled = quotient(once[..., 0], once[..., 1]), quotient(many[..., 0], many[..., 1])
    n_bands = len(DRIFT_BANDS)
    n_items = np.bincount(items.bands, weights=both[:, 1], minlength=n_bands).astype(np.intp)
    n_all = np.bincount(items.bands, minlength=n_bands) * len(differences)
    paired = both[:, 1] > 0
    n_clusters = count_clusters(np.column_stack([paired & (items.bands == band) for band in range(n_bands)]), items.clusters)
    gains = _rows("gain", value, resampled, n_clusters, n_items, n_all)
    control = slice(_CONTROL, _CONTROL + 1)
    fewest = np.minimum(n_clusters, n_clusters[_CONTROL])  # a contrast has no interval if one of its sides has none
    minus = _rows("minus_no_drift", value - value[:, control], resampled - resampled[:, control], fewest, n_items, n_all)
    minus["n_clusters"] = n_clusters
    frame = pd.concat([gains, minus[minus["band"] != DRIFT_BANDS[_CONTROL]]], ignore_index=True)
    return frame[frame["n"] > 0]


def gain_by_band(run: str, scores: pd.DataFrame, n_resamples: int) -> pd.DataFrame:
    """The table of a run: models in the order met, then all of them pooled."""
    if scores.empty:
        raise StatsError(f"the score tables of the run {run} hold no rows; nothing was answered")
    items = scores[["item_id", "drift_band", "cluster"]].drop_duplicates().sort_values("item_id", kind="stable")
    twice = items.loc[items["item_id"].duplicated(), "item_id"]
    if len(twice):
        raise StatsError(f"item {twice.iloc[0]} has two drift bands or two clusters; the score tables were made from different items files")
    unknown = sorted(set(items["drift_band"]) - set(DRIFT_BANDS))
    if unknown:
        raise StatsError(f"drift band {unknown[0]} is none of {', '.join(DRIFT_BANDS)}")
    listed = _bands(items, seed_of(run, "gain_by_band"), n_resamples)
    means = _item_scores(scores, pd.Index(items["item_id"]))
    models = list(scores["model"].unique())
    blocks = []
    for access, (in_force, current) in ACCESSES.items():
        paired = [model for model in models if {(model, in_force), (model, current)} <= means.keys()]
        pairs = {model: item_differences(means[model, in_force], means[model, current]) for model in paired}
        for model, differences in pairs.items():
            blocks.append(band_gains(differences[None, :], listed).assign(model=model, access=access))
        if pairs:
            blocks.append(band_gains(np.stack(list(pairs.values())), listed).assign(model=ALL, access=access))
    table = pd.concat(blocks, ignore_index=True).assign(run=run) if blocks else pd.DataFrame(columns=COLUMNS)
    order = {model: number for number, model in enumerate([*models, ALL])}
    return table.sort_values("model", key=lambda column: column.map(order), kind="stable")[COLUMNS]


def _bands(items: pd.DataFrame, seed: int, n_resamples: int) -> Bands:
    bands = np.array([DRIFT_BANDS.index(band) for band in items["drift_band"]], dtype=np.intp)
    clusters, _ = pd.factorize(items["cluster"], sort=True)
    n_clusters = int(clusters.max()) + 1
    once, many = every_cluster_once(n_clusters), draw_clusters(n_clusters, n_resamples, seed)
    return Bands(bands, clusters, *(prepare_draws(draws, clusters, bands, len(DRIFT_BANDS)) for draws in (once, many)))


def _rows(contrast: str, value: Floats, resampled: Floats, n_clusters: Codes, n_items: Codes, n_all: Codes) -> pd.DataFrame:
    interval = percentile_interval(resampled, n_clusters)
    outside = (interval.low > 0) | (interval.high < 0)
    return pd.DataFrame(
        {
            "band": DRIFT_BANDS,
            "contrast": contrast,
            "value": settled(value[0]),
            "low": interval.low,
            "high": interval.high,
            "star": np.where(outside, "*", ""),
            "n_items": n_items,
            "n": n_all,
            "n_clusters": n_clusters,
        }
    )


def _item_scores(scores: pd.DataFrame, ids: pd.Index[str]) -> dict[tuple[str, str], Floats]:
    samples, _ = pd.factorize(scores["sample"], sort=True)
    numbered = scores.assign(item_number=ids.get_indexer(pd.Index(scores["item_id"])), sample_number=samples)
    out = {}
    for (model, setting), rows in numbered.groupby(["model", "setting"], sort=False):
        means = item_means(numbers(rows, ["score"]), rows["item_number"].to_numpy(), rows["sample_number"].to_numpy(), len(ids))
        out[str(model), str(setting)] = means.values[:, 0]
    return out


def main(argv: list[str] | None = None) -> None:
    """Read the files, compare, write the table."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.stats.gain_by_band --run demo --scores results/scores/demo/*/*/*/scores.parquet "
        "--out results/stats/demo/gain_by_band.csv",
    )
    parser.add_argument("--run", required=True)
    parser.add_argument("--resamples", type=int, default=10_000)
    parser.add_argument("--scores", nargs="+", required=True, help="scores.parquet of every model, setting and sample")
    parser.add_argument("--out", required=True)
    args = parser.parse_args(argv)
    try:
        columns = ["run", "model", "setting", "sample", "item_id", "drift_band", "cluster", "score"]
        write_csv(args.out, gain_by_band(args.run, read_tables(args.scores, SCORES, columns, args.run), args.resamples))
    except StatsError as error:
        raise SystemExit(str(error)) from error


if __name__ == "__main__":
    main()
