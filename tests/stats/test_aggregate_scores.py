from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from stats.score_tables import answer_row, answers_of, frames, generated_run, score_row

from inforce.records.tables import ITEM_SCORES, SCORES, write_table
from inforce.stats import aggregate_scores as module
from inforce.stats.frames import StatsError


def table(tmp_path: Path, scores: list[dict[str, object]], answers: list[dict[str, object]] | None = None, n: int = 500) -> pd.DataFrame:
    return module.aggregate_scores("r", *frames(tmp_path, scores, answers or answers_of(scores)), n)


def one(settings: pd.DataFrame, metric: str, domain: str = "all", **where: str) -> pd.Series:
    rows = settings[(settings["metric"] == metric) & (settings["domain"] == domain)]
    for key, value in where.items():
        rows = rows[rows[key] == value]
    assert len(rows) == 1
    return rows.iloc[0]


HAND = [
    score_row("a", 1, score=4.0, agrees_with_court=True, citation_f1=0.0, citation_precision=0.0, citation_recall=0.0),
    score_row("a", 2, score=8.0, agrees_with_court=True, citation_f1=1.0, citation_precision=1.0, citation_recall=1.0),
    score_row("b", 1, score=2.0, agrees_with_court=False, panel_status="ok"),  # no gold to cite: null, not zero
    score_row("c", 1, domain="tax", score=None, panel_status="panel_incomplete"),
    score_row("c", 2, domain="tax", score=10.0, agrees_with_court=True, citation_f1=0.5, citation_precision=0.5, citation_recall=0.5),
    score_row("d", 1, domain="tax", score=None, answer_status="unparsed", panel_status="unparsed", citation_f1=0.0),
]


def test_hand_worked_score_agreement_and_counts(tmp_path: Path) -> None:
    settings = table(tmp_path, HAND)
    score = one(settings, "score")
    # labor: a = 6, b = 2 -> 4; tax: c = 10, d drops out -> 10; macro 7
    assert score["value"] == 7
    assert (score["n_scored"], score["n"], score["n_items"], score["n_clusters"]) == (4, 6, 3, 3)
    assert one(settings, "score", "labor")["value"] == 4
    assert one(settings, "score", "tax")["value"] == 10
    assert np.isnan(one(settings, "score", "tax")["low"])  # one scored cluster: no interval
    assert one(settings, "agreement")["value"] == pytest.approx(100 * (0.5 + 1) / 2)
    f1 = one(settings, "citation_f1")  # labor: a alone = 0.5; tax: c = 0.5, d = 0 by rule -> 0.25
    assert f1["value"] == pytest.approx((0.5 + 0.25) / 2)
    assert (f1["n_scored"], f1["n"]) == (4, 6)


def test_intervals_hold_the_value(tmp_path: Path) -> None:
    settings = table(tmp_path, generated_run("r", ["m"], ["rag_in_force"], 30))
    rows = settings[settings["low"].notna()]
    assert len(rows) > 40
    assert ((rows["low"] <= rows["value"] + 1e-9) & (rows["value"] <= rows["high"] + 1e-9)).all()


def test_invented_rate_is_a_ratio_of_sums_with_an_interval(tmp_path: Path) -> None:
    counts = [("a", 8, 1, 1), ("b", 1, 0, 1), ("c", 0, 0, 0), ("d", 3, 0, 0)]
    rows = [score_row(i, 1, domain=i, n_checked=n, n_invented_law=law, n_invented_section=section) for i, n, law, section in counts]
    settings = table(tmp_path, rows)
    rate = one(settings, "invented_rate")
    assert rate["value"] == pytest.approx(100 * 3 / 12)  # not the mean of 25 %, 100 % and 0 %
    assert rate["low"] < rate["value"] < rate["high"]
    assert (rate["n_scored"], rate["n"], rate["n_items"], rate["n_clusters"]) == (3, 4, 3, 3)
    assert one(settings, "invented_law_rate")["value"] + one(settings, "invented_section_rate")["value"] == pytest.approx(rate["value"])
    assert one(settings, "checked_citations")["value"] == 12
    assert np.isnan(one(settings, "invented_rate", "c")["value"])  # nothing checked is no rate, not a rate of zero


def test_version_classes_add_up_to_all_classed_citations(tmp_path: Path) -> None:
    rows = [score_row("a", 1, n_exact=3, n_stale=1), score_row("b", 1, n_future=2, n_wrong_section=1, n_nonexistent=1)]
    settings = table(tmp_path, rows)
    shares = {name: one(settings, f"version_{name}")["value"] for name in ("exact", "stale", "future", "wrong_section", "nonexistent")}
    assert shares == {"exact": 37.5, "stale": 12.5, "future": 25, "wrong_section": 12.5, "nonexistent": 12.5}
    assert one(settings, "classed_citations")["value"] == 8


