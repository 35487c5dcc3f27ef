from __future__ import annotations

import datetime as dt
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from report.small_run import make_item, model_config, write_json
from stats.score_tables import answers_of, frames, score_row

from inforce.records.items import Item
from inforce.records.lines import write_lines
from inforce.stats import contamination as module
from inforce.stats.frames import StatsError

CUTOFF = dt.date(2020, 6, 30)


def item(name: str, day: str) -> Item:
    return make_item(1, thai=False).model_copy(update={"id": name, "decision_date": day})


def make_run(tmp_path: Path, seen: float = 0.0, late: float = 0.0, n: int = 40) -> tuple[pd.DataFrame, dict[str, str], dict[str, Item]]:
    """Items alternate between the splits and, in fours, between before and after the day; scores are planted."""
    generator = np.random.Generator(np.random.PCG64(7))
    rows, splits, records = [], {}, {}
    for number in range(n):
        name = f"i{number:03d}"
        splits[name] = ("validation", "test")[number % 2]
        after = number % 4 >= 2
        records[name] = item(name, "2021-03-01" if after else "2019-03-01")
        score = 5 + generator.normal(0, 0.5) + seen * (number % 2 == 0) + late * after
        rows.append(score_row(name, score=score, domain=f"d{number % 3}"))
    return frames(tmp_path, rows, answers_of(rows))[0], splits, records


def checks(table: pd.DataFrame) -> tuple[pd.Series, pd.Series]:
    rows = table.set_index("check")
    return rows.loc["split_gap"], rows.loc["cutoff_gap"]


def test_hand_worked(tmp_path: Path) -> None:
    """Two domains alike: labor 6 - 4 = 2, tax 5 - 1 = 4; the third has only late cases and stays out of the second check."""
    days = {
        "a": ("labor", 4, "2019-01-01"),
        "b": ("labor", 6, "2021-01-01"),
        "c": ("tax", 1, "2020"),
        "d": ("tax", 1, "2019"),
        "e": ("tax", 5, "2021"),
    }
    days["f"] = ("ip", 9, "2021-07")
    rows = [score_row(name, score=float(score), domain=domain) for name, (domain, score, _) in days.items()]
    scores, _ = frames(tmp_path, rows, answers_of(rows))
    records = {name: item(name, day) for name, (_, _, day) in days.items()}
    splits = {"a": "test", "b": "validation", "c": "test", "d": "reserve", "e": "validation", "f": "reserve"}
    gap, cut = checks(module.contamination("r", scores, splits, records, {"m": CUTOFF}, 300))
    assert gap[["value", "first", "second", "n_first", "n_second"]].tolist() == [3, 5.5, 2.5, 2, 2]
    assert cut[["value", "first", "second", "n_first", "n_second"]].tolist() == [3, 5.5, 2.5, 2, 2]  # c: its year holds the day
    assert cut["knowledge_cutoff"] == "2020-06-30" and cut["missing"] == ""


def test_a_planted_leak_is_found_and_none_is_not(tmp_path: Path) -> None:
    clean = checks(module.contamination("r", *make_run(tmp_path), {"m": CUTOFF}, 500))
    assert all(row["low"] < 0 < row["high"] and row["star"] == "" for row in clean)
    gap, cut = checks(module.contamination("r", *make_run(tmp_path, seen=1.0, late=-2.0, n=80), {"m": CUTOFF}, 500))
    assert gap["star"] == "*" and gap["value"] == pytest.approx(1, abs=0.4)
    assert cut["star"] == "*" and cut["value"] == pytest.approx(-2, abs=0.4)


def test_the_split_interval_has_the_variance_of_two_independent_means(tmp_path: Path) -> None:
    """One domain: the variance of the gap is the sum of the variances of both means."""
    scores, splits, records = make_run(tmp_path, n=200)
    scores["domain"] = "one"
    gap = checks(module.contamination("r", scores, splits, records, {}, 4000))[0]
    parts = [scores["score"][scores["item_id"].map(splits) == name].astype(float) for name in ("validation", "test")]
    half = 1.96 * np.sqrt(sum(part.var(ddof=0) / len(part) for part in parts))
    assert gap["high"] - gap["low"] == pytest.approx(2 * half, rel=0.06)


def test_unknown_is_null_with_a_reason(tmp_path: Path) -> None:
    scores, _, records = make_run(tmp_path)
    gap, cut = checks(module.contamination("r", scores, {}, records, {"m": None}, 100))
    assert np.isnan(gap["value"]) and gap["missing"] == module.NO_SPLITS
    assert np.isnan(cut["value"]) and cut["missing"] == module.NO_DAY
    cut = checks(module.contamination("r", scores, {}, records, {"m": dt.date(2030, 1, 1)}, 100))[1]
    assert np.isnan(cut["value"]) and cut["missing"] == module.NO_SIDES
    scores, splits, records = make_run(tmp_path)
    scores.loc[scores["item_id"].map(splits) == "test", "score"] = None  # both splits are held, one without a score
    gap = checks(module.contamination("r", scores, splits, records, {"m": None}, 100))[0]
    assert np.isnan(gap["value"]) and gap["missing"] == "no score in the test split"
    scores["score"] = None
    gap = checks(module.contamination("r", scores, splits, records, {"m": None}, 100))[0]
    assert gap["missing"] == "no score in the validation or the test split"
    with pytest.raises(StatsError, match="item i000 is scored but not among"):
        module.contamination("r", scores, {}, {}, {}, 100)


def test_command(tmp_path: Path) -> None:
    _, splits, records = make_run(tmp_path, n=12)
    write_lines(tmp_path / "items.jsonl", records.values())
    pd.DataFrame({"item_id": list(splits), "split": list(splits.values())}).to_csv(tmp_path / "splits.csv", index=False)
    write_json(tmp_path / "models" / "m.yaml", model_config("M") | {"knowledge_cutoff": "2020-06-30"})
    arguments = ["--run", "r", "--resamples", "100", "--scores", str(tmp_path / "scores.parquet"), "--items", str(tmp_path / "items.jsonl")]
    arguments += ["--splits", str(tmp_path / "splits.csv"), "--models-dir", str(tmp_path / "models")]
    for name in ("one", "two"):
        module.main([*arguments, "--out", str(tmp_path / name)])
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    table = pd.read_csv(tmp_path / "one")
    assert list(table.columns) == module.COLUMNS and table["value"].notna().all()
    (tmp_path / "items.jsonl").unlink()
    with pytest.raises(SystemExit, match=r"items.jsonl does not exist"):
        module.main([*arguments, "--out", str(tmp_path / "x")])
