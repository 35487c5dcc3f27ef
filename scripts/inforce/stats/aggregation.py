"""Hierarchical means (NitiBench+ §5.1, B.3): sub-question -> item -> samples of the item -> domain -> all domains alike.

A null (NaN) is left out of its mean and never read as zero; an item without any scored sub-question drops out of its
domain's mean, a domain without any such item out of the macro-average. Whoever prints a mean prints how many
sub-questions × samples were scored out of how many; the counts come with the means.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from inforce.stats.frames import Codes, Floats


class Means(NamedTuple):
    """Means of groups × metrics, NaN where a group has nothing scored, and how many values each rests on."""

    values: Floats
    counts: Codes


def group_sums(values: Floats, groups: Codes, n_groups: int) -> Floats:
    """Sum the rows (N × M) of each group: n_groups × M. NaN must be replaced before."""
    return np.column_stack([np.bincount(groups, weights=column, minlength=n_groups) for column in values.T])


def group_means(values: Floats, groups: Codes, n_groups: int) -> Means:
    """Mean over the rows (N × M) of each group that are not NaN: n_groups × M."""
    known = np.isfinite(values)
    counts = group_sums(known.astype(np.float64), groups, n_groups)
    sums = group_sums(np.where(known, values, 0.0), groups, n_groups)
    means = np.divide(sums, counts, out=np.full_like(sums, np.nan), where=counts > 0)
    return Means(means, counts.astype(np.intp))


def item_means(values: Floats, items: Codes, samples: Codes, n_items: int) -> Means:
    """Mean over an item's scored sub-questions in each sample, then over the samples that have one (avg@k).

    `values` is N × M, one row a sub-question and sample; `items` and `samples` number the rows' item and sample from 0.
    The counts are the scored sub-questions × samples of each item, so that they add up to n_scored.
    """
    if not len(items):
        return Means(np.full((n_items, values.shape[1]), np.nan), np.zeros((n_items, values.shape[1]), dtype=np.intp))
    n_samples = int(samples.max()) + 1
    each = group_means(values, items * n_samples + samples, n_items * n_samples)
    over = group_means(each.values, np.repeat(np.arange(n_items), n_samples), n_items)
    counts = each.counts.reshape(n_items, n_samples, -1).sum(axis=1)
    return Means(over.values, counts)


def macro_mean(values: Floats, domains: Codes, n_domains: int) -> Floats:
    """Mean over the items (N × M) of each domain, then over domains with equal weight: M values."""
    return mean_known(group_means(values, domains, n_domains).values, axis=0)


def mean_known(values: Floats, axis: int) -> Floats:
    """Mean along an axis over what is not NaN; NaN where nothing is known."""
    known = np.isfinite(values)
    counts = known.sum(axis=axis)
    sums = np.where(known, values, 0.0).sum(axis=axis)
    out: Floats = np.divide(sums, counts, out=np.full(np.shape(sums), np.nan), where=counts > 0)
    return out
