"""Invented citations in the Parametric setting, split into laws and sections (NitiBench+ Figure 9), one bar a model.

A citation is invented if its law is not in the corpus, or the law exists and has no such section; the bar is the share of the
citations checked. Models from the fewest to the most; behind each bar the share and the number of citations checked. A model
without a checked citation has no bar and says so. PNG and SVG depend on the data alone.
"""

from __future__ import annotations

import argparse
import math
from pathlib import Path

import matplotlib

matplotlib.use("agg")

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.figure import Figure

from inforce.config.model import Model
from inforce.report.figures import BLUE, ORANGE, add_figure_arguments, left_margin, message_figure, plain, write_figure
from inforce.report.shown import read_numbers, values_of
from inforce.report.words import ReportError, read_models

SETTING = "parametric"  # where every citation comes from memory
_NONE = "The setting Parametric was not run: what a model cites there comes from memory alone."
PARTS = {"invented_law_rate": ("Law not in the corpus", BLUE, ""), "invented_section_rate": ("Law without such a section", ORANGE, "////")}


def draw(settings: pd.DataFrame, models: dict[str, Model]) -> Figure:
    """The figure, from the rows of settings.csv."""
    values = values_of(settings)
    run = list(settings.loc[settings["setting"] == SETTING, "model"].unique())
    if not run:
        return message_figure(_NONE)
    share = {model: values.get((model, SETTING, "invented_rate"), math.nan) for model in run}
    order = sorted(
        run, key=lambda model: (math.isnan(share[model]), share[model] if math.isfinite(share[model]) else 0, models[model].name)
    )
    names = [models[model].name for model in order]
    height = 1.1 + 0.25 * len(order)
    figure, axes = plt.subplots(figsize=(8, height))
    left = [0.0] * len(order)
    for metric, (label, colour, hatch) in PARTS.items():
        widths = [values.get((model, SETTING, metric), 0.0) for model in order]
        axes.barh(range(len(order)), widths, left=left, color=colour, hatch=hatch, edgecolor="white", linewidth=0, height=0.7, label=label)
        left = [start + width for start, width in zip(left, widths, strict=True)]
    most = max([*left, 1.0])
    for place, model in enumerate(order):
        checked = values.get((model, SETTING, "checked_citations"), 0.0)
        text = f"{share[model]:.1f} % of {checked:,.0f}" if math.isfinite(share[model]) else "no citation checked"
        axes.text(left[place] + most * 0.012, place, text, va="center", fontsize=7.5, color="#333333")
    axes.set_yticks(range(len(order)), [plain(name) for name in names])
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(len(order) - 0.5, -0.5)
    axes.set_xlim(0, most * 1.24)
    axes.grid(axis="x", color="#e3e3e3", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.set_xlabel("Invented citations in Parametric, % of those checked")
    figure.legend(loc="upper center", ncols=2, frameon=False, fontsize=8.5, bbox_to_anchor=(0.5, 1))
    figure.subplots_adjust(left=left_margin(figure, names), right=0.97, top=1 - 0.38 / height, bottom=0.5 / height)
    return figure


def main(argv: list[str] | None = None) -> None:
    """Read settings.csv, draw, write both files."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.report.plot_invented --settings results/stats/demo/settings.csv --models-dir config/models "
        "--png results/report/demo/figure09_invented.png --svg results/report/demo/figure09_invented.svg",
    )
    parser.add_argument("--settings", required=True)
    parser.add_argument("--models-dir", required=True, type=Path)
    add_figure_arguments(parser)
    args = parser.parse_args(argv)
    try:
        settings = read_numbers(args.settings, ["model", "setting", "domain", "metric"], ["value"])
        models = read_models(args.models_dir, settings["model"].unique())
    except ReportError as error:
        raise SystemExit(str(error)) from error
    write_figure(args, lambda: draw(settings, models), [model.name for model in models.values()])


if __name__ == "__main__":
    main()
