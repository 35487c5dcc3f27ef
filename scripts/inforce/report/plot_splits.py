"""The parts of the benchmark (NitiBench+ Figure 5): items of each domain in test split, validation split and reserve, the counts beside it."""

from __future__ import annotations

import argparse

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.figure import Figure

from inforce.report.figures import BLUE, GREY, ORANGE, add_figure_arguments, left_margin, message_figure, plain, write_figure
from inforce.report.words import ReportError, read_csv

COLOURS = {"test": ORANGE, "validation": BLUE, "reserve": "#c4c4c4"}
HATCHES = {"test": "", "validation": "///", "reserve": ""}
NAMES = {"test": "Test split, held out", "validation": "Validation split", "reserve": "Reserve"}


def draw(composition: pd.DataFrame) -> Figure:
    """The figure, from the rows of composition.csv; without splits one bar a domain."""
    domains = composition[composition["domain"] != "total"]
    if domains.empty:
        return message_figure("There are no items, so nothing was split.")
    labels = [str(domain) for domain in domains["domain"]]
    height = 1.3 + 0.27 * len(labels)
    figure, axes = plt.subplots(figsize=(8, height))
    has_splits = (domains[list(COLOURS)].astype(str) != "").all(axis=None)
    parts = {name: domains[name].astype(int).to_numpy() for name in COLOURS} if has_splits else {"items": domains["items"].to_numpy()}
    start = 0 * domains["items"].to_numpy()
    for name, counts in parts.items():
        axes.barh(
            labels,
            counts,
            left=start,
            height=0.66,
            color=COLOURS.get(name, GREY),
            hatch=HATCHES.get(name, ""),
            edgecolor="white",
            linewidth=0.6,
            label=NAMES.get(name, "Items, no split drawn"),
        )
        start = start + counts
    for place, total in enumerate(start):
        counted = " / ".join(str(counts[place]) for counts in parts.values())
        axes.text(total + 0.012 * start.max(), place, counted, va="center", fontsize=8, color="#333333")
    axes.set_yticks(range(len(labels)), [plain(label) for label in labels])
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(len(labels) - 0.5, -0.5)
    axes.set_xlim(0, 1.17 * start.max())
    axes.grid(axis="x", color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.set_xlabel("Items")
    figure.legend(loc="upper center", ncols=3, frameon=False, bbox_to_anchor=(0.5, 1), fontsize=8.5)
    figure.subplots_adjust(left=left_margin(figure, labels), right=0.97, top=1 - 0.4 / height, bottom=0.5 / height)
    return figure


def main(argv: list[str] | None = None) -> None:
    """Read composition.csv, draw, write both files."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.report.plot_splits --composition results/stats/demo/composition.csv "
        "--png results/report/demo/figure05_splits.png --svg results/report/demo/figure05_splits.svg",
    )
    parser.add_argument("--composition", required=True)
    add_figure_arguments(parser)
    args = parser.parse_args(argv)
    try:
        composition = read_csv(args.composition, ["domain", "items", *COLOURS])
    except ReportError as error:
        raise SystemExit(str(error)) from error
    write_figure(args, lambda: draw(composition))


if __name__ == "__main__":
    main()
