import datetime as dt

import pytest

from inforce.corpus.date_forms import add_months, find_day, unknown_months

MONTHS = {"mars": 3, "août": 8}


@pytest.mark.parametrize(
    ("text", "form", "calendar", "day"),
    [
        ("Loi du 1er mars 1803.", "{day}(?:er)? {month} {year}", "gregorian", dt.date(1803, 3, 1)),
        ("en AOÛT: 6 Août 1962", "{day} {month} {year}", "gregorian", dt.date(1962, 8, 6)),
        ("中華民國一百十年一月十三日", "{year}年{month}月{day}日", "roc", dt.date(2021, 1, 13)),
        ("UpdateDate 20190531", "{year}{month}{day}", "gregorian", dt.date(2019, 5, 31)),
        ("2559-02-29", "{year}-{month}-{day}", "buddhist", dt.date(2016, 2, 29)),
        ("31.02.2001 or 01.03.2001", r"{day}\.{month}\.{year}", "gregorian", dt.date(2001, 3, 1)),
        ("中華民國廿一年卅日三月", "{year}年{day}日{month}月", "roc", dt.date(1932, 3, 30)),
        ("1/2/99", "{day}/{month}/{year}", "gregorian", None),  # the year 99 had no statutes; 1999 is a guess
        ("1/2/99 or 1/2/2003", "{day}/{month}/{year}", "gregorian", dt.date(2003, 2, 1)),
        ("99/2/1", "{year}/{month}/{day}", "roc", dt.date(2010, 2, 1)),
        ("no date", "{year}-{month}-{day}", "gregorian", None),
    ],
)
def test_dates_in_text(text, form, calendar, day):
    assert find_day(text, form, calendar, MONTHS) == day


def test_months_later_is_the_same_day_or_the_last():
    assert add_months(dt.date(2021, 1, 20), 6) == dt.date(2021, 7, 20)
    assert add_months(dt.date(2021, 8, 31), 6) == dt.date(2022, 2, 28)
    assert add_months(dt.date(2021, 12, 15), 12) == dt.date(2022, 12, 15)


def test_words_that_stand_for_a_month_and_have_no_number():
    months = {"mai": 5}
    text = "le 1 mai 2000, le 2 Juin 2001, le 3 4 2002, le 31 mai"
    assert unknown_months(text, "le {day} {month} {year}", months) == [("Juin", "le 2 Juin 2001")]
    assert unknown_months("20000131", "{year}{month}{day}", months) == []
    assert unknown_months("112年十二月1日", "{year}年{month}月{day}日", {}) == []
