import calendar
import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inforce.corpus.calendars import implausible_year, is_beyond, is_sentinel, to_common_era, to_day


def test_a_buddhist_leap_day_that_no_python_date_has():
    with pytest.raises(ValueError):
        dt.date(2559, 2, 29)
    assert to_day("2559-02-29", "buddhist") == dt.date(2016, 2, 29)


def test_a_buddhist_day_that_python_has_but_the_calendar_does_not():
    assert calendar.isleap(2560)  # 2560 BE is 2017
    with pytest.raises(ValueError, match="no day of the buddhist calendar"):
        to_day("2560-02-29", "buddhist")


def test_digits_of_any_script():
    assert to_day("๒๕๐๐-๐๑-๐๑", "buddhist") == dt.date(1957, 1, 1)
    assert to_day("٢٠١٧-٠٣-٢١", "gregorian") == dt.date(2017, 3, 21)


@pytest.mark.parametrize(
    ("text", "era", "iso"), [("2528", "buddhist", "1985"), ("2528-03", "buddhist", "1985-03"), ("0990", "gregorian", "0990")]
)
def test_dates_known_in_part_stay_so(text, era, iso):
    assert to_common_era(text, era) == iso


@pytest.mark.parametrize("text", ["", "soon", "2014-13-01", "2014-02-30", "2014/01/01", "14-01-01", "0000-00-00", "2014-1-1"])
def test_text_that_is_no_date(text):
    with pytest.raises(ValueError):
        to_common_era(text, "gregorian")


def test_a_year_too_early_for_the_era_says_so():
    with pytest.raises(ValueError, match="is the calendar buddhist"):
        to_common_era("0500-01-01", "buddhist")


def test_a_month_is_no_day():
    with pytest.raises(ValueError, match="not a full date"):
        to_day("2014-05", "gregorian")


@given(st.dates(min_value=dt.date(1900, 1, 1), max_value=dt.date(2200, 1, 1)))
def test_every_day_goes_there_and_back(day):
    assert to_day(f"{day.year + 543}{day.isoformat()[4:]}", "buddhist") == day


def test_sentinels_as_written_or_in_the_common_era():
    assert is_sentinel("1970-01-01", "buddhist", ["1970-01-01"])
    assert is_sentinel("2513-01-01", "buddhist", ["1970-01-01"])
    assert is_sentinel("๑๙๗๐-๐๑-๐๑", "gregorian", ["1970-01-01"])
    assert not is_sentinel("1970-01-02", "gregorian", ["1970-01-01"])
    assert not is_sentinel("1970", "gregorian", ["1970-01-01"])
    assert not is_sentinel("no date", "gregorian", ["1970-01-01"])


@pytest.mark.parametrize(
    ("text", "iso"),
    [("1-01-01", "1912-01-01"), ("110-01-20", "2021-01-20"), ("0110-01-20", "2021-01-20"), ("105-02-29", "2016-02-29"), ("99", "2010")],
)
def test_minguo_years(text, iso):
    assert to_common_era(text, "roc") == iso


@pytest.mark.parametrize("text", ["0-01-01", "106-02-29", "110-1-20", "9999-01-01", "-1-01-01"])
def test_what_is_no_minguo_day(text):
    with pytest.raises(ValueError):
        to_common_era(text, "roc")


@pytest.mark.parametrize(
    ("text", "calendar", "is_law"),
    [
        ("1804-03-21", "gregorian", True),
        ("2200-12-31", "gregorian", True),
        ("2543-03-05", "gregorian", False),  # 2000, in Buddhist years
        ("0089-03-05", "gregorian", False),  # 2000, in years of the Republic
        ("2400-01-01", "buddhist", True),
        ("2399-12-31", "buddhist", False),
        ("2000-03-05", "buddhist", False),
        ("1-01-01", "roc", True),
        ("2000-03-05", "roc", False),
    ],
)
def test_years_of_another_calendar_are_known(text, calendar, is_law):
    assert (implausible_year(to_day(text, calendar).year, calendar) is None) is is_law


def test_a_year_beyond_all_calendars_is_no_mistake_for_one():
    years = [("3000", "gregorian"), ("9999", "buddhist"), ("2543", "gregorian"), ("1900", "buddhist"), ("2000", "roc")]
    assert [is_beyond(int(to_common_era(text, era)), era) for text, era in years] == [True, True, False, False, False]
