from __future__ import annotations

import csv
from pathlib import Path

import pandas as pd
import pytest
from report.small_run import model_config, write_json

from inforce.config.model import Model
from inforce.report import settings_table as module

MODELS = {"z": Model.model_validate(model_config("Zed 1B")), "a": Model.model_validate(model_config("A_|_model"))}


def row(model: str, setting: str, metric: str, value: float, domain: str = "all") -> dict[str, object]:
    return {"model": model, "setting": setting, "domain": domain, "metric": metric, "value": value, "n_scored": 70, "n": 76}


ROWS = [
    row("z", "parametric", "score", 1.234),
    row("z", "parametric", "citation_f1", 0.0206),
    row("z", "parametric", "score", 9.9, "labor"),
    row("z", "rag_in_force", "score", float("nan")),
    row("z", "rag_in_force", "citation_f1", 0.5),
    row("a", "parametric", "score", 5),
    row("a", "parametric", "citation_f1", 1),
]


def test_hand_worked_table() -> None:
    table = module.settings_table(pd.DataFrame(ROWS), MODELS).to_dict("records")
    assert [line["model"] for line in table] == ["Zed 1B", "A_|_model"]  # the order of the protocol
    assert (table[0]["bar_parametric"], table[0]["f1_parametric"], table[0]["scored_parametric"]) == ("1.23", "0.021", "70/76")
    assert (table[0]["bar_rag_in_force"], table[0]["f1_rag_in_force"]) == ("", "0.500")  # unknown is empty
    assert table[0]["bar_gold_current"] == table[0]["scored_gold_current"] == ""  # not run


def test_columns_begin_with_those_of_the_published_table() -> None:
    assert module.COLUMNS[:3] == ["model", "f1_parametric", "f1_gold_current"] and module.COLUMNS[6] == "bar_parametric"


def test_command_writes_csv_markdown_and_latex(tmp_path: Path) -> None:
    for key, model in MODELS.items():
        write_json(tmp_path / f"{key}.yaml", model_config(model.name))
    pd.DataFrame(ROWS).to_csv(tmp_path / "settings.csv", index=False)
    out = {kind: tmp_path / f"t.{kind}" for kind in ("csv", "md", "tex")}
    module.main(
        [
            *("--settings", str(tmp_path / "settings.csv"), "--models-dir", str(tmp_path)),
            *("--csv", str(out["csv"]), "--markdown", str(out["md"]), "--latex", str(out["tex"])),
        ]
    )
    with open(out["csv"], encoding="utf-8", newline="") as handle:
        assert [line["bar_parametric"] for line in csv.DictReader(handle)] == ["1.23", "5.00"]
    assert "| A\\_\\|\\_model |" in out["md"].read_text() and "domains alike" in out["md"].read_text()
    assert r"A\_|\_model & \textbf{1.000}" in out["tex"].read_text()


def test_groups_arrows_and_best_values(tmp_path: Path) -> None:
    """Two groups; `a` is trained from `z` and stands below it with an arrow, the best column value bold, the second underlined."""
    group = {"group": "Bases and their adaptations"}
    write_json(tmp_path / "z.yaml", model_config("Zed 1B") | group)
    write_json(tmp_path / "a.yaml", model_config("Ay") | group | {"base": "z"})
    write_json(tmp_path / "g.yaml", model_config("Gee") | {"group": "General"})
    more = [row("g", "parametric", "score", 2.0), row("g", "parametric", "citation_f1", 0.3)]
    pd.DataFrame([ROWS[4 + 1], ROWS[6], *more, *ROWS[:2]]).to_csv(tmp_path / "settings.csv", index=False)
    forms = [f"--{form}={tmp_path / form}" for form in ("csv", "markdown", "latex")]
    module.main(["--settings", str(tmp_path / "settings.csv"), "--models-dir", str(tmp_path), *forms])
    lines = (tmp_path / "markdown").read_text().splitlines()
    assert [line.split("|")[1].strip() for line in lines[2:7]] == ["*Bases and their adaptations*", "Zed 1B", "↪ Ay", "*General*", "Gee"]
    assert "| **1.000** |" in lines[4] and "| <u>0.300</u> |" in lines[6] and "| **5.00** |" in lines[4]
    assert r"$\hookrightarrow$ Ay & \textbf{1.000}" in (tmp_path / "latex").read_text()
    assert [line.split(",")[0] for line in (tmp_path / "csv").read_text().splitlines()[1:]] == ["Zed 1B", "Ay", "Gee"]


def test_failure_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="does not exist"):
        module.main(
            ["--settings", str(tmp_path / "no.csv"), "--models-dir", str(tmp_path), "--csv", "c", "--markdown", "m", "--latex", "t"]
        )
