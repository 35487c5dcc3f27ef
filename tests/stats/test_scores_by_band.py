from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stats.score_tables import answers_of, frames, generated_run, score_row

from inforce.records.status import DRIFT_BANDS
from inforce.stats import scores_by_band as module
from inforce.stats.aggregate_scores import aggregate_scores
from inforce.stats.frames import StatsError

HAND = [
    score_row("a", 1, drift_band="amended", score=4.0),
    score_row("a", 2, drift_band="amended", score=8.0),
    score_row("b", 1, score=2.0),
    score_row("c", 1, domain="tax", drift_band="amended", score=10.0),
    score_row("d", 1, domain="tax", drift_band="amended", score=None),  # asked, not scored
]


def table(tmp_path: Path, rows: list[dict[str, object]]) -> pd.DataFrame:
    scores, _ = frames(tmp_path, rows, answers_of(rows))
    return module.scores_by_band("r", scores, 500)


def one(found: pd.DataFrame, domain: str, band: str) -> pd.Series:
    rows = found[(found["domain"] == domain) & (found["band"] == band)]
    assert len(rows) == 1
    return rows.iloc[0]


def test_hand_worked(tmp_path: Path) -> None:
    found = table(tmp_path, HAND)
    # labor: a = 6, b = 2; tax: c = 10, d has no score
    assert one(found, "all", "all")["value"] == (4 + 10) / 2
    amended = one(found, "all", "amended")
    assert amended["value"] == (6 + 10) / 2
    assert (amended["n_scored"], amended["n"], amended["n_items"], amended["n_clusters"]) == (3, 4, 2, 2)
    assert one(found, "labor", "no_drift")["value"] == 2
    assert np.isnan(one(found, "labor", "no_drift")["low"])  # one item: no interval
    assert not len(found[(found["domain"] == "tax") & (found["band"] == "no_drift")])  # no such item: no row, not a zero
    assert not len(found[found["band"] == "repealed"])


def test_all_bands_are_the_scores_of_the_settings_table(tmp_path: Path) -> None:
    rows = generated_run("r", ["m", "k"], ["gold_in_force", "rag_in_force"], 30, samples=2)
    scores, answers = frames(tmp_path, rows, answers_of(rows))
    found = module.scores_by_band("r", scores, 500)
    wanted = aggregate_scores("r", scores, answers, 500)
    keys = ["model", "setting", "domain"]
    same = ["value", "low", "high", "n_scored", "n", "n_items", "n_clusters"]
    left = found[found["band"] == "all"].set_index(keys)[same].sort_index()
    right = wanted[wanted["metric"] == "score"].set_index(keys)[same].sort_index()
    pd.testing.assert_frame_equal(left, right, check_dtype=False)
    assert ((found["low"] <= found["value"] + 1e-9) & (found["value"] <= found["high"] + 1e-9))[found["low"].notna()].all()


@settings(max_examples=15, deadline=None)
@given(st.integers(2, 12), st.integers(0, 5))
def test_counts_add_up_over_bands_and_domains(tmp_path_factory: pytest.TempPathFactory, n_items: int, seed: int) -> None:
    rows = generated_run("r", ["m"], ["parametric"], n_items, seed=seed)
    found = table(tmp_path_factory.mktemp("t"), rows)
    every = one(found, "all", "all")
    for column in ("n", "n_scored", "n_items"):
        assert found[(found["domain"] == "all") & found["band"].isin(DRIFT_BANDS)][column].sum() == every[column]
        assert found[(found["domain"] != "all") & (found["band"] == "all")][column].sum() == every[column]


def test_refuses_an_item_with_two_bands_and_empty_tables(tmp_path: Path) -> None:
    with pytest.raises(StatsError, match="item a has two"):
        table(tmp_path, [score_row("a", 1, score=1.0), score_row("a", 2, drift_band="amended", score=1.0)])
    with pytest.raises(StatsError, match="no rows"):
        module.scores_by_band("r", pd.DataFrame(columns=["score"]), 10)
