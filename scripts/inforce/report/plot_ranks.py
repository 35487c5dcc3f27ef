"""Ranks by an outside index beside ranks by the run's scores (NitiBench+ Figure 11), one line a model, one panel an index.

The eight best by the index are drawn strong, the others grey. Above each panel stand Spearman's correlations over all models
and over the eight. The index's values are the user's (config/outside_index.csv); without any the figure says so. PNG and SVG
depend on the data alone.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import matplotlib

matplotlib.use("agg")

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from inforce.config.model import Model
from inforce.report.figures import BLUE, add_figure_arguments, message_figure, plain, text_width, write_figure
from inforce.report.shown import UNKNOWN, read_numbers
from inforce.report.words import SETTING_NAMES, ReportError, cells_of, fixed, read_models

TOP = 8
_NONE = "No model of this run has a value in config/outside_index.csv (columns model, index, value, date, source)."


def draw(ranks: pd.DataFrame, correlations: pd.DataFrame, models: dict[str, Model]) -> Figure:
    """The figure, from the rows of outside_ranks.csv and outside_correlations.csv."""
    if ranks.empty:
        return message_figure(_NONE)
    found = cells_of(correlations, ["index", "among"])
    panels = list(ranks["index"].unique())
    lines = [int((ranks["index"] == name).sum()) for name in panels]
    heights = [0.9 + 0.26 * n for n in lines]
    figure = plt.figure(figsize=(7.4, sum(heights) + 0.3))
    total, below = sum(heights) + 0.3, sum(heights) + 0.2
    room = max(text_width(figure, f"28  {model.name}  ", 8.5) for model in models.values()) / figure.dpi / 7.4 + 0.02
    room = min(room, 0.4)
    for name, height in zip(panels, heights, strict=True):
        below -= height
        axes = figure.add_axes((room, (below + 0.15) / total, 1 - 2 * room, (height - 0.8) / total))
        rows = ranks[ranks["index"] == name]
        _panel(axes, rows, models)
        setting = SETTING_NAMES[str(rows["setting"].iloc[0])]
        texts = [f"{words} {_correlation(found, name, among)}" for among, words in (("all", "all"), (f"top {TOP}", f"first {TOP}"))]
        when = sorted(day for day in rows["date"].unique() if day)
        title = plain(f"{name}{', ' + when[-1] if when else ''} (left) and {setting} (right)")
        axes.set_title(f"Spearman's correlation: {', '.join(texts)}", fontsize=8.5, pad=4)
        figure.text(0.5, (below + height - 0.3) / total, title, ha="center", fontsize=9, weight="bold")
    return figure


def _panel(axes: Axes, rows: pd.DataFrame, models: dict[str, Model]) -> None:
    left = _places(rows["index_rank"])
    right = _places(rows["score_rank"])
    for row, start, end in zip(rows.to_dict("records"), left, right, strict=True):
        strong = row["index_rank"] <= TOP
        colour, name = (BLUE, "#111111") if strong else ("#9a9a9a", "#555555")
        axes.plot([0, 1], [start, end], color=colour, linewidth=1.6 if strong else 1, marker="o", markersize=3.5, clip_on=False)
        label = plain(models[str(row["model"])].name)
        axes.text(-0.03, start, f"{label}  {row['index_rank']:.0f}", ha="right", va="center", fontsize=8.5, color=name)
        axes.text(1.03, end, f"{row['score_rank']:.0f}  {label}", ha="left", va="center", fontsize=8.5, color=name)
    axes.set_xlim(0, 1)
    axes.set_ylim(len(rows) - 0.5, -0.7)
    axes.set_axis_off()


def _places(ranks: pd.Series[float]) -> list[int]:
    """A line of its own for each model, by rank; equal ranks one below the other."""
    order = ranks.reset_index(drop=True).sort_values(kind="stable").index
    places = [0] * len(ranks)
    for place, number in enumerate(order):
        places[int(number)] = place
    return places


def _correlation(found: dict[tuple[str, ...], dict[str, float]], index: str, among: str) -> str:
    cell = found.get((index, among))
    return f"{fixed(cell['spearman'], 2).replace('-', '−') or UNKNOWN} ({cell['n_models']:.0f} models)" if cell else UNKNOWN


def main(argv: list[str] | None = None) -> None:
    """Read both tables, draw, write both files."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.report.plot_ranks --ranks results/stats/demo/outside_ranks.csv "
        "--correlations results/stats/demo/outside_correlations.csv --models-dir config/models "
        "--png results/report/demo/figure11_ranks.png --svg results/report/demo/figure11_ranks.svg",
    )
    parser.add_argument("--ranks", required=True)
    parser.add_argument("--correlations", required=True)
    parser.add_argument("--models-dir", required=True, type=Path)
    add_figure_arguments(parser)
    args = parser.parse_args(argv)
    try:
        ranks = read_numbers(args.ranks, ["setting", "index", "model", "date"], ["index_rank", "score_rank"])
        correlations = read_numbers(args.correlations, ["index", "among"], ["spearman", "n_models"])
        models = read_models(args.models_dir, ranks["model"].unique())
    except ReportError as error:
        raise SystemExit(str(error)) from error
    write_figure(args, lambda: draw(ranks, correlations, models), [*(model.name for model in models.values()), *ranks["index"].unique()])


if __name__ == "__main__":
    main()
