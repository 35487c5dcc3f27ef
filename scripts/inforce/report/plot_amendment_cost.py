"""The cost of the current text against the size of the amendment (NitiBench+ Figure 4).

Each dot is an item of the Amended band: across, the trigram distance between the text in force and the current one; up, Gold-cited In-force
minus Current, mean over models. Shape and colour say what the amendment changed. Squares are the means of bins of equal numbers of items,
six or fewer where items are few, none below twelve items.
"""

from __future__ import annotations

import argparse

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from inforce.report.figures import BLUE, GREY, VERMILION, add_figure_arguments, message_figure, write_figure
from inforce.report.words import ReportError, read_csv

STYLES = {"rule": ("Rule changed", VERMILION, "^"), "wording": ("Wording only", BLUE, "o"), "": ("Not labelled", GREY, "s")}
BINS, FEWEST = 6, 6  # bins of the paper; items that a bin has at least


def draw(items: pd.DataFrame) -> Figure:
    """The figure, from the rows of amended_items.csv."""
    known = items[items["gain_score"].astype(str) != ""].astype({"gain_score": float, "trigram_distance": float})
    known = known[np.isfinite(known["gain_score"])]
    if known.empty:
        return message_figure("No item of the Amended band has a score in both Gold-cited settings.")
    figure, axes = plt.subplots(figsize=(7, 4.2))
    axes.axhline(0, color="#999999", linewidth=0.8)
    for change, (label, colour, marker) in STYLES.items():
        part = known[known["change"] == change]
        if len(part):
            axes.scatter(
                part["trigram_distance"],
                part["gain_score"],
                s=16,
                color=colour,
                marker=marker,
                alpha=0.45 if len(known) > 60 else 0.9,
                linewidths=0,
                label=f"{label} ({len(part)})",
            )
    means = bin_means(known["trigram_distance"].to_numpy(), known["gain_score"].to_numpy())
    if len(means):
        axes.plot(means[:, 0], means[:, 1], color="black", linewidth=1, zorder=3)
        axes.scatter(
            means[:, 0], means[:, 1], s=34, color="black", marker="s", zorder=4, edgecolors="white", label=f"Mean of {len(means)} bins"
        )
    axes.set_xlim(-0.02, 1.02)
    axes.set_xlabel("Size of the amendment d (1 − trigram Jaccard)")
    axes.set_ylabel("Cost of the current text (points of ten)")
    axes.grid(color="#e4e4e4", linewidth=0.6)
    axes.set_axisbelow(True)
    figure.legend(loc="upper center", ncols=4, frameon=False, bbox_to_anchor=(0.54, 1), fontsize=8.5)
    figure.subplots_adjust(left=0.13, right=0.98, top=0.91, bottom=0.12)
    return figure


def bin_means(distances: np.ndarray, gains: np.ndarray) -> np.ndarray:
    """Mean distance and gain of bins of equal numbers of items by distance: bins × 2, none for fewer than two bins."""
    n_bins = min(BINS, len(distances) // FEWEST)
    if n_bins < 2:
        return np.empty((0, 2))
    order = np.lexsort((gains, distances))  # items of one distance in one order, whatever theirs was
    return np.array([(distances[part].mean(), gains[part].mean()) for part in np.array_split(order, n_bins)])


def main(argv: list[str] | None = None) -> None:
    """Read amended_items.csv, draw, write both files."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.report.plot_amendment_cost --items results/stats/demo/amended_items.csv "
        "--png results/report/demo/figure04_cost_distance.png --svg results/report/demo/figure04_cost_distance.svg",
    )
    parser.add_argument("--items", required=True, help="amended_items.csv")
    add_figure_arguments(parser)
    args = parser.parse_args(argv)
    try:
        items = read_csv(args.items, ["item_id", "change", "trigram_distance", "gain_score"])
    except ReportError as error:
        raise SystemExit(str(error)) from error
    write_figure(args, lambda: draw(items))


if __name__ == "__main__":
    main()
