from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from stats.score_tables import score_row

from inforce.records.tables import ITEM_SCORES, SCORES, write_table
from inforce.stats.frames import StatsError, by_setting, numbers, read_tables


def test_files_are_put_together_in_the_order_given_and_null_is_nan(tmp_path: Path) -> None:
    write_table(tmp_path / "b.parquet", [score_row("i2", score=4.0, agrees_with_court=True)], SCORES)
    write_table(tmp_path / "a.parquet", [score_row("i1")], SCORES)
    frame = read_tables(
        [tmp_path / "b.parquet", tmp_path / "a.parquet"], SCORES, ["run", "item_id", "score", "agrees_with_court", "n_cited"], "r"
    )
    assert list(frame["item_id"]) == ["i2", "i1"]
    np.testing.assert_array_equal(numbers(frame, ["score", "agrees_with_court", "n_cited"]), [[4, 1, 0], [np.nan, np.nan, 0]])


def test_errors_name_file_and_remedy(tmp_path: Path) -> None:
    with pytest.raises(StatsError, match=r"none\.parquet does not exist; run"):
        read_tables([tmp_path / "none.parquet"], SCORES, ["run"], "r")
    write_table(tmp_path / "a.parquet", [score_row()], SCORES)
    with pytest.raises(StatsError, match=r"a\.parquet: columns are"):
        read_tables([tmp_path / "a.parquet"], ITEM_SCORES, ["run"], "r")
    with pytest.raises(StatsError, match="rows of the run r among"):
        read_tables([tmp_path / "a.parquet"], SCORES, ["run"], "other")
    (tmp_path / "text.parquet").write_text("no table", encoding="utf-8")
    with pytest.raises(StatsError, match=r"text\.parquet is not a parquet table"):
        read_tables([tmp_path / "text.parquet"], SCORES, ["run"], "r")


def test_settings_in_the_order_of_the_paper() -> None:
    assert by_setting(["rag_in_force", "parametric", "parametric"]) == ["parametric", "rag_in_force"]
