import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inforce.records.dates import covers, first_day, last_day, precision_of

D = dt.date


@pytest.mark.parametrize(
    ("text", "precision", "first", "last"),
    [
        ("2014", "year", D(2014, 1, 1), D(2014, 12, 31)),
        ("2014-02", "month", D(2014, 2, 1), D(2014, 2, 28)),
        ("2016-02", "month", D(2016, 2, 1), D(2016, 2, 29)),
        ("2014-02-03", "day", D(2014, 2, 3), D(2014, 2, 3)),
    ],
)
def test_what_a_partial_date_can_mean(text, precision, first, last):
    assert (precision_of(text), first_day(text), last_day(text)) == (precision, first, last)


@pytest.mark.parametrize("text", ["", "14", "2014-13", "2014-02-30", "2014-2-3", "2014-02-03T00:00", " 2014"])
def test_no_date(text):
    with pytest.raises(ValueError):
        precision_of(text)


def test_an_interval_is_half_open():
    start, end = D(2002, 10, 9), D(2015, 10, 20)
    assert covers(start, end, D(2002, 10, 9))
    assert covers(start, end, D(2015, 10, 19))
    assert not covers(start, end, D(2015, 10, 20))
    assert not covers(start, end, D(2002, 10, 8))


def test_an_open_end_is_in_force_and_an_unknown_start_never():
    assert covers(D(2002, 10, 9), None, D(9999, 12, 31))
    assert not covers(None, None, D(2020, 1, 1))


def test_an_unknown_start_is_in_force_from_the_day_by_which_it_has_begun():
    assert covers(None, None, D(1970, 1, 1), begun_by=D(1970, 1, 1))
    assert not covers(None, None, D(1969, 12, 31), begun_by=D(1970, 1, 1))
    assert not covers(None, D(2000, 1, 1), D(2000, 1, 1), begun_by=D(1970, 1, 1))
    assert not covers(D(1980, 1, 1), None, D(1975, 1, 1), begun_by=D(1970, 1, 1))  # a known start goes first


@given(st.dates(), st.dates(), st.dates())
def test_two_contiguous_versions_never_both_hold_a_day(start, change, day):
    assert not (covers(start, change, day) and covers(change, None, day))


@given(st.dates(min_value=D(1000, 1, 1)))
def test_a_day_is_its_own_first_and_last_day(day):
    assert first_day(day.isoformat()) == last_day(day.isoformat()) == day
