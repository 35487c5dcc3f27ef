"""Score against cost with the Pareto front (NitiBench+ Figure 7), one mark a model; the cost axis is logarithmic.

The dashed line joins the models that no other model beats in both. A model whose cost is not known, or nothing, has no place on
the axis: it is named below the figure, and never drawn at zero. PNG and SVG depend on the data alone.
"""

from __future__ import annotations

import argparse
import itertools
import textwrap
from pathlib import Path

import matplotlib

matplotlib.use("agg")

import matplotlib.pyplot as plt
import numpy as np
import numpy.typing as npt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, NullFormatter

from inforce.config.model import Model
from inforce.report.figures import ACCESS_COLOURS, ACCESS_MARKERS, add_figure_arguments, message_figure, plain, text_width, write_figure
from inforce.report.labels import Box, place_labels
from inforce.report.shown import read_numbers
from inforce.report.words import SETTING_NAMES, ReportError, read_models

Floats = npt.NDArray[np.float64]

_SIZE = 7.5
_NONE = "No model of this run has a known cost: fill config/prices.csv and name its key in the model files."


def draw(front: pd.DataFrame, models: dict[str, Model]) -> Figure:
    """The figure, from the rows of pareto_front.csv."""
    known = front[(front["cost_usd"] > 0) & front["score"].notna()].sort_values(["on_front", "score"], ascending=False, kind="stable")
    if known.empty:
        return message_figure(_NONE)
    names = [models[name].name for name in front["model"] if name not in set(known["model"])]
    below = textwrap.wrap("Not placed, cost or score not known, or free: " + ", ".join(names) + ".", 120) if names else []
    height = 5.6 + 0.17 * len(below)
    figure, axes = plt.subplots(figsize=(8.4, height))
    figure.subplots_adjust(left=0.08, right=0.97, top=1 - 0.4 / height, bottom=(0.62 + 0.17 * len(below)) / height)
    axes.set_xscale("log")
    _limits(axes, known)
    line = known[known["on_front"] == "yes"].sort_values("cost_usd")
    axes.plot(line["cost_usd"], line["score"], color="#444444", linestyle="--", linewidth=1, zorder=2, label="Pareto front")
    for access, colour in ACCESS_COLOURS.items():
        rows = known[[models[name].access == access for name in known["model"]]]
        if len(rows):
            marker = ACCESS_MARKERS[access]
            axes.scatter(
                rows["cost_usd"], rows["score"], s=26, color=colour, marker=marker, label=access.capitalize(), zorder=3, linewidths=0
            )
    _name(figure, axes, known, line, models)
    axes.grid(color="#e3e3e3", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.set_xlabel("US dollars an item (logarithmic)")
    axes.set_ylabel(f"Bar-standard score, {SETTING_NAMES[str(front['setting'].iloc[0])]}")
    figure.legend(loc="upper center", ncols=3, frameon=False, fontsize=8.5, bbox_to_anchor=(0.5, 1))
    for number, text in enumerate(reversed(below)):
        figure.text(0.08, (0.08 + 0.17 * number) / height, plain(text), fontsize=_SIZE, color="#444444")
    return figure


def _limits(axes: Axes, known: pd.DataFrame) -> None:
    low, high = known["cost_usd"].min(), known["cost_usd"].max()
    axes.set_xlim(low / 1.8, high * 2.2)
    top, bottom = known["score"].max(), known["score"].min()
    axes.set_ylim(max(-0.3, bottom - 0.6), min(10.3, top + 0.6))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.xaxis.set_minor_formatter(NullFormatter())


def _name(figure: Figure, axes: Axes, known: pd.DataFrame, line: pd.DataFrame, models: dict[str, Model]) -> None:
    """A label beside each point; the front's models choose their place first, a thin line leads to a label that had to move."""
    names = [models[name].name for name in known["model"]]
    unit = figure.dpi / 72
    places = axes.transData.transform(known[["cost_usd", "score"]].to_numpy(float)) / unit
    frame = Box(*(value / unit for value in axes.get_window_extent().extents))
    widths = [text_width(figure, name, _SIZE) * (1.13 if on == "yes" else 1) for name, on in zip(names, known["on_front"], strict=True)]
    sizes = [(width / unit, _SIZE * 1.15) for width in widths]  # bold is wider
    boxes = place_labels(
        [(x, y) for x, y in places], sizes, frame, _along(axes.transData.transform(line[["cost_usd", "score"]].to_numpy(float)) / unit)
    )
    back = axes.transData.inverted()
    for name, (x, y), box, on in zip(names, places, boxes, known["on_front"], strict=True):
        near = min(max(x, box.left), box.right), min(max(y, box.bottom), box.top)
        if abs(near[0] - x) + abs(near[1] - y) > 9:
            ends = back.transform([[x * unit, y * unit], [near[0] * unit, near[1] * unit]])
            axes.plot(ends[:, 0], ends[:, 1], color="#aaaaaa", linewidth=0.6, zorder=1)
        left, middle = back.transform([box.left * unit, (box.bottom + box.top) / 2 * unit])
        axes.text(
            left,
            middle,
            plain(name),
            fontsize=_SIZE,
            va="center_baseline",
            color="#111111",
            weight="bold" if on == "yes" else "normal",
            zorder=4,
        )


def _along(corners: Floats) -> list[tuple[float, float]]:
    """Points every few units along a line, for labels to keep off."""
    places = []
    for start, end in itertools.pairwise(corners):
        steps = int(np.hypot(*(end - start)) / 3) + 1
        places += [(float(x), float(y)) for x, y in start + (end - start) * (np.arange(steps) / steps)[:, None]]
    return places


def main(argv: list[str] | None = None) -> None:
    """Read pareto_front.csv, draw, write both files."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.report.plot_cost --front results/stats/demo/pareto_front.csv --models-dir config/models "
        "--png results/report/demo/figure07_cost.png --svg results/report/demo/figure07_cost.svg",
    )
    parser.add_argument("--front", required=True)
    parser.add_argument("--models-dir", required=True, type=Path)
    add_figure_arguments(parser)
    args = parser.parse_args(argv)
    try:
        front = read_numbers(args.front, ["model", "setting", "on_front"], ["cost_usd", "score"])
        models = read_models(args.models_dir, front["model"].unique())
    except ReportError as error:
        raise SystemExit(str(error)) from error
    write_figure(args, lambda: draw(front, models), [model.name for model in models.values()])


if __name__ == "__main__":
    main()
