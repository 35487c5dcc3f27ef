import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inforce.citations.numerals import number_pattern, read_number, write_number


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("335", 335),
        ("๓๓๕", 335),
        ("３３５", 335),
        ("十", 10),
        ("十五", 15),
        ("二十", 20),
        ("百十", 110),
        ("一百十六", 116),
        ("一百一十六", 116),
        ("一百零五", 105),
        ("一〇五", 105),
        ("一千零七十六", 1076),
        ("兩百", 200),
        ("廿一", 21),
        ("XIV", 14),
        ("xc", 90),
    ],
)
def test_numbers_are_read(text, number):
    assert read_number(text) == number


@pytest.mark.parametrize("text", ["", "十十", "一一十", "IIII", "IC", "0", "〇", "abc", "१२x"])
def test_what_is_no_number_is_null(text):
    assert read_number(text) is None


@pytest.mark.parametrize("kind", ["arabic", "thai", "fullwidth", "chinese", "roman"])
@settings(max_examples=60, deadline=None)
@given(number=st.integers(1, 3999))
def test_written_numbers_are_read_back_and_found_whole(kind, number):
    text = write_number(number, kind)
    assert read_number(text) == number
    assert re.fullmatch(number_pattern((kind,)), text)


@pytest.mark.parametrize("text", ["0335", "123456", "007"])
def test_a_number_has_no_leading_zero_and_at_most_five_digits(text):
    assert not re.match(number_pattern(("arabic",)), text)
