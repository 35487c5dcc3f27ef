from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from stats.score_tables import generated_run, score_row

from inforce.records.tables import SCORES, read_frame, write_table
from inforce.stats import gain_by_band as module
from inforce.stats.frames import StatsError


def frame(tmp_path: Path, rows: list[dict[str, object]]) -> pd.DataFrame:
    write_table(tmp_path / "s.parquet", rows, SCORES)
    return read_frame(tmp_path / "s.parquet", SCORES)


def one(table: pd.DataFrame, model: str, access: str, band: str, contrast: str = "gain") -> pd.Series:
    keys = table["model"].eq(model) & table["access"].eq(access) & table["band"].eq(band) & table["contrast"].eq(contrast)
    assert keys.sum() == 1
    return table[keys].iloc[0]


def pair(
    item: str, band: str, current: float | None, in_force: float | None, model: str = "m", domain: str = "labor"
) -> list[dict[str, object]]:
    return [
        score_row(item, model=model, drift_band=band, domain=domain, setting=setting, score=score)
        for setting, score in (("gold_current", current), ("gold_in_force", in_force))
    ]


HAND = [
    *pair("a", "no_drift", 5, 5),
    *pair("b", "no_drift", 4, 5),
    *pair("c", "amended", 2, 4),
    *pair("d", "amended", 3, 6, domain="tax"),
    *pair("e", "amended", None, 9),  # scored in one arm only: out of both
    *pair("f", "repealed", 1, 5),
]


def test_hand_worked_gains(tmp_path: Path) -> None:
    table = module.gain_by_band("r", frame(tmp_path, HAND), 400)
    assert one(table, "m", "gold", "no_drift")["value"] == 0.5
    amended = one(table, "m", "gold", "amended")
    assert amended["value"] == 2.5  # items alike, whatever their domain
    assert (amended["n_items"], amended["n"], amended["n_clusters"]) == (2, 3, 2)
    assert (amended["low"], amended["high"], amended["star"]) == (2, 3, "*")
    repealed = one(table, "m", "gold", "repealed")
    assert repealed["value"] == 4 and np.isnan(repealed["low"]) and repealed["star"] == ""  # one cluster: no interval, no star
    assert one(table, "m", "gold", "amended", "minus_no_drift")["value"] == 2
    assert "no_drift" not in set(table.loc[table["contrast"] == "minus_no_drift", "band"])


def test_a_setting_not_run_has_no_rows(tmp_path: Path) -> None:
    table = module.gain_by_band("r", frame(tmp_path, HAND), 200)
    assert set(table["access"]) == {"gold"}
    empty = module.gain_by_band("r", frame(tmp_path, [score_row("a", setting="parametric", score=1.0)]), 200)
    assert list(empty.columns) == module.COLUMNS and empty.empty


def test_all_models_pool_their_items(tmp_path: Path) -> None:
    rows = [*HAND, *pair("c", "amended", 1, 1, "n"), *pair("d", "amended", 1, 1, "n"), *pair("e", "amended", 1, 1, "n")]
    table = module.gain_by_band("r", frame(tmp_path, rows), 400)
    pooled = one(table, "all", "gold", "amended")
    assert pooled["value"] == 1  # (2 + 3 + 0 + 0 + 0) / 5
    assert (pooled["n_items"], pooled["n_clusters"]) == (5, 3)
    assert list(table["model"].unique()) == ["m", "n", "all"]


def test_a_gain_of_nothing_has_no_star(tmp_path: Path) -> None:
    rows = [row for number in range(9) for row in pair(f"i{number}", "amended", 0.1 * number, 0.1 * number)]
    gain = one(module.gain_by_band("r", frame(tmp_path, rows), 400), "m", "gold", "amended")
    assert (gain["value"], gain["low"], gain["high"], gain["star"]) == (0, 0, 0, "")


def test_a_planted_gain_is_found(tmp_path: Path) -> None:
    """The generator adds 0.8 points a band to what the law in force gains, and 0.4 between neighbouring settings."""
    rows = generated_run("r", ["m", "n"], ["gold_current", "gold_in_force"], 240, samples=2)
    table = module.gain_by_band("r", frame(tmp_path, rows), 1000)
    for band, expected in (("amended", 0.8), ("repealed", 1.6)):
        contrast = one(table, "all", "gold", band, "minus_no_drift")
        assert contrast["low"] < expected < contrast["high"] + 0.15 and contrast["star"] == "*"
    assert one(table, "all", "gold", "no_drift")["value"] == pytest.approx(0.4, abs=0.2)


def test_command_writes_equal_bytes_twice(tmp_path: Path) -> None:
    frame(tmp_path, HAND)
    for name in ("one.csv", "two.csv"):
        module.main(["--run", "r", "--resamples", "200", "--scores", str(tmp_path / "s.parquet"), "--out", str(tmp_path / name)])
    assert (tmp_path / "one.csv").read_bytes() == (tmp_path / "two.csv").read_bytes()
    assert list(pd.read_csv(tmp_path / "one.csv").columns) == module.COLUMNS


def test_failures_are_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(StatsError, match="item a has two drift bands"):
        module.gain_by_band("r", frame(tmp_path, [score_row("a"), score_row("a", drift_band="amended")]), 100)
    with pytest.raises(StatsError, match="drift band lost is none of"):
        module.gain_by_band("r", frame(tmp_path, [score_row("a", drift_band="lost")]), 100)
    with pytest.raises(StatsError, match="hold no rows"):
        module.gain_by_band("r", frame(tmp_path, []), 100)
    with pytest.raises(SystemExit, match="does not exist"):
        module.main(["--run", "r", "--scores", "none.parquet", "--out", str(tmp_path / "o.csv")])
