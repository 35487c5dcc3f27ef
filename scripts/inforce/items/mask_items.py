"""Mask the personal details in the texts of items: names to initials, numbers to words (NitiBench+ A.1, config/masking/).

Masked are title, facts, questions, verdicts and reasoning; identifiers, dates and citations stay. One row a kind and how often it was
masked goes to the counts, so that a reader sees what the rules did. They are rules: read a sample before anything is published. The details
themselves go to --masks, by which the report masks what models wrote on the item.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

import pandas as pd

from inforce.config.load import ConfigError, read_config
from inforce.config.masking import Masking
from inforce.items.mask_details import Masker
from inforce.records.items import Item
from inforce.records.lines import read_lines, write_lines
from inforce.records.masks import ItemMasks
from inforce.records.tables import write_csv


def mask_item(item: Item, rules: Masking) -> tuple[Item, Counter[str], ItemMasks]:
    """The item with its texts masked, how many details of which kind were found, and the details with their masks."""
    masker = Masker(rules)
    texts = [item.title, item.fact_pattern]
    for question in item.sub_questions:
        texts += [question.question, question.verdict, question.reasoning]
    title, facts, *rest = masker.mask(texts)
    questions = [
        question.model_copy(update=dict(zip(("question", "verdict", "reasoning"), rest[3 * place : 3 * place + 3], strict=True)))
        for place, question in enumerate(item.sub_questions)
    ]
    return (
        item.model_copy(update={"title": title, "fact_pattern": facts, "sub_questions": questions}),
        masker.counts,
        ItemMasks(item_id=item.id, masks=masker.details()),
    )


def main(argv: list[str] | None = None) -> None:
    """Command line."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.items.mask_items --masking-config config/masking/en.yaml --items items.jsonl --out masked.jsonl "
        "--counts masked.csv",
    )
    parser.add_argument("--masking-config", required=True, type=Path, help="config/masking/LANGUAGE.yaml")
    parser.add_argument("--items", required=True, type=Path, help="items.jsonl of make_items")
    parser.add_argument("--out", required=True, type=Path, help="output: the same items, masked")
    parser.add_argument("--masks", type=Path, help="output: the details of each item and what stands in their place; not for publishing")
    parser.add_argument("--counts", required=True, type=Path, help="output: kind, how many details, in how many items")
    args = parser.parse_args(argv)
    try:
        rules = read_config(args.masking_config, Masking)
        done = [mask_item(item, rules) for item in read_lines(args.items, Item)]
    except (ConfigError, ValueError, FileNotFoundError) as error:
        raise SystemExit(str(error)) from None
    write_lines(args.out, [item for item, _, _ in done])
    if args.masks:
        write_lines(args.masks, [masks for _, _, masks in done])
    kinds = ["name", *(rule.name for rule in rules.numbers)]
    masked = [sum(counts[kind] for _, counts, _ in done) for kind in kinds]
    touched = [sum(1 for _, counts, _ in done if counts[kind]) for kind in kinds]
    write_csv(args.counts, pd.DataFrame({"kind": kinds, "masked": masked, "items": touched}))
    print(f"{len(done)} items, {sum(masked)} details masked")


if __name__ == "__main__":
    main()
