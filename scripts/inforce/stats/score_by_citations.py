"""Does citing the court's sections go with a higher score? Within each model, by setting (NitiBench+ §7.6, Figure 10).

The unit is an answer to one sub-question in one sample that has both a Bar-standard score and a Citation F1. A model
cites in a setting if at least 5 % of these answers have an F1 above zero; the others are left out of everything below,
having nothing to compare.

bins.csv: mean score of each model's answers by their F1: none (F1 = 0), below .25, .25 to below .5, .5 to below .75, .75 and
more. Model `all` is the average model: each model is centred on its own mean, the models' bin means are averaged alike (a
model without answers in a bin is left out of that bin), and the mean of the models' means is put back.
weights.csv: one row a setting and statistic
  correlation_f1, _precision, _recall   median over the models of the correlation with the score
  share_f1                              share of the variance of the scores within models that F1 explains (one slope for all)
  share_both                            the same for precision and recall together
  weight_precision, weight_recall       their standardised coefficients in that regression (each model centred on its mean)
  rise                                  the average model's score in the highest bin less that in the lowest, in points
with 95 % percentile intervals of a cluster bootstrap over items that share a question; NaN resamples are left out. A bin whose answers
are of one cluster has no interval (n_clusters counts those of the bin), nor has the rise if one of its two ends is such a bin.
"""

from __future__ import annotations

import argparse

import numpy as np
import numpy.typing as npt
import pandas as pd

from inforce.records.tables import SCORES, write_csv
from inforce.stats.aggregation import group_sums, mean_known
from inforce.stats.bootstrap import (
    GroupDraws,
    draw_clusters,
    every_cluster_once,
    percentile_interval,
    prepare_draws,
    quotient,
    resampled_sums,
    seed_of,
    settled,
)
from inforce.stats.frames import Codes, Floats, StatsError, by_setting, numbers, read_tables

ALL = "all"
CITES = 0.05  # share of answers with an F1 above zero from which on a model counts as citing
BINS = ("none", "below .25", ".25 to .5", ".5 to .75", ".75 and more")
EDGES = (0.25, 0.5, 0.75)
BIN_COLUMNS = ["run", "setting", "model", "bin", "f1", "value", "low", "high", "n", "n_clusters"]
WEIGHT_COLUMNS = ["run", "setting", "statistic", "value", "low", "high", "n", "n_models", "n_clusters"]
STATISTICS = (
    *("correlation_f1", "correlation_precision", "correlation_recall", "share_f1", "share_both"),
    *("weight_precision", "weight_recall"),
)
_VALUES = ["citation_f1", "citation_precision", "citation_recall", "score"]
_F1, _PRECISION, _RECALL, _SCORE = range(4)
_UPPER = [(one, other) for one in range(4) for other in range(one, 4)]


def bin_of(f1: Floats) -> Codes:
    """The number of each F1's bin: 0 for an F1 of zero, then by the edges."""
    above = 1 + np.searchsorted(np.array(EDGES), f1, side="right")
    return np.where(f1 > 0, above, 0).astype(np.intp)


def moments(values: Floats) -> Floats:
    """Of answers (N × 4: F1, precision, recall, score): one, the values, their products; N × 15, to be summed over answers."""
    products = [values[:, one] * values[:, other] for one, other in _UPPER]
    return np.column_stack([np.ones(len(values)), values, *products])


def scatter(sums: Floats) -> Floats:
    """Sums of `moments` (… × 15) -> sums of squares and products about the mean (… × 4 × 4), zero where there is no answer."""
    n, first, second = sums[..., :1], sums[..., 1:5], sums[..., 5:]
    out = np.zeros((*sums.shape[:-1], 4, 4))
    for place, (one, other) in enumerate(_UPPER):
        mean = quotient(first[..., one] * first[..., other], n[..., 0])
        out[..., one, other] = out[..., other, one] = second[..., place] - np.where(np.isfinite(mean), mean, 0.0)
    return out


def fit(of_models: Floats) -> Floats:
    """The STATISTICS from each model's scatter (… × models × 4 × 4): … × 7. NaN where something does not vary."""
    out = [_median(_correlation(of_models, name)) for name in (_F1, _PRECISION, _RECALL)]
    within = of_models.sum(axis=-3)
    out.append(_correlation(within, _F1) ** 2)
    p, r, pr = (_correlation(within, _PRECISION), _correlation(within, _RECALL), _correlation(within, _PRECISION, _RECALL))
    weight_p, weight_r = two_predictors(p, r, pr)
    return np.stack([*out, weight_p * p + weight_r * r, weight_p, weight_r], axis=-1)


