"""A text with marked parts set in lines of a given width, for figures. Thai and Han have no spaces: a line may end between their letters."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import matplotlib.pyplot as plt
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.font_manager import FontProperties

from inforce.report.marked_difference import Part

Line = list[Part]
_SPACELESS = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_MARKS = "\u0e30-\u0e3a\u0e45-\u0e4e\u0eb0-\u0ebc\u0ec6-\u0ecd\u102b-\u103e\u17b4-\u17d3"  # vowels and marks that follow their letter
_FIRST = "\u0e40-\u0e44\u0ec0-\u0ec4"  # vowels written before their letter
_CLOSING = "\u3001\u3002\uff0c\uff1b\uff1a\uff01\uff1f\u300d\u300f\uff09"  # no line begins with these
_PIECE = re.compile(rf"[{_FIRST}]*[{_SPACELESS}][{_MARKS}]*[{_CLOSING}]* *|[^\s{_SPACELESS}]+ *|\s+")
LONGEST_SAME, KEPT, LONGEST = 180, 75, 900  # letters of a passage that did not change; of its ends; of all parts


class Measure:
    """Widths of texts in inches, in the fonts of the style in use."""

    def __init__(self, size: float) -> None:
        self._renderer = RendererAgg(10, 10, 720)  # type: ignore[no-untyped-call]
        self._fonts = {
            bold: FontProperties(family=plt.rcParams["font.family"], size=size, weight="bold" if bold else "normal")
            for bold in (False, True)
        }
        self._known: dict[tuple[str, bool], float] = {}

    def __call__(self, text: str, bold: bool = False) -> float:
        """Width of a text; spaces at its ends count, which the renderer leaves out."""
        inner = text.strip(" ")
        return self._shape(inner, bold) + self.space * (len(text) - len(inner))

    @property
    def space(self) -> float:
        """Width of a space."""
        return self._shape("a a", False) - self._shape("aa", False)

    def _shape(self, text: str, bold: bool) -> float:
        if (text, bold) not in self._known:
            box: Any = self._renderer.get_text_width_height_descent(  # type: ignore[no-untyped-call]
                text.replace("$", r"\$"), self._fonts[bold], ismath=False
            )
            self._known[text, bold] = float(box[0]) / 720 if text else 0.0
        return self._known[text, bold]


def break_lines(parts: Sequence[Part], width: float, measure: Measure) -> list[Line]:
    """The parts in lines no wider than `width` inches; neighbouring text of a kind is one part of its line."""
    lines: list[Line] = [[]]
    used = 0.0
    for kind, text in parts:
        for piece in _PIECE.findall(text.replace("\n", " ")):
            if lines[-1] and used + measure(piece.rstrip(), bold=kind != "same") > width:
                lines.append([])
                used, piece = 0.0, piece.lstrip()
            if not piece:
                continue
            used += measure(piece, bold=kind != "same")
            if lines[-1] and lines[-1][-1][0] == kind:
                lines[-1][-1] = (kind, lines[-1][-1][1] + piece)
            else:
                lines[-1].append((kind, piece))
    return [line for line in lines if line]


def shortened(parts: Sequence[Part]) -> list[Part]:
    """The parts with long unchanged passages cut in the middle, and everything cut after so many letters; … stands for what was cut."""
    out: list[Part] = []
    left = LONGEST
    for place, (kind, text) in enumerate(parts):
        if kind == "same" and len(text) > LONGEST_SAME:
            start = text[:KEPT] if place else ""
            end = text[-KEPT:] if place < len(parts) - 1 else ""
            text = f"{start} … {end}" if len(parts) > 1 else text[:LONGEST] + " …"
        if len(text) > left:
            out.append((kind, text[: max(left, 0)] + " …"))
            if kind == "old" and place + 1 < len(parts) and parts[place + 1][0] == "new":
                out.append(("new", parts[place + 1][1][: max(left, 0)] + " …"))
            break
        out.append((kind, text))
        left -= len(text)
    return out
