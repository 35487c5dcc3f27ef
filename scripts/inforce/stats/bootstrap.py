"""Cluster bootstrap over items that share a question (NitiBench+ A.1: asks_shared_question clusters the intervals).

Clusters are drawn with replacement, as many as there are; an item counts as often as its cluster was drawn. Every
statistic here is a quotient of two weighted sums over items, so one matrix of draws, resamples × clusters, times the
clusters' sums gives all resamples of all metrics at once. The same matrix serves every model and setting of a table:
differences between them are then paired by construction, and adding a model changes no other model's interval.
"""

from __future__ import annotations

import hashlib
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from inforce.stats.aggregation import group_sums, mean_known
from inforce.stats.frames import Codes, Floats

Draws = npt.NDArray[np.uint16]

LEVEL = 0.95
_BLOCK = 2_000_000  # cells of one block of draws; bounds the memory at some 30 MB


class Interval(NamedTuple):
    """Ends of the percentile intervals, one an entry; NaN = no interval."""

    low: Floats
    high: Floats


def seed_of(*names: str) -> int:
    """A 128-bit seed from names (run, table, …), never from time. The names' boundaries count: ("ab", "c") is not ("a", "bc")."""
    spelled = "".join(f"{len(name.encode())}:{name}" for name in names)
    return int.from_bytes(hashlib.sha256(spelled.encode()).digest()[:16], "big")


def draw_clusters(n_clusters: int, n_resamples: int, seed: int) -> Draws:
    """How often each cluster is drawn in each resample: n_resamples × n_clusters, every row adds up to n_clusters.

    Raises ValueError for more than 65,535 clusters, which the table's integers could not hold.
    """
    if n_clusters > np.iinfo(np.uint16).max:
        raise ValueError(f"{n_clusters} clusters; at most {np.iinfo(np.uint16).max} can be resampled")
    generator = np.random.Generator(np.random.PCG64(seed))
    out = np.zeros((n_resamples, n_clusters), dtype=np.uint16)
    block = max(1, _BLOCK // max(1, n_clusters))
    for start in range(0, n_resamples, block):
        rows = min(block, n_resamples - start)
        drawn = generator.integers(0, n_clusters, size=(rows, n_clusters), dtype=np.int64)
        drawn += np.arange(rows, dtype=np.int64)[:, None] * n_clusters
        counts = np.bincount(drawn.ravel(), minlength=rows * n_clusters)
        out[start : start + rows] = counts.reshape(rows, n_clusters)
    return out


class GroupDraws(NamedTuple):
    """The draws of the clusters that one group has items in: prepared once, used for every model and setting."""

    rows: Codes  # numbers of the group's items
    codes: Codes  # their clusters, numbered from 0 within the group
    weights: Floats  # resamples × the group's clusters


def prepare_draws(draws: Draws, clusters: Codes, groups: Codes, n_groups: int) -> list[GroupDraws]:
    """Split the draws by group (domain, drift band); items carry the number of their cluster and of their group."""
    out = []
    for group in range(n_groups):
        rows = np.flatnonzero(groups == group)
        used, codes = np.unique(clusters[rows], return_inverse=True)
        out.append(GroupDraws(rows, codes, draws[:, used].astype(np.float64)))
    return out


def every_cluster_once(n_clusters: int) -> Draws:
    """The draw that gives the value itself."""
    return np.ones((1, n_clusters), dtype=np.uint16)


def resampled_sums(prepared: list[GroupDraws], values: Floats) -> Floats:
    """Weighted sums of items (N × M) in each resample and group: resamples × groups × M. `values` holds no NaN."""
    out = np.zeros((len(prepared[0].weights), len(prepared), values.shape[1]))
    for number, group in enumerate(prepared):
        if len(group.rows):
            out[:, number] = group.weights @ group_sums(values[group.rows], group.codes, group.weights.shape[1])
    return out


def quotient(above: Floats, below: Floats) -> Floats:
    """above / below; NaN where nothing is below."""
    out: Floats = np.divide(above, below, out=np.full_like(above, np.nan), where=below > 0)
    return out


def macro(above: Floats, below: Floats) -> Floats:
    """Quotient of each group, then the mean over groups alike (resamples × M); a group absent from a resample is left out of it."""
    return mean_known(quotient(above, below), axis=1)


def pooled(above: Floats, below: Floats) -> Floats:
    """Quotient of the sums over all groups (resamples × M)."""
    return quotient(above.sum(axis=1), below.sum(axis=1))


def percentile_interval(resampled: Floats, n_clusters: Codes, level: float = LEVEL) -> Interval:
    """Percentile interval of each column (resamples × M). NaN resamples are left out.

    A column that rests on fewer than two clusters has no interval: one cluster shows no spread, which is not certainty.
    """
    ordered = np.sort(resampled, axis=0)  # NaN last
    known = np.isfinite(ordered).sum(axis=0)
    tail = (1 - level) / 2
    low, high = (_quantile(ordered, known, share) for share in (tail, 1 - tail))
    none = (known == 0) | (n_clusters < 2)
    return Interval(settled(np.where(none, np.nan, low)), settled(np.where(none, np.nan, high)))


def settled(values: Floats) -> Floats:
    """Rounded far below what is printed: the order of a sum, which depends on the machine's BLAS, must not reach a printed digit."""
    return np.round(values, 10)


def item_differences(left: Floats, right: Floats) -> Floats:
    """left - right of each item; an item missing on one side is missing on both (NaN), so the arms stay paired."""
    return left - right


def mean_interval(
    values: Floats, clusters: Codes, groups: Codes, n_groups: int, n_resamples: int, seed: int, level: float = LEVEL
) -> tuple[Floats, Interval]:
    """Macro-average over groups of item values (N × M, NaN = not scored) with its interval; for one group the plain mean."""
    known = np.isfinite(values)
    both = np.hstack([np.where(known, values, 0.0), known.astype(np.float64)])
    width = values.shape[1]
    n_all = int(clusters.max()) + 1 if len(clusters) else 0
    once, many = (
        resampled_sums(prepare_draws(draws, clusters, groups, n_groups), both)
        for draws in (every_cluster_once(n_all), draw_clusters(n_all, n_resamples, seed))
    )
    n_clusters = count_clusters(known, clusters)
    value = macro(once[..., :width], once[..., width:])[0]
    return value, percentile_interval(macro(many[..., :width], many[..., width:]), n_clusters, level)


def count_clusters(known: npt.NDArray[np.bool_], clusters: Codes) -> Codes:
    """Clusters with at least one known item, for each column of N × M."""
    return np.array([len(np.unique(clusters[column])) for column in known.T], dtype=np.intp)


def _quantile(ordered: Floats, known: Codes, share: float) -> Floats:
    """Linear quantile of the first `known` values of each sorted column (the default method of numpy.quantile)."""
    place = share * np.maximum(known - 1, 0)
    below = np.floor(place).astype(np.intp)
    above = np.minimum(below + 1, np.maximum(known - 1, 0))
    column = np.arange(ordered.shape[1])
    start, end = ordered[below, column], ordered[above, column]
    return start + (end - start) * (place - below)
