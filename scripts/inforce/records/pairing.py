"""Answers and items side by side, in the items' order."""

from __future__ import annotations

from pathlib import Path

from inforce.records.answers import Answer
from inforce.records.items import Item


def pair_answers(items: list[Item], answers: list[Answer], items_path: Path | str, answers_path: Path | str) -> list[tuple[Item, Answer]]:
    """Each item with its one answer.

    Raises ValueError that names both files if an item has no answer or several, if an answer has no item, or if the answers are not of
    one model, setting and sample: a join that fits in part would score other items than it prints.
    """
    by_id = {answer.item_id: answer for answer in answers}
    missing = [item.id for item in items if item.id not in by_id]
    strangers = sorted(by_id.keys() - {item.id for item in items})
    if missing or strangers or len(by_id) != len(answers):
        raise ValueError(
            f"{answers_path} does not answer each item of {items_path} once: {len(missing)} items without an answer {missing[:3]}, "
            f"{len(strangers)} answers without an item {strangers[:3]}, {len(answers) - len(by_id)} repeated; make it again with answer_items"
        )
    if len({(answer.model, answer.setting, answer.sample) for answer in answers}) > 1:
        raise ValueError(f"{answers_path} mixes models, settings or samples; a file of answers holds one of each")
    return [(item, by_id[item.id]) for item in items]
