from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from stats.score_tables import answers_of, frames, score_row

from inforce.stats import score_by_citations as module

NAN = float("nan")


def planted(n: int = 400, models: tuple[str, ...] = ("m", "n"), seed: int = 1, **swap: str) -> pd.DataFrame:
    """Scores = 4 + model + 2 x recall + 0.5 x precision + noise."""
    generator = np.random.Generator(np.random.PCG64(seed))
    blocks = []
    for number, model in enumerate(models):
        recall, other = generator.integers(0, 5, n) / 4, generator.integers(0, 5, n) / 4
        precision = np.where(recall > 0, (recall + other) / 2, 0)
        f1 = np.divide(2 * precision * recall, precision + recall, out=np.zeros(n), where=recall > 0)
        score = 4 + number + 2 * recall + 0.5 * precision + generator.normal(0, 1, n)
        columns = {"citation_precision": precision, "citation_recall": recall, "citation_f1": f1, "score": score}
        frame = pd.DataFrame(columns).rename(columns=swap).assign(model=model)
        blocks.append(frame.assign(run="r", setting="rag_in_force", cluster=[f"c{i // 2}" for i in range(n)]))
    return pd.concat(blocks, ignore_index=True)


def test_bins() -> None:
    f1 = np.array([0, 0.01, 0.2499, 0.25, 0.4999, 0.5, 0.75, 1.0])
    assert module.bin_of(f1).tolist() == [0, 1, 1, 2, 2, 3, 4, 4]


def test_hand_worked_average_model() -> None:
    """Model means 4 and 8; bins: first model 2 and 6, second 8 only: centred (-2, 2) and (0, -) -> mean (-1, 2), plus 6."""
    sums, counts = np.array([[2.0, 6.0], [16.0, 0.0]]), np.array([[1.0, 1.0], [2.0, 0.0]])
    np.testing.assert_allclose(module.average_model(sums, counts), [5, 8])


def test_two_predictors_by_hand_and_as_printed() -> None:
    one, other = module.two_predictors(np.array([0.6]), np.array([0.5]), np.array([0.5]))
    np.testing.assert_allclose([one[0], other[0]], [(0.6 - 0.25) / 0.75, (0.5 - 0.3) / 0.75])
    # §7.6 prints correlations 0.30 (precision) and 0.35 (recall), weights 0.11 and 0.28, and 13 % explained
    precision, recall = module.two_predictors(np.array([0.30]), np.array([0.35]), np.array([0.636]))
    assert precision[0] == pytest.approx(0.11, abs=0.025) and recall[0] == pytest.approx(0.28, abs=0.025)
    assert precision[0] * 0.30 + recall[0] * 0.35 == pytest.approx(0.13, abs=0.006)
    assert np.isnan(module.two_predictors(np.array([0.3]), np.array([0.3]), np.array([1.0]))[0][0])


def test_against_statsmodels_and_numpy() -> None:
    """Least squares with a constant for each model, variables standardised within models afterwards."""
    frame = planted()
    _, weights = module.setting_tables(frame, 200, 1)
    value = weights.set_index("statistic")["value"]
    centred = frame[module._VALUES] - frame.groupby("model")[module._VALUES].transform("mean")
    scaled = centred / centred.std(ddof=0)
    fitted = sm.OLS(scaled["score"], scaled[["citation_precision", "citation_recall"]]).fit()
    assert value["weight_precision"] == pytest.approx(fitted.params["citation_precision"])
    assert value["weight_recall"] == pytest.approx(fitted.params["citation_recall"])
    assert value["share_both"] == pytest.approx(fitted.rsquared)
    dummies = sm.OLS(frame["score"], pd.get_dummies(frame["model"], dtype=float).assign(f1=frame["citation_f1"])).fit()
    assert value["share_f1"] == pytest.approx(1 - dummies.ssr / (centred["score"] ** 2).sum())
    per_model = [np.corrcoef(part["citation_f1"], part["score"])[0, 1] for _, part in frame.groupby("model")]
    assert value["correlation_f1"] == pytest.approx(np.median(per_model))