def two_predictors(first: Floats, second: Floats, between: Floats) -> tuple[Floats, Floats]:
    """Standardised coefficients of two predictors from their correlations with the outcome and with each other; NaN if those are collinear."""
    left = 1 - between**2
    known = left > 1e-12
    one = np.divide(first - second * between, left, out=np.full_like(left, np.nan), where=known)
    other = np.divide(second - first * between, left, out=np.full_like(left, np.nan), where=known)
    return one, other


def average_model(bin_sums: Floats, bin_counts: Floats) -> Floats:
    """The average model's mean score by bin, from the models' sums and counts (… × models × bins): … × bins."""
    means = quotient(bin_sums, bin_counts)
    own = quotient(bin_sums.sum(axis=-1), bin_counts.sum(axis=-1))
    return mean_known(means - own[..., None], axis=-2) + mean_known(own, axis=-1)[..., None]


def _correlation(matrix: Floats, one: int, other: int = _SCORE) -> Floats:
    below = matrix[..., one, one] * matrix[..., other, other]
    # a variance of rounding dust is none
    known = (matrix[..., one, one] > 1e-9) & (matrix[..., other, other] > 1e-9)
    out: Floats = np.divide(matrix[..., one, other], np.sqrt(np.abs(below)), out=np.full(below.shape, np.nan), where=known)
    return out


