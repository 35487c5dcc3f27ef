"""The Bar-standard score of every model and setting in each domain and drift band -> scores_by_band.csv.

One row a model × setting × domain × band; `domain` and `band` are a name or `all`, so that a reader can narrow the
leaderboard by either or both. Means and intervals are those of settings.csv (sub-questions -> item -> samples -> domain ->
mean over domains alike, NitiBench+ §5.1; percentile intervals of a cluster bootstrap), over the items of the band alone; a
domain without items in the band is left out of the band's mean. The rows of band `all` repeat settings.csv's scores with
the same draws. Combinations without items have no row.
"""

from __future__ import annotations

import argparse

import numpy as np
import pandas as pd

from inforce.records.status import DRIFT_BANDS, SETTINGS
from inforce.records.tables import SCORES, write_csv
from inforce.stats.aggregation import item_means
from inforce.stats.bootstrap import (
    GroupDraws,
    draw_clusters,
    every_cluster_once,
    macro,
    percentile_interval,
    prepare_draws,
    resampled_sums,
    seed_of,
    settled,
)
from inforce.stats.frames import Codes, Floats, StatsError, numbers, read_tables

ALL = "all"
COLUMNS = ["run", "model", "setting", "domain", "band", "value", "low", "high", "n_scored", "n", "n_items", "n_clusters"]


def scores_by_band(run: str, scores: pd.DataFrame, n_resamples: int) -> pd.DataFrame:
    """The table of a run: models in the order met, settings in the paper's, `all` before names. Raises StatsError if there are no rows."""
    if scores.empty:
        raise StatsError(f"the score tables of the run {run} hold no rows; nothing was answered")
    items = scores[["item_id", "domain", "drift_band", "cluster"]].drop_duplicates().sort_values("item_id", kind="stable")
    twice = items.loc[items["item_id"].duplicated(), "item_id"]
    if len(twice):
        raise StatsError(f"item {twice.iloc[0]} has two domains, bands or clusters; the score tables were made from different items files")
    ids = pd.Index(items["item_id"])
    domains, names = pd.factorize(items["domain"], sort=True)
    clusters, _ = pd.factorize(items["cluster"], sort=True)
    bands = pd.Categorical(items["drift_band"], categories=DRIFT_BANDS).codes.astype(np.intp)
    n_clusters = int(clusters.max()) + 1
    draws = [every_cluster_once(n_clusters), draw_clusters(n_clusters, n_resamples, seed_of(run, "settings"))]
    prepared = [prepare_draws(drawn, clusters, domains, len(names)) for drawn in draws]
    shown = [(ALL, np.ones(len(ids), dtype=bool)), *((band, bands == number) for number, band in enumerate(DRIFT_BANDS))]
    samples, _ = pd.factorize(scores["sample"], sort=True)
    numbered = scores.assign(item_number=ids.get_indexer(pd.Index(scores["item_id"])), sample_number=samples)
    cells = dict(list(numbered.groupby(["model", "setting"], sort=False)))
    blocks = []
    for model in scores["model"].unique():
        for setting in SETTINGS:
            if (model, setting) in cells:
                block = _cell(cells[model, setting], len(ids), shown, domains, list(names), clusters, prepared)
                blocks.append(block.assign(run=run, model=model, setting=setting))
    return pd.concat(blocks, ignore_index=True)[COLUMNS]


def _cell(
    rows: pd.DataFrame,
    n_ids: int,
    shown: list[tuple[str, np.ndarray[tuple[int], np.dtype[np.bool_]]]],
    domains: Codes,
    names: list[str],
    clusters: Codes,
    prepared: list[list[GroupDraws]],
) -> pd.DataFrame:
    """All domains × bands of one model and setting: one column of sums a band, so that one product serves all."""
    means = item_means(numbers(rows, ["score"]), rows["item_number"].to_numpy(), rows["sample_number"].to_numpy(), n_ids)
    value, scored = means.values[:, 0], means.counts[:, 0]
    asked = np.bincount(rows["item_number"], minlength=n_ids)
    known = np.column_stack([np.isfinite(value) & here for _, here in shown])
    both = np.hstack([np.where(known, np.nan_to_num(value)[:, None], 0.0), known.astype(np.float64)])
    width = len(shown)
    once, many = (resampled_sums(drawn, both) for drawn in prepared)
    blocks = []
    for place, domain in enumerate([ALL, *names]):
        inside = np.ones(n_ids, dtype=bool) if domain == ALL else domains == place - 1
        part = slice(None) if domain == ALL else slice(place - 1, place)
        n_clusters = np.array([len(np.unique(clusters[inside & column])) for column in known.T], dtype=np.intp)
        interval = percentile_interval(_macro(many[:, part], width), n_clusters)
        in_band = np.column_stack([inside & here for _, here in shown])
        block = pd.DataFrame(
            {
                "domain": domain,
                "band": [band for band, _ in shown],
                "value": settled(_macro(once[:, part], width)[0]),
                "low": interval.low,
                "high": interval.high,
                "n_scored": [int(scored[column].sum()) for column in in_band.T],
                "n": [int(asked[column].sum()) for column in in_band.T],
                "n_items": (known & inside[:, None]).sum(axis=0),
                "n_clusters": n_clusters,
            }
        )
        blocks.append(block[block["n"] > 0])
    return pd.concat(blocks, ignore_index=True)


def _macro(sums: Floats, width: int) -> Floats:
    return macro(sums[..., :width], sums[..., width:])


def main(argv: list[str] | None = None) -> None:
    """Read the score tables, average, write the table."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.stats.scores_by_band --run demo --scores results/scores/demo/*/*/*/scores.parquet "
        "--out results/stats/demo/scores_by_band.csv",
    )
    parser.add_argument("--run", required=True)
    parser.add_argument("--resamples", type=int, default=10_000)
    parser.add_argument("--scores", nargs="+", required=True, help="scores.parquet of every model, setting and sample")
    parser.add_argument("--out", required=True)
    args = parser.parse_args(argv)
    try:
        columns = ["run", "model", "setting", "sample", "item_id", "domain", "drift_band", "cluster", "score"]
        write_csv(args.out, scores_by_band(args.run, read_tables(args.scores, SCORES, columns, args.run), args.resamples))
    except StatsError as error:
        raise SystemExit(str(error)) from error


if __name__ == "__main__":
    main()
