from __future__ import annotations

from pathlib import Path

import pytest
from report.table_command import run_table, save

from inforce.report import agreement_table as module

COLUMNS = ["access", "band", "setting", "metric", "value", "n_scored", "n"]


def rows(access: str, band: str, side: str, agrees: float, score: float | None) -> list[tuple[object, ...]]:
    return [
        (access, band, f"{access}_{side}", "agreement", agrees, 9, 10),
        (access, band, f"{access}_{side}", "score_if_agreeing", score, 5, 5),
    ]


def test_rows_of_the_published_table(tmp_path: Path) -> None:
    listed = [
        *rows("gold", "amended", "current", 57.6, 4.83),
        *rows("gold", "amended", "in_force", 59.2, 5.12),
        *rows("rag", "repealed", "in_force", 0, None),
    ]
    table, text, _ = run_table(module, tmp_path, "--agreement", save(tmp_path, "a.csv", COLUMNS, *listed))
    assert table.iloc[0].tolist() == ["gold", "amended", "57.6", "59.2", "4.83", "5.12", "9/10", "9/10"]
    assert table.iloc[1].tolist() == ["rag", "repealed", "", "0.0", "", "", "", "9/10"]  # nobody agrees: no score, and not zero
    lines = text.splitlines()
    assert lines[2].startswith("| *Gold-cited* |") and lines[4].startswith("| *RAG* |")


def test_nothing_to_compare(tmp_path: Path) -> None:
    assert "No row: the run has no setting" in run_table(module, tmp_path, "--agreement", save(tmp_path, "a.csv", COLUMNS))[1]
    with pytest.raises(SystemExit, match="does not exist"):
        run_table(module, tmp_path, "--agreement", "none.csv")
