"""Item values of all models and settings of a run side by side, and their macro-averages in every resample.

A cell is a model in a setting. All cells of a run share the items and the draws, so that whatever is computed from two
columns is paired: ranks, gains, differences between models.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.stats import norm

from inforce.records.status import SETTINGS
from inforce.stats.aggregate_scores import Items, list_items
from inforce.stats.aggregation import group_sums, item_means, mean_known
from inforce.stats.bootstrap import GroupDraws, draw_clusters, every_cluster_once, prepare_draws, quotient, seed_of, settled
from inforce.stats.frames import Codes, Floats, StatsError, numbers

COLUMNS = ["run", "model", "setting", "sample", "item_id", "domain", "cluster"]  # what `item_cells` reads beside the values


class Cells(NamedTuple):
    """Item values (items × cells, NaN = not scored) of one column, and how many rows each cell has scored and has."""

    keys: list[tuple[str, str]]  # model, setting: models in the order met, settings in the paper's
    items: Items
    values: Floats
    n_scored: Codes
    n: Codes

    def column(self, model: str, setting: str) -> Floats:
        """The item values of one cell."""
        return self.values[:, self.keys.index((model, setting))]


class Draws(NamedTuple):
    """Every cluster once, and the resamples, both split by domain."""

    once: list[GroupDraws]
    many: list[GroupDraws]


def item_cells(rows: pd.DataFrame, column: str, run: str) -> Cells:
    """Rows of score tables -> item values: mean over an item's sub-questions, then over its samples. Raises StatsError for no rows."""
    if rows.empty:
        raise StatsError(f"the score tables of the run {run} hold no rows; nothing was answered")
    items = list_items(rows)
    met = set(zip(rows["model"], rows["setting"], strict=True))
    keys = [(model, setting) for model in rows["model"].unique() for setting in SETTINGS if (model, setting) in met]
    settings = [*SETTINGS]
    models, names = pd.factorize(rows["model"])
    place = np.full(len(names) * len(settings), -1, dtype=np.intp)
    for number, (model, setting) in enumerate(keys):
        place[list(names).index(model) * len(settings) + settings.index(setting)] = number
    cells = place[models * len(settings) + pd.Categorical(rows["setting"], categories=settings).codes]
    samples, _ = pd.factorize(rows["sample"], sort=True)
    n_items = len(items.ids)
    codes = cells * n_items + items.ids.get_indexer(pd.Index(rows["item_id"]))
    means = item_means(numbers(rows, [column]), codes, samples, len(keys) * n_items)
    scored = means.counts[:, 0].reshape(len(keys), n_items).sum(axis=1)
    return Cells(keys, items, means.values[:, 0].reshape(len(keys), n_items).T, scored, np.bincount(cells, minlength=len(keys)))


def run_draws(items: Items, run: str, n_resamples: int, table: str = "settings") -> Draws:
    """The draws of a run. The table's name is that of settings.csv unless told, so that intervals of one run belong together."""
    n_clusters = int(items.clusters.max()) + 1
    both = (every_cluster_once(n_clusters), draw_clusters(n_clusters, n_resamples, seed_of(run, table)))
    return Draws(*(prepare_draws(draws, items.clusters, items.domains, len(items.domain_names)) for draws in both))


def resampled_macro(prepared: list[GroupDraws], values: Floats) -> Floats:
    """Macro-averages of item values (items × M, NaN = left out) in each resample: resamples × M.

    The same as bootstrap.macro, a domain at a time: M may be all pairs of models, whose domain means would not fit in memory at once.
    """
    known = np.isfinite(values)
    both = np.hstack([np.where(known, values, 0.0), known.astype(np.float64)])
    width = values.shape[1]
    total, count = np.zeros((2, len(prepared[0].weights), width))
    for group in prepared:
        if len(group.rows):
            sums = group.weights @ group_sums(both[group.rows], group.codes, group.weights.shape[1])
            here = sums[:, width:] > 0
            total += np.divide(sums[:, :width], sums[:, width:], out=np.zeros_like(total), where=here)
            count += here
    return quotient(total, count)


def macro_values(values: Floats, items: Items) -> Floats:
    """Macro-averages of item values (items × M): the values themselves, without resampling."""
    known = np.isfinite(values)
    n = len(items.domain_names)
    sums, counts = group_sums(np.where(known, values, 0.0), items.domains, n), group_sums(known.astype(np.float64), items.domains, n)
    return mean_known(quotient(sums, counts), axis=0)


def clusters_of(known: np.ndarray[tuple[int, ...], np.dtype[np.bool_]], clusters: Codes) -> Codes:
    """Clusters with at least one known item, for each column of items × M; vectorised over the columns."""
    counts = group_sums(known.astype(np.float64), clusters, int(clusters.max()) + 1 if len(clusters) else 0)
    out: Codes = (counts > 0).sum(axis=0)
    return out


def wald_p(value: Floats, resampled: Floats, n_clusters: Codes) -> Floats:
    """Two-sided p of `no difference` for each column (resamples × M): value over the bootstrap's standard error, against the normal distribution.

    The Wald test with a cluster-bootstrap standard error (Cameron, Gelbach and Miller 2008, Review of Economics and Statistics 90:414,
    "pairs cluster bootstrap-se"). Unlike a share of resamples, which 10,000 of them bound below at 2/10,001, it can be as small as the
    data make it, so that Holm's method can reach .05 over any number of pairs. NaN below two clusters, and where all resamples give one
    value that is not zero: no spread to measure it by.
    """
    known = np.isfinite(resampled)
    n = known.sum(axis=0)
    centred = np.where(known, resampled - mean_known(resampled, axis=0), 0.0)
    spread = settled(np.sqrt(quotient((centred**2).sum(axis=0), (n - 1).astype(np.float64))))
    value = settled(value)
    z = np.divide(value, spread, out=np.where(value == 0, 0.0, np.nan), where=spread > 0)
    return np.where((n_clusters >= 2) & (n >= 2), 2 * norm.sf(np.abs(z)), np.nan)


def names_of(keys: Sequence[tuple[str, str]], setting: str) -> list[str]:
    """The models that were run in a setting, in order."""
    return [model for model, other in keys if other == setting]