def test_answer_metrics_are_means_an_answer(tmp_path: Path) -> None:
    rows = [score_row("a"), score_row("b"), score_row("c", domain="tax")]
    answers = [
        answer_row("a", n_searches=2, cost_usd=0.1, input_tokens=100),
        answer_row("b", n_searches=4, cost_usd=None, input_tokens=None, status="unparsed"),
        answer_row("c", n_searches=9, cost_usd=0.3, input_tokens=300, domain="tax"),
    ]
    settings = table(tmp_path, rows, answers)
    assert one(settings, "searches")["value"] == 5
    cost = one(settings, "cost_usd")
    assert cost["value"] == pytest.approx(0.2) and (cost["n_scored"], cost["n"]) == (2, 3)
    assert one(settings, "input_tokens")["value"] == 200
    assert one(settings, "unparsed_share")["value"] == pytest.approx(100 / 3)
    assert one(settings, "unparsed_share", "tax")["value"] == 0


def test_a_lost_answer_is_neither_parsed_nor_without_searches(tmp_path: Path) -> None:
    """2 and 4 searches are 3 an answer, one of two did not parse; the third answer never came."""
    lost = {"status": "endpoint_error", "n_searches": None, "n_tool_call_errors": None}
    answers = [answer_row("a", n_searches=2), answer_row("b", n_searches=4, status="unparsed"), answer_row("c", **lost)]
    settings = table(tmp_path, [score_row(item) for item in "abc"], answers)
    for metric, value in (("searches", 3), ("tool_call_errors", 0), ("unparsed_share", 50)):
        row = one(settings, metric)
        assert (row["value"], row["n_scored"], row["n"]) == (value, 2, 3)


def test_unknown_price_is_empty_not_zero(tmp_path: Path) -> None:
    cost = one(table(tmp_path, [score_row("a"), score_row("b")]), "cost_usd")
    assert np.isnan(cost["value"]) and np.isnan(cost["low"]) and cost["n_scored"] == 0 and cost["n"] == 2


def test_samples_are_averaged_within_the_item(tmp_path: Path) -> None:
    rows = [
        score_row("a", sample=1, score=2.0),
        score_row("a", sample=2, score=4.0),
        score_row("a", sample=3, score=None),
        score_row("b", score=9.0),
    ]
    score = one(table(tmp_path, rows), "score")
    assert score["value"] == 6  # (3 + 9) / 2
    assert (score["n_scored"], score["n"], score["n_items"]) == (3, 4, 2)


def test_a_model_more_changes_no_other_models_numbers(tmp_path: Path) -> None:
    rows = generated_run("r", ["m", "n"], ["parametric", "rag_in_force"], 12)
    both = table(tmp_path, rows)
    alone = table(tmp_path, [row for row in rows if row["model"] == "m"])
    pd.testing.assert_frame_equal(both[both["model"] == "m"].reset_index(drop=True), alone)


def test_order_is_models_as_met_settings_of_the_paper_all_first(tmp_path: Path) -> None:
    rows = [score_row("a", model=model, setting=setting) for model in ("z", "b") for setting in ("rag_in_force", "parametric")]
    keys = table(tmp_path, rows)[["model", "setting", "domain"]].drop_duplicates().to_numpy().tolist()
    assert keys[:3] == [["z", "parametric", "all"], ["z", "parametric", "labor"], ["z", "rag_in_force", "all"]]
    assert keys[4][0] == "b"


def test_command_writes_equal_bytes_twice_and_full_columns(tmp_path: Path) -> None:
    rows = generated_run("r", ["m"], ["parametric"], 8)
    write_table(tmp_path / "s.parquet", rows, SCORES)
    write_table(tmp_path / "i.parquet", answers_of(rows), ITEM_SCORES)
    for name in ("one.csv", "two.csv"):
        files = ["--scores", str(tmp_path / "s.parquet"), "--item-scores", str(tmp_path / "i.parquet")]
        module.main(["--run", "r", "--resamples", "200", *files, "--out", str(tmp_path / name)])
    assert (tmp_path / "one.csv").read_bytes() == (tmp_path / "two.csv").read_bytes()
    frame = pd.read_csv(tmp_path / "one.csv")
    assert list(frame.columns) == module.COLUMNS
    assert set(frame["metric"]) == {*module.METRICS, *module.SUM}


def test_the_order_of_rows_changes_no_byte(tmp_path: Path) -> None:
    rows = generated_run("r", ["m"], ["parametric"], 20, samples=3)
    one = table(tmp_path, rows).to_csv(index=False, float_format="%.6g")
    assert table(tmp_path, rows[::-1]).to_csv(index=False, float_format="%.6g") == one


def test_failures_are_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="does not exist"):
        module.main(["--run", "r", "--scores", "none.parquet", "--item-scores", "none.parquet", "--out", str(tmp_path / "o.csv")])
    with pytest.raises(StatsError, match="hold no rows"):
        table(tmp_path, [], [])
    two_domains = [score_row("a"), score_row("a", 2, domain="tax")]
    with pytest.raises(StatsError, match="item a has two domains"):
        table(tmp_path, two_domains)
    with pytest.raises(StatsError, match="answers of n in the setting rag_in_force but no scores"):
        table(tmp_path, [score_row("a")], [answer_row("a"), answer_row("a", model="n")])
