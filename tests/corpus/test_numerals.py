import pytest
from hypothesis import given
from hypothesis import strategies as st

from inforce.corpus.numerals import to_number


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("110", 110),
        ("๑๑๐", 110),
        ("１１０", 110),
        ("一百十", 110),
        ("一百一十", 110),
        ("一一〇", 110),
        ("十", 10),
        ("二十一", 21),
        ("一百零九", 109),
        ("廿一", 21),
        ("卅", 30),
        ("一百廿", 120),
        ("卌五", 45),
    ],
)
def test_numbers_of_any_script(text, value):
    assert to_number(text) == value


@given(st.integers(1, 9999))
def test_chinese_numbers_come_back(value):
    digits, text = "零一二三四五六七八九", ""
    for unit, power in (("千", 1000), ("百", 100), ("十", 10), ("", 1)):
        digit = value // power % 10
        text += digits[digit] + unit if digit else "零"
    assert to_number(text) == value


@pytest.mark.parametrize("text", ["", "abc", "1a", "十a"])
def test_anything_else_is_refused(text):
    with pytest.raises(ValueError, match="not a number"):
        to_number(text)
