from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import matplotlib.image
import numpy as np
import pandas as pd
import pytest
from report.small_run import model_config, write_json

from inforce.report import plot_leaderboard as module
from inforce.report.words import SETTING_NAMES

ROOT = Path(__file__).parents[2]


def settings_file(folder: Path, n_models: int, settings: list[str]) -> list[str]:
    rows = []
    for number in range(n_models):
        write_json(folder / "models" / f"m{number}.yaml", model_config(f"Model number {number} of $ 1B"))
        for place, setting in enumerate(settings):
            value = 1 + (number * 7 % n_models) / n_models * 5 + 0.3 * place
            rows.append(
                {
                    "model": f"m{number}",
                    "setting": setting,
                    "domain": "all",
                    "metric": "score",
                    "value": value,
                    "low": value - 0.3,
                    "high": value + 0.2,
                }
            )
    rows.append({"model": "m0", "setting": settings[0], "domain": "labor", "metric": "score", "value": 99.0, "low": None, "high": None})
    pd.DataFrame(rows).to_csv(folder / "settings.csv", index=False)
    return ["--settings", str(folder / "settings.csv"), "--models-dir", str(folder / "models")]


@pytest.mark.parametrize("n_models", [1, 28])
def test_equal_bytes_in_two_folders_and_nothing_cut_off(tmp_path: Path, n_models: int) -> None:
    made = []
    for place in ("here", "there"):
        (tmp_path / place).mkdir()
        arguments = settings_file(tmp_path / place, n_models, list(SETTING_NAMES))
        out = ["--png", str(tmp_path / place / "f.png"), "--svg", str(tmp_path / place / "f.svg")]
        if n_models > 1:  # another process, with another order of sets
            environment = {**os.environ, "PYTHONPATH": str(ROOT / "scripts"), "PYTHONHASHSEED": str(len(place))}
            command = [sys.executable, "-m", "inforce.report.plot_leaderboard", *arguments, *out]
            subprocess.run(command, check=True, cwd=tmp_path / place, env=environment)
        else:
            module.main([*arguments, *out])
        made.append(((tmp_path / place / "f.png").read_bytes(), (tmp_path / place / "f.svg").read_bytes()))
    assert made[0] == made[1]
    svg = made[0][1].decode()
    assert "<dc:date>" not in svg and "<text" not in svg and "http://" not in svg.split("<g ", 1)[1].replace("http://www.w3.org", "")
    picture = matplotlib.image.imread(tmp_path / "here" / "f.png")
    assert picture.shape[1] == 1600 and picture.shape[0] == pytest.approx(200 * (1.5 + n_models * (0.34 if n_models > 6 else 0.62)), abs=1)
    assert (picture[..., :3].min(axis=2) < 0.6).mean() > 0.005, "hardly anything is drawn"
    edge = np.concatenate([picture[:, :6].reshape(-1, picture.shape[2]), picture[:, -6:].reshape(-1, picture.shape[2])])
    assert (edge[:, :3] == 1).all(), "something is cut off at the left or right edge"


def test_sorted_by_rag_in_force_with_unknown_last() -> None:
    scores = pd.DataFrame(
        {
            "model": ["a", "b", "c", "a", "b", "c"],
            "setting": ["parametric"] * 3 + ["rag_in_force"] * 3,
            "value": [9.0, 1.0, 5.0, 2.0, 3.0, None],
        }
    )
    assert module.sorted_models(scores) == ["b", "a", "c"]
    assert module.sorted_models(scores.iloc[:3]) == ["a", "c", "b"]


def test_a_score_without_interval_and_a_missing_setting_are_drawn(tmp_path: Path) -> None:
    arguments = settings_file(tmp_path, 2, ["parametric"])
    frame = pd.read_csv(tmp_path / "settings.csv")
    frame.loc[0, ["low", "high"]] = None
    frame.loc[1, "setting"] = "rag_in_force"
    frame.to_csv(tmp_path / "settings.csv", index=False)
    module.main([*arguments, "--png", str(tmp_path / "f.png"), "--svg", str(tmp_path / "f.svg")])
    assert (tmp_path / "f.png").stat().st_size > 5000


def test_a_run_without_any_score_is_drawn_empty(tmp_path: Path) -> None:
    arguments = settings_file(tmp_path, 2, ["parametric"])
    pd.read_csv(tmp_path / "settings.csv").assign(value=None, low=None, high=None).to_csv(tmp_path / "settings.csv", index=False)
    module.main([*arguments, "--png", str(tmp_path / "f.png"), "--svg", str(tmp_path / "f.svg")])
    assert (tmp_path / "f.svg").stat().st_size > 2000


def test_nothing_to_draw_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "s.csv").write_text("model,setting,domain,metric,value,low,high\n", encoding="utf-8")
    with pytest.raises(SystemExit, match="has no rows; nothing to draw"):
        module.main(["--settings", str(tmp_path / "s.csv"), "--models-dir", str(tmp_path), "--png", "p", "--svg", "s"])
