import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from inforce.retrieval import codes as codes_module
from inforce.retrieval.build_index import build_index
from inforce.retrieval.codes import Codes
from inforce.retrieval.vectors import unit

N = 300
RANDOM = np.random.Generator(np.random.PCG64(7))
VECTORS = unit(RANDOM.normal(size=(N, 64)))
FIRST, LAST = RANDOM.integers(0, 50, N), RANDOM.integers(50, 100, N)
ALL = np.ones(N, bool)

INDEX = build_index(VECTORS)
CODES = Codes(INDEX, FIRST, LAST, ALL)


def test_the_codes_are_laid_by_their_ends_the_latest_first_and_then_by_their_beginnings():
    never = np.iinfo(np.int64).max
    codes = Codes(build_index(VECTORS[:4]), np.array([5, 3, 1, 2]), np.array([9, 9, never, 8]), np.array([True, True, False, True]))
    assert list(codes._order) == [2, 1, 0, 3]
    # in this order rows begin on 1, 3, 5, 2 and end on never, 9, 9, 8: on day 3 bits 1, 2 and 8
    assert codes.in_force(3, False)[:2] == (3, {0: [0b1011]})
    assert codes.in_force(3, True)[:2] == (2, {0: [0b1010]})
    assert codes.in_force(5, False)[:2] == (4, {0: None}), "no row need be asked for"
    assert codes.in_force(0, False)[:2] == (0, {})
    assert [codes.in_force(day, False).n_rows for day in (0, 1, 2, 5, 8, 9, 10**6)] == [0, 1, 2, 4, 3, 1, 1]


def test_a_row_is_nearest_to_itself():
    everything = CODES.in_force(50, False)
    assert everything.n_rows == sum(LAST > 50)
    assert all(CODES.nearest(VECTORS[row], everything, 1).tolist() == [row] for row in np.flatnonzero(LAST > 50))


@given(st.integers(-1, 101), st.integers(0, N - 1), st.integers(1, N))
@settings(max_examples=200, deadline=None)
def test_only_rows_in_force_are_found_and_as_many_as_there_are(day, query, wanted):
    allowed = set(np.flatnonzero((day >= FIRST) & (day < LAST)).tolist())
    found = CODES.nearest(VECTORS[query], CODES.in_force(day, False), wanted).tolist()
    assert set(found) <= allowed and len(set(found)) == len(found) == min(wanted, len(allowed))
    assert found == sorted(found)


def test_the_first_choice_holds_the_best():
    """100 candidates for the ten best of some 1,500 in force; 3,000 rows, each near one of 60 points."""
    points = RANDOM.normal(size=(60, 128))
    vectors = unit(points[RANDOM.integers(0, 60, 3000)] + 0.7 * RANDOM.normal(size=(3000, 128)))
    mask = RANDOM.random(3000) < 0.5
    codes, rows, hits = Codes(build_index(vectors), np.where(mask, 0, 6), np.full(3000, 10), np.ones(3000, bool)), np.flatnonzero(mask), 0
    for row in range(0, 3000, 30):
        best = rows[np.argsort(-(vectors[rows] @ vectors[row]), kind="stable")[:10]]
        hits += len(set(best.tolist()) & set(codes.nearest(vectors[row], codes.in_force(5, False), 100).tolist()))
    assert hits >= 0.99 * 1000


def test_segments_change_nothing_that_is_found(monkeypatch):
    monkeypatch.setattr(codes_module, "SEGMENT", 64)
    cut = Codes(INDEX, FIRST, LAST, ALL)
    for day in range(0, 101, 5):
        whole, parts = CODES.in_force(day, False), cut.in_force(day, False)
        assert parts.n_rows == whole.n_rows
        assert all(np.array_equal(cut.nearest(VECTORS[row], parts, 9), CODES.nearest(VECTORS[row], whole, 9)) for row in range(0, N, 37))
    assert len(cut.in_force(95, False).segments) == 1 < len(cut.in_force(50, False).segments), "what has ended is not scanned"


def test_of_rows_with_equal_codes_one_is_scanned_and_all_in_force_are_found():
    """Rows 0, 2, 4 and 1, 3 are equal; row 4 begins on day 6. All end on day 9, so their order is 0 1 2 3 5 4."""
    a, b, c = VECTORS[:3]
    first, end = np.array([1, 1, 1, 1, 6, 1]), np.full(6, 9)
    codes = Codes(build_index(np.array([a, b, a, b, a, c])), first, end, np.ones(6, bool))
    day_5, day_6 = codes.in_force(5, False), codes.in_force(6, False)
    assert codes._order.tolist() == [0, 1, 2, 3, 5, 4]
    assert (day_5.n_rows, day_5.segments) == (5, {0: [0b010011]}) and sorted(day_5.equals.tolist()) == [0, 1, 2, 3]
    assert codes.nearest(a, day_5, 1).tolist() == [0, 2] and codes.nearest(a, day_6, 1).tolist() == [0, 2, 4]
    assert codes.nearest(c, day_6, 1).tolist() == [5] and codes.nearest(b, day_6, 3).tolist() == [0, 1, 2, 3, 4, 5]


def test_equal_rows_crowd_nothing_out_of_the_first_choice(monkeypatch):
    """A vector held 400 times, in many segments: what is chosen beside it is what is chosen where it is in force once."""
    monkeypatch.setattr(codes_module, "SEGMENT", 256)
    random = np.random.Generator(np.random.PCG64(8))
    vectors = random.normal(size=(2000, 64))
    same = random.choice(2000, 400, replace=False)
    vectors[same] = vectors[same[0]]
    vectors, first = unit(vectors), np.zeros(2000, int)
    first[same[1:]] = 5
    codes = Codes(build_index(vectors), first, np.full(2000, 9), np.ones(2000, bool))
    chosen = 0
    for row in range(0, 2000, 40):
        query = unit([vectors[row] + vectors[same[0]]])[0]
        once, often = (set(codes.nearest(query, codes.in_force(day, False), 30).tolist()) for day in (4, 5))
        assert once - set(same) == often - set(same) and len(once) == 30
        assert (same[0] in once) == set(same).issubset(often)
        chosen += same[0] in once
    assert chosen > 10


def test_the_index_that_it_is_given_stays_as_it_was():
    index = build_index(VECTORS)
    before = index.search(VECTORS[:5], 3)[1]
    Codes(index, LAST, FIRST, ALL)
    assert np.array_equal(index.search(VECTORS[:5], 3)[1], before)
