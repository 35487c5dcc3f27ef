from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st
from stats.published_tables import published, settings_rows

from inforce.stats import pareto_front as module

NAN = float("nan")


def test_hand_worked() -> None:
    #                cheap, dominated by cheap, dear and best, as dear and worse, twice the same, unknown cost, unknown score
    costs = np.array([1.0, 2.0, 5.0, 5.0, 3.0, 3.0, NAN, 0.1])
    scores = np.array([4.0, 4.0, 9.0, 8.0, 6.0, 6.0, 10.0, NAN])
    assert module.on_front(costs, scores).tolist() == [True, False, True, False, True, True, False, False]


def test_published_front_by_hand() -> None:
    """Table 18 by rising cost: a model is on the front if it scores above every cheaper one. Costs of 0.000 and 0.001 are printed alike."""
    table = published("table18_cost_behaviour")
    front = module.on_front(table["cost_usd"].to_numpy(float), table["bar_standard"].to_numpy(float))
    assert set(table["model"][front]) == {
        *("THaLLE 0.2 8B", "Typhoon-S 8B", "Gemma 4 26B-A4B", "Gemma 4 31B"),
        *("DeepSeek V4.1 Flash", "GPT-6.1 Sol", "Gemini 4 Argon", "Claude Fable 5.1"),
    }


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=12))
def test_who_is_off_the_front_is_beaten_by_one_on_it(points: list[tuple[int, int]]) -> None:
    costs, scores = np.array(points, dtype=float).T
    front = module.on_front(costs, scores)
    assert front.any()
    for cost, score, on in zip(costs, scores, front, strict=True):
        beaten = (costs[front] <= cost) & (scores[front] >= score) & ((costs[front] < cost) | (scores[front] > score))
        assert beaten.any() != on


def test_main_setting_and_unknown_prices(tmp_path: Path) -> None:
    rows = [("m", "cost_usd", NAN), ("m", "score", 5.0), ("n", "cost_usd", 0.2), ("n", "score", 4.0)]
    frame = pd.DataFrame(rows, columns=["model", "metric", "value"])
    settings = [
        settings_rows(frame.assign(setting=setting, domain="all")).assign(metric=frame["metric"])
        for setting in ("parametric", "gold_in_force")
    ]
    pd.concat(settings).to_csv(tmp_path / "s.csv", index=False)
    module.main(["--settings", str(tmp_path / "s.csv"), "--out", str(tmp_path / "o.csv")])
    table = pd.read_csv(tmp_path / "o.csv", keep_default_na=False)
    assert set(table["setting"]) == {"gold_in_force"} and table["on_front"].tolist() == ["", "yes"]
    assert table["cost_usd"].tolist() == ["", "0.2"]  # unknown is empty and not zero
