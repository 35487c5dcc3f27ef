from __future__ import annotations

from pathlib import Path

import pytest
from stats.score_tables import answer_row, frames, score_row

from inforce.records.tables import ITEM_SCORES, SCORES, write_table
from inforce.stats import count_statuses as module
from inforce.stats.frames import StatsError


def test_answers_are_counted_once_and_panels_by_sub_question(tmp_path: Path) -> None:
    scores = [
        score_row("a", 1),
        score_row("a", 2, panel_status="panel_incomplete"),
        score_row("b", 1, answer_status="unparsed", panel_status="unparsed"),
        score_row("a", 1, setting="parametric"),
    ]
    answers = [answer_row("a"), answer_row("b", status="unparsed"), answer_row("a", setting="parametric", status="refused")]
    table = module.count_statuses("r", *frames(tmp_path, scores, answers))
    assert table.to_numpy().tolist() == [
        ["r", "m", "parametric", "answer", "refused", 1],
        ["r", "m", "parametric", "panel", "ok", 1],
        ["r", "m", "rag_in_force", "answer", "ok", 1],
        ["r", "m", "rag_in_force", "answer", "unparsed", 1],
        ["r", "m", "rag_in_force", "panel", "ok", 1],
        ["r", "m", "rag_in_force", "panel", "unparsed", 1],
        ["r", "m", "rag_in_force", "panel", "panel_incomplete", 1],
    ]


def test_unknown_status_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StatsError, match="status 'lost' is none of ok"):
        module.count_statuses("r", *frames(tmp_path, [score_row()], [answer_row(status="lost")]))


def test_command(tmp_path: Path) -> None:
    write_table(tmp_path / "s.parquet", [score_row()], SCORES)
    write_table(tmp_path / "i.parquet", [answer_row()], ITEM_SCORES)
    files = ["--scores", str(tmp_path / "s.parquet"), "--item-scores", str(tmp_path / "i.parquet")]
    module.main(["--run", "r", *files, "--out", str(tmp_path / "o.csv")])
    assert (tmp_path / "o.csv").read_text() == (
        "run,model,setting,kind,status,n\nr,m,rag_in_force,answer,ok,1\nr,m,rag_in_force,panel,ok,1\n"
    )
    with pytest.raises(SystemExit, match="rows of the run r among"):
        module.main(["--run", "x", *files, "--out", str(tmp_path / "o.csv")])
