import pytest
from hypothesis import given
from hypothesis import strategies as st

from inforce.drift.distances import levenshtein_distance, one_spaced, trigram_distance, trigrams


def test_trigrams_are_a_set():
    assert trigrams("abcab") == {"abc", "bca", "cab"}
    assert trigrams("aaaa") == {"aaa"}
    assert trigrams("ab") == trigrams("") == frozenset()
    assert trigrams(" a\n\tbc ") == {"a b", " bc"}
    assert trigrams("ก็มี") == {"ก็ม", "็มี"}  # characters are code points


@pytest.mark.parametrize(
    ("one", "other", "trigram", "levenshtein"),
    [
        ("abcd", "abce", 1 - 1 / 3, 1 / 4),  # {abc, bcd} and {abc, bce}: one of three shared
        ("abcdef", "abcxef", 1 - 1 / 7, 1 / 6),  # abc | bcd cde def | bcx cxe xef
        ("abc", "xyz", 1, 1),
        ("abc", "abcd", 1 - 1 / 2, 1 / 4),
        ("the fee is 20", "the fee  is\n20", 0, 0),
        ("aaaa", "aaaaa", 0, 1 / 5),  # the same set of trigrams
        ("", "", 0, 0),
        ("", "ab", 1, 1),
        ("", "abcd", 1, 1),
        ("ab", "ac", 1, 1 / 2),
        ("ab", "ab", 0, 0),
    ],
)
def test_by_hand(one, other, trigram, levenshtein):
    assert trigram_distance(one, other) == pytest.approx(trigram)
    assert levenshtein_distance(one, other) == pytest.approx(levenshtein)


texts = st.text(alphabet="ab มา\n", max_size=12)


@given(texts, texts)
@pytest.mark.parametrize("distance", [trigram_distance, levenshtein_distance])
def test_symmetric_bounded_and_zero_for_equal(distance, one, other):
    assert distance(one, other) == distance(other, one)
    assert 0 <= distance(one, other) <= 1
    assert distance(one, one) == 0
    if distance is levenshtein_distance:
        assert (distance(one, other) == 0) == (one_spaced(one) == one_spaced(other))


@given(texts, texts)
def test_levenshtein_against_the_recurrence(one, other):
    one, other = one_spaced(one), one_spaced(other)
    row = list(range(len(other) + 1))
    for i, left in enumerate(one, start=1):
        row, before = [i], row
        for j, right in enumerate(other, start=1):
            row.append(min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (left != right)))
    assert levenshtein_distance(one, other) == pytest.approx(row[-1] / max(len(one), len(other), 1))
