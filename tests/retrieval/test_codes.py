import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from inforce.retrieval.build_index import build_index
from inforce.retrieval.codes import Codes
from inforce.retrieval.vectors import unit

N = 300
RANDOM = np.random.Generator(np.random.PCG64(7))
VECTORS = unit(RANDOM.normal(size=(N, 64)))
FIRST, LAST = RANDOM.integers(0, 50, N), RANDOM.integers(50, 100, N)
CODES = Codes(build_index(VECTORS), FIRST, LAST)


def test_the_codes_are_laid_by_their_ends_the_latest_first_and_then_by_their_beginnings():
    codes = Codes(build_index(VECTORS[:4]), np.array([5, 3, 1, 2]), np.array([9, 9, 20, 8]))
    assert list(codes._order) == [2, 1, 0, 3]
    # rows 2 and 0 of the vectors are places 0 and 2 of the codes: bits 1 and 4
    assert list(codes.filter_of(np.array([True, False, True, False]))) == [0b101]


def test_a_row_is_nearest_to_itself():
    everything = CODES.filter_of(np.ones(N, bool))
    assert all(CODES.nearest(VECTORS[row], everything, 1).tolist() == [row] for row in range(N))


@given(st.sets(st.integers(0, N - 1)), st.integers(0, N - 1), st.integers(1, N))
@settings(max_examples=200, deadline=None)
def test_only_rows_of_the_filter_are_found_and_as_many_as_there_are(allowed, query, wanted):
    mask = np.zeros(N, bool)
    mask[list(allowed)] = True
    found = CODES.nearest(VECTORS[query], CODES.filter_of(mask), wanted).tolist()
    assert set(found) <= allowed and len(set(found)) == len(found) == min(wanted, len(allowed))
    assert found == sorted(found)


def test_the_first_choice_holds_the_best():
    """200 candidates for the ten best of 1,500, under filters that leave a half of 3,000 rows, each near one of 60 points."""
    points = RANDOM.normal(size=(60, 128))
    vectors = unit(points[RANDOM.integers(0, 60, 3000)] + 0.7 * RANDOM.normal(size=(3000, 128)))
    codes = Codes(build_index(vectors), np.zeros(3000, np.int64), np.arange(3000))
    hits = 0
    for row in range(0, 3000, 30):
        mask = RANDOM.random(3000) < 0.5
        rows = np.flatnonzero(mask)
        best = rows[np.argsort(-(vectors[rows] @ vectors[row]), kind="stable")[:10]]
        hits += len(set(best.tolist()) & set(codes.nearest(vectors[row], codes.filter_of(mask), 200).tolist()))
    assert hits >= 0.99 * 1000


def test_the_index_that_it_is_given_stays_as_it_was():
    index = build_index(VECTORS)
    before = index.search(VECTORS[:5], 3)[1]
    Codes(index, LAST, FIRST)
    assert np.array_equal(index.search(VECTORS[:5], 3)[1], before)
