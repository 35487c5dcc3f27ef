from __future__ import annotations

import hashlib
import time
from itertools import product

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from inforce.stats.aggregation import macro_mean
from inforce.stats.bootstrap import (
    count_clusters,
    draw_clusters,
    item_differences,
    macro,
    mean_interval,
    percentile_interval,
    pooled,
    prepare_draws,
    quotient,
    resampled_sums,
    seed_of,
    settled,
)

NAN = float("nan")
ONE_DOMAIN = np.zeros


def normal(n: int, seed: int, mean: float = 5, sd: float = 2) -> np.ndarray:
    return np.random.Generator(np.random.PCG64(seed)).normal(mean, sd, n)


def plain(values: np.ndarray, n_resamples: int = 20_000, seed: int = 1) -> tuple[float, float, float]:
    """One domain, every item its own cluster."""
    n = len(values)
    value, interval = mean_interval(values[:, None], np.arange(n), np.zeros(n, dtype=np.intp), 1, n_resamples, seed)
    return float(value[0]), float(interval.low[0]), float(interval.high[0])


def test_every_resample_draws_as_many_clusters_as_there_are() -> None:
    draws = draw_clusters(7, 1000, seed_of("run"))
    assert draws.shape == (1000, 7)
    assert (draws.sum(axis=1) == 7).all()
    assert draws.mean() == pytest.approx(1, abs=0.01)
    assert draws.var() == pytest.approx(6 / 7, rel=0.05)  # binomial(7, 1/7)


def test_hand_worked_two_clusters() -> None:
    """Clusters A = items 2 and 4, B = item 9: the four equally likely draws give means 3, 5, 5 and 9."""
    values, clusters, domains = np.array([[2.0], [4], [9]]), np.array([0, 0, 1]), np.zeros(3, dtype=np.intp)
    draws = np.array([np.bincount(pair, minlength=2) for pair in product([0, 1], repeat=2)], dtype=np.uint16)
    both = np.hstack([values, np.ones_like(values)])
    sums = resampled_sums(prepare_draws(draws, clusters, domains, 1), both)
    assert macro(sums[..., :1], sums[..., 1:])[:, 0].tolist() == [3, 5, 5, 9]
    value, interval = mean_interval(values, clusters, domains, 1, 4000, 1)
    assert value[0] == 5
    assert (interval.low[0], interval.high[0]) == (3, 9)  # 25 % of the draws lie at either end


def test_hand_worked_macro_average_and_absent_domain() -> None:
    """Domain 0: items 2 and 4 (clusters 0, 1), domain 1: item 10 (cluster 2). Drawing 0, 0, 1 leaves domain 1 out."""
    values, clusters, domains = np.array([[2.0], [4], [10]]), np.array([0, 1, 2]), np.array([0, 0, 1])
    both = np.hstack([values, np.ones_like(values)])
    sums = resampled_sums(
        prepare_draws(np.array([[1, 1, 1], [2, 1, 0], [0, 0, 3], [1, 0, 2]], dtype=np.uint16), clusters, domains, 2), both
    )
    np.testing.assert_allclose(macro(sums[..., :1], sums[..., 1:])[:, 0], [(3 + 10) / 2, 8 / 3, 10, (2 + 10) / 2])
    np.testing.assert_allclose(pooled(sums[..., :1], sums[..., 1:])[:, 0], [16 / 3, 8 / 3, 10, 22 / 3])


def test_a_cluster_across_domains_is_drawn_as_one() -> None:
    values, clusters, domains = np.array([[2.0], [4], [10]]), np.array([0, 1, 0]), np.array([0, 0, 1])
    both = np.hstack([values, np.ones_like(values)])
    sums = resampled_sums(prepare_draws(np.array([[2, 0], [0, 2]], dtype=np.uint16), clusters, domains, 2), both)
    np.testing.assert_array_equal(macro(sums[..., :1], sums[..., 1:])[:, 0], [6, 4])


def test_against_scipy() -> None:
    values = normal(60, 3) ** 2
    ours = plain(values)
    theirs = scipy.stats.bootstrap((values,), np.mean, n_resamples=20_000, method="percentile", rng=np.random.default_rng(5))
    error = 6 * theirs.standard_error / np.sqrt(20_000) * 3  # an extreme quantile errs some three times as much as a mean
    assert ours[0] == pytest.approx(values.mean())
    assert ours[1] == pytest.approx(theirs.confidence_interval.low, abs=error)
    assert ours[2] == pytest.approx(theirs.confidence_interval.high, abs=error)


def test_against_the_closed_form_and_no_second_division_by_root_n() -> None:
    values = normal(400, 8)
    value, low, high = plain(values)
    half = 1.959964 * values.std() / np.sqrt(400)
    assert low == pytest.approx(value - half, abs=0.05 * half)
    assert high == pytest.approx(value + half, abs=0.05 * half)
    _, low4, high4 = plain(np.tile(values, 4))
    assert (high4 - low4) / (high - low) == pytest.approx(1 / 2, rel=0.05)  # four times the items, half the width


def test_quantile_is_numpys() -> None:
    draws = normal(4001, 2).reshape(-1, 1)
    interval = percentile_interval(draws, np.array([9]))
    assert [interval.low[0], interval.high[0]] == pytest.approx(np.quantile(draws[:, 0], [0.025, 0.975]), abs=1e-9)
    with_gaps = np.vstack([draws, np.full((500, 1), NAN)])
    assert percentile_interval(with_gaps, np.array([9])) == interval


