"""Two worked amendments, both texts side by side with the changed words marked (NitiBench+ Figure 3).

One amendment changed the wording only, the other the rule. Of the items so labelled the most typical one is shown: the item whose distance
and gain together lie nearest to the middle of their ranks, the shorter text and then the first id among equals. Without labels they are a
typical item of the smaller and of the larger half of the amendments. Only items that may be shown are (the validation split, or all where
the jurisdiction's items are public). Of an item's sections the one
with the label of the item and the largest distance is taken.

Long passages that did not change are shortened. The text in force is blue, the current one vermilion, the changed words bold and underlined.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pyarrow.parquet as pq
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from inforce.config.jurisdiction import Jurisdiction
from inforce.config.load import ConfigError, read_config
from inforce.records.items import Citation, Item
from inforce.records.lines import read_lines
from inforce.records.tables import SECTIONS
from inforce.report.figures import STYLE, add_figure_arguments, message_figure, write_figure
from inforce.report.fonts import families_for, missing_letters
from inforce.report.marked_difference import Kind, Part, marked_difference
from inforce.report.released import read_splits, released
from inforce.report.text_block import Line, Measure, break_lines, shortened
from inforce.report.words import ReportError, read_csv, signed

NAMES = {"rule": "Rule changed", "wording": "Wording only", "": "Not labelled"}
COLOURS: dict[Kind, str] = {"same": "#333333", "old": "#00598c", "new": "#b04a00"}
WIDTH, COLUMN, SIZE, LEADING = 9.0, 4.1, 8.5, 0.19  # inches; points; inches a line
NONE = "No item of the Amended band may be shown: there is none, or all are of the test split and the reserve."


class Example(NamedTuple):
    """An amendment to be shown: its title, the headings of both texts, and the parts of their difference."""

    title: str
    in_force: str
    current: str
    parts: list[Part]


def choose(items: pd.DataFrame, hidden: set[str]) -> list[tuple[str, str]]:
    """The items to be shown with their labels, from the rows of amended_items.csv; at most two."""
    shown = items[~items["item_id"].astype(str).isin(hidden)].reset_index(drop=True)
    if shown.empty:
        return []
    distance = shown["trigram_distance"].astype(float)
    labelled = [(change, shown[shown["change"] == change]) for change in ("wording", "rule") if (shown["change"] == change).any()]
    halves = [("", shown[distance < distance.median()]), ("", shown[distance >= distance.median()])]
    return [(typical(part), change) for change, part in labelled or halves if len(part)]


def typical(items: pd.DataFrame) -> str:
    """The item nearest to the middle of the ranks of distance and of gain."""
    off = np.zeros(len(items))
    for name in ("trigram_distance", "gain_score"):
        values = pd.to_numeric(items[name], errors="coerce")
        ranks = values.rank(pct=True, na_option="keep").to_numpy(dtype=float)
        off += np.where(np.isfinite(ranks), np.abs(ranks - np.nanmedian(ranks) if np.isfinite(ranks).any() else 0), 1.0)
    order = sorted(range(len(items)), key=lambda place: (round(float(off[place]), 9), str(items["item_id"].iloc[place])))
    return str(items["item_id"].iloc[order[0]])


def example(item: Item, change: str, row: dict[str, object], pair: Citation, texts: dict[str, str]) -> Example:
    """What is shown of one item."""
    law = ", ".join(part for part in (pair.law_name_th or pair.law_code, pair.label) if part)
    gain = signed(float(str(row["gain_score"]))) if str(row["gain_score"]) else ""
    told = f"; text in force less current text: {gain} points" if gain else ""
    title = f"{NAMES[change]}: {law} (d = {float(str(row['trigram_distance'])):.2f}{told})"
    current_from = str(pair.current_uri).rsplit("/", 1)[-1]
    parts = shortened(marked_difference(texts[str(pair.version_uri)], texts[str(pair.current_uri)]))
    return Example(title, f"In force on the day of the decision, {item.decision_date}", f"Current text, since {current_from}", parts)


def pair_of(item: Item, change: str, distances: dict[tuple[str, str], float], labels: dict[tuple[str, str, str], str]) -> Citation:
    """The section that stands for the item: the one with the item's label and the largest distance."""
    pairs = {
        (str(c.version_uri), str(c.current_uri)): c
        for question in item.sub_questions
        for c in question.citations
        if c.is_scored and c.drift == "amended" and c.current_uri
    }
    fitting = [pair for pair in pairs if change and labels.get((item.id, *pair), labels.get(("", *pair), "")) == change] or list(pairs)
    return pairs[max(sorted(fitting), key=lambda pair: distances.get(pair, 0.0))]


