from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import rankdata
from stats.published_tables import published
from stats.score_tables import answers_of, frames, generated_run, score_row

from inforce.stats import rank_models as module


def test_hand_worked_ranks() -> None:
    scores = np.array([[3.0, 5.0, np.nan, 5.0, 1.0]])
    np.testing.assert_array_equal(module.ranks_of(scores), [[3, 1, np.nan, 1, 4]])
    assert module.ranks_of(np.array([[0.1 + 0.2, 0.3]])).tolist() == [[1, 1]]  # equal but for rounding


@given(arrays(float, (4, 6), elements=st.floats(0, 10).map(lambda value: round(value, 1))))
def test_ranks_are_scipy_s(scores: np.ndarray) -> None:
    np.testing.assert_array_equal(module.ranks_of(scores), rankdata(-scores, method="min", axis=1))


def test_ranges_hold_95_percent_and_are_rounded_outwards() -> None:
    # the first model is best in 97 of 100 resamples: 2.5 % in the tail are within the 3 where it is second
    resampled = np.array([[2.0, 1.0]] * 97 + [[1.0, 2.0]] * 3)
    low, high = module.rank_ranges(resampled)
    assert (low.tolist(), high.tolist()) == ([1, 1], [2, 2])
    low, high = module.rank_ranges(np.array([[2.0, 1.0]] * 99 + [[1.0, 2.0]]))
    assert (low.tolist(), high.tolist()) == ([1, 2], [1, 2])


def test_published_ranks_come_out_as_printed() -> None:
    """Table 17: ranks 1 to 28 by RAG In-force; the two printed at 0.87 share a rank here."""
    board = published("table17_leaderboard")
    ranks = module.ranks_of(board["rag_in_force"].to_numpy(float)[None])[0]
    expected = board["rank"].to_numpy(float).copy()
    expected[-1] = 27
    np.testing.assert_array_equal(ranks, expected)


def test_a_run_with_far_apart_and_close_models(tmp_path: Path) -> None:
    rows = generated_run("r", ["best", "close", "closer"], ["rag_in_force"], 60)
    for row in rows:
        if row["model"] == "best":
            row["score"] = min(10.0, float(row["score"]) + 3)  # type: ignore[arg-type]
    scores, _ = frames(tmp_path, rows, answers_of(rows))
    table = module.rank_models("r", scores, 400).set_index("model")
    assert table.loc["best", ["rank", "rank_low", "rank_high"]].tolist() == [1, 1, 1]
    assert (table["rank_low"] <= table["rank"]).all() and (table["rank"] <= table["rank_high"]).all()
    assert table["n_models"].tolist() == [3, 3, 3]


def test_unscored_models_and_single_clusters(tmp_path: Path) -> None:
    rows = [score_row("a", score=2.0), score_row("a", model="none", score=None)]
    scores, _ = frames(tmp_path, rows, answers_of(rows))
    table = module.rank_models("r", scores, 100)
    assert table["model"].tolist() == ["m", "none"]
    assert table["rank"].tolist() == [1, pd.NA] and table["rank_low"].isna().all()


def test_command_writes_equal_bytes_twice(tmp_path: Path) -> None:
    rows = generated_run("r", ["m", "n"], ["rag_in_force"], 12)
    frames(tmp_path, rows, answers_of(rows))
    for name in ("one", "two"):
        module.main(["--run", "r", "--resamples", "100", "--scores", str(tmp_path / "scores.parquet"), "--out", str(tmp_path / name)])
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    assert list(pd.read_csv(tmp_path / "one").columns) == module.COLUMNS
    with pytest.raises(SystemExit, match="does not exist"):
        module.main(["--run", "r", "--scores", "none.parquet", "--out", str(tmp_path / "o")])
