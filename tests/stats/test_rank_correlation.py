from __future__ import annotations

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from inforce.stats.rank_correlation import spearman, weighted_ranks, weighted_spearman


def test_hand_worked_ranks_with_ties_and_repeats() -> None:
    """Values 5, 1, 5 taken 1, 2 and 1 times are 1, 1, 5, 5: ranks 1.5 for the ones, 3.5 for the fives."""
    assert weighted_ranks(np.array([5.0, 1, 5]), np.array([[1.0, 2, 1]])).tolist() == [[3.5, 1.5, 3.5]]


def test_hand_worked_correlation() -> None:
    """Ranks 1 2 3 against 1 3 2: 1 - 6 × 2 / (3 × 8) = 0.5."""
    found = spearman(np.array([10.0, 20, 30]), np.array([0.1, 0.9, 0.5]), np.arange(3), 200, 1)
    assert (found.value, found.n_items, found.n_clusters) == (0.5, 3, 3)


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(0, 3)), min_size=3, max_size=12))
def test_weights_are_repeats(rows: list[tuple[int, int, int]]) -> None:
    first, second, weights = (np.array(column, dtype=float) for column in zip(*rows, strict=True))
    one, other = np.repeat(first, weights.astype(int)), np.repeat(second, weights.astype(int))
    found = weighted_spearman(first, second, weights[None, :])[0]
    if len(np.unique(one)) < 2 or len(np.unique(other)) < 2:
        assert np.isnan(found)
    else:
        assert found == pytest.approx(scipy.stats.spearmanr(one, other).statistic)


def test_interval_beside_scipy() -> None:
    generator = np.random.Generator(np.random.PCG64(5))
    first = generator.normal(size=120)
    second = 0.4 * first + generator.normal(size=120)
    found = spearman(first, second, np.arange(120), 8_000, 7)
    statistic = lambda a, b, axis: weighted_loop(a, b, axis)  # noqa: E731
    other = scipy.stats.bootstrap(
        (first, second), statistic, paired=True, n_resamples=4_000, method="percentile", rng=9
    ).confidence_interval
    assert found.value == pytest.approx(scipy.stats.spearmanr(first, second).statistic)
    assert (found.low, found.high) == (pytest.approx(other.low, abs=0.02), pytest.approx(other.high, abs=0.02))


def weighted_loop(first: np.ndarray, second: np.ndarray, axis: int) -> np.ndarray:
    """Spearman along the last axis by scipy's ranks."""
    ranks = [scipy.stats.rankdata(side, axis=-1) for side in (first, second)]
    one, other = (side - side.mean(axis=-1, keepdims=True) for side in ranks)
    return (one * other).sum(axis=-1) / np.sqrt((one**2).sum(axis=-1) * (other**2).sum(axis=-1))


def test_clusters_are_drawn_whole() -> None:
    """Two items in one cluster carry no more than one: the interval of doubled data is that of the data."""
    generator = np.random.Generator(np.random.PCG64(6))
    first, second = generator.normal(size=(2, 40))
    single = spearman(first, second, np.arange(40), 3_000, 1)
    doubled = spearman(np.repeat(first, 2), np.repeat(second, 2), np.repeat(np.arange(40), 2), 3_000, 1)
    assert (doubled.low, doubled.high) == (pytest.approx(single.low, abs=1e-9), pytest.approx(single.high, abs=1e-9))


def test_no_interval_where_many_resamples_have_no_correlation() -> None:
    """Of three items all draws are of one in 3 of 27 resamples; of four in 4 of 256, less than 5 %."""
    three, four = (spearman(np.arange(n), np.arange(n) ** 2.0, np.arange(n), 2_000, 1) for n in (3, 4))
    assert three.value == four.value == 1
    assert np.isnan(three.low) and np.isnan(three.high) and three.n_resamples_known == pytest.approx(2_000 * 24 / 27, rel=0.02)
    assert (four.low, four.high) == (1, 1) and four.n_resamples_known == pytest.approx(2_000 * 252 / 256, rel=0.01)


def test_nothing_to_correlate() -> None:
    nan = float("nan")
    assert np.isnan(spearman(np.array([1.0, 2]), np.array([nan, 2]), np.arange(2), 100, 1).value)
    same = spearman(np.array([1.0, 1]), np.array([1.0, 2]), np.arange(2), 100, 1)
    assert np.isnan(same.value) and np.isnan(same.low) and same.n_items == 2
    one = spearman(np.array([1.0, 2, 3]), np.array([1.0, 2, 3]), np.zeros(3, dtype=np.intp), 100, 1)
    assert one.value == 1 and np.isnan(one.low)  # one cluster shows no spread
    assert spearman(np.array([]), np.array([]), np.array([], dtype=np.intp), 100, 1).n_items == 0
