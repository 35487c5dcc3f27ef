"""How much of the law cited has changed since, by court and year of the decision, stacked to 100 % (NitiBench+ Figure 2).

One panel a court, largest first; a bar is a year, or five or ten years where years hold few decisions, with the number of decisions above
it. Each decision has the most severe state among its citations. Decisions without a resolved citation are not in the bars; the
panel's title counts them. Decisions of an unknown year are the last bar.

PNG and SVG carry no date and no version, text is drawn as outlines: equal inputs give equal bytes under one matplotlib. A court whose
name has letters that no font at hand has is numbered, with a word on the command line; `court_names` in the jurisdiction's file mends it.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import NamedTuple

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from inforce.config.jurisdiction import Jurisdiction
from inforce.config.load import ConfigError, read_config
from inforce.report.figures import add_figure_arguments, message_figure, plain, write_figure
from inforce.report.fonts import families_for, missing_letters
from inforce.report.words import ReportError, read_csv

STATES = ("current", "amended", "repealed")
# From light to dark, so that the order is kept in grey; blue, orange and black are told apart by colour-blind readers
COLOURS = {"current": "#b9d9ee", "amended": "#e69f00", "repealed": "#2f2f3a"}
WIDTHS = (1, 5, 10)
ENOUGH = 10  # decisions in the median bar of the largest court; fewer say little as a share
MOST_BARS = 24  # more leave no room for the numbers above them
UNKNOWN = "unknown"


class Bar(NamedTuple):
    """The decisions of some years. `start` is null for the unknown year."""

    start: int | None
    counts: tuple[int, ...]  # in the order of STATES

    @property
    def decisions(self) -> int:
        """How many the shares are of."""
        return sum(self.counts)


def bars_of(years: pd.DataFrame, width: int) -> list[Bar]:
    """One court's bars from its rows of by_year.csv, in order, years without a decision left out, the unknown year last."""
    known = years[years["year"].notna()]
    starts = known["year"].astype(int) // width * width
    found = [Bar(int(start), _counts(rows)) for start, rows in known.groupby(starts, sort=True)]
    unknown = Bar(None, _counts(years[years["year"].isna()]))
    return [bar for bar in (*found, unknown) if bar.decisions]


def _counts(rows: pd.DataFrame) -> tuple[int, ...]:
    return tuple(int(rows[state].sum()) for state in STATES)


