from __future__ import annotations

from pathlib import Path

import pytest
from report.small_run import make_item, write_jurisdiction

from inforce.config.jurisdiction import Jurisdiction
from inforce.config.load import read_config
from inforce.report import released as module
from inforce.report.words import ReportError

ITEMS = [make_item(number, thai=False) for number in range(4)]
SPLITS = dict(zip([item.id for item in ITEMS], ("validation", "test", "reserve", "none"), strict=True))


def jurisdiction(tmp_path: Path, **more: object) -> Jurisdiction:
    return read_config(write_jurisdiction(tmp_path / "xx.yaml", **more), Jurisdiction)


def test_the_test_split_and_the_reserve_are_held_out(tmp_path: Path) -> None:
    shown = module.released(ITEMS, jurisdiction(tmp_path), SPLITS)
    assert [item.id for item in shown] == ["crim::000", "crim::003"]


@pytest.mark.parametrize("more", [{"items_public": True}, {"splits": {"test": 0, "validation": 0}}])
def test_public_items_and_a_jurisdiction_without_splits_are_shown_whole(tmp_path: Path, more: dict[str, object]) -> None:
    for splits in (SPLITS, None):
        assert module.released(ITEMS, jurisdiction(tmp_path, **more), splits) == ITEMS


def test_better_no_page_than_a_held_out_item_on_it(tmp_path: Path) -> None:
    with pytest.raises(ReportError, match="not public and no splits are given"):
        module.released(ITEMS, jurisdiction(tmp_path), None)
    with pytest.raises(ReportError, match=r"s\.csv does not name item crim::002"):
        module.released(ITEMS, jurisdiction(tmp_path), {k: v for k, v in SPLITS.items() if v != "reserve"}, Path("s.csv"))


def test_splits_are_read_by_id(tmp_path: Path) -> None:
    (tmp_path / "s.csv").write_text("item_id,split\n7,test\n", encoding="utf-8")
    assert module.read_splits(tmp_path / "s.csv") == {"7": "test"}
