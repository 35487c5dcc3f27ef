from __future__ import annotations

import statistics
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from stats.score_tables import frames, generated_run, score_row

from inforce.records.tables import SCORES, write_table
from inforce.stats import compare_samples as module
from inforce.stats.aggregation import macro_mean
from inforce.stats.compare_samples import best_of_samples, compare_samples, spread_of_samples

NAN = float("nan")
ONE = np.zeros(2, dtype=np.intp)


def test_hand_worked_best_and_spread() -> None:
    """Items a and b of one domain, three samples: a 1 3 2, b 6 4 -. Best (3 + 6) / 2 = 4.5; alone 3.5, 3.5 and 2: SD = sqrt(1.5 / 2)."""
    each = np.array([[[1.0], [6]], [[3], [4]], [[2], [NAN]]])
    assert best_of_samples(each, ONE, 1)[0] == 4.5
    assert spread_of_samples(each, ONE, 1)[0] == pytest.approx(statistics.stdev([3.5, 3.5, 2]))


def test_an_item_without_any_score_drops_out() -> None:
    each = np.array([[[1.0], [NAN]], [[3], [NAN]]])
    assert best_of_samples(each, ONE, 1)[0] == 3
    assert np.isnan(spread_of_samples(np.array([[[1.0], [2]], [[NAN], [NAN]]]), ONE, 1)[0])  # one sample scored


@given(st.integers(1, 4), st.integers(1, 6), st.integers(0, 10_000))
def test_the_best_is_no_worse_than_the_mean_and_no_better_than_the_best_item(samples: int, n: int, seed: int) -> None:
    each = np.random.Generator(np.random.PCG64(seed)).uniform(0, 10, (samples, n, 1))
    domains = np.arange(n) % 2
    best = best_of_samples(each, domains, 2)[0]
    assert macro_mean(each.mean(axis=0), domains, 2)[0] - 1e-9 <= best <= each.max() + 1e-9


def test_table_of_a_run(tmp_path: Path) -> None:
    scores = frames(tmp_path, generated_run("r", ["m", "n"], ["parametric", "rag_in_force"], 12, samples=3), [])[0]
    table = compare_samples("r", scores)
    assert len(table) == 2 * 2 * 2 * 2 and set(table["samples"]) == {3}
    assert (table["n_scored"] == table["n"]).all() and (table["n_items"] == 12).all()
    best = table[
        (table["model"] == "m") & (table["setting"] == "parametric") & (table["statistic"] == "best") & (table["metric"] == "score")
    ]
    mine = scores[(scores["model"] == "m") & (scores["setting"] == "parametric")]
    by_hand = (
        mine.groupby(["domain", "item_id", "sample"])["score"].mean().groupby(["domain", "item_id"]).max().groupby("domain").mean().mean()
    )
    assert best["value"].iloc[0] == pytest.approx(float(by_hand))


def test_one_sample_has_nothing_to_say(tmp_path: Path) -> None:
    assert compare_samples("r", frames(tmp_path, generated_run("r", ["m"], ["parametric"], 4), [])[0]).empty


def test_command(tmp_path: Path) -> None:
    rows = [score_row("a", sample=sample, score=float(score), citation_f1=0.5) for sample, score in ((1, 4), (2, 6))]
    write_table(tmp_path / "s.parquet", rows, SCORES)
    module.main(["--run", "r", "--scores", f"{tmp_path}/s.parquet", "--out", f"{tmp_path}/o.csv"])
    lines = (tmp_path / "o.csv").read_text().splitlines()
    assert lines[1] == "r,m,rag_in_force,score,best,6,2,2,2,1" and lines[3] == "r,m,rag_in_force,score,sd,1.41421,2,2,2,1"
    write_table(tmp_path / "s.parquet", [], SCORES)
    with pytest.raises(SystemExit, match="nothing was answered"):
        module.main(["--run", "r", "--scores", f"{tmp_path}/s.parquet", "--out", f"{tmp_path}/o.csv"])
