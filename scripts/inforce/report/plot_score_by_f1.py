"""The score of answers by their Citation F1 (NitiBench+ Figure 10), in the main setting.

One grey line a model that cites; the black line is the average model, each model centred on its own mean, with the 95 %
interval of each point that rests on two clusters or more. The number beside it is the rise from the answers that cite none of the court's sections to those with
the highest F1. Below stand the share of the differences between a model's answers that citations explain, and the weights of
precision and recall. PNG and SVG depend on the data alone.
"""

from __future__ import annotations

import argparse

import matplotlib

matplotlib.use("agg")

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from inforce.report.figures import VERMILION, add_figure_arguments, message_figure, write_figure
from inforce.report.shown import interval, main_setting, read_numbers
from inforce.report.words import ALL, SETTING_NAMES, ReportError, cells_of, fixed

BINS = ("none", "below .25", ".25 to .5", ".5 to .75", ".75 and more")
_NONE = "No model of this run cites the court's sections in enough of its scored answers to be drawn."
_WEIGHTS = ["share_f1", "share_both", "weight_precision", "weight_recall", "rise"]


def draw(bins: pd.DataFrame, weights: pd.DataFrame) -> Figure:
    """The figure, from the rows of score_by_citations.csv and citation_weights.csv."""
    if bins.empty:
        return message_figure(_NONE)
    main = main_setting(bins["setting"])
    here = bins[bins["setting"] == main]
    figure, axes = plt.subplots(figsize=(7.4, 5.1))
    figure.subplots_adjust(left=0.09, right=0.965, top=0.93, bottom=0.235)
    for number, model in enumerate(name for name in here["model"].unique() if name != ALL):
        line = _line(here, model)
        axes.plot(range(len(BINS)), line["value"], color="#b5b5b5", linewidth=1, zorder=1, label="one model" if number == 0 else None)
    line = _line(here, ALL)
    axes.plot(range(len(BINS)), line["value"], color="black", linewidth=2.2, marker="o", markersize=5, zorder=3, label="average model")
    for place, (low, high) in enumerate(zip(line["low"], line["high"], strict=True)):
        if np.isfinite(low):
            axes.plot([place, place], [low, high], color="black", linewidth=1.2, zorder=3)
    found = cells_of(weights[weights["setting"] == main], ["statistic"])
    value = {name: found[name,]["value"] if (name,) in found else np.nan for name in _WEIGHTS}
    if np.isfinite(value["rise"]):
        rise = f"{value['rise']:+.1f} points\n{interval(found['rise',]['low'], found['rise',]['high'], '+')}".strip().replace("-", "−")
        axes.annotate(
            rise,
            (len(BINS) - 1, line["value"].iloc[-1]),
            (-8, 8),
            textcoords="offset points",
            ha="right",
            color=VERMILION,
            fontsize=9,
            weight="bold",
            bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.85, "pad": 1.5},
            zorder=4,
        )
    counts = here[here["model"] == ALL].set_index("bin")["n"]
    axes.set_xticks(range(len(BINS)), [f"{name}\nn = {counts.get(name, 0):,.0f}" for name in BINS])
    axes.set_ylim(0, 10)
    axes.set_xlim(-0.25, len(BINS) - 0.75)
    axes.grid(axis="y", color="#e3e3e3", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.set_xlabel("Citation F1 of the answer (sub-questions × samples)")
    axes.set_ylabel(f"Mean Bar-standard score, {SETTING_NAMES[main]}")
    figure.legend(loc="upper center", ncols=2, frameon=False, fontsize=8.5, bbox_to_anchor=(0.5, 1))
    figure.text(0.09, 0.02, _explained(value), fontsize=8, color="#333333")
    return figure


def _line(rows: pd.DataFrame, model: str) -> pd.DataFrame:
    return rows[rows["model"] == model].set_index("bin").reindex(list(BINS))


def _explained(value: dict[str, float]) -> str:
    if not np.isfinite(value["share_both"]):
        return "Within models the citations do not vary with the score enough to say what they explain."
    parts = f"precision and recall together {100 * value['share_both']:.0f} %, F1 alone {100 * value['share_f1']:.0f} %"
    weights = f"Weights: recall {fixed(value['weight_recall'], 2)}, precision {fixed(value['weight_precision'], 2)}".replace("-", "−")
    return f"Explained of the differences between a model's answers: {parts}.\n{weights} (standardised, within models)."


def main(argv: list[str] | None = None) -> None:
    """Read both tables, draw, write both files."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.report.plot_score_by_f1 --bins results/stats/demo/score_by_citations.csv "
        "--weights results/stats/demo/citation_weights.csv --png results/report/demo/figure10_score_by_f1.png "
        "--svg results/report/demo/figure10_score_by_f1.svg",
    )
    parser.add_argument("--bins", required=True)
    parser.add_argument("--weights", required=True)
    add_figure_arguments(parser)
    args = parser.parse_args(argv)
    try:
        bins = read_numbers(args.bins, ["setting", "model", "bin"], ["value", "low", "high", "n"])
        weights = read_numbers(args.weights, ["setting", "statistic"], ["value", "low", "high"])
    except ReportError as error:
        raise SystemExit(str(error)) from error
    write_figure(args, lambda: draw(bins, weights))


if __name__ == "__main__":
    main()
