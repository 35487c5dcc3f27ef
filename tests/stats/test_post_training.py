from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from report.small_run import model_config, write_json
from stats.published_tables import published
from stats.score_tables import answer_row, frames, generated_run, score_row

from inforce.stats import post_training as module

BASES = {"base": None, "child": "base", "orphan": "absent", "own": "own"}


def test_pairs_need_the_base_in_the_run() -> None:
    assert module.pairs_of(["base", "child", "orphan", "own"], BASES) == [("child", "base")]


def test_published_differences_follow_from_the_scores() -> None:
    """Table 14 prints each value and its difference from the base row above."""
    checked, base = 0, {}
    for row in published("table14_post_training").to_dict("records"):
        for column in ("parametric", "gold_in_force", "rag_in_force", "citation_f1", "searches"):
            value, _, difference = str(row[column]).partition(" ")
            if not difference:
                base[column] = float(value)
                continue
            assert float(value) - base[column] == pytest.approx(float(difference.strip("()")), abs=0.0101)
            checked += 1
    assert checked == 45  # nine post-trainings, five columns


def test_hand_worked(tmp_path: Path) -> None:
    rows = [
        *(score_row(item, model="base", score=2.0, citation_f1=0.5) for item in "ab"),
        *(score_row(item, model="child", score=score, citation_f1=1.0) for item, score in (("a", 3.0), ("b", 5.0))),
    ]
    answers = [answer_row(item, model=model, n_searches=n) for model, n in (("base", 1), ("child", 4)) for item in "ab"]
    table = module.post_training("r", *frames(tmp_path, rows, answers), BASES, 500).set_index("metric")
    score = table.loc["score"]
    assert (score["value"], score["base_value"], score["difference"], score["low"], score["high"]) == (4, 2, 2, 1, 3)
    assert table.loc["citation_f1", ["difference", "low", "high"]].tolist() == [0.5, 0.5, 0.5]
    assert table.loc["searches", ["value", "base_value", "difference"]].tolist() == [4, 1, 3]
    assert table["n_clusters"].tolist() == [2, 2, 2]


def test_lost_answers_are_left_out_of_the_searches(tmp_path: Path) -> None:
    rows = [score_row(item, model=model, score=2.0) for model in ("base", "child") for item in "abc"]
    answers = [answer_row(item, model=model, n_searches=n) for model, n in (("base", 1), ("child", 4)) for item in "ab"]
    answers += [answer_row("c", model="base", n_searches=7), answer_row("c", model="child", n_searches=None, status="endpoint_error")]
    searches = module.post_training("r", *frames(tmp_path, rows, answers), BASES, 500).set_index("metric").loc["searches"]
    assert searches[["value", "base_value", "difference", "n_clusters"]].tolist() == [4, 3, 1, 2]


def test_no_pair_no_rows_and_the_command(tmp_path: Path) -> None:
    rows = generated_run("r", ["base", "child"], ["parametric", "rag_in_force"], 8)
    answers = [
        answer_row(str(row["item_id"]), model=row["model"], setting=row["setting"], run="r", domain=row["domain"], cluster=row["cluster"])
        for row in rows
    ]
    scores, items = frames(tmp_path, rows, answers)
    empty = module.post_training("r", scores, items, {}, 100)
    assert empty.empty and list(empty.columns) == module.COLUMNS
    write_json(tmp_path / "m" / "base.yaml", model_config("Base"))
    write_json(tmp_path / "m" / "child.yaml", model_config("Child") | {"base": "base"})
    arguments = ["--run", "r", "--resamples", "100", "--models-dir", str(tmp_path / "m")]
    arguments += ["--scores", str(tmp_path / "scores.parquet"), "--item-scores", str(tmp_path / "items.parquet")]
    for name in ("one", "two"):
        module.main([*arguments, "--out", str(tmp_path / name)])
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    assert len(pd.read_csv(tmp_path / "one")) == 6
    (tmp_path / "m" / "child.yaml").unlink()
    with pytest.raises(SystemExit, match="child"):
        module.main([*arguments, "--out", str(tmp_path / "three")])
