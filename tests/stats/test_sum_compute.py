from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from stats.score_tables import answer_row, frames

from inforce.records.tables import ITEM_SCORES, write_table
from inforce.stats import sum_compute as module
from inforce.stats.frames import StatsError
from inforce.stats.sum_compute import read_hours, sum_compute


def test_hand_worked_sums(tmp_path: Path) -> None:
    """100 + 300 tokens in, 10 + 30 out, of which 5 + 15 reasoning: half. The third answer ended before its engine reported anything."""
    rows = [
        answer_row("a", setting="rag_current", n_searches=3, reasoning_tokens=5),
        answer_row("b", setting="rag_current", n_searches=0, input_tokens=300, output_tokens=30, reasoning_tokens=15),
        answer_row("a", setting="rag_in_force", n_searches=2, input_tokens=None, output_tokens=None),
    ]
    row = sum_compute("r", frames(tmp_path, [], rows)[1], {("r", "m"): 1.5}).iloc[0]
    assert (row["input_tokens"], row["output_tokens"], row["n_with_tokens"], row["n"]) == (400, 40, 2, 3)
    assert (row["reasoning_share"], row["n_with_reasoning"], row["gpu_hours"]) == (50, 2, 1.5)
    assert (row["searches_rag_current"], row["searches_rag_in_force"]) == (1.5, 2)


def test_unknown_is_empty_and_never_zero(tmp_path: Path) -> None:
    rows = [answer_row("a", setting="parametric", input_tokens=None, output_tokens=None)]
    row = sum_compute("r", frames(tmp_path, [], rows)[1], {}).iloc[0]
    assert row[["input_tokens", "output_tokens", "reasoning_share", "searches_rag_current", "gpu_hours"]].isna().all()
    silent = sum_compute("r", frames(tmp_path, [], [answer_row("a", reasoning_tokens=None)])[1], {}).iloc[0]
    lost = [answer_row("a", setting="rag_current", n_searches=3), answer_row("b", setting="rag_current", n_searches=None)]
    assert sum_compute("r", frames(tmp_path, [], lost)[1], {}).iloc[0]["searches_rag_current"] == 3
    assert pd.isna(silent["reasoning_share"]) and silent["output_tokens"] == 10  # not reported is not none


def test_hours_of_several_rows_add_up_and_faults_are_named(tmp_path: Path) -> None:
    path = tmp_path / "h.csv"
    path.write_text("run,model,gpu_hours,source\nr,m,1.5,log\nr,m,2,log\nr,n,,not measured\n")
    assert read_hours(path) == {("r", "m"): 3.5}
    path.write_text("run,model,gpu_hours,source\nr,m,many,log\n")
    with pytest.raises(StatsError, match="gpu_hours of m is not a number"):
        read_hours(path)
    path.write_text("run,model\n")
    with pytest.raises(StatsError, match="columns are run, model"):
        read_hours(path)
    with pytest.raises(StatsError, match="does not exist"):
        read_hours(tmp_path / "none.csv")


def test_command(tmp_path: Path) -> None:
    write_table(tmp_path / "i.parquet", [answer_row("a", reasoning_tokens=0)], ITEM_SCORES)
    (tmp_path / "h.csv").write_text("run,model,gpu_hours,source\n")
    module.main(["--run", "r", "--item-scores", f"{tmp_path}/i.parquet", "--gpu-hours", f"{tmp_path}/h.csv", "--out", f"{tmp_path}/o.csv"])
    assert (tmp_path / "o.csv").read_text().splitlines() == [",".join(module.COLUMNS), "r,m,100,10,1,1,0,1,,0,"]
    with pytest.raises(SystemExit, match="does not exist"):
        module.main(
            ["--run", "r", "--item-scores", f"{tmp_path}/i.parquet", "--gpu-hours", f"{tmp_path}/no.csv", "--out", f"{tmp_path}/o.csv"]
        )
