from __future__ import annotations

from pathlib import Path

import pytest
from report.table_command import run_table, save

from inforce.report import change_table as module

COLUMNS = ["change", "size", "metric", "value", "low", "high", "median_distance", "n_items", "n"]


def test_rows_of_the_published_table(tmp_path: Path) -> None:
    rows = [
        ("rule", "all", "score", 0.451, 0.381, 0.529, 0.34, 427, 428),
        ("rule", "all", "citation_f1", 0.04, 0.03, 0.06, 0.34, 428, 428),
        ("wording", "all", "score", -0.001, -0.03, 0.03, 0.1, 331, 331),
        ("wording", "all", "citation_f1", -0.001, None, None, 0.1, 331, 331),
    ]
    table, text, latex = run_table(module, tmp_path, "--gain", save(tmp_path, "g.csv", COLUMNS, *rows))
    assert table.iloc[0].tolist() == ["rule", "all", "427/428; 428/428", "0.34", "+0.45 [+0.38, +0.53]", "+0.04 [+0.03, +0.06]"]
    assert "| Wording only | 331/331 | 0.10 | −0.00 [−0.03, +0.03] | −0.00 |" in text
    assert r"$\Delta$ Bar-standard" in latex and "$-$0.00" in latex


def test_no_label_says_what_is_missing(tmp_path: Path) -> None:
    table, text, _ = run_table(module, tmp_path, "--gain", save(tmp_path, "g.csv", COLUMNS))
    assert table.empty and "no amended item is labelled. Write config/labels/" in text
    with pytest.raises(SystemExit, match="does not exist"):
        run_table(module, tmp_path, "--gain", "none.csv")
