"""Rows of models as the paper prints them: in groups, a post-training below its base with an arrow, the best values marked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from inforce.config.model import Model
from inforce.report.words import Headings, Mark

ARROW = "↪"


class ModelRow(NamedTuple):
    """One model of a table: its key, its name as printed (with the arrow where it stands below its base), its group."""

    key: str
    label: str
    group: str


def model_rows(models: dict[str, Model]) -> list[ModelRow]:
    """Models by group in the order the groups are met, each base followed by its post-trainings.

    The arrow is given only where the base stands in the same table and group: a model whose base was not run is a row like any other.
    """
    groups = list(dict.fromkeys(model.group for model in models.values()))
    rows: list[ModelRow] = []
    for group in groups:
        members = [key for key, model in models.items() if model.group == group]
        below: dict[str, list[str]] = {}
        for key in members:
            base = models[key].base
            if base in members and base != key:
                below.setdefault(str(base), []).append(key)
        derived = {key for keys in below.values() for key in keys}
        waiting = [(key, 0) for key in members if key not in derived]
        seen: set[str] = set()
        while waiting:
            key, depth = waiting.pop(0)
            seen.add(key)
            rows.append(ModelRow(key, f"{ARROW} {models[key].name}" if depth else models[key].name, group))
            waiting = [(child, depth + 1) for child in below.get(key, [])] + waiting
        rows += [ModelRow(key, models[key].name, group) for key in members if key not in seen]  # two that name each other as base
    return rows


def headings_of(rows: Sequence[ModelRow]) -> Headings:
    """The name of each group above its first row; none where only one group or no group is named."""
    groups = [row.group for row in rows]
    if len(set(groups)) < 2:
        return {}
    return {number: group for number, group in enumerate(groups) if group and (number == 0 or groups[number - 1] != group)}


def best_two(rows: Sequence[Sequence[str]], columns: Iterable[int], lowest: bool = False) -> dict[tuple[int, int], Mark]:
    """Marks of the best and second best printed number of each column; equal numbers share a mark. No mark for a single number."""
    marks: dict[tuple[int, int], Mark] = {}
    for column in columns:
        values = {number: value for number, row in enumerate(rows) if (value := printed_number(row[column])) is not None}
        ranked = sorted(set(values.values()), reverse=not lowest)
        if len(values) < 2:
            continue
        for number, value in values.items():
            if value in ranked[:2]:
                marks[number, column] = "best" if value == ranked[0] else "second"
    return marks


def printed_number(text: str) -> float | None:
    """The number that a cell begins with, `+0.45* [...]` -> 0.45; None for a cell without one."""
    found = re.match(r"\s*[+\-−]?\d+(?:[.,]\d+)*", text)
    return float(found[0].replace("−", "-").replace(",", "")) if found else None