def width_of_bars(years: pd.DataFrame) -> int:
    """Years a bar: the fewest with which half the bars of the largest court hold enough decisions and all bars find room."""
    sizes = years.groupby("court", sort=False)["decisions"].sum()
    largest = years[years["court"] == sizes.idxmax()]
    known = years["year"].dropna()
    for width in WIDTHS:
        bars = [bar.decisions for bar in bars_of(largest, width) if bar.start is not None]
        span = (int(known.max()) - int(known.min())) // width + 1 if len(known) else 1
        if bars and span <= MOST_BARS and sorted(bars)[len(bars) // 2] >= ENOUGH:
            return width
    return WIDTHS[-1]


def courts_of(years: pd.DataFrame) -> list[str]:
    """Courts in the order of the file, which is that of their size."""
    return list(dict.fromkeys(years["court"]))


def drawable(name: str, number: int) -> str:
    """The name as it can be drawn: `Court 2` if no font at hand has one of its letters."""
    return plain(name) if name and not missing_letters([name]) else f"Court {number}"


def draw(years: pd.DataFrame, court_names: dict[str, str]) -> Figure:
    """The figure, from by_year.csv. Courts none of whose decisions has a resolved citation have no panel."""
    width = width_of_bars(years)
    bars = {court: bars_of(years[years["court"] == court], width) for court in courts_of(years)}
    shown = [court for court in bars if bars[court]]
    places = _places([bar for court in shown for bar in bars[court]], width)
    if not shown:
        return message_figure("No decision has a resolved citation.")
    plt.rcParams["font.family"] = families_for(court_names.get(court, court) for court in shown)
    height = 0.75 + 2.1 * len(shown)
    figure, panels = plt.subplots(len(shown), 1, figsize=(8, height), sharex=True, squeeze=False)
    for number, (court, axes) in enumerate(zip(shown, panels[:, 0], strict=True), start=1):
        _draw_court(axes, bars[court], places)
        apart = int(years.loc[years["court"] == court, "unresolved"].sum())
        title = f"{drawable(court_names.get(court, court), number)}  ({sum(bar.decisions for bar in bars[court]):,} decisions"
        axes.set_title(title + (f"; {apart:,} without a resolved citation not shown)" if apart else ")"), fontsize=9.5, loc="left", pad=14)
    _label_years(panels[-1, 0], places, width)
    handles = [Rectangle((0, 0), 1, 1, color=COLOURS[state]) for state in reversed(STATES)]
    names = [state.capitalize() for state in reversed(STATES)]
    figure.legend(handles, names, loc="upper right", ncols=3, frameon=False, bbox_to_anchor=(0.975, 1), fontsize=9, handlelength=1.2)
    figure.subplots_adjust(left=0.08, right=0.975, top=1 - 0.62 / height, bottom=0.52 / height, hspace=0.42)
    return figure


def _places(bars: list[Bar], width: int) -> dict[int | None, int]:
    """Where each bar stands: all years between the first and the last, a gap, the unknown year."""
    starts = [bar.start for bar in bars if bar.start is not None]
    span = range(min(starts), max(starts) + 1, width) if starts else range(0)
    places: dict[int | None, int] = {start: place for place, start in enumerate(span)}
    if any(bar.start is None for bar in bars):
        places[None] = len(places) + bool(places)
    return places


def _draw_court(axes: Axes, bars: list[Bar], places: dict[int | None, int]) -> None:
    stands = [places[bar.start] for bar in bars]
    below = [0.0] * len(bars)
    for number, state in enumerate(STATES):
        shares = [100 * bar.counts[number] / bar.decisions for bar in bars]
        axes.bar(stands, shares, bottom=below, width=0.86, color=COLOURS[state], edgecolor="white", linewidth=0.4)
        below = [low + share for low, share in zip(below, shares, strict=True)]
    for place, bar in zip(stands, bars, strict=True):
        axes.text(place, 102, _short(bar.decisions), ha="center", va="bottom", fontsize=7.5, color="#444444")
    axes.spines["left"].set_visible(True)
    axes.set_ylim(0, 100)
    axes.set_yticks(range(0, 101, 25), [f"{share} %" for share in range(0, 101, 25)])
    axes.set_xlim(-0.7, max(places.values()) + 0.7)
    axes.tick_params(axis="x", length=0)


def _short(count: int) -> str:
    return f"{count / 1000:.1f}k" if count >= 1_000 else str(count)


def _label_years(axes: Axes, places: dict[int | None, int], width: int) -> None:
    known = [start for start in places if start is not None]
    room = {1: 20, 5: 9, 10: 16}[width]  # labels that stand side by side without touching
    step = 1 if len(known) <= room else 5 if width == 1 else 2 if len(known) <= 2 * room else 4
    shown: list[int | None] = [start for start in known if (start // width) % step == 0]
    if None in places:
        shown.append(None)
    axes.set_xticks([places[start] for start in shown], [_period(start, width) for start in shown])
    axes.set_xlabel("Year of the decision; above each bar the number of decisions")


def _period(start: int | None, width: int) -> str:
    if start is None:
        return UNKNOWN
    return str(start) if width == 1 else f"{start}s" if width == 10 else f"{start}–{(start + width - 1) % 100:02d}"


def main(argv: list[str] | None = None) -> None:
    """Read by_year.csv, draw, write both files."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.report.plot_drift --by-year results/drift/demo/by_year.csv "
        "--jurisdiction-config config/jurisdictions/demo.yaml --png figure02_drift.png --svg figure02_drift.svg",
    )
    parser.add_argument("--by-year", required=True, help="by_year.csv of classify_decisions")
    parser.add_argument("--jurisdiction-config", required=True, type=Path, help="config/jurisdictions/NAME.yaml")
    add_figure_arguments(parser)
    args = parser.parse_args(argv)
    try:
        config = read_config(args.jurisdiction_config, Jurisdiction)
        years = read_csv(args.by_year, ["court", "year", "decisions", *STATES, "unresolved"])
    except (ConfigError, ReportError) as error:
        raise SystemExit(str(error)) from error
    if years.empty:
        raise SystemExit(f"{args.by_year} has no rows; nothing to draw")
    years["year"] = pd.to_numeric(years["year"])
    for number, court in enumerate(courts_of(years), start=1):
        name = config.court_names.get(court, court)
        if drawable(name, number) == f"Court {number}" != name:
            print(f"{name}: no font at hand has all of these letters, the figure says Court {number}; name it in court_names")
    write_figure(args, lambda: draw(years, config.court_names))


if __name__ == "__main__":
    main()
