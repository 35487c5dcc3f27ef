"""The leaderboard as a dot plot with 95 % intervals (NitiBench+ Figure 6), one row a model, one mark a setting.

Models are sorted by RAG In-force, or by the last setting run where that one was not. PNG and SVG carry no date and no
version, text is drawn as outlines: equal inputs give equal bytes under one matplotlib.
"""

from __future__ import annotations

import argparse
import io
import math
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("agg")

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from inforce.config.model import Model
from inforce.records.files import write_bytes
from inforce.records.status import SETTINGS
from inforce.report.words import ALL, MAIN_SETTING, SETTING_NAMES, ReportError, read_csv, read_models

# Okabe-Ito colours, told apart by colour-blind readers; the shapes differ as well, for print in grey
STYLES: dict[str, tuple[str, str]] = {
    "parametric": ("#7f7f7f", "o"),
    "gold_current": ("#56b4e9", "s"),
    "gold_in_force": ("#0072b2", "D"),
    "rag_current": ("#e69f00", "v"),
    "rag_in_force": ("#d55e00", "^"),
}
_STYLE: Any = {
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "svg.fonttype": "path",
    "svg.hashsalt": "inforce",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.spines.left": False,
    "axes.edgecolor": "#999999",
}


def sorted_models(scores: pd.DataFrame) -> list[str]:
    """Models from the best to the worst in the main setting; those without a score there last, in the order met."""
    met = [setting for setting in SETTINGS if setting in set(scores["setting"])]
    main = MAIN_SETTING if MAIN_SETTING in met else met[-1]
    value = scores[scores["setting"] == main].set_index("model")["value"].dropna()
    models = list(scores["model"].unique())
    return sorted(models, key=lambda model: (model not in value.index, -float(value.to_dict().get(model, 0)), models.index(model)))


def draw(settings: pd.DataFrame, models: dict[str, Model]) -> Figure:
    """The figure, from the rows of settings.csv of one run."""
    scores = settings[(settings["domain"] == ALL) & (settings["metric"] == "score")]
    order = sorted_models(scores)
    met = [setting for setting in SETTINGS if setting in set(scores["setting"])]
    row_height = 0.34 if len(order) > 6 else 0.62
    height = 1.5 + row_height * len(order)
    figure, axes = plt.subplots(figsize=(8, height))
    step = 0.72 / max(1, len(met))
    for place, setting in enumerate(met):
        rows = scores[scores["setting"] == setting].set_index("model")
        offset = (place - (len(met) - 1) / 2) * step
        _draw_setting(axes, rows, [order.index(model) + offset for model in rows.index], setting)
    for line in range(0, len(order), 2):
        axes.axhspan(line - 0.5, line + 0.5, color="#f4f5f7", zorder=0, linewidth=0)
    axes.set_yticks(range(len(order)), [models[model].name.replace("$", r"\$") for model in order])
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(len(order) - 0.5, -0.5)
    axes.set_xlim(*_limits(scores))
    axes.grid(axis="x", color="#dddddd", linewidth=0.6, zorder=0.5)
    axes.set_axisbelow(True)
    axes.set_xlabel("Bar-standard score (0–10), mean over domains with 95 % interval")
    figure.legend(
        loc="upper center", ncols=len(met), frameon=False, handletextpad=0.2, columnspacing=1.4, bbox_to_anchor=(0.5, 1), fontsize=8.5
    )
    figure.subplots_adjust(
        left=_left_margin(figure, [models[model].name for model in order]), right=0.97, top=1 - 0.42 / height, bottom=0.58 / height
    )
    return figure


def _draw_setting(axes: Axes, rows: pd.DataFrame, places: list[float], setting: str) -> None:
    colour, marker = STYLES[setting]
    for low, high, place in zip(rows["low"].to_numpy(), rows["high"].to_numpy(), places, strict=True):
        if math.isfinite(low):
            axes.plot([low, high], [place, place], color=colour, linewidth=1.3, zorder=2, solid_capstyle="butt")
    axes.scatter(rows["value"].to_numpy(), places, color=colour, marker=marker, s=20, zorder=3, label=SETTING_NAMES[setting], linewidths=0)


def _limits(scores: pd.DataFrame) -> tuple[float, float]:
    """The whole scale from zero; up to ten only if a score comes near it."""
    top = float(np.nanmax(scores[["value", "high"]].to_numpy(dtype=float), initial=-np.inf))
    return -0.15, min(10.15, math.ceil(top + 0.5) + 0.05) if math.isfinite(top) else 10.15


def _left_margin(figure: Figure, names: list[str]) -> float:
    """Room for the longest name, as a share of the figure's width."""
    renderer = figure.canvas.get_renderer()  # type: ignore[attr-defined]
    text = figure.text(0, 0, "", fontsize=9)
    widths: list[float] = []
    for name in names:
        text.set_text(name.replace("$", r"\$"))
        widths.append(text.get_window_extent(renderer).width)
    text.remove()
    return min(0.5, max(widths) / figure.get_window_extent().width + 0.03)


def render(figure: Figure, kind: str) -> bytes:
    """The figure's bytes as png or svg."""
    out = io.BytesIO()
    metadata = {"Date": None, "Creator": None} if kind == "svg" else {"Software": None}
    figure.savefig(out, format=kind, dpi=200, metadata=metadata)
    return out.getvalue()


def main(argv: list[str] | None = None) -> None:
    """Read settings.csv, draw, write both files."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.report.plot_leaderboard --settings results/stats/demo/settings.csv --models-dir config/models "
        "--png results/report/demo/figure06_leaderboard.png --svg results/report/demo/figure06_leaderboard.svg",
    )
    parser.add_argument("--settings", required=True)
    parser.add_argument("--models-dir", required=True, type=Path)
    parser.add_argument("--png", required=True)
    parser.add_argument("--svg", required=True)
    args = parser.parse_args(argv)
    try:
        settings = read_csv(args.settings, ["model", "setting", "domain", "metric", "value", "low", "high"])
        if settings.empty:
            raise ReportError(f"{args.settings} has no rows; nothing to draw")
        models = read_models(args.models_dir, settings["model"].unique())
    except ReportError as error:
        raise SystemExit(str(error)) from error
    with plt.rc_context(_STYLE):
        figure = draw(settings, models)
        write_bytes(args.png, render(figure, "png"))
        write_bytes(args.svg, render(figure, "svg"))
        plt.close(figure)


if __name__ == "__main__":
    main()
