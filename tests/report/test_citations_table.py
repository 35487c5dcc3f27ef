from __future__ import annotations

from pathlib import Path

import pytest
from report.small_run import model_config, write_json
from report.table_command import run_table, save

from inforce.report import citations_table as module

COLUMNS = ["model", "setting", "domain", "metric", "value", "n_scored", "n"]


def rows(model: str, precision: float, recall: float) -> list[tuple[object, ...]]:
    given = {"citation_precision": precision, "citation_recall": recall, "citation_f1": 0.6}
    return [(model, "rag_in_force", domain, metric, value, 8, 9) for domain in ("all", "labor") for metric, value in given.items()]


def test_precision_is_precision_and_recall_is_recall(tmp_path: Path) -> None:
    for key in ("m", "n"):
        write_json(tmp_path / f"{key}.yaml", model_config(key.upper()))
    path = save(tmp_path, "s.csv", COLUMNS, *rows("m", 0.394, 0.88), *rows("n", 0.5, 0.25))
    table, text, _ = run_table(module, tmp_path, "--settings", path, "--models-dir", str(tmp_path))
    first = table.iloc[0]
    assert (first["precision_rag_in_force"], first["recall_rag_in_force"], first["f1_rag_in_force"]) == ("0.394", "0.880", "0.600")
    assert first["scored_rag_in_force"] == "8/9" and first["precision_parametric"] == ""
    lines = text.splitlines()
    assert lines[2].startswith("| *Citation precision* |") and lines[5].startswith("| *Citation recall* |")
    assert "**0.500**" in lines[4] and "**0.880**" in lines[6]
    with pytest.raises(SystemExit, match="does not exist"):
        run_table(module, tmp_path, "--settings", "none.csv", "--models-dir", str(tmp_path))
