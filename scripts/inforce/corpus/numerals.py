"""Whole numbers as sources write them: digits of any script, and Chinese numerals."""

from __future__ import annotations

from inforce.records.labels import to_ascii_digits

_DIGITS = {character: value for value, character in enumerate("零一二三四五六七八九")} | {"〇": 0, "○": 0, "兩": 2, "元": 1}
_UNITS = {"十": 10, "百": 100, "千": 1000}
_TENS = str.maketrans({"廿": "二十", "卅": "三十", "卌": "四十"})  # one character for twenty, thirty, forty

# What a number looks like in a pattern.
NUMBER = r"\d+|[零〇○元一二三四五六七八九十百千兩廿卅卌]+"


def to_number(text: str) -> int:
    """`110`, `๑๑๐`, `１１０`, `一百十`, `一百一十`, `一一〇` -> 110; `廿一` -> 21. Raises ValueError for anything else."""
    plain = to_ascii_digits(text.strip()).translate(_TENS)
    if plain.isdecimal():
        return int(plain)
    if not plain or any(character not in _DIGITS and character not in _UNITS for character in plain):
        raise ValueError(f"{text!r} is not a number")
    if not any(character in _UNITS for character in plain):
        return int("".join(str(_DIGITS[character]) for character in plain))
    total, digit = 0, 0
    for character in plain:
        if character in _UNITS:
            total += (digit or 1) * _UNITS[character]
            digit = 0
        else:
            digit = _DIGITS[character]
    return total + digit
