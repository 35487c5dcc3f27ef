from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from stats.score_tables import frames, score_row

from inforce.stats.frames import StatsError
from inforce.stats.item_scores import item_scores, one_of_each_item, sample_scores, split_cells

NAN = float("nan")


def rows(tmp_path: Path) -> pd.DataFrame:
    """Item a: sample 1 scores 2 and 4, sample 2 scores 9; item b: sample 2 scores 5, sample 1 has no panel."""
    listed = [
        score_row("a", 1, sample=1, score=2.0),
        score_row("a", 2, sample=1, score=4.0),
        score_row("a", 1, sample=2, score=9.0),
        score_row("a", 2, sample=2, score=None),
        score_row("b", 1, sample=1, score=None),
        score_row("b", 1, sample=2, score=5.0),
    ]
    return frames(tmp_path, listed, [])[0]


def test_hand_worked_items_and_samples(tmp_path: Path) -> None:
    scores, ids = rows(tmp_path), pd.Index(["a", "b"])
    assert item_scores(scores, ids, ["score"])["m", "rag_in_force"][:, 0].tolist() == [6, 5]  # a: mean of 3 and 9
    each = sample_scores(split_cells(scores, ids, ["score"])["m", "rag_in_force"], 2)[..., 0]
    np.testing.assert_array_equal(each, [[3, NAN], [9, 5]])


def test_a_sample_that_a_cell_lacks_is_not_in_its_table(tmp_path: Path) -> None:
    listed = [score_row("a", 1, sample=sample, model=model, score=1.0) for model, sample in (("m", 3), ("n", 1), ("n", 3))]
    cells = split_cells(frames(tmp_path, listed, [])[0], pd.Index(["a"]), ["score"])
    assert sample_scores(cells["m", "rag_in_force"], 1).shape == (1, 1, 1)
    assert sample_scores(cells["n", "rag_in_force"], 1).shape == (2, 1, 1)


def test_an_item_of_two_domains_is_refused(tmp_path: Path) -> None:
    scores = frames(tmp_path, [score_row("a", 1, domain="x"), score_row("a", 2, domain="y")], [])[0]
    with pytest.raises(StatsError, match="item a has two of domain"):
        one_of_each_item(scores, ["domain"])
