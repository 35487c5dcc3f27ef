"""What a jurisdiction's benchmark is made of (NitiBench+ Table 5 and Figure 5) -> composition.csv, a row a domain and a last row `total`.

items, sub_questions, items by drift band, sub-questions by type, first_year and last_year of the decisions, items by split (test,
validation, reserve; empty where no split was drawn), items that the run asked, and items by decade of the decision (decade_1990s, ...).
Domains stand by their number of items, largest first.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import get_args

import pandas as pd

from inforce.records.decisions import QuestionType
from inforce.records.items import Item
from inforce.records.lines import read_lines
from inforce.records.status import DRIFT_BANDS
from inforce.records.tables import write_csv
from inforce.stats.frames import StatsError

TOTAL = "total"
SPLITS = ("test", "validation", "reserve")
QUESTION_TYPES: tuple[str, ...] = get_args(QuestionType)
FIXED = ["domain", "items", "sub_questions", *DRIFT_BANDS, *QUESTION_TYPES, "first_year", "last_year", *SPLITS, "asked"]


def count_composition(items: Iterable[Item], asked: set[str], splits: dict[str, str] | None) -> pd.DataFrame:
    """The table. `splits` names the split of each item, None = none was drawn. Raises StatsError for an item without a split."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    years: dict[str, list[int]] = defaultdict(list)
    decades: set[str] = set()
    for item in items:
        if splits is not None and item.id not in splits:
            raise StatsError(f"item {item.id} is not among the splits; make splits.csv again")
        year = int(item.decision_date[:4])
        decade = f"decade_{year // 10 * 10}s"
        decades.add(decade)
        for domain in (item.domain, TOTAL):
            counted = counts[domain]
            counted.update(["items", item.drift_band, decade, *([splits[item.id]] if splits is not None else [])])
            counted.update({"sub_questions": item.n_sub_questions, "asked": int(item.id in asked)})
            counted.update(question.question_type for question in item.sub_questions)
            years[domain].append(year)
    domains = sorted(counts, key=lambda domain: (domain == TOTAL, -counts[domain]["items"], domain))
    rows = []
    for domain in domains:
        row: dict[str, object] = {name: counts[domain][name] for name in [*FIXED[1:], *sorted(decades)]}
        row |= {"domain": domain, "first_year": min(years[domain]), "last_year": max(years[domain])}
        rows.append(row | (dict.fromkeys(SPLITS) if splits is None else {}))
    return pd.DataFrame(rows, columns=[*FIXED, *sorted(decades)])


def read_splits(path: Path | None) -> dict[str, str] | None:
    """splits.csv by item; None without a file. Raises StatsError for other columns."""
    if path is None:
        return None
    frame = pd.read_csv(path, dtype=str, keep_default_na=False)
    if list(frame.columns) != ["item_id", "split"]:
        raise StatsError(f"{path}: columns are {', '.join(frame.columns)}, expected item_id, split; make it again with make_splits")
    return dict(zip(frame["item_id"], frame["split"], strict=True))


def main(argv: list[str] | None = None) -> None:
    """Read the files, count, write the table."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.stats.count_composition --items results/items/demo/items.jsonl --asked results/runs/demo/items.jsonl "
        "--splits results/items/demo/splits.csv --out results/stats/demo/composition.csv",
    )
    parser.add_argument("--items", required=True, type=Path, help="items.jsonl of the jurisdiction")
    parser.add_argument("--asked", required=True, type=Path, help="items.jsonl of the run")
    parser.add_argument("--splits", type=Path, help="splits.csv; without it the split columns are empty")
    parser.add_argument("--out", required=True)
    args = parser.parse_args(argv)
    try:
        asked = {item.id for item in read_lines(args.asked, Item)}
        write_csv(args.out, count_composition(read_lines(args.items, Item), asked, read_splits(args.splits)))
    except (StatsError, ValueError, FileNotFoundError) as error:
        raise SystemExit(str(error)) from error


if __name__ == "__main__":
    main()
