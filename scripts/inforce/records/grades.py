"""Judges' grades (grades/**.jsonl, DESIGN §2) on the eight-tier rubric of NitiBench+ Table 6."""

from __future__ import annotations

from typing import Literal, get_args

from pydantic import BaseModel, ConfigDict

from inforce.records.status import Setting, Status

Tier = Literal["T1", "T2", "T3", "T4", "T5", "T6", "T7", "T8"]
TIERS: tuple[str, ...] = get_args(Tier)

# NitiBench+ Table 6 / B.1: inclusive range of scores of each tier; T1-T3 differ from the court's verdict, T4-T8 match it
TIER_RANGES: dict[str, tuple[float, float]] = {
    "T1": (0, 0),
    "T2": (1, 2),
    "T3": (2, 4),
    "T4": (0, 1),
    "T5": (2, 5),
    "T6": (5, 6),
    "T7": (7, 8),
    "T8": (9, 10),
}
AGREEING_TIERS = frozenset({"T4", "T5", "T6", "T7", "T8"})


class SubGrade(BaseModel):
    """One judge's grade of one sub-question; tier, score and justification are null unless the status is ok."""

    model_config = ConfigDict(extra="forbid")

    sub_question: int
    status: Status
    tier: Tier | None
    score: float | None
    justification: str | None


class Grade(BaseModel):
    """One judge's grading of one answer.

    An answer whose own status is not ok is not shown to a judge: the grade then carries the answer's status,
    no request and, for each sub-question, null scores.
    """

    model_config = ConfigDict(extra="forbid")

    item_id: str
    model: str
    setting: Setting
    sample: int
    judge: str
    status: Status
    request_sha256: list[str]
    sub_grades: list[SubGrade]
