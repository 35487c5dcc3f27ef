"""Numbers as laws write them: Arabic, Thai and full-width digits, Chinese and Roman numerals."""

from __future__ import annotations

import re
from typing import Literal

from inforce.records.labels import to_ascii_digits

Numeral = Literal["arabic", "thai", "fullwidth", "chinese", "roman"]

_ROMAN = "(?=[MDCLXVI])M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})"
_DIGITS: dict[str, tuple[str, str]] = {"arabic": ("0", "9"), "thai": ("๐", "๙"), "fullwidth": ("０", "９")}
_CHINESE = "〇○零一二兩三四五六七八九十百千廿卅"
SIGNS = {"arabic": "0123456789", "thai": "๐๑๒๓๔๕๖๗๘๙", "fullwidth": "０１２３４５６７８９", "chinese": _CHINESE, "roman": "MDCLXVI"}
_VALUES = {"〇": 0, "○": 0, "零": 0, "一": 1, "二": 2, "兩": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9}
_POWERS = {"十": 10, "百": 100, "千": 1000}
_ROMAN_PAIRS = ((1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"))
_ROMAN_PAIRS_LOW = ((10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))

MAX_DIGITS = 5


def number_pattern(kinds: tuple[str, ...]) -> str:
    """A regular expression, without groups, for one number in any of the kinds; a number does not start with zero or go on in digits."""
    digits = "".join(f"{_DIGITS[kind][0]}-{_DIGITS[kind][1]}" for kind in kinds if kind in _DIGITS)
    zeros = "".join(_DIGITS[kind][0] for kind in kinds if kind in _DIGITS)
    forms = [rf"(?![{zeros}])[{digits}]{{1,{MAX_DIGITS}}}(?![{digits}])"] if digits else []
    if "chinese" in kinds:
        forms.append(rf"[{_CHINESE}]{{1,9}}(?![{_CHINESE}])")
    if "roman" in kinds:
        forms.append(rf"(?-i:{_ROMAN})(?![A-Za-z])")
    return f"(?:{'|'.join(forms)})"


def read_number(text: str) -> int | None:
    """The number that a text in one of the numerals means; null if it means none (`十十`, an empty text, zero)."""
    text = text.strip()
    if text[:1].isdecimal():
        plain = to_ascii_digits(text)
        return int(plain) or None if plain.isascii() and plain.isdecimal() else None
    if text and all(sign in _CHINESE for sign in text):
        return _read_chinese(text)
    return _read_roman(text)


def write_number(number: int, kind: Numeral) -> str:
    """The number, 1 to 9999, in one kind of numeral. Chinese is written with powers: 110 = 一百十, 105 = 一百零五."""
    if kind == "chinese":
        return _write_chinese(number)
    if kind == "roman":
        return _write_roman(number)
    zero = ord(_DIGITS[kind][0])
    return "".join(chr(zero + int(digit)) for digit in str(number))


def _read_chinese(text: str) -> int | None:
    text = text.replace("廿", "二十").replace("卅", "三十")
    if not any(sign in _POWERS for sign in text):  # digits in their places: 一〇五
        return int("".join(str(_VALUES[sign]) for sign in text)) or None
    total, digit, last_power = 0, 0, 10_000
    for sign in text:
        if sign in _POWERS:
            power = _POWERS[sign]
            if power >= last_power:
                return None
            total, digit, last_power = total + (digit or 1) * power, 0, power
        elif digit:
            return None
        else:
            digit = _VALUES[sign]
    return total + digit


def _write_chinese(number: int) -> str:
    out, gap = "", False
    for power, sign in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit, number = divmod(number, power)
        if not digit:
            gap = bool(out)
            continue
        if gap:
            out, gap = out + "零", False
        # 十 after a higher power or alone takes no 一: 一百十, 十五; after a zero it does: 一千零一十
        out += sign if power == 10 and digit == 1 and not out.endswith("零") else "零一二三四五六七八九"[digit] + sign
    return out


def _read_roman(text: str) -> int | None:
    if not text or not re.fullmatch(_ROMAN, text.upper()):
        return None
    rest, total = text.upper(), 0
    for value, sign in _ROMAN_PAIRS + _ROMAN_PAIRS_LOW:
        while rest.startswith(sign):
            rest, total = rest[len(sign) :], total + value
    return total


def _write_roman(number: int) -> str:
    out = ""
    for value, sign in _ROMAN_PAIRS + _ROMAN_PAIRS_LOW:
        times, number = divmod(number, value)
        out += sign * times
    return out
