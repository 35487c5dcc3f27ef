from __future__ import annotations

import os
from pathlib import Path

import pandas as pd
import pytest
from stats.amended import citation, item

from inforce.records.lines import write_lines
from inforce.stats import count_composition as module
from inforce.stats.count_composition import count_composition
from inforce.stats.frames import StatsError

ITEMS = [
    item("a", citation("1"), domain="labor", day="1999-05-01"),
    item("b", citation("1"), domain="labor", band="repealed", day="2003-05-01"),
    item("c", citation("1"), domain="tax", band="no_drift", day="2001-05-01"),
]


def test_hand_worked_counts() -> None:
    table = count_composition(ITEMS, {"a", "c"}, {"a": "test", "b": "reserve", "c": "validation"}).set_index("domain")
    assert list(table.index) == ["labor", "tax", "total"]
    labor = table.loc["labor"]
    assert (labor["items"], labor["amended"], labor["repealed"], labor["no_drift"], labor["ruling"]) == (2, 1, 1, 0, 2)
    assert (labor["first_year"], labor["last_year"], labor["decade_1990s"], labor["decade_2000s"]) == (1999, 2003, 1, 1)
    assert (labor["test"], labor["validation"], labor["reserve"], labor["asked"]) == (1, 0, 1, 1)
    counted = [name for name in table.columns if name not in ("first_year", "last_year")]
    assert (table.loc[["labor", "tax"], counted].sum() == table.loc["total", counted]).all()


def test_no_split_is_empty_and_an_item_without_one_is_named() -> None:
    assert count_composition(ITEMS, set(), None)[["test", "validation", "reserve"]].isna().all(axis=None)
    with pytest.raises(StatsError, match="item b is not among the splits"):
        count_composition(ITEMS, set(), {"a": "test"})


def test_no_items() -> None:
    assert count_composition([], set(), None).empty


def test_command(tmp_path: Path) -> None:
    write_lines(tmp_path / "i.jsonl", ITEMS)
    write_lines(tmp_path / "asked.jsonl", ITEMS[:1])
    (tmp_path / "s.csv").write_text("item_id,split\na,test\nb,reserve\nc,reserve\n")
    given = ["--items", f"{tmp_path}/i.jsonl", "--asked", f"{tmp_path}/asked.jsonl", "--out", f"{tmp_path}/o.csv"]
    module.main([*given, "--splits", f"{tmp_path}/s.csv"])
    assert pd.read_csv(tmp_path / "o.csv").set_index("domain").loc["total", ["items", "test", "reserve", "asked"]].tolist() == [3, 1, 2, 1]
    (tmp_path / "s.csv").write_text("id,split\n")
    with pytest.raises(SystemExit, match="expected item_id, split"):
        module.main([*given, "--splits", f"{tmp_path}/s.csv"])


@pytest.mark.skipif("INFORCE_REFERENCE" not in os.environ, reason="INFORCE_REFERENCE names no folder of published figures")
def test_published_columns_add_up() -> None:
    """Table 5: bands make up the items, question types the sub-questions, domains the total."""
    table = pd.read_csv(Path(os.environ["INFORCE_REFERENCE"]) / "nitibench_plus" / "table05_domains.csv").set_index("domain")
    assert (table[["no_drift", "amended", "repealed"]].sum(axis=1) == table["items"]).all()
    types = ["ruling", "governing_provisions", "legal_consequences", "provision_interaction", "lower_court_departure"]
    assert (table[types].sum(axis=1) == table["sub_questions"]).all()
    assert (table.drop(index="Total").sum() == table.loc["Total"]).all()
    assert list(module.QUESTION_TYPES) == types
