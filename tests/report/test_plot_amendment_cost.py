from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from inforce.report import plot_amendment_cost as module


def items(n: int, change: str = "rule") -> pd.DataFrame:
    rows = [(f"i{k}", change if k % 2 else "", k / n, float(k % 3)) for k in range(n)]
    return pd.DataFrame(rows, columns=["item_id", "change", "trigram_distance", "gain_score"])


def test_hand_worked_bins() -> None:
    """Twelve items make two bins of six: distances 0 … 5 and 6 … 11."""
    means = module.bin_means(np.arange(12.0)[::-1], np.arange(12.0)[::-1] ** 2)
    assert means.tolist() == [[2.5, 55 / 6], [8.5, 451 / 6]]
    assert len(module.bin_means(np.arange(11.0), np.arange(11.0))) == 0
    assert len(module.bin_means(np.arange(700.0), np.arange(700.0))) == 6


def test_marks_and_counts() -> None:
    figure = module.draw(items(14))
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["Rule changed (7)", "Not labelled (7)", "Mean of 2 bins"]


def test_empty_gains_are_left_out_and_none_is_said(tmp_path: Path) -> None:
    table = items(3).astype({"gain_score": object})
    table.loc[0, "gain_score"] = ""
    assert "Not labelled (1)" in [text.get_text() for text in module.draw(table).legends[0].get_texts()]
    table["gain_score"] = ""
    assert "No item of the Amended band" in module.draw(table).texts[0].get_text()


def test_command_gives_equal_bytes(tmp_path: Path) -> None:
    items(14).to_csv(tmp_path / "i.csv", index=False)
    for name in ("a", "b"):
        module.main(["--items", f"{tmp_path}/i.csv", "--png", f"{tmp_path}/{name}.png", "--svg", f"{tmp_path}/{name}.svg"])
    for form in ("png", "svg"):
        assert (tmp_path / f"a.{form}").read_bytes() == (tmp_path / f"b.{form}").read_bytes()
    with pytest.raises(SystemExit, match="does not exist"):
        module.main(["--items", f"{tmp_path}/none.csv", "--png", "p", "--svg", "s"])