def _median(values: Floats) -> Floats:
    """Median along the last axis of what is not NaN; NaN where nothing is."""
    ordered = np.sort(values, axis=-1)  # NaN last
    known = np.isfinite(ordered).sum(axis=-1, keepdims=True)
    middle = [np.take_along_axis(ordered, place, axis=-1) for place in (np.maximum(known - 1, 0) // 2, known // 2 * (known > 0))]
    out: Floats = np.where(known > 0, (middle[0] + middle[1]) / 2, np.nan)[..., 0]
    return out


def setting_tables(rows: pd.DataFrame, n_resamples: int, seed: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """bins and weights of one setting, from its scored answers; without rows if no model cites."""
    values = numbers(rows, _VALUES)
    kept = np.flatnonzero(np.isfinite(values).all(axis=1))
    rows, values = rows.iloc[kept], values[kept]
    share = pd.Series(values[:, _F1] > 0).groupby(rows["model"].to_numpy(), sort=False).mean()
    models = [model for model in rows["model"].unique() if share[model] >= CITES]
    kept = np.flatnonzero(rows["model"].isin(models))
    rows, values = rows.iloc[kept], values[kept]
    if not models:
        return pd.DataFrame(columns=BIN_COLUMNS[2:]), pd.DataFrame(columns=WEIGHT_COLUMNS[2:])
    place = {model: number for number, model in enumerate(models)}
    codes = rows["model"].map(place).to_numpy(dtype=np.intp)
    clusters, _ = pd.factorize(rows["cluster"], sort=True)
    n_clusters, n_bins = int(clusters.max()) + 1, len(BINS)
    bins = codes * n_bins + bin_of(values[:, _F1])
    cell_values = np.column_stack([np.ones(len(values)), values[:, _SCORE], values[:, _F1]])
    # a row a cluster, a column a (model, bin) and a (model, moment)
    by_bin = _by_cluster(cell_values, clusters, n_clusters, bins, len(models) * n_bins)
    by_moment = _by_cluster(moments(values), clusters, n_clusters, codes, len(models))
    both = np.hstack([by_bin, by_moment])
    one_group = np.arange(n_clusters, dtype=np.intp), np.zeros(n_clusters, dtype=np.intp)
    once, many = (
        prepare_draws(draws, *one_group, 1) for draws in (every_cluster_once(n_clusters), draw_clusters(n_clusters, n_resamples, seed))
    )
    sums = [_split(drawn, both, len(models), by_bin.shape[1]) for drawn in (once, many)]
    in_bins = clusters_by_bin(by_bin.reshape(n_clusters, len(models), n_bins, 3)[..., 0] > 0)
    return _bin_rows(sums, models, in_bins), _weight_rows(sums, len(models), n_clusters, in_bins[-1])


def clusters_by_bin(met: npt.NDArray[np.bool_]) -> Codes:
    """Clusters with an answer in each bin, from clusters × models × bins: (models + 1) × bins, the last row those of any model."""
    of_all = met.any(axis=1)
    return np.vstack([met.sum(axis=0), of_all.sum(axis=0)]).astype(np.intp)


def _by_cluster(values: Floats, clusters: Codes, n_clusters: int, codes: Codes, n_codes: int) -> Floats:
    sums = group_sums(values, clusters * n_codes + codes, n_clusters * n_codes)
    return sums.reshape(n_clusters, n_codes * values.shape[1])


def _split(drawn: list[GroupDraws], both: Floats, n_models: int, width: int) -> tuple[Floats, Floats]:
    """Sums of (resamples × models × bins × 3) and of (resamples × models × 15)."""
    sums = resampled_sums(drawn, both)[:, 0]
    return sums[:, :width].reshape(len(sums), n_models, len(BINS), 3), sums[:, width:].reshape(len(sums), n_models, 15)


def _bin_rows(sums: list[tuple[Floats, Floats]], models: list[str], in_bins: Codes) -> pd.DataFrame:
    value, many = (
        np.concatenate([quotient(of[..., 1], of[..., 0]), average_model(of[..., 1], of[..., 0])[:, None]], axis=1) for of, _ in sums
    )
    of = sums[0][0][0]
    f1 = np.vstack([quotient(of[..., 2], of[..., 0]), quotient(of[..., 2].sum(axis=0), of[..., 0].sum(axis=0))])
    n = np.vstack([of[..., 0], of[..., 0].sum(axis=0)])
    interval = percentile_interval(many.reshape(len(many), -1), in_bins.ravel())
    columns = {"f1": settled(f1.ravel()), "value": settled(value[0].ravel()), "low": interval.low, "high": interval.high}
    names = {"model": np.repeat([*models, ALL], len(BINS)), "bin": np.tile(BINS, len(models) + 1)}
    return pd.DataFrame({**names, **columns, "n": n.ravel().astype(np.int64), "n_clusters": in_bins.ravel()})


def _weight_rows(sums: list[tuple[Floats, Floats]], n_models: int, n_clusters: int, in_bins: Codes) -> pd.DataFrame:
    def statistics(of_bins: Floats, of_models: Floats) -> Floats:
        line = average_model(of_bins[..., 1], of_bins[..., 0])
        return np.hstack([fit(scatter(of_models)), line[:, -1:] - line[:, :1]])

    value, many = (statistics(*of) for of in sums)
    rests_on = np.full(many.shape[1], n_clusters, dtype=np.intp)
    rests_on[-1] = min(in_bins[0], in_bins[-1])  # the rise
    interval = percentile_interval(many, rests_on)
    n = int(sums[0][1][0, :, 0].sum())
    frame = pd.DataFrame({"statistic": [*STATISTICS, "rise"], "value": settled(value[0]), "low": interval.low, "high": interval.high})
    return frame.assign(n=n, n_models=n_models, n_clusters=n_clusters)


def score_by_citations(run: str, scores: pd.DataFrame, n_resamples: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """bins.csv and weights.csv of a run, settings in the paper's order."""
    if scores.empty:
        raise StatsError(f"the score tables of the run {run} hold no rows; nothing was answered")
    seed = seed_of(run, "score_by_citations")
    parts = {name: setting_tables(scores[scores["setting"] == name], n_resamples, seed) for name in by_setting(list(scores["setting"]))}
    bins, weights = (
        pd.concat([part[place].assign(run=run, setting=name) for name, part in parts.items()], ignore_index=True) for place in (0, 1)
    )
    return bins[BIN_COLUMNS], weights[WEIGHT_COLUMNS]


def main(argv: list[str] | None = None) -> None:
    """Read the files, sort the answers, write both tables."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.stats.score_by_citations --run demo --scores results/scores/demo/*/*/*/scores.parquet "
        "--bins results/stats/demo/score_by_citations.csv --weights results/stats/demo/citation_weights.csv",
    )
    parser.add_argument("--run", required=True)
    parser.add_argument("--resamples", type=int, default=10_000)
    parser.add_argument("--scores", nargs="+", required=True, help="scores.parquet of every model, setting and sample")
    parser.add_argument("--bins", required=True)
    parser.add_argument("--weights", required=True)
    args = parser.parse_args(argv)
    try:
        scores = read_tables(args.scores, SCORES, ["run", "model", "setting", "cluster", *_VALUES], args.run)
        bins, weights = score_by_citations(args.run, scores, args.resamples)
    except StatsError as error:
        raise SystemExit(str(error)) from error
    write_csv(args.bins, bins)
    write_csv(args.weights, weights)


if __name__ == "__main__":
    main()
