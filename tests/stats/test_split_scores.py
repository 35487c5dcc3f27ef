from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.stats import spearmanr
from stats.published_tables import published
from stats.score_tables import answers_of, frames, score_row

from inforce.stats import split_scores as module
from inforce.stats.frames import StatsError

SPLITS = {"a": "test", "b": "test", "c": "validation", "d": "reserve"}


@pytest.mark.parametrize("setting", ["parametric", "gold_in_force", "rag_in_force"])
def test_published_agreement_comes_out_as_printed(setting: str) -> None:
    """Table 12; the Spearman rows were computed before rounding, so within 0.006."""
    table = published("table12_splits")
    found = module.agreement({part: table[f"{setting}_{part}"].to_numpy(float) for part in module.PARTS})
    printed = published("table12_agreement").set_index("statistic")[setting].astype(float)
    for name, text, tolerance in (
        ("spearman_test_validation", "Spearman, test against validation", 0.006),
        ("spearman_test_full", "Spearman, test against full", 0.006),
        ("mean_difference_test_validation", "Mean absolute difference, test against validation", 0.0051),
        ("largest_difference_test_validation", "Largest absolute difference, test against validation", 0.0101),
    ):
        assert found[name][0] == pytest.approx(printed[text], abs=tolerance), name
        assert found[name][1] == 13
    assert found["largest_difference_test_full"][0] <= 0.0801  # §7.1: within 0.07 before rounding


def test_spearman_is_scipy_s_and_needs_three() -> None:
    generator = np.random.Generator(np.random.PCG64(1))
    left, right = generator.integers(0, 6, 20).astype(float), generator.integers(0, 6, 20).astype(float)
    assert module.spearman(left, right) == pytest.approx(spearmanr(left, right).statistic)
    assert module.spearman(np.array([1.0, 2, 3]), np.array([2.0, 4, 9])) == pytest.approx(1)
    assert np.isnan(module.spearman(np.array([1.0, 2]), np.array([1.0, 2])))
    assert np.isnan(module.spearman(np.array([1.0, 1, 1]), np.array([1.0, 2, 3])))


def scored(tmp_path: Path) -> pd.DataFrame:
    rows = [
        score_row(item, model=model, score=score + plus)
        for model, plus in (("m", 0), ("n", 1), ("o", 3))
        for item, score in zip("abcd", (1, 3, 4, 6), strict=True)
    ]
    return frames(tmp_path, rows, answers_of(rows))[0]


def test_hand_worked_parts(tmp_path: Path) -> None:
    table, statistics = module.split_scores("r", scored(tmp_path), SPLITS, 200)
    of_m = table[table["model"] == "m"].set_index("part")
    assert of_m["value"].to_dict() == {"full": 3.5, "test": 2.0, "validation": 4.0}
    assert of_m["n_items"].to_dict() == {"full": 4, "test": 2, "validation": 1}
    assert (of_m.loc["test", "low"], of_m.loc["test", "high"]) == (1, 3) and np.isnan(of_m.loc["validation", "low"])
    values = statistics.set_index("statistic")["value"]
    assert values["spearman_test_validation"] == 1 and values["mean_difference_test_validation"] == 2
    assert values["largest_difference_test_full"] == 1.5 and set(statistics["n_models"]) == {3}


def test_no_splits_and_unknown_items(tmp_path: Path) -> None:
    table, statistics = module.split_scores("r", scored(tmp_path), {}, 100)
    assert set(table["part"]) == {"full"} and statistics.empty
    table, statistics = module.split_scores("r", scored(tmp_path), dict.fromkeys("abcd", "test"), 100)
    assert set(table["part"]) == {"full", "test"} and set(statistics["statistic"]) == {"spearman_test_full", "largest_difference_test_full"}
    with pytest.raises(StatsError, match="item b of the run r is in no split"):
        module.split_scores("r", scored(tmp_path), {"a": "test"}, 100)


def test_command(tmp_path: Path) -> None:
    scored(tmp_path)
    pd.DataFrame({"item_id": list(SPLITS), "split": list(SPLITS.values())}).to_csv(tmp_path / "splits.csv", index=False)
    arguments = ["--run", "r", "--resamples", "100", "--scores", str(tmp_path / "scores.parquet"), "--splits", str(tmp_path / "splits.csv")]
    for name in ("one", "two"):
        module.main([*arguments, "--out", str(tmp_path / name), "--agreement", str(tmp_path / f"{name}_a")])
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    (tmp_path / "splits.csv").write_text("id\n", encoding="utf-8")
    with pytest.raises(SystemExit, match="needs the columns item_id and split"):
        module.main([*arguments, "--out", str(tmp_path / "x"), "--agreement", str(tmp_path / "y")])
