from __future__ import annotations

from pathlib import Path

import pytest
from stats.amended import amended_rows

from inforce.stats import correlate_amendments as module


def test_hand_worked_correlations() -> None:
    """Distances 0.1 0.2 0.3 against gains 1 3 2: Spearman 0.5; an item without a gain is counted and left out."""
    items = amended_rows(
        ("a", "a", "", 0.1, 1, 2), ("b", "b", "", 0.2, 3, 2), ("c", "c", "", 0.3, 2, 2), ("d", "d", "", 0.9, float("nan"), 0)
    )
    table = module.correlate_amendments("r", items, 200)
    assert next(zip(table["measure"], table["metric"], strict=True)) == ("trigram_distance", "score") and len(table) == 4
    assert table["value"].tolist() == [0.5] * 4
    assert (table["n_items"].tolist(), table["n"].tolist()) == ([3] * 4, [4] * 4)


def test_no_gain_no_row() -> None:
    assert module.correlate_amendments("r", amended_rows(("a", "a", "", 0.1, float("nan"), 0)), 100).empty
    assert module.correlate_amendments("r", amended_rows(), 100).empty


def test_command(tmp_path: Path) -> None:
    amended_rows(("a", "a", "rule", 0.2, 1.0, 1), ("b", "b", "", 0.3, 2.0, 1)).to_csv(tmp_path / "i.csv", index=False)
    module.main(["--run", "r", "--resamples", "100", "--items", f"{tmp_path}/i.csv", "--out", f"{tmp_path}/o.csv"])
    header, row = (tmp_path / "o.csv").read_text().splitlines()[:2]
    # half of the resamples draw one item twice, and then nothing varies: no interval
    assert (
        header == ",".join(module.COLUMNS) and row.startswith("r,trigram_distance,score,1,,,2,2,2,") and 35 < int(row.split(",")[-1]) < 65
    )
    with pytest.raises(SystemExit, match="does not exist"):
        module.main(["--run", "r", "--items", f"{tmp_path}/none.csv", "--out", "x"])