def test_settled_takes_the_noise_of_a_sum_s_order_away() -> None:
    assert settled(np.array([0.1 + 0.2 - 0.3, 4.5781249999999997])).tolist() == [0, 4.578125]


def test_copies_of_a_case_do_not_narrow_the_interval() -> None:
    """Ten items that share each question are ten answers to one question, not ten questions."""
    values = np.repeat(normal(30, 4), 10)
    clusters = np.repeat(np.arange(30), 10)
    _, clustered = mean_interval(values[:, None], clusters, np.zeros(300, dtype=np.intp), 1, 10_000, 1)
    _, low, high = plain(normal(30, 4), 10_000)
    assert clustered.high[0] - clustered.low[0] == pytest.approx(high - low, rel=0.05)


def test_paired_is_narrower_than_unpaired_where_items_differ_in_difficulty() -> None:
    hard = normal(200, 5, 0, 3)
    left, right = 5.3 + hard + normal(200, 6, 0, 0.3), 5.0 + hard + normal(200, 7, 0, 0.3)
    value, low, high = plain(item_differences(left, right))
    assert value == pytest.approx(left.mean() - right.mean())
    assert low > 0
    (_, a_low, a_high), (_, b_low, b_high) = plain(left, seed=1), plain(right, seed=2)
    unpaired = np.hypot(a_high - a_low, b_high - b_low)
    assert high - low < 0.2 * unpaired


def test_difference_of_two_means_under_the_same_draws_is_the_mean_difference() -> None:
    left, right = normal(50, 1), normal(50, 2)
    domains, clusters = np.arange(50) % 3, np.arange(50) // 2
    draws = draw_clusters(25, 200, 1)
    ones = np.ones((50, 1))

    def means(values: np.ndarray) -> np.ndarray:
        sums = resampled_sums(prepare_draws(draws, clusters, domains, 3), np.hstack([values[:, None], ones]))
        return macro(sums[..., :1], sums[..., 1:])

    np.testing.assert_allclose(means(left) - means(right), means(left - right), atol=1e-12)


def test_an_item_missing_in_one_arm_is_left_out_of_both() -> None:
    difference = item_differences(np.array([5.0, NAN, 9]), np.array([4.0, 1, NAN]))
    np.testing.assert_array_equal(difference, [1, NAN, NAN])
    assert count_clusters(np.isfinite(difference)[:, None], np.arange(3)).tolist() == [1]
    value, low, high = plain(difference)
    assert value == 1 and np.isnan(low) and np.isnan(high)


@pytest.mark.parametrize("values", [[], [3.0], [3.0, NAN]])
def test_fewer_than_two_clusters_have_no_interval(values: list[float]) -> None:
    _, low, high = plain(np.array(values), 100) if values else (None, *[NAN] * 2)
    assert np.isnan(low) and np.isnan(high)


def test_coverage_over_repeated_draws() -> None:
    """300 benchmarks of 40 clusters of two: the 95 % interval must hold the truth in about 95 %, never in 80 or 100 %."""
    generator = np.random.Generator(np.random.PCG64(11))
    clusters, domains = np.repeat(np.arange(40), 2), np.tile([0, 1], 40)
    hits = 0
    for number in range(300):
        shared = generator.normal(0, 1, 40)
        values = 5 + shared[clusters] + generator.normal(0, 1, 80) + domains
        _, interval = mean_interval(values[:, None], clusters, domains, 2, 400, number)
        hits += bool(interval.low[0] <= 5.5 <= interval.high[0])
    assert 0.90 <= hits / 300 <= 0.98


def test_seeds_come_from_names_with_their_bounds() -> None:
    assert seed_of("demo", "settings") == int.from_bytes(hashlib.sha256(b"4:demo8:settings").digest()[:16], "big")
    assert len({seed_of("ab", "c"), seed_of("a", "bc"), seed_of("abc"), seed_of("abc", "")}) == 4


def test_equal_seeds_give_equal_bytes_and_others_do_not() -> None:
    one, two, three = (draw_clusters(50, 300, seed_of(name)).tobytes() for name in ("a", "a", "b"))
    assert one == two != three


@settings(max_examples=25, deadline=None)
@given(st.lists(st.floats(0, 10), min_size=2, max_size=12), st.integers(0, 2**32))
def test_interval_holds_within_the_range_of_the_values(values: list[float], seed: int) -> None:
    array = np.array(values)
    value, low, high = plain(array, 200, seed)
    assert min(values) - 1e-9 <= low <= high <= max(values) + 1e-9
    assert value == pytest.approx(macro_mean(array[:, None], np.zeros(len(values), dtype=np.intp), 1)[0])


def test_no_answer_from_nothing() -> None:
    assert np.isnan(quotient(np.array([0.0]), np.array([0.0])))[0]
    with pytest.raises(ValueError, match="70000 clusters"):
        draw_clusters(70_000, 1, 1)


def test_paper_scale_in_well_under_a_second_a_metric() -> None:
    values, domains = normal(1670, 1)[:, None], np.arange(1670) % 17
    start = time.process_time()
    mean_interval(values, np.arange(1670), domains, 17, 10_000, 1)
    assert time.process_time() - start < 3  # 0.5 s alone on a two-core machine; room for a busy one
