"""settings.csv and ranks.csv of every run -> leaderboard.csv, one row a run and model, the best first within a run, null last.

Bar-standard score with 95 % interval and n_scored of n in each setting; every other figure is that of main_setting:
rag_in_force if it was run, else the last setting that was. rank is one more than the number of models of the run with a higher score,
rank_low and rank_high hold 95 % of its ranks in the resamples of the items. Shares are percentages, cost is US dollars an item. Empty = not known.
With --show FILE the command prints an existing leaderboard to the terminal and writes nothing.
"""

from __future__ import annotations

import argparse
import unicodedata
from collections.abc import Hashable, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from inforce.config.model import Model
from inforce.records.status import SETTINGS
from inforce.records.tables import write_csv
from inforce.report.shown import read_numbers
from inforce.report.words import ALL, MAIN_SETTING, SETTING_NAMES, SHORT_NAMES, ReportError, amount, cells_of, fixed, read_csv, read_models

OTHERS = {  # column -> metric of settings.csv, digits when shown
    "lexical_score": ("lexical_score", 2),
    "citation_f1": ("citation_f1", 3),
    "citation_precision": ("citation_precision", 3),
    "citation_recall": ("citation_recall", 3),
    "agreement_pct": ("agreement", 1),
    "searches": ("searches", 1),
    "invented_pct": ("invented_rate", 1),
    "cost_usd": ("cost_usd", 4),
}
_SHOWN = ("citation_f1", "searches", "invented_pct", "cost_usd")
_OF_SETTING = {"score": "value", "low": "low", "high": "high", "n_scored": "n_scored", "n": "n"}
_TEXTS = ("run", "model", "name", "access", "main_setting")
_RANKS = ("rank", "rank_low", "rank_high")
COLUMNS = [
    *_TEXTS,
    *_RANKS,
    *(f"{setting}_{what}" for setting in SETTINGS for what in _OF_SETTING),
    *OTHERS,
    *("n_scored", "n"),
]
_COUNTS = [name for name in COLUMNS if name in ("n", *_RANKS) or name.endswith(("_n", "n_scored"))]


def run_rows(settings: pd.DataFrame, models: dict[str, Model], ranks: dict[tuple[str, ...], dict[str, Any]]) -> list[dict[str, object]]:
    """The rows of one run in their order; `ranks` are rows of ranks.csv by run, setting and model."""
    cells = cells_of(settings[settings["domain"] == ALL], ["model", "setting", "metric"])
    rows: list[dict[str, object]] = []
    for model in settings["model"].unique():
        run_settings = [setting for setting in SETTINGS if (model, setting, "score") in cells]
        main = MAIN_SETTING if MAIN_SETTING in run_settings else run_settings[-1]
        row: dict[str, object] = dict.fromkeys(COLUMNS)
        row |= {"run": settings["run"].iloc[0], "model": model, "name": models[model].name, "access": models[model].access}
        row["main_setting"] = main
        place = ranks.get((str(row["run"]), main, str(model)), {})
        row |= {name: _number(place.get(name)) for name in _RANKS}
        for setting in run_settings:
            row |= {f"{setting}_{what}": cells[model, setting, "score"][column] for what, column in _OF_SETTING.items()}
        row |= {column: cells[model, main, metric]["value"] for column, (metric, _) in OTHERS.items()}
        row |= {what: row[f"{main}_{what}"] for what in ("n_scored", "n")}
        rows.append(row)
    return sorted(rows, key=_place)


def make_leaderboard(tables: list[pd.DataFrame], models: dict[str, Model], ranks: Sequence[pd.DataFrame] = ()) -> pd.DataFrame:
    """The leaderboard of all runs, sorted by run, then by score in the main setting; without `ranks` the rank columns are empty."""
    places = {key: row for table in ranks for key, row in cells_of(table, ["run", "setting", "model"]).items()}
    blocks = sorted((run_rows(table, models, places) for table in tables if len(table)), key=lambda rows: str(rows[0]["run"]))
    frame = pd.DataFrame([row for rows in blocks for row in rows], columns=COLUMNS)
    return frame.astype(dict.fromkeys(_COUNTS, "Int64"))


