from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from stats.amended import amended_rows

from inforce.stats import gain_by_change as module
from inforce.stats.frames import StatsError
from inforce.stats.gain_by_change import gain_by_change, read_items


def of(table: pd.DataFrame, change: str, size: str = "all", metric: str = "score") -> dict[str, object]:
    (row,) = table[(table["change"] == change) & (table["size"] == size) & (table["metric"] == metric)].to_dict("records")
    return row


def test_hand_worked_gains_weigh_items_by_their_models() -> None:
    """Rule: items gain 1 (one model) and 4 (two models): (1 + 2 × 4) / 3 = 3. The median distance of the four labelled items is 0.3."""
    items = amended_rows(
        ("a", "a", "rule", 0.2, 1.0, 1), ("b", "b", "rule", 0.5, 4.0, 2), ("c", "c", "wording", 0.1, 0.5, 2), ("d", "d", "wording", 0.4, -0.5, 2),
        ("e", "e", "", 0.9, 9.0, 2), ("f", "f", "rule", 0.3, float("nan"), 0),
    )  # fmt: skip
    table = gain_by_change("r", items, 500)
    rule = of(table, "rule")
    assert (rule["value"], rule["n_items"], rule["n"], rule["median_distance"]) == (3, 2, 3, 0.3)
    assert of(table, "rule", metric="citation_f1")["value"] == pytest.approx(0.3)
    assert (of(table, "wording")["value"], of(table, "wording")["n"]) == (0, 2)
    assert (of(table, "rule", "small")["value"], of(table, "rule", "large")["value"]) == (1, 4)  # 0.3 itself is large
    assert np.isnan(of(table, "rule", "small")["low"])  # one cluster
    assert rule["low"] == 1 and rule["high"] == 4


def test_the_parts_make_the_whole() -> None:
    generator = np.random.Generator(np.random.PCG64(1))
    items = amended_rows(
        *[(f"i{n}", f"i{n}", ("rule", "wording")[n % 2], float(generator.random()), float(generator.normal()), 3) for n in range(60)]
    )
    table = gain_by_change("r", items, 200)
    for change in ("rule", "wording"):
        parts = [of(table, change, size) for size in ("small", "large")]
        whole = sum(part["value"] * part["n_items"] for part in parts) / sum(part["n_items"] for part in parts)
        assert of(table, change)["value"] == pytest.approx(whole)


def test_interval_beside_scipy() -> None:
    """Every item a cluster and one model each: the plain bootstrap of a mean."""
    gains = np.random.Generator(np.random.PCG64(2)).normal(0.4, 1, 150)
    items = amended_rows(*[(f"i{n:03d}", f"i{n:03d}", "rule", 0.3, float(gain), 1) for n, gain in enumerate(gains)])
    row = of(gain_by_change("r", items, 20_000), "rule")
    other = scipy.stats.bootstrap((gains,), np.mean, n_resamples=20_000, method="percentile", rng=3).confidence_interval
    assert row["value"] == pytest.approx(gains.mean())
    assert (row["low"], row["high"]) == (pytest.approx(other.low, abs=0.01), pytest.approx(other.high, abs=0.01))


def test_no_label_no_row() -> None:
    assert gain_by_change("r", amended_rows(("a", "a", "", 0.2, 1.0, 1)), 100).empty
    assert gain_by_change("r", amended_rows(), 100).empty


def test_command(tmp_path: Path) -> None:
    amended_rows(("a", "a", "rule", 0.2, 1.0, 1), ("b", "b", "", 0.2, 1.0, 1)).to_csv(tmp_path / "i.csv", index=False)
    module.main(["--run", "r", "--resamples", "100", "--items", f"{tmp_path}/i.csv", "--out", f"{tmp_path}/o.csv"])
    assert (tmp_path / "o.csv").read_text().splitlines()[1] == "r,rule,all,score,1,,,0.2,1,1,1"
    (tmp_path / "i.csv").write_text("a,b\n")
    with pytest.raises(StatsError, match="make it again with amended_items"):
        read_items(f"{tmp_path}/i.csv")
    with pytest.raises(SystemExit, match="does not exist"):
        module.main(["--run", "r", "--items", f"{tmp_path}/none.csv", "--out", "x"])
