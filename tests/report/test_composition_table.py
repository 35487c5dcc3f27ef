from __future__ import annotations

from pathlib import Path

import pytest
from report.table_command import run_table, save

from inforce.report import composition_table as module

COLUMNS = ["domain", *module.PRINTED, "first_year", "last_year", "test", "validation", "reserve", "asked", "decade_1990s"]
ROWS = [
    ("labor", 1200, 2000, 400, 500, 300, 1000, 500, 200, 200, 100, 1949, 2026, 1, 1, 1198, 3, 7),
    ("total", 1200, 2000, 400, 500, 300, 1000, 500, 200, 200, 100, 1990, 1990, 1, 1, 1198, 3, 7),
]


def test_three_forms(tmp_path: Path) -> None:
    table, text, latex = run_table(module, tmp_path, "--composition", save(tmp_path, "c.csv", COLUMNS, *ROWS))
    assert list(table.columns) == COLUMNS  # decades and splits are for programs
    assert "| labor | 1,200 | 2,000 | 400 | 500 | 300 | 1,000 | 500 | 200 | 200 | 100 | 1949–2026 | 3 |" in text
    assert "| Total |" in text and "| 1990 | 3 |" in text and "Total & 1,200 &" in latex


def test_no_items_and_no_file(tmp_path: Path) -> None:
    assert "No row: there are no items" in run_table(module, tmp_path, "--composition", save(tmp_path, "c.csv", COLUMNS))[1]
    with pytest.raises(SystemExit, match="does not exist"):
        run_table(module, tmp_path, "--composition", "none.csv")