def read_leaderboard(path: Path | str) -> pd.DataFrame:
    """A written leaderboard; numbers are numbers again, empty is NaN. Raises ReportError if it is missing or not one."""
    frame = read_csv(path, COLUMNS)
    numbers = {name: pd.to_numeric(frame[name].replace("", None)) for name in COLUMNS if name not in _TEXTS}
    return frame.assign(**numbers).astype(dict.fromkeys(_COUNTS, "Int64"))


def show(leaderboard: pd.DataFrame) -> str:
    """The leaderboard as aligned text: scores in the settings, the main one with its interval, and how many were scored."""
    out = []
    for run, rows in leaderboard.groupby("run", sort=False):
        shown = [setting for setting in SETTINGS if rows[f"{setting}_n"].notna().any()]
        lines = [["Model", *(SHORT_NAMES[setting] for setting in shown), "Scored", "Cit. F1", "Searches", "Invented %", "Cost $"]]
        for row in rows.to_dict("records"):
            scores = [_score(row, setting) for setting in shown]
            others = [(amount if column == "cost_usd" else fixed)(_number(row[column]), OTHERS[column][1]) or "–" for column in _SHOWN]
            lines.append([str(row["name"]), *scores, f"{row['n_scored']}/{row['n']}", *others])
        main = SETTING_NAMES[str(rows["main_setting"].iloc[0])]
        note = f"Bar-standard scores (0-10); [ ] = 95 % interval; Scored and what follows it: {main}; – = not known."
        out.append(f"Run {run}\n{_aligned(lines)}\n{note}\n")
    return "\n".join(out) or "The leaderboard is empty.\n"


def _place(row: dict[str, object]) -> tuple[bool, float, str]:
    score = _number(row[f"{row['main_setting']}_score"])
    return score is None, -(score or 0), str(row["model"])


def _number(value: object) -> float | None:
    return None if value is None or pd.isna(value) else float(value)  # type: ignore[call-overload, arg-type, no-any-return]


def _score(row: dict[Hashable, object], setting: str) -> str:
    text = fixed(_number(row[f"{setting}_score"]), 2) or "–"
    low, high = (_number(row[f"{setting}_{end}"]) for end in ("low", "high"))
    return f"{text} [{fixed(low, 2)}, {fixed(high, 2)}]" if setting == row["main_setting"] and low is not None else text


def _aligned(lines: list[list[str]]) -> str:
    widths = [max(_width(line[column]) for line in lines) for column in range(len(lines[0]))]
    texts = []
    for line in lines:
        fills = [" " * (width - _width(cell)) for width, cell in zip(widths, line, strict=True)]
        texts.append("  ".join([line[0] + fills[0], *(fill + cell for fill, cell in zip(fills[1:], line[1:], strict=True))]).rstrip())
    return "\n".join([texts[0], "-" * max(map(_width, texts)), *texts[1:]])


def _width(text: str) -> int:
    """Columns of a terminal: none for combining marks (Thai vowels), two for wide signs (Han)."""
    return sum(
        0 if unicodedata.category(sign) in ("Mn", "Me", "Cf") else 2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text
    )


def main(argv: list[str] | None = None) -> None:
    """Read every run's settings.csv, write the leaderboard; or print one."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.report.make_leaderboard --settings results/stats/demo/settings.csv --ranks results/stats/demo/ranks.csv "
        "--models-dir config/models --out results/leaderboard.csv\n         python -m inforce.report.make_leaderboard --show results/leaderboard.csv",
    )
    parser.add_argument("--settings", nargs="+", help="settings.csv of each run")
    parser.add_argument("--ranks", nargs="*", default=[], help="ranks.csv of each run")
    parser.add_argument("--models-dir", type=Path)
    parser.add_argument("--out")
    parser.add_argument("--show", metavar="FILE", help="print this leaderboard")
    args = parser.parse_args(argv)
    if not args.show and not (args.settings and args.models_dir and args.out):
        parser.error("give either --show FILE, or --settings, --models-dir and --out")
    try:
        if args.show:
            print(show(read_leaderboard(args.show)), end="")
            return
        tables = [read_csv(path, ["run", "model", "setting", "domain", "metric", *_OF_SETTING.values()]) for path in args.settings]
        models = read_models(args.models_dir, sorted({model for table in tables for model in table["model"]}))
        ranks = [read_numbers(path, ["run", "setting", "model"], _RANKS) for path in args.ranks]
        write_csv(args.out, make_leaderboard(tables, models, ranks))
    except ReportError as error:
        raise SystemExit(str(error)) from error


if __name__ == "__main__":
    main()
