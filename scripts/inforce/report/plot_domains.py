"""Score by model and domain as a heat map (NitiBench+ Figure 8), in the main setting.

Rows are models, the best first; columns are domains, from the easiest to the hardest by the mean over the models. Every cell
prints its score; the colours (cividis) keep their order for colour-blind readers and in grey. A cell without a score is white
with a dash. PNG and SVG depend on the data alone.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import matplotlib

matplotlib.use("agg")

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from inforce.config.model import Model
from inforce.report.figures import add_figure_arguments, message_figure, plain, text_width, write_figure
from inforce.report.model_domain_table import score_matrix
from inforce.report.shown import UNKNOWN, domain_name, main_setting, read_numbers
from inforce.report.words import ALL, SETTING_NAMES, ReportError, read_models

_NONE = "No domain of this run has a score."
_DARK = 5.0  # from this score on the map is light enough for dark figures


def draw(settings: pd.DataFrame, means: pd.DataFrame, models: dict[str, Model]) -> Figure:
    """The figure, from the rows of settings.csv and the order of domain_means.csv."""
    main = main_setting(settings["setting"])
    order = [name for name in means.loc[means["setting"] == main, "domain"] if name != ALL]
    matrix = score_matrix(settings, main).reindex(columns=order)
    if matrix.empty or not matrix.notna().any(axis=None):
        return message_figure(_NONE)
    values = matrix.to_numpy(dtype=float)
    n_rows, n_columns = values.shape
    names, domains = [models[str(name)].name for name in matrix.index], [domain_name(name) for name in order]
    # inches: room for slanted names above, the colour scale below
    probe = plt.figure()
    longest = max(text_width(probe, name, 8) for name in domains) / probe.dpi
    side = max(text_width(probe, name, 8.5) for name in names) / probe.dpi + 0.15
    plt.close(probe)
    top, bottom, cell = longest * 0.64 + 0.25, 0.75, 0.23
    over = longest * 0.77 + 0.1  # what the last slanted name needs to the right
    width, height = max(5.0, side + n_columns * 0.42 + over), top + n_rows * cell + bottom
    figure = plt.figure(figsize=(width, height))
    axes = figure.add_axes((side / width, bottom / height, n_columns * 0.42 / width, n_rows * cell / height))
    image = axes.imshow(values, cmap="cividis", vmin=0, vmax=10, aspect="auto", interpolation="nearest")
    for (row, column), value in np.ndenumerate(values):
        known = np.isfinite(value)
        colour = "#111111" if not known or value >= _DARK else "white"
        axes.text(column, row, f"{value:.1f}" if known else UNKNOWN, ha="center", va="center_baseline", fontsize=7, color=colour)
    axes.set_yticks(range(n_rows), [plain(name) for name in names], fontsize=8.5)
    axes.set_xticks(range(n_columns), [plain(name) for name in domains], fontsize=8, rotation=40, ha="left", rotation_mode="anchor")
    axes.tick_params(length=0, top=False, labeltop=True, bottom=False, labelbottom=False)
    axes.spines[:].set_visible(False)
    axes.set_xticks(np.arange(-0.5, n_columns), minor=True)
    axes.set_yticks(np.arange(-0.5, n_rows), minor=True)
    axes.grid(which="minor", color="white", linewidth=0.8)
    axes.tick_params(which="minor", length=0)
    scale = figure.add_axes((side / width, 0.42 / height, min(3.0, width - side - 0.2) / width, 0.12 / height))
    bar = figure.colorbar(image, cax=scale, orientation="horizontal", ticks=range(0, 11, 2))
    bar.outline.set_visible(False)  # type: ignore[operator]
    scale.set_xlabel(f"Bar-standard score, {SETTING_NAMES[main]}", fontsize=8, labelpad=1)
    scale.tick_params(labelsize=7.5, length=0, pad=1)
    return figure


def main(argv: list[str] | None = None) -> None:
    """Read both tables, draw, write both files."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.report.plot_domains --settings results/stats/demo/settings.csv "
        "--means results/stats/demo/domain_means.csv --models-dir config/models --png results/report/demo/figure08_domains.png "
        "--svg results/report/demo/figure08_domains.svg",
    )
    parser.add_argument("--settings", required=True)
    parser.add_argument("--means", required=True)
    parser.add_argument("--models-dir", required=True, type=Path)
    add_figure_arguments(parser)
    args = parser.parse_args(argv)
    try:
        settings = read_numbers(args.settings, ["model", "setting", "domain", "metric"], ["value"])
        means = read_numbers(args.means, ["setting", "domain"], ["mean"])
        models = read_models(args.models_dir, settings["model"].unique())
    except ReportError as error:
        raise SystemExit(str(error)) from error
    texts = [*(model.name for model in models.values()), *settings["domain"].unique()]
    write_figure(args, lambda: draw(settings, means, models), texts)


if __name__ == "__main__":
    main()
