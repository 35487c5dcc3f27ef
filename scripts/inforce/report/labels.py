"""Labels beside points that do not cover each other: a greedy placement, the same for the same points."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

DISTANCES = (6.5, 13.0, 24.0, 36.0, 50.0, 66.0)
DIRECTIONS = (0, 180, 90, 270, 45, 315, 135, 225)  # right first
_POINT = 4.0  # half the side of a point's own square


class Box(NamedTuple):
    """A rectangle: left, bottom, right, top."""

    left: float
    bottom: float
    right: float
    top: float


def place_labels(
    points: Sequence[tuple[float, float]], sizes: Sequence[tuple[float, float]], frame: Box, avoid: Sequence[tuple[float, float]] = ()
) -> list[Box]:
    """A box for each label near its point, in the order given (the first choose first): no overlap with boxes and points if there is room.

    Points, sizes (width, height) and frame in one unit. `avoid` are further places to keep free, e.g. along a line. The nearest free place
    counts; where none is free, the one least covered.
    """
    taken = [Box(x - _POINT, y - _POINT, x + _POINT, y + _POINT) for x, y in points]
    taken += [Box(x - 1, y - 1, x + 1, y + 1) for x, y in avoid]
    placed: list[Box] = []
    for (x, y), (width, height) in zip(points, sizes, strict=True):
        best, least = None, math.inf
        for distance in DISTANCES:
            for direction in DIRECTIONS:
                box = _beside(x, y, width, height, distance, direction)
                covered = sum(overlap(box, other) for other in [*taken, *placed]) + outside(box, frame)
                if covered < least:
                    best, least = box, covered
            if least == 0:
                break
        placed.append(best or Box(x, y, x + width, y + height))
    return placed


def overlap(one: Box, other: Box) -> float:
    """Area that two boxes share."""
    across, up = min(one.right, other.right) - max(one.left, other.left), min(one.top, other.top) - max(one.bottom, other.bottom)
    return max(0.0, across) * max(0.0, up)


def outside(box: Box, frame: Box) -> float:
    """Area of a box beyond the frame."""
    return (box.right - box.left) * (box.top - box.bottom) - overlap(box, frame)


def _beside(x: float, y: float, width: float, height: float, distance: float, direction: int) -> Box:
    across, up = math.cos(math.radians(direction)), math.sin(math.radians(direction))
    left = x + across * distance - width * (0 if across > 0.1 else 1 if across < -0.1 else 0.5)
    bottom = y + up * distance - height * (0 if up > 0.1 else 1 if up < -0.1 else 0.5)
    return Box(left, bottom, left + width, bottom + height)
