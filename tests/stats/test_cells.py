from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from stats.score_tables import answers_of, frames, generated_run, score_row

from inforce.stats import cells
from inforce.stats.aggregate_scores import Items, aggregate_scores
from inforce.stats.bootstrap import macro, resampled_sums
from inforce.stats.frames import StatsError


def test_cells_are_item_means_over_sub_questions_then_samples(tmp_path: Path) -> None:
    rows = [
        score_row("a", 1, score=2.0),
        score_row("a", 2, score=4.0),
        score_row("a", 1, sample=2, score=7.0),
        score_row("a", 2, sample=2, score=None),
        score_row("b", 1, score=None, model="n", setting="parametric"),
        score_row("b", 1, score=1.0),
    ]
    scores, _ = frames(tmp_path, rows, answers_of(rows))
    table = cells.item_cells(scores, "score", "r")
    assert table.keys == [("m", "rag_in_force"), ("n", "parametric")]
    np.testing.assert_array_equal(table.values, [[5.0, np.nan], [1.0, np.nan]])  # (3 + 7) / 2: a null is left out
    assert table.n_scored.tolist() == [4, 0] and table.n.tolist() == [5, 1]
    np.testing.assert_array_equal(table.column("m", "rag_in_force"), [5.0, 1.0])
    with pytest.raises(StatsError, match="hold no rows"):
        cells.item_cells(scores.iloc[:0], "score", "r")


def test_values_and_intervals_are_those_of_settings_csv(tmp_path: Path) -> None:
    """The same draws and the same means: two tables of one run may not disagree."""
    rows = generated_run("r", ["m", "n"], ["parametric", "rag_in_force"], 40, samples=2)
    rows[3]["score"] = None
    scores, answers = frames(tmp_path, rows, answers_of(rows))
    table = cells.item_cells(scores, "score", "r")
    draws = cells.run_draws(table.items, "r", 300)
    many = cells.resampled_macro(draws.many, table.values)
    whole = aggregate_scores("r", scores, answers, 300).query("domain == 'all' and metric == 'score'")
    np.testing.assert_allclose(cells.macro_values(table.values, table.items), whole["value"], rtol=1e-9)
    np.testing.assert_allclose(np.quantile(many, 0.025, axis=0), whole["low"], atol=1e-9)
    np.testing.assert_allclose(cells.resampled_macro(draws.once, table.values)[0], whole["value"], rtol=1e-9)


@given(arrays(float, (12, 3), elements=st.one_of(st.just(np.nan), st.floats(0, 10))))
@settings(max_examples=30, deadline=None)
def test_a_domain_at_a_time_is_all_domains_at_once(values: np.ndarray) -> None:
    items = Items(np.arange(12), ["x", "y", "z"], np.arange(12) % 3, np.arange(12) // 2)  # type: ignore[arg-type]
    draws = cells.run_draws(items, "r", 50)
    known = np.isfinite(values)
    sums = resampled_sums(draws.many, np.hstack([np.where(known, values, 0), known]))
    np.testing.assert_allclose(cells.resampled_macro(draws.many, values), macro(sums[..., :3], sums[..., 3:]), atol=1e-9)


def test_clusters_of_columns() -> None:
    known = np.array([[True, False], [True, False], [False, True]])
    assert cells.clusters_of(known, np.array([0, 0, 1])).tolist() == [1, 1]
    assert cells.names_of([("m", "parametric"), ("n", "rag_in_force")], "rag_in_force") == ["n"]


def test_wald_p_by_hand() -> None:
    """Resamples 0, 1, 2 have the standard error 1: 1.959964 is p = .05. The tail of six of them is far below one in 10,000."""
    nan = float("nan")
    resampled = np.array([[0.0, 0, nan, 0, 2, 0], [1, 1, nan, 0, 2, 1], [2, 2, nan, 0, 2, 2], [nan, nan, nan, 0, 2, nan]])
    value, clusters = np.array([1.959964, 6, nan, 0, 2, 6]), np.array([9, 9, 0, 9, 2, 1])
    found = cells.wald_p(value, resampled, clusters)
    # never known; all zero: no difference; all two: no spread to measure by; one cluster
    np.testing.assert_allclose(found, [0.05, 1.973175e-9, nan, 1, nan, nan], rtol=1e-6)
