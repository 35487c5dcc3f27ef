from __future__ import annotations

from pathlib import Path

import pytest
from report.table_command import run_table, save

from inforce.report import correlation_table as module

COLUMNS = ["measure", "metric", "value", "low", "high", "n_items", "n"]


def test_rows_of_the_published_table(tmp_path: Path) -> None:
    rows = [("trigram_distance", "score", 0.35, 0.28, 0.41, 759, 760), ("trigram_distance", "citation_f1", -0.29, None, None, 760, 760)]
    table, text, _ = run_table(module, tmp_path, "--correlations", save(tmp_path, "c.csv", COLUMNS, *rows))
    assert table.iloc[0].tolist() == ["trigram_distance", "+0.35 [+0.28, +0.41]", "-0.29", "759/760; 760/760"]
    assert "| 1 − character-trigram Jaccard | +0.35 [+0.28, +0.41] | −0.29 | 759/760; 760/760 |" in text
    assert "more than 5 % of the resamples" in text


def test_the_note_explains_only_what_is_there(tmp_path: Path) -> None:
    rows = [("trigram_distance", metric, 0.35, 0.28, 0.41, 9, 9) for metric in ("score", "citation_f1")]
    table, text, _ = run_table(module, tmp_path, "--correlations", save(tmp_path, "c.csv", COLUMNS, *rows))
    assert table.iloc[0]["items"] == "9/9" and "5 % of the resamples" not in text


def test_nothing_to_correlate(tmp_path: Path) -> None:
    assert "No row: no amended item" in run_table(module, tmp_path, "--correlations", save(tmp_path, "c.csv", COLUMNS))[1]
    with pytest.raises(SystemExit, match="does not exist"):
        run_table(module, tmp_path, "--correlations", "none.csv")
