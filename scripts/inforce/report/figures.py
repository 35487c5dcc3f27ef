"""What all figures share: style, margins, bytes that depend on nothing but the data, and a figure that has nothing to show."""

from __future__ import annotations

import argparse
import io
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import matplotlib

matplotlib.use("agg")

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

from inforce.records.files import write_bytes
from inforce.report.fonts import families_for

# Okabe-Ito colours, told apart by colour-blind readers
GREY, SKY, BLUE, ORANGE, VERMILION, GREEN, PURPLE = "#7f7f7f", "#56b4e9", "#0072b2", "#e69f00", "#d55e00", "#009e73", "#cc79a7"
ACCESS_COLOURS = {"open": BLUE, "proprietary": VERMILION}
ACCESS_MARKERS = {"open": "o", "proprietary": "^"}

STYLE: Any = {
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "svg.fonttype": "path",
    "svg.hashsalt": "inforce",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.spines.left": False,
    "axes.edgecolor": "#999999",
}


def add_figure_arguments(parser: argparse.ArgumentParser) -> None:
    """The options --png and --svg, one file each."""
    for form in ("png", "svg"):
        parser.add_argument(f"--{form}", required=True, help=f"the figure as {form}")


def write_figure(args: argparse.Namespace, draw: Callable[[], Figure], texts: Iterable[str] = ()) -> None:
    """Draw in the house's style and write both files. `texts` are names that may be in any script."""
    with plt.rc_context(STYLE | {"font.family": families_for(texts)}):
        figure = draw()
        write_bytes(args.png, render(figure, "png"))
        write_bytes(args.svg, render(figure, "svg"))
        plt.close(figure)


def render(figure: Figure, kind: str) -> bytes:
    """The figure's bytes as png or svg, without date or version."""
    out = io.BytesIO()
    metadata = {"Date": None, "Creator": None} if kind == "svg" else {"Software": None}
    figure.savefig(out, format=kind, dpi=200, metadata=metadata)
    return out.getvalue()


def message_figure(text: str) -> Figure:
    """A figure that says why there is nothing to see."""
    figure = plt.figure(figsize=(8, 1.6))
    figure.text(0.5, 0.5, plain(text), ha="center", va="center", color="#444444", wrap=True)
    return figure


def plain(name: str) -> str:
    """A name as it is: the dollar sign starts no formula."""
    return name.replace("$", r"\$")


def left_margin(figure: Figure, names: Sequence[str], fontsize: float = 9) -> float:
    """Room for the longest name, as a share of the figure's width; half of it at most."""
    width = max((text_width(figure, name, fontsize) for name in names), default=0.0)
    return min(0.5, width / figure.get_window_extent().width + 0.03)


def text_width(figure: Figure, name: str, fontsize: float = 9) -> float:
    """Width of a text in the figure's pixels."""
    renderer = figure.canvas.get_renderer()  # type: ignore[attr-defined]
    text = figure.text(0, 0, plain(name), fontsize=fontsize)
    width = float(text.get_window_extent(renderer).width)
    text.remove()
    return width
