"""Fonts for text of any script in figures: Latin from matplotlib's own DejaVu, Thai from the bundled Noto, others from the machine or image.

Matplotlib sets a text in the first font of a list that has the letter. A script without a font is no fault of the data: `missing_letters`
says which letters would be boxes, so that a figure can say so in words instead.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from pathlib import Path

from matplotlib import font_manager, ft2font

BASE = "DejaVu Sans"
BUNDLED = {"Noto Sans Thai": Path(__file__).parent / "fonts" / "NotoSansThai.ttf"}  # licence beside it
# Families that cover further scripts, in the order tried; Debian has them as fonts-noto-cjk and fonts-noto-core
SYSTEM = (
    *("Noto Sans CJK TC", "Noto Sans CJK SC", "Noto Sans CJK JP", "Noto Sans CJK KR", "Noto Sans TC", "Noto Sans SC", "Noto Sans JP"),
    *("Source Han Sans TC", "WenQuanYi Zen Hei", "Noto Sans Lao", "Noto Sans Khmer", "Noto Sans Myanmar", "Noto Sans Devanagari"),
    *("Noto Sans Bengali", "Noto Sans Arabic", "Noto Sans Hebrew"),
)


def families_for(texts: Iterable[str]) -> list[str]:
    """The families that these texts need, DejaVu first: the list for matplotlib's font.family."""
    missing = letters_of(texts)
    chosen = []
    for family in (BASE, *BUNDLED, *SYSTEM):
        covered = missing & _letters_in(family)
        if covered or family == BASE:
            chosen.append(family)
            missing -= covered
    return chosen


def missing_letters(texts: Iterable[str]) -> list[str]:
    """Letters that no font at hand has, sorted."""
    missing = letters_of(texts)
    for family in (BASE, *BUNDLED, *SYSTEM):
        missing -= _letters_in(family)
    return sorted(missing)


def letters_of(texts: Iterable[str]) -> set[str]:
    """The different signs of the texts that need a shape: no white space, no control signs."""
    return {sign for text in texts for sign in text if sign.isprintable() and not sign.isspace()}


@functools.cache
def _letters_in(family: str) -> frozenset[str]:
    path = _file_of(family)
    return frozenset(map(chr, ft2font.FT2Font(path).get_charmap())) if path else frozenset()


@functools.cache
def _file_of(family: str) -> str:
    """The file of a family; empty where it is not installed. Bundled families are made known to matplotlib."""
    if family in BUNDLED:
        path = str(BUNDLED[family])
        if family not in {entry.name for entry in font_manager.fontManager.ttflist}:
            font_manager.fontManager.addfont(path)
        return path
    try:
        return str(font_manager.findfont(font_manager.FontProperties(family=[family]), fallback_to_default=False))
    except ValueError:
        return ""