def draw(examples: Sequence[Example]) -> Figure:
    """The figure; a message where there is nothing to show, or where no font has the letters."""
    if not examples:
        return message_figure(NONE)
    texts = [text for one in examples for text in (one.title, one.in_force, one.current, *(part for _, part in one.parts))]
    missing = missing_letters(texts)
    if missing:
        return message_figure(
            f"No font at hand has {len(missing)} of the letters of these texts (such as U+{ord(missing[0]):04X}). "
            "Install fonts for this script (for Chinese, Japanese and Korean: Noto Sans CJK), then draw again."
        )
    plt.rcParams["font.family"] = families_for(texts)
    plt.rcParams["text.hinting"] = "none"  # hinted letters are wider or narrower than measured, and lines are set from pieces
    measure = Measure(SIZE)
    columns = [[break_lines(side(one.parts, kind), COLUMN, measure) for kind in ("old", "new")] for one in examples]
    heights = [0.62 + LEADING * max(len(lines) for lines in pair) for pair in columns]
    height = sum(heights) + 0.25
    figure = plt.figure(figsize=(WIDTH, height))
    top = height - 0.12
    for one, pair, used in zip(examples, columns, heights, strict=True):
        _text(figure, 0.25, top - 0.12, one.title, weight="bold", size=9.5)
        for place, (kind, lines) in enumerate(zip(("old", "new"), pair, strict=True)):
            left = 0.25 + place * (COLUMN + 0.3)
            _text(figure, left, top - 0.34, (one.in_force, one.current)[place], colour=COLOURS[kind], size=8.5)  # type: ignore[index]
            figure.add_artist(_rule(figure, left, top - 0.40, COLOURS[kind]))  # type: ignore[index]
            _block(figure, left, top - 0.56, lines, measure)
        top -= used
    return figure


def side(parts: Sequence[Part], kind: str) -> list[Part]:
    """The parts that make up one of the two texts."""
    return [part for part in parts if part[0] in ("same", kind)]


def _block(figure: Figure, left: float, top: float, lines: Sequence[Line], measure: Measure) -> None:
    for number, line in enumerate(lines):
        across, down = left, top - number * LEADING
        for kind, text in line:
            bold, inner = kind != "same", text.strip(" ")
            start = across + measure.space * (len(text) - len(text.lstrip(" ")))
            _text(figure, start, down, inner, colour=COLOURS[kind], weight="bold" if bold else "normal")
            if bold:
                figure.add_artist(_line(figure, start, start + measure(inner, bold), down - 0.035, COLOURS[kind]))
            across += measure(text, bold)


def _text(figure: Figure, left: float, base: float, text: str, colour: str = "#111111", weight: str = "normal", size: float = SIZE) -> None:
    wide, high = figure.get_size_inches()
    figure.text(left / wide, base / high, text.replace("$", r"\$"), color=colour, weight=weight, fontsize=size, va="baseline")


def _rule(figure: Figure, left: float, at: float, colour: str) -> Line2D:
    return _line(figure, left, left + COLUMN, at, colour)


