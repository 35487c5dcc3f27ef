from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from stats.score_tables import frames, score_row

from inforce.records.tables import SCORES, write_table
from inforce.stats import agreement_by_band as module
from inforce.stats.agreement_by_band import agreement_by_band


def row(name: str, agrees: bool | None, score: float | None, setting: str = "gold_current", **values: object) -> dict[str, object]:
    return score_row(name, setting=setting, drift_band="amended", agrees_with_court=agrees, score=score, **values)


def test_hand_worked_shares_and_scores(tmp_path: Path) -> None:
    """Four verdicts, three agree with scores 6, 8 and 4: 75 %, mean 6. One answer has no panel and counts in n only."""
    listed = [
        row("a", True, 6),
        row("a", True, 8, sub_question=2),
        row("b", True, 4),
        row("b", False, 2, sub_question=2),
        row("c", None, None),
    ]
    table = agreement_by_band("r", frames(tmp_path, listed, [])[0], 200)
    agreement, score = table.to_dict("records")
    assert (agreement["metric"], agreement["value"], agreement["n_scored"], agreement["n"]) == ("agreement", 75, 4, 5)
    assert (score["metric"], score["value"], score["n_scored"], score["n"]) == ("score_if_agreeing", 6, 3, 3)
    assert (agreement["access"], agreement["band"], agreement["setting"]) == ("gold", "amended", "gold_current")
    assert agreement["n_items"] == agreement["n_clusters"] == 2


def test_models_and_samples_are_pooled_and_settings_kept_apart(tmp_path: Path) -> None:
    listed = [
        row("a", True, 9),
        row("a", False, 1, model="n"),
        row("a", True, 5, "gold_in_force"),
        row("a", True, 7, "rag_in_force", sample=2),
    ]
    table = agreement_by_band("r", frames(tmp_path, listed, [])[0], 100)
    values = {(line["setting"], line["metric"]): line["value"] for line in table.to_dict("records")}
    assert values["gold_current", "agreement"] == 50 and values["gold_current", "score_if_agreeing"] == 9
    assert values["gold_in_force", "agreement"] == 100 and values["rag_in_force", "score_if_agreeing"] == 7
    assert ("rag_current", "agreement") not in values
    assert list(table["setting"].unique()) == ["gold_current", "gold_in_force", "rag_in_force"]


def test_bands_stand_in_order_of_severity_below_each_access(tmp_path: Path) -> None:
    listed = [
        score_row(band, setting=setting, drift_band=band, agrees_with_court=True, score=5.0)
        for band in ("repealed", "amended", "no_drift")
        for setting in ("gold_in_force", "gold_current")
    ]
    table = agreement_by_band("r", frames(tmp_path, listed, [])[0], 100)
    assert list(dict.fromkeys(table["band"])) == ["no_drift", "amended", "repealed"]
    assert table["setting"].tolist()[:4] == ["gold_current", "gold_current", "gold_in_force", "gold_in_force"]


def test_no_one_agrees(tmp_path: Path) -> None:
    table = agreement_by_band("r", frames(tmp_path, [row("a", False, 2), row("b", False, 3)], [])[0], 100)
    assert table["value"].tolist()[0] == 0 and np.isnan(table["value"].tolist()[1])
    assert agreement_by_band("r", pd.DataFrame(), 100).empty


def test_interval_beside_scipy(tmp_path: Path) -> None:
    """One answer an item: the share that agrees and its plain bootstrap."""
    agrees = np.random.Generator(np.random.PCG64(4)).random(200) < 0.6
    scores = frames(tmp_path, [row(f"i{n:03d}", bool(yes), 5.0) for n, yes in enumerate(agrees)], [])[0]
    found = agreement_by_band("r", scores, 20_000).iloc[0]
    other = scipy.stats.bootstrap((100.0 * agrees,), np.mean, n_resamples=20_000, method="percentile", rng=1).confidence_interval
    assert (found["low"], found["high"]) == (pytest.approx(other.low, abs=1), pytest.approx(other.high, abs=1))


def test_command(tmp_path: Path) -> None:
    write_table(tmp_path / "s.parquet", [row("a", True, 6)], SCORES)
    module.main(["--run", "r", "--resamples", "100", "--scores", f"{tmp_path}/s.parquet", "--out", f"{tmp_path}/o.csv"])
    assert (tmp_path / "o.csv").read_text().splitlines()[1] == "r,gold,amended,gold_current,agreement,100,,,1,1,1,1"
    module.main(["--run", "r", "--out", f"{tmp_path}/o.csv"])
    assert (tmp_path / "o.csv").read_text() == ",".join(module.COLUMNS) + "\n"
    with pytest.raises(SystemExit, match="rows of the run r among"):
        module.main(["--run", "x", "--scores", f"{tmp_path}/s.parquet", "--out", f"{tmp_path}/o.csv"])
