from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from inforce.report import plot_splits as module

TABLE = pd.DataFrame({"domain": ["labor", "total"], "items": [7, 7], "test": [2, 2], "validation": [3, 3], "reserve": [2, 2]})


def test_counts_of_the_three_parts_stand_beside_the_bar() -> None:
    figure = module.draw(TABLE)
    assert [text.get_text() for text in figure.axes[0].texts] == ["2 / 3 / 2"]
    assert [text.get_text() for text in figure.legends[0].get_texts()] == list(module.NAMES.values())


def test_no_split_is_one_bar_that_says_so() -> None:
    figure = module.draw(TABLE.assign(test="", validation="", reserve=""))
    assert [text.get_text() for text in figure.axes[0].texts] == ["7"]
    assert figure.legends[0].get_texts()[0].get_text() == "Items, no split drawn"


def test_no_items() -> None:
    assert "no items" in module.draw(TABLE[:0]).texts[0].get_text()


def test_command_gives_equal_bytes(tmp_path: Path) -> None:
    TABLE.to_csv(tmp_path / "c.csv", index=False)
    for name in ("a", "b"):
        module.main(["--composition", f"{tmp_path}/c.csv", "--png", f"{tmp_path}/{name}.png", "--svg", f"{tmp_path}/{name}.svg"])
    for form in ("png", "svg"):
        assert (tmp_path / f"a.{form}").read_bytes() == (tmp_path / f"b.{form}").read_bytes()
    with pytest.raises(SystemExit, match="does not exist"):
        module.main(["--composition", f"{tmp_path}/none.csv", "--png", "p", "--svg", "s"])
