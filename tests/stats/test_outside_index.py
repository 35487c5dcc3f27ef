from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.stats import spearmanr
from stats.published_tables import published, settings_rows

from inforce.stats import outside_index as module
from inforce.stats.frames import StatsError

ROOT = Path(__file__).parents[2]


def index_frame(values: dict[str, float], name: str = "general") -> pd.DataFrame:
    return pd.DataFrame({"model": list(values), "index": name, "value": list(values.values()), "date": "2026-11-03", "source": "s"})


def test_hand_worked() -> None:
    """Scores order a, b, c; the index orders b, a, c: squared rank differences 1 + 1 + 0, Spearman 1 - 6 x 2 / 24 = 0.5."""
    scores = {"a": 7.0, "b": 6.0, "c": 5.0, "unscored": float("nan"), "unknown to the index": 9.0}
    ranks, correlations = module.compare(
        "r", scores, index_frame({"a": 50, "b": 60, "c": 40, "unscored": 70, "elsewhere": 1}), "rag_in_force"
    )
    assert ranks[["model", "index_rank", "score_rank"]].to_numpy().tolist() == [["b", 1, 2], ["a", 2, 1], ["c", 3, 3]]
    assert correlations["spearman"].tolist() == pytest.approx([0.5, 0.5]) and correlations["n_models"].tolist() == [3, 3]


def test_published_ranking_against_itself_and_against_citation_f1() -> None:
    board = published("table17_leaderboard")
    scores = dict(zip(board["model"], board["rag_in_force"].astype(float), strict=True))
    _, same = module.compare("r", scores, index_frame(scores), "rag_in_force")
    assert same["spearman"].tolist() == pytest.approx([1, 1]) and same["n_models"].tolist() == [28, 8]
    f1 = dict(zip(board["model"], board["f1"].astype(float), strict=True))
    _, other = module.compare("r", scores, index_frame(f1), "rag_in_force")
    assert other["spearman"][0] == pytest.approx(spearmanr(list(scores.values()), list(f1.values())).statistic)
    top = board.assign(f1=board["f1"].astype(float)).nlargest(8, "f1")
    assert other["spearman"][1] == pytest.approx(spearmanr(top["f1"], top["rag_in_force"].astype(float)).statistic)


def test_the_file_that_ships_is_a_header_and_gives_no_rows(tmp_path: Path) -> None:
    index = module.read_index(str(ROOT / "config" / "outside_index.csv"))
    frame = settings_rows(pd.DataFrame([("m", "parametric", "all", 4.0)], columns=["model", "setting", "domain", "value"]))
    frame.to_csv(tmp_path / "s.csv", index=False)
    module.main(
        [
            *("--settings", str(tmp_path / "s.csv"), "--index", str(ROOT / "config" / "outside_index.csv")),
            *("--ranks", str(tmp_path / "r.csv"), "--correlations", str(tmp_path / "c.csv")),
        ]
    )
    if index.empty:
        assert pd.read_csv(tmp_path / "r.csv").empty and list(pd.read_csv(tmp_path / "r.csv").columns) == module.RANKS
        assert pd.read_csv(tmp_path / "c.csv").empty


def test_reading(tmp_path: Path) -> None:
    path = tmp_path / "i.csv"
    path.write_text("model,index,value,date,source\na,x,1,2026-01-01,s\na,x,2,2026-02-01,s\nb,x,,,s\n", encoding="utf-8")
    assert module.read_index(str(path))[["model", "value"]].to_numpy().tolist() == [["a", 2.0]]  # the latest; empty is no value
    for line, words in (("a,x,high,2026-01-01,s", "line 2: value 'high'"), ("a,x,1,soon,s", "with date 'soon'")):
        path.write_text(f"model,index,value,date,source\n{line}\n", encoding="utf-8")
        with pytest.raises(StatsError, match=words):
            module.read_index(str(path))
    path.write_text("model,value\n", encoding="utf-8")
    with pytest.raises(StatsError, match="columns are"):
        module.read_index(str(path))
    with pytest.raises(StatsError, match="does not exist"):
        module.read_index(str(tmp_path / "none.csv"))


def test_two_models_have_no_correlation() -> None:
    _, correlations = module.compare("r", {"a": 1.0, "b": 2.0}, index_frame({"a": 1, "b": 2}), "parametric")
    assert np.isnan(correlations["spearman"]).all()
