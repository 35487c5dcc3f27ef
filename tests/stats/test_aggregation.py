from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inforce.stats.aggregation import group_means, item_means, macro_mean, mean_known

NAN = float("nan")
CODES = np.array


def test_hand_worked_hierarchy() -> None:
    # item 0: sample 0 has sub-questions 2 and 4 -> 3, sample 1 has 5 and a null -> 5; the item is 4, not (2+4+5)/3
    # item 1: one sub-question, 6 and 8 -> 7;   item 2: nothing scored -> out;   item 3: 1
    values = np.array([[2.0], [4], [5], [NAN], [6], [8], [NAN], [NAN], [1], [1]])
    items = CODES([0, 0, 0, 0, 1, 1, 2, 2, 3, 3])
    samples = CODES([0, 0, 1, 1, 0, 1, 0, 1, 0, 1])
    means = item_means(values, items, samples, 4)
    np.testing.assert_array_equal(means.values[:, 0], [4, 7, NAN, 1])
    np.testing.assert_array_equal(means.counts[:, 0], [3, 2, 0, 2])
    # domain 0 holds items 0, 1, 2 -> (4 + 7) / 2 = 5.5; domain 1 holds item 3 -> 1; both weigh the same
    assert macro_mean(means.values, CODES([0, 0, 0, 1]), 2)[0] == pytest.approx((5.5 + 1) / 2)


def test_a_domain_without_a_scored_item_is_left_out() -> None:
    assert macro_mean(np.array([[4.0], [NAN]]), CODES([0, 1]), 2)[0] == 4
    assert np.isnan(macro_mean(np.array([[NAN], [NAN]]), CODES([0, 1]), 2)[0])


def test_columns_are_averaged_independently() -> None:
    means = group_means(np.array([[1.0, NAN], [3, 5]]), CODES([0, 0]), 1)
    np.testing.assert_array_equal(means.values, [[2, 5]])
    np.testing.assert_array_equal(means.counts, [[2, 1]])


def test_no_rows() -> None:
    means = item_means(np.zeros((0, 2)), CODES([], dtype=np.intp), CODES([], dtype=np.intp), 3)
    assert means.values.shape == (3, 2) and np.isnan(means.values).all() and not means.counts.any()


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2), st.one_of(st.none(), st.floats(0, 10))), min_size=1, max_size=40))
def test_same_as_the_definition_in_plain_python(rows: list[tuple[int, int, float | None]]) -> None:
    items, samples = CODES([row[0] for row in rows]), CODES([row[1] for row in rows])
    values = np.array([[NAN if row[2] is None else row[2]] for row in rows])
    got = item_means(values, items, samples, 4).values[:, 0]
    for item in range(4):
        of_samples = [[v for i, s, v in rows if (i, s) == (item, sample) and v is not None] for sample in range(3)]
        each = [sum(of) / len(of) for of in of_samples if of]
        assert got[item] == pytest.approx(sum(each) / len(each)) if each else np.isnan(got[item])


def test_published_domain_scores_give_the_published_overall_score() -> None:
    """NitiBench+ Table E.3 holds the 17 domains of each leaderboard row, Table D.1 their macro-average."""
    folder = Path(__file__).parent / "published"
    with open(folder / "leaderboard_by_domain.csv", encoding="utf-8", newline="") as handle:
        rows = list(csv.DictReader(handle))
    assert len(rows) == 28
    for row in rows:
        domains = np.array([[float(value)] for key, value in row.items() if key not in ("model", "overall")])
        assert domains.shape == (17, 1)
        assert macro_mean(domains, np.arange(17), 17)[0] == pytest.approx(float(row["overall"]), abs=0.0101)


def test_mean_known() -> None:
    np.testing.assert_array_equal(mean_known(np.array([[1.0, NAN], [NAN, NAN]]), axis=1), [1, NAN])