def _line(figure: Figure, start: float, end: float, at: float, colour: str) -> Line2D:
    wide, high = figure.get_size_inches()
    return Line2D([start / wide, end / wide], [at / high, at / high], color=colour, linewidth=0.8, transform=figure.transFigure)


def read_texts(path: Path, uris: set[str]) -> dict[str, str]:
    """Texts of versions, white space as one space. Raises ReportError for a version that the sections do not hold."""
    if pq.read_schema(path).names != SECTIONS.names:
        raise ReportError(f"{path}: columns differ from those of this version of the pipeline; make it again")
    rows = pq.read_table(path, columns=["version_uri", "text"], filters=[("version_uri", "in", sorted(uris))]).to_pylist() if uris else []
    texts = {row["version_uri"]: " ".join(row["text"].split()) for row in rows}
    absent = sorted(uris - texts.keys())
    if absent:
        raise ReportError(f"{path} does not hold {absent[0]}; the items are not of this corpus, make them again")
    return texts


def read_rows(path: Path) -> list[dict[str, str]]:
    """A small table as text, row by row."""
    with open(path, encoding="utf-8-sig", newline="") as handle:
        return list(csv.DictReader(handle))


def collect(args: argparse.Namespace) -> list[Example]:
    """The examples of a run."""
    table = read_csv(args.amended, ["item_id", "change", "trigram_distance", "gain_score"])
    items = {item.id: item for item in read_lines(args.items, Item)}
    jurisdiction = read_config(args.jurisdiction_config, Jurisdiction)
    splits = read_splits(args.splits) if args.splits else None
    hidden = items.keys() - {item.id for item in released(list(items.values()), jurisdiction, splits, args.splits)}
    distances = {(row["before_uri"], row["after_uri"]): float(row["trigram_distance"]) for row in read_rows(args.amendments)}
    labels = {(row["item_id"], row["version_uri"], row["current_uri"]): row["change"] for path in args.labels for row in read_rows(path)}
    chosen = [(items[name], change) for name, change in choose(table, hidden)]
    pairs = [pair_of(item, change, distances, labels) for item, change in chosen]
    texts = read_texts(args.sections, {uri for pair in pairs for uri in (str(pair.version_uri), str(pair.current_uri))})
    rows = {str(row["item_id"]): row for row in table.to_dict("records")}
    return [example(item, change, rows[item.id], pair, texts) for (item, change), pair in zip(chosen, pairs, strict=True)]  # type: ignore[arg-type]


def main(argv: list[str] | None = None) -> None:
    """Read the files, choose, draw, write both files."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.report.plot_amendments --amended results/stats/demo/amended_items.csv "
        "--items results/runs/demo/items.jsonl --sections results/corpus/demo/sections.parquet --amendments results/drift/demo/amendments.csv "
        "--labels config/labels/demo.csv --jurisdiction-config config/jurisdictions/demo.yaml --splits results/items/demo/splits.csv "
        "--png results/report/demo/figure03_amendments.png --svg results/report/demo/figure03_amendments.svg",
    )
    parser.add_argument("--amended", required=True, help="amended_items.csv")
    parser.add_argument("--items", required=True, type=Path, help="items.jsonl of the run")
    parser.add_argument("--sections", required=True, type=Path)
    parser.add_argument("--amendments", required=True, type=Path, help="amendments.csv of measure_amendments")
    parser.add_argument("--labels", nargs="*", default=[], type=Path)
    parser.add_argument("--jurisdiction-config", required=True, type=Path, help="says whether the items are public")
    parser.add_argument("--splits", type=Path, help="splits.csv: only items of the validation split are shown, unless the items are public")
    add_figure_arguments(parser)
    args = parser.parse_args(argv)
    try:
        examples = collect(args)
    except (ConfigError, ReportError, ValueError, FileNotFoundError) as error:
        raise SystemExit(str(error)) from error
    with plt.rc_context(STYLE):
        write_figure(args, lambda: draw(examples))


if __name__ == "__main__":
    main()
