from __future__ import annotations

from pathlib import Path

import pytest
from report.small_run import model_config, write_json
from report.table_command import run_table, save

from inforce.report import compute_table as module


@pytest.mark.parametrize(
    ("tokens", "text"),
    [(126_400_000, "126.4"), (1_563_000_000, "1563.0"), (2_114_000, "2.11"), (5230, "0.00523"), ("", ""), (float("nan"), "")],
)
def test_millions(tokens: object, text: str) -> None:
    assert module.millions(tokens) == text


def test_unknown_is_empty(tmp_path: Path) -> None:
    for key in ("m", "n"):
        write_json(tmp_path / f"{key}.yaml", model_config(key.upper()))
    rows = [("m", 416e6, 126.4e6, 90, 90, 84.2, 90, 3.2, 3.3, 315.0), ("n", "", "", 0, 90, "", 0, "", "", "")]
    path = save(tmp_path, "c.csv", module.READ, *rows)
    table, text, _ = run_table(module, tmp_path, "--compute", path, "--models-dir", str(tmp_path))
    assert table.iloc[0].tolist() == ["M", "416.0", "126.4", "84%", "3.2", "3.3", "315.0", "90/90"]
    assert table.iloc[1].tolist() == ["N", "", "", "", "", "", "", "0/90"]
    assert "| N |  |  |  |  |  |  | 0/90 |" in text
    with pytest.raises(SystemExit, match="does not exist"):
        run_table(module, tmp_path, "--compute", "none.csv", "--models-dir", str(tmp_path))
