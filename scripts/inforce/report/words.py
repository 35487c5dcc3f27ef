"""How settings, bands, models and numbers are written in everything that people read."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import pandas as pd

from inforce.config.load import ConfigError, read_config
from inforce.config.model import Model

SETTING_NAMES = {
    "parametric": "Parametric",
    "gold_current": "Gold-cited Current",
    "gold_in_force": "Gold-cited In-force",
    "rag_current": "RAG Current",
    "rag_in_force": "RAG In-force",
}
SHORT_NAMES = {
    "parametric": "Param.",
    "gold_current": "GC Cur.",
    "gold_in_force": "GC InF.",
    "rag_current": "RAG Cur.",
    "rag_in_force": "RAG InF.",
}
BAND_NAMES = {"no_drift": "No drift", "amended": "Amended", "repealed": "Repealed"}
ACCESS_NAMES = {"gold": "Gold-cited", "rag": "RAG"}
MAIN_SETTING = "rag_in_force"  # the setting closest to an assistant in use; tables are sorted by it
ALL = "all"
Mark = Literal["best", "second"]
Marks = Mapping[tuple[int, int], Mark]  # (row, column) of a printed table
Headings = Mapping[int, str]  # row of a printed table -> the heading above it
ALL_MODELS = "All models"


class ReportError(ValueError):
    """Something that cannot be shown. The message names the file and the remedy."""


def read_csv(path: Path | str, columns: Sequence[str]) -> pd.DataFrame:
    """A table of the pipeline; text columns keep their text, empty numbers are NaN. Raises ReportError if a column is missing."""
    try:
        frame = pd.read_csv(path, keep_default_na=False, na_values={name: [""] for name in _NUMBERS}, encoding="utf-8")
    except FileNotFoundError as error:
        raise ReportError(f"{path} does not exist; run the step that makes it") from error
    except pd.errors.EmptyDataError as error:
        raise ReportError(f"{path} is empty; make it again") from error
    missing = [name for name in columns if name not in frame.columns]
    if missing:
        raise ReportError(f"{path} has no column {missing[0]}; make it again with this version of the pipeline")
    return frame


def cells_of(frame: pd.DataFrame, keys: Sequence[str]) -> dict[tuple[str, ...], dict[str, Any]]:
    """Rows by the values of their key columns. Raises ReportError if two rows have the same key."""
    cells = {tuple(str(row[key]) for key in keys): row for row in frame.to_dict("records")}
    if len(cells) != len(frame):
        raise ReportError(f"a table has two rows of the same {', '.join(keys)}; make it again")
    return cells  # type: ignore[return-value]


def read_models(folder: Path | str, models: Iterable[str]) -> dict[str, Model]:
    """config/models/NAME.yaml of each model. Raises ReportError for one that is missing or wrong."""
    try:
        return {name: read_config(Path(folder) / f"{name}.yaml", Model) for name in models if name != ALL}
    except ConfigError as error:
        raise ReportError(str(error)) from error


def fixed(value: float | None, digits: int) -> str:
    """`4.5` with two digits -> `4.50`; unknown -> empty; never `-0.00` for a plain value."""
    if value is None or not math.isfinite(value):
        return ""
    text = f"{value:.{digits}f}"
    return text.removeprefix("-") if float(text) == 0 else text


def amount(value: float | None, digits: int) -> str:
    """`fixed`, with two significant digits for what would read as zero and is not: 0.00042 with three digits -> `0.00042`."""
    if value is not None and math.isfinite(value) and value != 0 and round(abs(value), digits) == 0:
        digits = 1 - math.floor(math.log10(abs(value)))
    return fixed(value, digits)


def signed(value: float | None, digits: int = 2, star: str = "", minus: str = "-") -> str:
    """`0.451` -> `+0.45`, with the star behind it; the sign of a value that rounds to zero is kept, as in the paper's Table 8."""
    if value is None or not math.isfinite(value):
        return ""
    return f"{value:+.{digits}f}".replace("-", minus) + (star or "")


def markdown(header: Sequence[str], rows: Sequence[Sequence[str]], headings: Headings | None = None, marks: Marks | None = None) -> str:
    """A Markdown table: first column to the left, the others to the right; the best value bold, the second underlined."""
    wrap = {"best": "**{}**", "second": "<u>{}</u>", "heading": "*{}*"}
    lines: list[list[str]] = [[_cell(cell) for cell in header], [":--", *["--:"] * (len(header) - 1)]]
    for number, row in enumerate(rows):
        if headings and number in headings:
            lines.append([wrap["heading"].format(_cell(headings[number])), *[""] * (len(header) - 1)])
        lines.append(_marked(row, number, marks, _cell, wrap))
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def latex(header: Sequence[str], rows: Sequence[Sequence[str]], headings: Headings | None = None, marks: Marks | None = None) -> str:
    """The same table as a LaTeX tabular (booktabs)."""
    wrap = {"best": r"\textbf{{{}}}", "second": r"\underline{{{}}}"}
    lines = [" & ".join(_tex(cell) for cell in header) + r" \\", r"\midrule"]
    for number, row in enumerate(rows):
        if headings and number in headings:
            lines.append(rf"\multicolumn{{{len(header)}}}{{l}}{{\textit{{{_tex(headings[number])}}}}} \\")
        lines.append(" & ".join(_marked(row, number, marks, _tex, wrap)) + r" \\")
    columns = "l" + "r" * (len(header) - 1)
    return "\n".join([rf"\begin{{tabular}}{{{columns}}}", r"\toprule", *lines, r"\bottomrule", r"\end{tabular}", ""])


def _marked(row: Sequence[str], number: int, marks: Marks | None, escape: Callable[[str], str], wrap: dict[str, str]) -> list[str]:
    cells = [escape(cell) for cell in row]
    for place, cell in enumerate(cells):
        mark = (marks or {}).get((number, place))
        if mark and cell:
            cells[place] = wrap[mark].format(cell)
    return cells


def _cell(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;").replace("\n", " ").replace("*", "\\*").replace("_", "\\_")


def _tex(text: str) -> str:
    special = {
        "\\": r"\textbackslash{}",
        "↪": r"$\hookrightarrow$",
        "Δ": r"$\Delta$",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "−": "$-$",
        "*": "$^{*}$",
    }
    return "".join(special.get(sign, f"\\{sign}" if sign in "&%$#_{}" else sign) for sign in text.replace("\n", " "))


_NUMBERS = ("value", "low", "high", "n_scored", "n", "n_items", "n_clusters")
