"""Read a table of the report back from its Markdown file, for the page."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from inforce.report.captions import number_of, title_of
from inforce.report.words import ReportError

_BETWEEN = re.compile(r"(?<!\\)\|")
_ESCAPED = re.compile(r"\\(.)")
_MARKS = re.compile(r"^(\*\*|\*|_)(.*)\1$|^<u>(.*)</u>$")


def read_printed(path: Path | str) -> dict[str, Any]:
    """Title, number, header, rows of text, and the note below the table.

    Emphasis is taken off: the page marks nothing up from data. Raises ReportError if the file holds no table.
    """
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except FileNotFoundError as error:
        raise ReportError(f"{path} does not exist; run the step that makes it") from error
    table = [line for line in lines if line.startswith("|")]
    if len(table) < 2:
        raise ReportError(f"{path} holds no Markdown table; make it again")
    stem = Path(path).stem
    header, _, *rows = [_cells(line) for line in table]
    note = " ".join(line for line in lines if line and not line.startswith("|"))
    return {"stem": stem, "number": number_of(stem), "title": title_of(stem), "columns": header, "rows": rows, "note": note}


def _cells(line: str) -> list[str]:
    return [_plain(part.strip()) for part in _BETWEEN.split(line)[1:-1]]


def _plain(text: str) -> str:
    while match := _MARKS.match(text):
        text = match[2] if match[2] is not None else match[3]
    return _ESCAPED.sub(r"\1", text).replace("&lt;", "<").replace("&amp;", "&")
