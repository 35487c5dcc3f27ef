from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm
from stats.score_tables import answers_of, frames, generated_run, score_row
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests

from inforce.stats import compare_models as module


@given(st.integers(0, 40), st.integers(0, 40))
def test_mcnemar_is_that_of_statsmodels(b: int, c: int) -> None:
    exact, mid = module.mcnemar(np.array([b]), np.array([c]))
    expected = mcnemar([[0, b], [c, 0]], exact=True).pvalue if b + c else 1.0
    assert exact[0] == pytest.approx(expected)
    assert mid[0] <= exact[0] + 1e-12


def test_mcnemar_by_hand() -> None:
    """1 against 5: P(X <= 1) = 7 / 64, twice is 14 / 64; mid-p takes away P(X = 1) = 6 / 64."""
    exact, mid = module.mcnemar(np.array([1, 3]), np.array([5, 3]))
    np.testing.assert_allclose(exact, [14 / 64, 1])
    np.testing.assert_allclose(mid, [8 / 64, 1])


def test_clustered_p() -> None:
    """With one sub-question a cluster it is McNemar's chi-square; the same verdicts in pairs are half as much evidence."""
    single = np.array([[1.0]] * 15 + [[-1.0]] * 5 + [[0.0]] * 9)
    expected = mcnemar([[0, 15], [5, 0]], exact=False, correction=False).pvalue
    assert module.clustered_p(single)[0] == pytest.approx(expected)
    paired = np.array([[2.0]] * 15 + [[-2.0]] * 5)  # every verdict twice: no smaller p
    assert module.clustered_p(paired)[0] == pytest.approx(expected)
    assert module.clustered_p(np.zeros((3, 1)))[0] == 1


@settings(max_examples=20)  # the second library takes a fifth of a second each
@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_is_that_of_statsmodels(p: list[float]) -> None:
    np.testing.assert_allclose(module.holm(np.array(p)), multipletests(p, method="holm")[1])


def test_holm_leaves_out_what_was_not_tested() -> None:
    np.testing.assert_allclose(module.holm(np.array([0.01, np.nan, 0.04])), [0.02, np.nan, 0.04])
    assert np.isnan(module.holm(np.array([np.nan]))).all()


def test_hand_worked_pair(tmp_path: Path) -> None:
    rows = [
        *(score_row("a", sub, score=6.0, agrees_with_court=True) for sub in (1, 2)),
        *(score_row("a", sub, model="n", score=3.0, agrees_with_court=sub == 2) for sub in (1, 2)),
        score_row("b", score=5.0, agrees_with_court=False),
        score_row("b", model="n", score=4.0, agrees_with_court=True),
        score_row("c", score=5.0, agrees_with_court=True),  # only one model: out of everything
        score_row("a", sample=2, score=6.0, agrees_with_court=False),  # a second sample of one model only: no verdict of it counts
    ]
    scores, _ = frames(tmp_path, rows, answers_of(rows))
    row = module.compare_models("r", scores, 500).iloc[0]
    assert row[["model", "other", "n", "only_model", "only_other"]].tolist() == ["m", "n", 3, 1, 1]
    assert row[["agreement_difference", "p_mcnemar", "p_mid", "p_clustered"]].tolist() == [0, 1, 1, 1]
    assert row[["score_difference", "low", "high", "n_items", "n_clusters"]].tolist() == [2, 1, 3, 2, 2]
    # Of three draws 3, 2 or 1 are of a or b in 8, 12 and 6 of 27 cases (never: left out); the variance is then 1/3, 1/2 and 1, in all 22/39.
    assert row["p_wald"] == row["p_wald_holm"] == pytest.approx(2 * norm.sf(2 / (22 / 39) ** 0.5), rel=0.2)


def test_planted_difference_is_found_and_none_is_not(tmp_path: Path) -> None:
    rows = generated_run("r", ["m", "twin", "weak"], ["parametric"], 150)
    for row in rows:
        if row["model"] == "weak":
            row["score"] = max(0.0, float(row["score"]) - 2.5)  # type: ignore[arg-type]
            row["agrees_with_court"] = row["score"] >= 4  # type: ignore[operator]
    scores, _ = frames(tmp_path, rows, answers_of(rows))
    table = module.compare_models("r", scores, 1000).set_index(["model", "other"])
    weak = table.loc[("m", "weak")]
    assert weak["p_mcnemar_holm"] < 0.01 and weak["p_clustered_holm"] < 0.01 and weak["p_wald_holm"] < 0.01
    assert weak["low"] > 1 and weak["only_model"] > weak["only_other"]
    assert table.loc[("m", "twin"), "p_clustered"] > 0.001
    assert (table[[f"{test}_holm" for test in module.TESTS]].to_numpy() >= table[list(module.TESTS)].to_numpy()).all()


def test_the_interval_and_p_belong_together(tmp_path: Path) -> None:
    rows = generated_run("r", ["a", "b", "c", "d"], ["parametric", "rag_in_force"], 30)
    scores, _ = frames(tmp_path, rows, answers_of(rows))
    table = module.compare_models("r", scores, 999)
    assert len(table) == 12
    outside = (table["low"] > 0) | (table["high"] < 0)
    assert (outside == (table["p_wald"] <= 0.05)).mean() > 0.9


def test_a_clear_difference_stays_clear_among_378_pairs(tmp_path: Path) -> None:
    """28 models are 378 pairs: a p bounded by the resamples times 378 is above .05 whatever the data say."""
    rows = [
        score_row(
            f"i{item}", model=f"m{model:02d}", score=(9.0 if model == 0 else 4.0) + (item * (model + 3)) % 29 / 58, agrees_with_court=True
        )
        for model in range(28)
        for item in range(20)
    ]
    table = module.compare_models("r", frames(tmp_path, rows, answers_of(rows))[0], 200)
    assert len(table) == 378
    assert (table.loc[table["model"] == "m00", "p_wald_holm"] < 0.001).all()


def test_models_that_share_nothing(tmp_path: Path) -> None:
    rows = [score_row("a", score=1.0, agrees_with_court=True), score_row("b", model="n", score=1.0, agrees_with_court=True)]
    row = module.compare_models("r", frames(tmp_path, rows, answers_of(rows))[0], 100).iloc[0]
    assert row["n"] == 0 and row[[*module.TESTS, "score_difference", "agreement_difference"]].isna().all()


def test_command(tmp_path: Path) -> None:
    rows = generated_run("r", ["m"], ["parametric"], 6)
    frames(tmp_path, rows, answers_of(rows))
    for name in ("one", "two"):
        module.main(["--run", "r", "--resamples", "100", "--scores", str(tmp_path / "scores.parquet"), "--out", str(tmp_path / name)])
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    assert pd.read_csv(tmp_path / "one").empty and list(pd.read_csv(tmp_path / "one").columns) == module.COLUMNS
