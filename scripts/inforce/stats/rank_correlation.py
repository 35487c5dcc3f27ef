"""Spearman's rank correlation with a cluster bootstrap: ranks are taken anew in each resample, ties share their mean rank."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from inforce.stats.bootstrap import count_clusters, draw_clusters, percentile_interval, settled
from inforce.stats.frames import Codes, Floats

LEAST_KNOWN = 0.95  # share of resamples that must have a correlation for an interval to be given
_BLOCK = 500_000  # cells of one block of resamples; bounds the memory


class Correlation(NamedTuple):
    """A correlation with its interval, the items and clusters that it rests on, and the resamples that have one; NaN = none."""

    value: float
    low: float
    high: float
    n_items: int
    n_clusters: int
    n_resamples_known: int


def spearman(first: Floats, second: Floats, clusters: Codes, n_resamples: int, seed: int) -> Correlation:
    """Spearman's correlation of two values of each item; items with NaN on either side are left out.

    An interval needs two clusters. A resample in which one side does not vary has no correlation; where more than 5 % have none there is
    no interval, for those left out are not a random part: they are the ones that drew few different items.
    """
    known = np.isfinite(first) & np.isfinite(second)
    first, second, clusters = first[known], second[known], clusters[known]
    n_clusters = count_clusters(np.ones((len(first), 1), dtype=bool), clusters)
    if len(first) < 2:
        return Correlation(np.nan, np.nan, np.nan, len(first), int(n_clusters[0]), 0)
    value = weighted_spearman(first, second, np.ones((1, len(first))))[0]
    _, codes = np.unique(clusters, return_inverse=True)
    draws = draw_clusters(int(codes.max()) + 1, n_resamples, seed)
    step = max(1, _BLOCK // len(first))
    blocks = [weighted_spearman(first, second, draws[start : start + step, codes].astype(float)) for start in range(0, n_resamples, step)]
    many = np.concatenate(blocks)
    n_known = int(np.isfinite(many).sum())
    interval = percentile_interval(many[:, None], n_clusters if n_known >= LEAST_KNOWN * n_resamples else np.zeros_like(n_clusters))
    return Correlation(float(settled(value)), float(interval.low[0]), float(interval.high[0]), len(first), int(n_clusters[0]), n_known)


def weighted_spearman(first: Floats, second: Floats, weights: Floats) -> Floats:
    """The correlation when item i comes weights[b, i] times: resamples × items -> one value a resample, NaN where a side does not vary."""
    one, other = weighted_ranks(first, weights), weighted_ranks(second, weights)
    total = np.maximum(weights.sum(axis=1, keepdims=True), 1)
    centred = [ranks - (weights * ranks).sum(axis=1, keepdims=True) / total for ranks in (one, other)]
    cross = (weights * centred[0] * centred[1]).sum(axis=1)
    spread = [(weights * side**2).sum(axis=1) for side in centred]
    below = np.sqrt(spread[0] * spread[1])
    return np.asarray(np.divide(cross, below, out=np.full_like(cross, np.nan), where=below > 1e-9))


def weighted_ranks(values: Floats, weights: Floats) -> Floats:
    """Ranks (from 1, ties at their mean) of items that come weights[b, i] times, resamples × items."""
    _, groups = np.unique(values, return_inverse=True)
    order = np.argsort(groups, kind="stable")
    starts = np.flatnonzero(np.diff(groups[order], prepend=-1))
    of_group = np.add.reduceat(weights[:, order], starts, axis=1)
    middle = np.cumsum(of_group, axis=1) - of_group + (of_group + 1) / 2
    return np.asarray(middle[:, groups])
