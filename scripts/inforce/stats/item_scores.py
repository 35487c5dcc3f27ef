"""Scores of items: one array a model and setting, over all samples together or for each sample by itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from inforce.stats.aggregation import group_means, item_means
from inforce.stats.frames import Codes, Floats, StatsError, numbers


class Cell(NamedTuple):
    """The rows of one model and setting: each row's item and sample as numbers, and the values asked for (rows × columns)."""

    items: Codes
    samples: Codes
    values: Floats


def split_cells(scores: pd.DataFrame, ids: pd.Index[str], columns: Sequence[str]) -> dict[tuple[str, str], Cell]:
    """The rows of each model and setting, in the order met. Samples are numbered from 0 within the table."""
    samples, _ = pd.factorize(scores["sample"], sort=True)
    numbered = scores.assign(item_number=ids.get_indexer(pd.Index(scores["item_id"])), sample_number=samples)
    return {
        (str(model), str(setting)): Cell(rows["item_number"].to_numpy(), rows["sample_number"].to_numpy(), numbers(rows, columns))
        for (model, setting), rows in numbered.groupby(["model", "setting"], sort=False)
    }


def item_scores(scores: pd.DataFrame, ids: pd.Index[str], columns: Sequence[str]) -> dict[tuple[str, str], Floats]:
    """Items × columns of each model and setting: sub-questions -> samples -> item; NaN where nothing was scored."""
    cells = split_cells(scores, ids, columns)
    return {key: item_means(cell.values, cell.items, cell.samples, len(ids)).values for key, cell in cells.items()}


def sample_scores(cell: Cell, n_items: int) -> Floats:
    """Samples × items × columns: the mean over an item's scored sub-questions in each sample; NaN where nothing was scored.

    Only samples that the cell has a row of are in the result.
    """
    met, samples = np.unique(cell.samples, return_inverse=True)
    means = group_means(cell.values, samples * n_items + cell.items, len(met) * n_items)
    return means.values.reshape(len(met), n_items, cell.values.shape[1])


def one_of_each_item(scores: pd.DataFrame, columns: Sequence[str]) -> pd.DataFrame:
    """item_id and the columns, one row an item, sorted by id. Raises StatsError if an item has two values of a column."""
    items = scores[["item_id", *columns]].drop_duplicates().sort_values("item_id", kind="stable", ignore_index=True)
    twice = items.loc[items["item_id"].duplicated(), "item_id"]
    if len(twice):
        raise StatsError(f"item {twice.iloc[0]} has two of {', '.join(columns)}; the score tables were made from different items files")
    return items
