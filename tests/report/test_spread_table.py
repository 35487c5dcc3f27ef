from __future__ import annotations

from pathlib import Path

import pytest
from report.small_run import model_config, write_json
from report.table_command import run_table, save

from inforce.report import spread_table as module
from inforce.report.sample_tables import READ


def test_command(tmp_path: Path) -> None:
    for key in ("m", "n"):
        write_json(tmp_path / f"{key}.yaml", model_config(key.upper()))
    rows = [
        (key, "parametric", metric, statistic, value, 3, 9, 9)
        for key, value in (("m", 0.25), ("n", 0.5))
        for metric in ("score", "citation_f1")
        for statistic in ("best", "sd")
    ]
    table, text, _ = run_table(module, tmp_path, "--samples", save(tmp_path, "s.csv", READ, *rows), "--models-dir", str(tmp_path))
    assert table["f1_parametric"].tolist() == ["0.250", "0.500"] and table["samples"].tolist() == ["3", "3"]
    assert "**" not in text  # a small spread is no better score


def test_one_sample_says_what_is_missing(tmp_path: Path) -> None:
    table, text, _ = run_table(module, tmp_path, "--samples", save(tmp_path, "s.csv", READ), "--models-dir", str(tmp_path))
    assert table.empty and "no model of this run has more than one sample" in text
    with pytest.raises(SystemExit, match="does not exist"):
        run_table(module, tmp_path, "--samples", "none.csv", "--models-dir", str(tmp_path))
