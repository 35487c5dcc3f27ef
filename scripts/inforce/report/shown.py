"""What several tables and figures of the leaderboard share: its settings, its main setting, values by key, names of domains."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from pathlib import Path

import pandas as pd

from inforce.records.status import SETTINGS
from inforce.report.words import ALL, MAIN_SETTING, ReportError, read_csv

TOLD = ("parametric", "gold_in_force", "rag_in_force")  # the settings of the leaderboard protocol, the three that §7 compares
UNKNOWN = "–"


def main_setting(settings: Iterable[str]) -> str:
    """The setting that tables and figures are sorted by: rag_in_force, or the last one met. Raises ReportError if there is none."""
    met = set(settings)
    order = [setting for setting in SETTINGS if setting in met]
    if not order:
        raise ReportError("settings.csv names no setting; make it again with aggregate_scores")
    return MAIN_SETTING if MAIN_SETTING in met else order[-1]


def read_numbers(path: Path | str, texts: Sequence[str], numbers: Sequence[str]) -> pd.DataFrame:
    """A table of the pipeline: text columns as text (empty stays empty), numbers as floats, NaN where empty."""
    frame = read_csv(path, [*texts, *numbers])
    columns: dict[str, pd.Series[float]] = {name: pd.to_numeric(frame[name].replace("", None)).astype("float64") for name in numbers}
    return frame.assign(**{name: frame[name].fillna("").astype(str) for name in texts}, **columns)


def values_of(settings: pd.DataFrame, domain: str = ALL) -> dict[tuple[str, str, str], float]:
    """Known values of settings.csv for a domain by model, setting and metric."""
    rows = settings[(settings["domain"] == domain) & settings["value"].notna()]
    return dict(zip(zip(rows["model"], rows["setting"], rows["metric"], strict=True), rows["value"], strict=True))


def by_score(models: Sequence[str], score: dict[str, float]) -> list[str]:
    """Models from the highest score; those without one last, in the order given."""
    known = [model for model in models if math.isfinite(score.get(model, math.nan))]
    return sorted(known, key=lambda model: -score[model]) + [model for model in models if model not in known]


def interval(low: float, high: float, sign: str = "") -> str:
    """`[0.12, 0.45]` with two digits (`sign="+"` keeps the sign); empty where there is none."""
    if not (math.isfinite(low) and math.isfinite(high)):
        return ""
    return f"[{low:{sign}.2f}, {high:{sign}.2f}]"


def domain_name(domain: str) -> str:
    """A domain's key as words: `civil_and_commercial` -> `Civil & commercial`; a name that is none stays as it is."""
    if domain != domain.lower():
        return domain
    words = domain.replace("_and_", " & ").replace("_", " ")
    return words[:1].upper() + words[1:]
