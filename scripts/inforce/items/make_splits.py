"""Cut the items into test split, validation split and reserve (NitiBench+ §7.1): splits.csv, a row an item.

A split's size is the configured one, or `largest_share` of all items where that is less. It is shared out over the domains alike; what
does not divide goes one each to the largest domains (500 over 17 is 29 or 30 a domain). Within a domain the drift bands keep the
domain's own proportion, by the largest remainder. Of items that ask the same question a split takes one.

The test split is drawn first and takes two thirds of a domain at most, so that a small domain is in both splits. The validation split is
drawn by the same recipe from what remains without the items that share a question with a test item; where a domain has too few of them
it gets fewer, and no other domain gets more. The rest is the reserve.

Items of a domain and band come in the order of the sha256 of draw, split and id: the same splits on every machine, in whatever order the
items lie. If a band has too few items left, the domain's other bands fill in.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

import pandas as pd

from inforce.config.jurisdiction import Jurisdiction, Splits
from inforce.config.load import ConfigError, read_config
from inforce.records.files import sha256_text
from inforce.records.items import Item
from inforce.records.lines import read_lines
from inforce.records.status import DRIFT_BANDS
from inforce.records.tables import write_csv

SPLITS = ("test", "validation", "reserve")


def make_splits(items: Sequence[Item], config: Splits) -> dict[str, str]:
    """The split of each item, by id. Raises ValueError for an id that comes twice."""
    ids = [item.id for item in items]
    if len(set(ids)) < len(ids):
        raise ValueError(f"item {Counter(ids).most_common(1)[0][0]} comes twice; make the items again")
    questions = shared_questions(items)
    size = Counter(item.domain for item in items)
    most = int(config.largest_share * len(items))
    test = _draw(items, items, questions, alike(min(config.test, most), size), config.draw, "test", thirds=2)
    asked = {questions[item.id] for item in test}
    rest = [item for item in items if questions[item.id] not in asked]
    validation = _draw(items, rest, questions, alike(min(config.validation, most), size), config.draw, "validation", thirds=3)
    split = dict.fromkeys(sorted(ids), "reserve")
    return split | {item.id: "test" for item in test} | {item.id: "validation" for item in validation}


def shared_questions(items: Iterable[Item]) -> dict[str, str]:
    """The name of each item's question: the smallest id among all that are linked to it by a shared question, however indirectly."""
    name: dict[str, str] = {}

    def first(item_id: str) -> str:
        while name.setdefault(item_id, item_id) != item_id:
            item_id = name[item_id]
        return item_id

    for item in items:
        for other in item.asks_shared_question:
            low, high = sorted((first(item.id), first(other)))
            name[high] = low
    return {item.id: first(item.id) for item in items}


def alike(total: int, sizes: dict[str, int]) -> dict[str, int]:
    """`total` over the names alike; what does not divide goes one each to the largest, of equal ones to the first by name."""
    if not sizes:
        return {}
    each, left = divmod(total, len(sizes))
    largest = sorted(sizes, key=lambda name: (-sizes[name], name))
    return {name: each + (place < left) for place, name in enumerate(largest)}


def proportional(total: int, sizes: dict[str, int]) -> dict[str, int]:
    """`total` over the names in proportion to their sizes, by the largest remainder; of equal remainders the larger, then the first."""
    whole = sum(sizes.values())
    parts = {name: divmod(total * size, whole) for name, size in sizes.items()}
    left = total - sum(part for part, _ in parts.values())
    nearest = sorted(sizes, key=lambda name: (-parts[name][1], -sizes[name], name))
    return {name: parts[name][0] + (name in nearest[:left]) for name in sizes}


def _draw(
    items: Sequence[Item], pool: Sequence[Item], questions: dict[str, str], quotas: dict[str, int], draw: str, split: str, thirds: int
) -> list[Item]:
    """Draw one split from `pool`: each domain's quota in the band proportion of all its items, at most so many thirds of its questions."""
    bands: dict[str, Counter[str]] = defaultdict(Counter)
    for item in items:
        bands[item.domain][item.drift_band] += 1
    waiting: dict[tuple[str, str], list[Item]] = defaultdict(list)
    for item in sorted(pool, key=lambda item: sha256_text(f"{draw}/{split}/{item.id}")):
        waiting[item.domain, item.drift_band].append(item)
    drawn: list[Item] = []
    asked: set[str] = set()
    for domain in sorted(quotas, key=lambda domain: (bands[domain].total(), domain)):  # the smallest domain has the least choice
        free = {questions[item.id] for item in pool if item.domain == domain} - asked
        quota = min(quotas[domain], max(1, len(free) * thirds // 3))
        wanted = proportional(quota, dict(bands[domain]))
        for band in [*DRIFT_BANDS, *sorted(DRIFT_BANDS, key=lambda band: -bands[domain][band])]:
            in_domain = sum(item.domain == domain for item in drawn)
            limit = wanted.pop(band, quota - in_domain)  # a second turn of a band fills what the others lacked
            for item in waiting[domain, band]:
                if limit > 0 and questions[item.id] not in asked:
                    drawn.append(item)
                    asked.add(questions[item.id])
                    limit -= 1
    return drawn


def composition(items: Iterable[Item], split: dict[str, str]) -> str:
    """Items of each split, with the fewest and most of a domain."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    domains = set()
    for item in items:
        counts[split[item.id]][item.domain] += 1
        domains.add(item.domain)
    texts = []
    for name in SPLITS:
        of_domains = [counts[name][domain] for domain in domains] or [0]
        texts.append(f"{name} {sum(of_domains)} ({min(of_domains)} to {max(of_domains)} a domain)")
    return ", ".join(texts)


def main(argv: list[str] | None = None) -> None:
    """Command line."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example:\n  python -m inforce.items.make_splits --jurisdiction-config config/jurisdictions/demo.yaml --items items.jsonl --out splits.csv",
    )
    parser.add_argument("--jurisdiction-config", required=True, type=Path, help="config/jurisdictions/NAME.yaml; its splits block")
    parser.add_argument("--items", required=True, type=Path, help="items.jsonl of make_items")
    parser.add_argument(
        "--out", required=True, type=Path, help="output: splits.csv, columns item_id and split (test, validation or reserve)"
    )
    args = parser.parse_args(argv)
    try:
        config = read_config(args.jurisdiction_config, Jurisdiction).splits
        items = read_lines(args.items, Item)
        split = make_splits(items, config)
    except (ConfigError, ValueError, FileNotFoundError) as error:
        raise SystemExit(str(error)) from None
    write_csv(args.out, pd.DataFrame(split.items(), columns=["item_id", "split"]))
    print(composition(items, split))


if __name__ == "__main__":
    main()
