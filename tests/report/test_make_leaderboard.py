from __future__ import annotations

import csv
from pathlib import Path

import pandas as pd
import pytest
from report.small_run import model_config, write_json

from inforce.config.model import Model
from inforce.report import make_leaderboard as module

PUBLISHED = Path(__file__).parents[1] / "stats" / "published" / "leaderboard_by_domain.csv"
METRICS = ["score", *(metric for metric, _ in module.OTHERS.values())]


def rows(run: str, model: str, setting: str, score: float | None) -> list[dict[str, object]]:
    return [
        {
            **{"run": run, "model": model, "setting": setting, "domain": "all", "metric": metric},
            **{"value": score if metric == "score" else None if metric == "cost_usd" else 0.5},
            **{
                "low": score and score - 1,
                "high": score and score + 1,
                "n_scored": 70 if score else 0,
                "n": 76,
                "n_items": 26,
                "n_clusters": 26,
            },
        }
        for metric in METRICS
    ]


def models(*names: str) -> dict[str, Model]:
    return {name: Model.model_validate(model_config(f"{name.title()} 1B")) for name in names}


def test_best_first_within_a_run_and_unknown_last() -> None:
    second = pd.DataFrame(rows("b", "m", "rag_in_force", 1.0))
    first = pd.DataFrame(
        [*rows("a", "low", "rag_in_force", 2.0), *rows("a", "none", "rag_in_force", None), *rows("a", "top", "rag_in_force", 7.0)]
    )
    board = module.make_leaderboard([second, first], models("m", "low", "none", "top"))
    assert board[["run", "model"]].to_numpy().tolist() == [["a", "top"], ["a", "low"], ["a", "none"], ["b", "m"]]
    assert list(board.columns) == module.COLUMNS
    top = board.iloc[0]
    assert (top["name"], top["access"], top["main_setting"], top["n_scored"], top["n"]) == ("Top 1B", "open", "rag_in_force", 70, 76)
    assert (top["rag_in_force_score"], top["rag_in_force_low"], top["rag_in_force_high"]) == (7, 6, 8)
    assert pd.isna(top["parametric_score"]) and pd.isna(top["parametric_n"])


def test_ranks_are_those_of_the_main_setting_of_the_run(tmp_path: Path) -> None:
    table = pd.DataFrame([*rows("a", "m", "parametric", 2.0), *rows("a", "m", "rag_in_force", 4.0), *rows("a", "n", "rag_in_force", 5.0)])
    table.to_csv(tmp_path / "s.csv", index=False)
    (tmp_path / "r.csv").write_text(
        "run,setting,model,rank,rank_low,rank_high\na,parametric,m,1,1,1\na,rag_in_force,n,1,1,2\na,rag_in_force,m,2,1,2\nb,rag_in_force,n,9,9,9\n",
        encoding="utf-8",
    )
    for key in ("m", "n"):
        write_json(tmp_path / f"{key}.yaml", model_config(f"{key} 1B"))
    files = ["--settings", str(tmp_path / "s.csv"), "--ranks", str(tmp_path / "r.csv"), "--models-dir", str(tmp_path)]
    module.main([*files, "--out", str(tmp_path / "o.csv")])
    board = module.read_leaderboard(tmp_path / "o.csv")
    assert board[["model", "rank", "rank_low", "rank_high"]].to_numpy().tolist() == [["n", 1, 1, 2], ["m", 2, 1, 2]]
    assert module.make_leaderboard([table], models("m", "n"))["rank"].isna().all()


def test_main_setting_is_the_last_one_run_where_rag_in_force_was_not() -> None:
    board = module.make_leaderboard(
        [pd.DataFrame([*rows("a", "m", "parametric", 3.0), *rows("a", "m", "gold_in_force", 5.0)])], models("m")
    )
    assert board.iloc[0]["main_setting"] == "gold_in_force"


def test_published_scores_are_ranked_as_published(tmp_path: Path) -> None:
    """NitiBench+ Table D.1 lists its 28 models by RAG In-force."""
    with open(PUBLISHED, encoding="utf-8", newline="") as handle:
        published = {line["model"]: float(line["overall"]) for line in csv.DictReader(handle)}
    table = pd.DataFrame([row for model, score in sorted(published.items()) for row in rows("paper", model, "rag_in_force", score)])
    board = module.make_leaderboard([table], {name: Model.model_validate(model_config(name)) for name in published})
    assert board["name"].iloc[:3].tolist() == ["Claude Fable 5.1", "Gemini 4 Argon", "GPT-6.1 Sol"]
    assert board["rag_in_force_score"].is_monotonic_decreasing and len(board) == 28


def test_command_and_show(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_json(tmp_path / "m.yaml", model_config("โมเดล 1B"))
    write_json(tmp_path / "n.yaml", model_config("Another much longer name 120B"))
    pd.DataFrame([*rows("a", "m", "parametric", 2.0), *rows("a", "m", "rag_in_force", 4.0), *rows("a", "n", "rag_in_force", 10.0)]).to_csv(
        tmp_path / "s.csv", index=False
    )
    out = tmp_path / "leaderboard.csv"
    module.main(["--settings", str(tmp_path / "s.csv"), "--models-dir", str(tmp_path), "--out", str(out)])
    first = out.read_bytes()
    module.main(["--settings", str(tmp_path / "s.csv"), "--models-dir", str(tmp_path), "--out", str(out)])
    assert out.read_bytes() == first
    assert out.read_text().splitlines()[1].startswith("a,n,Another much longer name 120B,open,rag_in_force,,,,,,")
    module.main(["--show", str(out)])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Run a" and "RAG InF." in lines[1] and "GC Cur." not in lines[1]
    assert lines[3].startswith("Another much longer name 120B") and "10.00 [9.00, 11.00]" in lines[3] and "70/76" in lines[3]
    assert lines[4].startswith("โมเดล 1B") and lines[4].endswith("–")  # no price known
    assert "2.00" in lines[4] and max(map(len, lines)) <= 120


def test_an_empty_leaderboard_and_wrong_arguments(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "l.csv").write_text(",".join(module.COLUMNS) + "\n", encoding="utf-8")
    module.main(["--show", str(tmp_path / "l.csv")])
    assert capsys.readouterr().out == "The leaderboard is empty.\n"
    with pytest.raises(SystemExit, match="2"):
        module.main(["--out", "x"])
    assert "give either --show FILE" in capsys.readouterr().err
    with pytest.raises(SystemExit, match="does not exist"):
        module.main(["--show", str(tmp_path / "none.csv")])
