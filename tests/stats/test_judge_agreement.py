from __future__ import annotations

from pathlib import Path

import krippendorff
import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import pearsonr
from stats.score_tables import answers_of, frames, generated_run, score_row

from inforce.stats import judge_agreement as module
from inforce.stats.frames import StatsError

NAN = np.nan
# Krippendorff, Computing Krippendorff's Alpha-Reliability (2011), example C: four observers, twelve units
EXAMPLE_C = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, NAN, NAN, NAN],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NAN, 3],
        [NAN, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NAN],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NAN],
    ]
).T


def test_published_example() -> None:
    assert module.krippendorff_alpha(EXAMPLE_C, "interval") == pytest.approx(0.849, abs=0.0005)
    assert module.krippendorff_alpha(EXAMPLE_C, "ordinal") == pytest.approx(0.815, abs=0.0005)


def test_hand_worked() -> None:
    """Two units, two seats: (1, 2) and (3, 3). Within: 2 x 1 / 1 = 2; all: 2 (4 x 23 - 81) = 22; alpha = 1 - 2 x 3 / 22."""
    assert module.krippendorff_alpha(np.array([[1.0, 2], [3, 3]])) == pytest.approx(1 - 6 / 22)


@given(arrays(float, (9, 3), elements=st.one_of(st.just(NAN), st.integers(0, 20).map(lambda n: n / 2))))
@settings(deadline=None)
def test_alpha_is_that_of_the_krippendorff_package(scores: np.ndarray) -> None:
    paired = scores[np.isfinite(scores).sum(axis=1) >= 2]
    assume(len(np.unique(paired[np.isfinite(paired)])) > 1)
    for level in ("interval", "ordinal"):
        expected = krippendorff.alpha(reliability_data=scores.T, level_of_measurement=level)
        assert module.krippendorff_alpha(scores, level) == pytest.approx(expected, abs=1e-9)


def test_full_agreement_is_one_and_no_variation_is_unknown() -> None:
    assert module.krippendorff_alpha(np.array([[1.0, 1], [5, 5]])) == 1
    assert np.isnan(module.krippendorff_alpha(np.full((4, 2), 0.1)))
    assert np.isnan(module.krippendorff_alpha(np.array([[1.0, NAN], [NAN, 2]])))


def rows_of(seats: np.ndarray, setting: str = "rag_in_force") -> tuple[pd.DataFrame, np.ndarray]:
    return pd.DataFrame({"setting": setting, "cluster": [f"c{n:04d}" for n in range(len(seats))]}), seats


def one(table: pd.DataFrame, measure: str, judge: str = "", other: str = "", setting: str = "all") -> pd.Series:
    found = table.query("measure == @measure and judge == @judge and other == @other and setting == @setting")
    assert len(found) == 1
    return found.iloc[0]


def test_pairs_by_hand_and_by_scipy() -> None:
    generator = np.random.Generator(np.random.PCG64(3))
    seats = np.round(generator.normal(5, 2, (200, 3)) + generator.normal(0, 2, (200, 1)))
    seats[:4, 1] = NAN
    table = module.judge_agreement("r", *rows_of(seats), ["x", "y", "z"], 200)
    known = seats[4:]
    assert one(table, "correlation", "x", "y")["value"] == pytest.approx(pearsonr(known[:, 0], known[:, 1]).statistic)
    assert one(table, "exact", "y", "z")["value"] == pytest.approx(100 * (known[:, 1] == known[:, 2]).mean())
    assert one(table, "difference", "x", "z")["value"] == pytest.approx((seats[:, 0] - seats[:, 2]).mean())
    assert (one(table, "difference", "x", "z")["n"], one(table, "difference", "x", "y")["n"]) == (200, 196)
    assert one(table, "bias", "y")["value"] == pytest.approx((known[:, 1] - known[:, [0, 2]].mean(axis=1)).mean())
    alpha = one(table, "alpha_interval")
    assert (
        alpha["value"] == pytest.approx(krippendorff.alpha(seats.T, level_of_measurement="interval"))
        and alpha["low"] < alpha["value"] < alpha["high"]
    )
    assert one(table, "alpha_ordinal", setting="rag_in_force")["value"] == one(table, "alpha_ordinal")["value"]


def test_a_judge_shifted_by_a_point_is_noticed() -> None:
    generator = np.random.Generator(np.random.PCG64(5))
    fair = generator.integers(1, 9, (300, 1)) + generator.integers(-1, 2, (300, 3)).astype(float)
    plain = module.judge_agreement("r", *rows_of(fair), ["x", "y", "z"], 400)
    shifted = module.judge_agreement("r", *rows_of(fair + np.array([0, -1, 0])), ["x", "y", "z"], 400)
    before, after = one(plain, "bias", "y"), one(shifted, "bias", "y")
    assert before["low"] < 0 < before["high"] and after["value"] == pytest.approx(before["value"] - 1) and after["high"] < -0.8
    assert one(shifted, "correlation", "x", "y")["value"] == pytest.approx(one(plain, "correlation", "x", "y")["value"])  # blind to it
    assert one(shifted, "alpha_interval")["value"] < one(plain, "alpha_interval")["value"] - 0.02


def test_one_judge_in_several_seats_and_one_seat() -> None:
    assert module.numbered(["a", "b", "a"]) == ["a", "b", "a#2"]
    assert module.judge_agreement("r", *rows_of(np.ones((3, 1))), ["a"], 100).empty


def test_command_reads_seats_and_refuses_another_panel(tmp_path: Path) -> None:
    rows = generated_run("r", ["m"], ["parametric"], 8)
    for number, row in enumerate(rows):
        row["seat_scores"] = [float(number % 5), None if number == 0 else float(number % 4), 3.0]
    frames(tmp_path, rows, answers_of(rows))
    arguments = ["--run", "r", "--resamples", "100", "--scores", str(tmp_path / "scores.parquet")]
    for name in ("one", "two"):
        module.main([*arguments, "--judges", "x", "y", "y", "--out", str(tmp_path / name)])
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    table = pd.read_csv(tmp_path / "one")
    assert list(table.columns) == module.COLUMNS and set(table["judge"].dropna()) == {"x", "y", "y#2"}
    assert set(table.query("measure == 'bias'")["n"]) == {len(rows) - 1}
    with pytest.raises(SystemExit, match="has not 2 seat scores"):
        module.main([*arguments, "--judges", "x", "y", "--out", str(tmp_path / "o")])
    with pytest.raises(StatsError, match="hold no rows"):
        module.judge_agreement("r", pd.DataFrame(columns=["setting", "cluster"]), np.empty((0, 3)), ["a", "b", "c"], 100)


def test_rows_without_any_score(tmp_path: Path) -> None:
    table = module.judge_agreement("r", *rows_of(np.full((5, 3), NAN)), ["x", "y", "z"], 100)
    assert table["value"].isna().all() and (table["n"] == 0).all()
    assert score_row()["seat_scores"] == []
