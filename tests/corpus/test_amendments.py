import datetime as dt

import pytest
from corpus.fast_import import jurisdiction

from inforce.corpus.amendments import AmendmentReader


@pytest.fixture(scope="module")
def reader():
    return AmendmentReader(jurisdiction("tw_six_acts").sections.history)


def days(amendment, *sections):
    return [str(amendment.commencement(section)) for section in sections]


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("第8條", ["8"]),
        ("第31-1～31-3條", ["31-1", "31-2", "31-3"]),
        ("第83～85-1、90條", ["83", "84", "85", "85-1", "90"]),
        ("第318～318-1條", ["318", "318-1"]),
        ("第98～6條", ["98", "6"]),
    ],
)
def test_numbers_and_ranges(reader, text, numbers):
    assert list(reader.numbers(text)) == numbers


def test_whole_law_and_its_books(reader):
    """Books enacted one after another are numbered on: 3 sections, then 2 more."""
    first, second = reader.read(
        "1.中華民國十八年五月二十三日國民政府制定公布總則編全文 3 條；並自十八年十月十日施行\n2.中華民國十八年十一月二十二日國民政府制定公布債編全文 2 條"
    )
    assert list(first.sections) == ["1", "2", "3"]
    assert list(second.sections) == ["4", "5"]
    assert days(first, "2") == ["1929-10-10"]


def test_a_named_day_months_and_the_day_of_promulgation(reader):
    text = """35.中華民國一百十年一月十三日總統華總一義字第 1 號令修正公布第 12、1
    3 條條文；刪除第 981 條條文；並自一百十二年一月一日施行
    36.中華民國一百十年一月二十日總統令修正公布第 205  條條文；並自公布後六個月施行
    中華民國一百十年一月二十日總統令修正公布第 1030-1 條條文；並自公布日施行"""
    dated, later, at_once = reader.read(text)
    assert days(dated, "12", "13", "981") == ["2023-01-01"] * 3
    assert days(later, "205") == ["2021-07-20"]
    assert days(at_once, "1030-1") == ["2021-01-22"]  # the third day, that of promulgation being the first
    assert (at_once.promulgated, at_once.number) == (dt.date(2021, 1, 20), 1)


def test_nothing_said_is_the_configured_default(reader):
    (amendment,) = reader.read("中華民國一百零八年五月二十九日總統令修正公布第 10 條條文")
    assert (days(amendment, "10"), amendment.is_default) == (["2019-05-31"], True)


def test_exceptions_have_their_own_days(reader):
    text = "中華民國一百十二年二月八日總統令修正公布第 10、91-1 條條文；除第 91-1 條條文自一百十二年七月一日施行外，自公布日施行"
    (amendment,) = reader.read(text)
    assert days(amendment, "10", "91-1") == ["2023-02-10", "2023-07-01"]


def test_a_part_apart_delays_the_whole_text(reader):
    text = "中華民國一百零九年一月十五日總統令修正公布第 50、51 條條文；增訂第 38-1 條條文；除第 38-1 條、第 51 條第 1  項自公布後六個月施行外，自公布日施行"
    (amendment,) = reader.read(text)
    assert days(amendment, "38-1", "50", "51") == ["2020-07-15", "2020-01-17", "2020-07-15"]
    assert amendment.is_split("51")
    assert not amendment.is_split("50")


def test_an_order_sets_the_day_later(reader):
    text = """中華民國一百十年十二月十五日總統令修正公布第 18-1、31 條條文；施行日期，由行政院以命令定之"""
    assert days(reader.read(text)[0], "31") == ["None"]
    text += "\n中華民國一百十一年七月二十一日行政院院臺交字第 1 號令發布第 18-1 條第 1～5 項、第 31 條，定自一百十一年八月一日施行"
    (amendment,) = reader.read(text)
    assert days(amendment, "31", "18-1") == ["2022-08-01", "2022-08-01"]
    assert amendment.is_split("18-1")


def test_other_entries_amend_nothing(reader):
    assert reader.read("中華民國一百十二年八月十八日行政院公告第 82-1 條第 2 項所列權責事項，改由「環境部」管轄") == []
