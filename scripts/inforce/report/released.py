"""Which items may be shown to everybody: the test split and the reserve are never published (NitiBench+ §4.4)."""

from __future__ import annotations

from pathlib import Path

from inforce.config.jurisdiction import Jurisdiction
from inforce.records.items import Item
from inforce.report.words import ReportError, read_csv

RELEASED = ("validation", "none")  # splits whose items may be shown


def read_splits(path: Path) -> dict[str, str]:
    """The split of each item of the jurisdiction, by id."""
    frame = read_csv(path, ["item_id", "split"])
    return dict(zip(frame["item_id"].astype(str), frame["split"], strict=True))


def released(items: list[Item], jurisdiction: Jurisdiction, splits: dict[str, str] | None, path: Path | None = None) -> list[Item]:
    """Items that may be shown: all where they are public or the jurisdiction declares no splits, else those of the validation split (§4.4).

    Raises ReportError without splits, or for an item that they do not name: better no page than a held-out item on it.
    """
    if jurisdiction.items_public or not (jurisdiction.splits.test or jurisdiction.splits.validation):
        return items
    if splits is None:
        raise ReportError(
            "the items of this jurisdiction are not public and no splits are given: name its splits.csv with --splits, or say in the "
            "jurisdiction's file that they are public (items_public: true) or that there are no splits (splits: {test: 0, validation: 0})"
        )
    unknown = [item.id for item in items if item.id not in splits]
    if unknown:
        raise ReportError(f"{path} does not name item {unknown[0]}; make the splits again")
    return [item for item in items if splits[item.id] in RELEASED]
