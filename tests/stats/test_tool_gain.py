from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from stats.published_tables import published
from stats.score_tables import answers_of, frames, generated_run, score_row

from inforce.stats import tool_gain as module


def test_published_gain_and_gap_follow_from_the_scores() -> None:
    """Table 13: printed from unrounded scores, so within one in the last digit."""
    table = published("table13_tool_gain")
    found = module.contrasts({name: table[name].to_numpy(float) for name in ("parametric", "rag_in_force", "gold_in_force")})
    for name in ("gain", "gap"):
        np.testing.assert_allclose(found[name], table[name].astype(float), atol=0.0101)
    assert (found["gain"] > 0).sum() == 22  # §7.6: twenty-two gain, six lose


def test_hand_worked(tmp_path: Path) -> None:
    rows = [
        score_row(item, setting=setting, score=score)
        for item, scores in {"a": (2, 3, 6), "b": (4, 7, 8)}.items()
        for setting, score in zip(("parametric", "rag_in_force", "gold_in_force"), scores, strict=True)
    ]
    frame, _ = frames(tmp_path, rows, answers_of(rows))
    table = module.tool_gain("r", frame, 500).set_index("contrast")
    assert table.loc["gain", ["value", "low", "high", "n_items", "n_clusters"]].tolist() == [2, 1, 3, 2, 2]
    assert table.loc["gap", ["value", "low", "high"]].tolist() == [2, 1, 3]


def test_the_interval_is_paired(tmp_path: Path) -> None:
    """Items differ by far more than the settings do; a constant gain has no spread if both settings share the draws."""
    rows = [
        score_row(f"i{number}", setting=setting, score=number / 3 + plus)
        for number in range(20)
        for setting, plus in (("parametric", 0.0), ("rag_in_force", 1.0))
    ]
    frame, _ = frames(tmp_path, rows, answers_of(rows))
    gain = module.tool_gain("r", frame, 300).iloc[0]
    assert (gain["value"], gain["low"], gain["high"]) == pytest.approx((1, 1, 1))


def test_settings_not_run_and_bytes(tmp_path: Path) -> None:
    rows = generated_run("r", ["m"], ["parametric", "gold_in_force"], 6)
    frames(tmp_path, rows, answers_of(rows))
    for name in ("one", "two"):
        module.main(["--run", "r", "--resamples", "100", "--scores", str(tmp_path / "scores.parquet"), "--out", str(tmp_path / name)])
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    assert pd.read_csv(tmp_path / "one").empty and list(pd.read_csv(tmp_path / "one").columns) == module.COLUMNS
