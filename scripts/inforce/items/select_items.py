"""Select the items of a run: all of them or those of one split, or at most `max_items` of these, spread evenly over domains and bands.

Items whose facts are longer than `max_fact_chars` are left out first, and counted.

Items of each domain and band are put in a fixed order by the sha256 of their ids, and taken in turn, one from each domain and band,
until there are enough. The same items come out on every machine, and a larger limit only adds items to a smaller one's.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from itertools import islice, zip_longest
from pathlib import Path

import pandas as pd

from inforce.config.load import ConfigError, read_config
from inforce.config.protocol import Protocol
from inforce.records.files import sha256_text
from inforce.records.items import Item
from inforce.records.lines import read_lines, write_lines
from inforce.records.status import DRIFT_BANDS


def select_items(items: list[Item], max_items: int | None) -> list[Item]:
    """The selected items, sorted by id; all of them where `max_items` is null."""
    if max_items is None:
        return sorted(items, key=lambda item: item.id)
    cells: dict[tuple[str, str], list[Item]] = defaultdict(list)
    for item in sorted(items, key=lambda item: sha256_text(item.id)):
        cells[item.domain, item.drift_band].append(item)
    turns = zip_longest(*(cells[cell] for cell in _diagonal(list(cells))))
    in_turn = (item for turn in turns for item in turn if item is not None)
    return sorted(islice(in_turn, max_items), key=lambda item: item.id)


def of_split(items: list[Item], split: str, splits: pd.DataFrame | None) -> list[Item]:
    """The items of one split; all of them for `all`. Raises ValueError for an item that the splits lack: the two files are not of one run."""
    if split == "all":
        return items
    if splits is None:
        raise ValueError(f"the protocol asks the {split} split; give --splits, the file of make_splits")
    names = dict(zip(splits["item_id"], splits["split"], strict=True))
    for item in items:
        if item.id not in names:
            raise ValueError(f"item {item.id} is in no split; run make_splits again")
    return [item for item in items if names[item.id] == split]


def _diagonal(cells: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Cells in an order whose first ones are all of other domains and of changing bands, so that a small selection is spread as well."""
    place = {domain: index for index, domain in enumerate(sorted({domain for domain, _ in cells}))}

    def key(cell: tuple[str, str]) -> tuple[int, int]:
        domain, band = cell
        return (DRIFT_BANDS.index(band) - place[domain]) % len(DRIFT_BANDS), place[domain]

    return sorted(cells, key=key)


def main(argv: list[str] | None = None) -> None:
    """Command line."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example:\n  python -m inforce.items.select_items --protocol-config config/protocols/demo.yaml --items items.jsonl --out selected.jsonl",
    )
    parser.add_argument("--protocol-config", required=True, type=Path, help="config/protocols/NAME.yaml")
    parser.add_argument("--items", required=True, type=Path, help="items.jsonl of make_items")
    parser.add_argument("--splits", type=Path, help="splits.csv of make_splits; needed where the protocol names a split")
    parser.add_argument("--out", required=True, type=Path, help="output: the selected items")
    args = parser.parse_args(argv)
    try:
        protocol = read_config(args.protocol_config, Protocol)
        splits = pd.read_csv(args.splits, dtype=str) if args.splits else None
        items = of_split(read_lines(args.items, Item), protocol.split, splits)
    except (ConfigError, ValueError, FileNotFoundError) as error:
        raise SystemExit(str(error)) from None
    short = [item for item in items if protocol.max_fact_chars is None or len(item.fact_pattern) <= protocol.max_fact_chars]
    selected = select_items(short, protocol.max_items)
    write_lines(args.out, selected)
    left_out = (
        f"; {len(items) - len(short)} left out for facts of more than {protocol.max_fact_chars} characters"
        if protocol.max_fact_chars
        else ""
    )
    print(f"{len(selected)} of {len(items)} items{left_out}")


if __name__ == "__main__":
    main()
