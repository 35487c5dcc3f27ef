from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from report.small_run import model_config, write_json

from inforce.config.model import Model
from inforce.report import gain_table as module

MODELS = {"m": Model.model_validate(model_config("Em 1B"))}


def row(
    model: str, access: str, band: str, value: float, low: float | None, high: float | None, star: str, contrast: str = "gain"
) -> dict[str, object]:
    return {
        **{"model": model, "access": access, "band": band, "contrast": contrast, "value": value, "low": low, "high": high},
        **{"star": star, "n_items": 9, "n": 10, "n_clusters": 9},
    }


ROWS = [
    row("m", "gold", "no_drift", -0.004, -0.1, 0.1, ""),
    row("m", "gold", "amended", 0.451, 0.35, 0.56, "*"),
    row("m", "gold", "repealed", 0.98, None, None, ""),
    row("all", "gold", "amended", 0.25, 0.21, 0.3, "*"),
    row("all", "gold", "amended", 0.254, 0.2, 0.3, "*", "minus_no_drift"),
]


def test_hand_worked_table() -> None:
    model, pooled = module.gain_table(pd.DataFrame(ROWS), MODELS).to_dict("records")
    assert (model["gold_no_drift"], model["gold_amended"], model["items_gold_amended"]) == ("-0.00", "+0.45*", "9/10")
    assert model["gold_repealed"] == "+0.98" and model["rag_amended"] == ""
    assert (pooled["model"], pooled["gold_amended"]) == ("All models", "+0.25*")


def test_no_comparison_gives_an_empty_table() -> None:
    table = module.gain_table(pd.DataFrame(columns=list(ROWS[0])), MODELS)
    assert table.empty and module.printed_rows(table, MODELS) == []


def test_printed_cells_end_with_the_control() -> None:
    rows = [*ROWS, row("all", "gold", "no_drift", -0.013, -0.03, 0.02, "")]
    printed = module.printed_rows(module.gain_table(pd.DataFrame(rows), MODELS), MODELS)
    assert printed == [
        ["Em 1B", "+0.45*", "+0.98", "", ""],
        ["All models", "+0.25*", "", "", ""],
        ["No-drift control", "−0.01", "", "", ""],
    ]


def test_command(tmp_path: Path) -> None:
    write_json(tmp_path / "m.yaml", model_config("Em 1B"))
    pd.DataFrame(ROWS).to_csv(tmp_path / "g.csv", index=False)
    paths = ["--csv", str(tmp_path / "t.csv"), "--markdown", str(tmp_path / "t.md"), "--latex", str(tmp_path / "t.tex")]
    module.main(["--gain", str(tmp_path / "g.csv"), "--models-dir", str(tmp_path), *paths])
    assert list(pd.read_csv(tmp_path / "t.csv").columns) == module.COLUMNS
    assert "| Em 1B | +0.45" in (tmp_path / "t.md").read_text() and "$^{*}$" in (tmp_path / "t.tex").read_text()
    with pytest.raises(SystemExit, match=r"m\.yaml does not exist"):
        module.main(["--gain", str(tmp_path / "g.csv"), "--models-dir", str(tmp_path / "none"), *paths])