def test_planted_weights_are_found_and_swapped_columns_are_noticed() -> None:
    _, weights = module.setting_tables(planted(), 400, 1)
    right = weights.set_index("statistic")
    assert right.loc["weight_recall", "low"] > right.loc["weight_precision", "high"]
    assert right.loc["rise", "value"] == pytest.approx(2.2, abs=0.5) and right.loc["rise", "low"] > 1
    swap = {"citation_precision": "citation_recall", "citation_recall": "citation_precision"}
    _, weights = module.setting_tables(planted(**swap), 100, 1)
    wrong = weights.set_index("statistic")
    assert wrong.loc["weight_precision", "value"] == pytest.approx(right.loc["weight_recall", "value"])
    assert wrong.loc["share_f1", "value"] == pytest.approx(right.loc["share_f1", "value"])  # F1 does not show it


def test_bin_means_are_plain_means() -> None:
    frame = planted()
    bins, _ = module.setting_tables(frame, 100, 1)
    part = frame[(frame["model"] == "n") & (frame["citation_f1"] >= 0.75)]
    row = bins[(bins["model"] == "n") & (bins["bin"] == ".75 and more")].iloc[0]
    assert (
        row["value"] == pytest.approx(part["score"].mean())
        and row["n"] == len(part)
        and row["f1"] == pytest.approx(part["citation_f1"].mean())
    )
    assert list(bins["model"].unique()) == ["m", "n", "all"] and bins.groupby("model")["n"].sum()["all"] == len(frame)


def test_a_bin_of_one_cluster_has_no_interval() -> None:
    """20 clusters of one answer: one with F1 1, nine with .3, ten with 0. The highest bin is one answer, whatever is drawn."""
    f1 = np.array([1.0] + [0.3] * 9 + [0.0] * 10)
    columns = {"citation_f1": f1, "citation_precision": f1, "citation_recall": f1, "score": np.arange(20) % 9 + 0.0}
    frame = pd.DataFrame(columns).assign(run="r", setting="rag_in_force", model="m", cluster=[f"c{n}" for n in range(20)])
    bins, weights = module.setting_tables(frame, 300, 1)
    for _, part in bins.groupby("model"):
        assert part["n_clusters"].tolist() == [10, 0, 9, 0, 1]
        assert part["low"].notna().tolist() == [True, False, True, False, False]
    rise = weights.set_index("statistic").loc["rise"]
    assert np.isfinite(rise["value"]) and np.isnan(rise["low"]) and np.isnan(rise["high"])
    # with a second such cluster both have one; a cluster in which two models answer counts once for the average model
    other = frame.assign(model="n", cluster=["c1", *frame["cluster"][1:]])
    bins, weights = module.setting_tables(pd.concat([frame, other]), 300, 1)
    assert bins.set_index(["model", "bin"])["n_clusters"].loc[["m", "n", "all"], ".75 and more"].tolist() == [1, 1, 2]
    assert bins.set_index(["model", "bin"])["n_clusters"].loc["all", "none"] == 10
    assert np.isfinite(weights.set_index("statistic").loc["rise", "low"])


def test_who_does_not_cite_is_left_out(tmp_path: Path) -> None:
    frame = planted()
    silent = frame[frame["model"] == "m"].assign(model="silent", citation_f1=0.0)
    bins, weights = module.setting_tables(pd.concat([frame, silent]), 100, 1)
    assert "silent" not in set(bins["model"]) and set(weights["n_models"]) == {2}
    rows = [
        score_row("a", score=3.0, citation_f1=0.0, citation_precision=0.0, citation_recall=0.0),
        score_row("b", score=None, citation_f1=1.0),
    ]
    scores, _ = frames(tmp_path, rows, answers_of(rows))
    for table, columns in zip(module.score_by_citations("r", scores, 100), (module.BIN_COLUMNS, module.WEIGHT_COLUMNS), strict=True):
        assert table.empty and list(table.columns) == columns


def test_constant_scores_have_no_correlation(tmp_path: Path) -> None:
    rows = [score_row(f"i{n}", score=0.1, citation_f1=n / 4, citation_precision=n / 4, citation_recall=n / 4) for n in range(5)]
    frames(tmp_path, rows, answers_of(rows))
    arguments = ["--run", "r", "--resamples", "100", "--scores", str(tmp_path / "scores.parquet")]
    for name in ("one", "two"):
        module.main([*arguments, "--bins", str(tmp_path / f"{name}b"), "--weights", str(tmp_path / f"{name}w")])
        assert (tmp_path / f"{name}b").read_bytes() == (tmp_path / "oneb").read_bytes()
    weights = pd.read_csv(tmp_path / "twow").set_index("statistic")
    assert weights.drop("rise")["value"].isna().all() and weights.loc["rise", "value"] == 0
