"""Statuses of answers and grades (DESIGN §2). No status turns into a silent zero."""

from __future__ import annotations

from typing import Literal, get_args

Status = Literal[
    "ok",
    "unparsed",
    "empty_at_limit",
    "context_overflow",
    "refused",
    "tool_call_error",
    "endpoint_error",
    "judge_unparsed",
    "panel_incomplete",
]
STATUSES: tuple[str, ...] = get_args(Status)

Setting = Literal["parametric", "gold_current", "gold_in_force", "rag_current", "rag_in_force"]
SETTINGS: tuple[str, ...] = get_args(Setting)

Drift = Literal["unchanged", "amended", "repealed"]
DRIFTS: tuple[str, ...] = get_args(Drift)  # from the least to the most severe

DriftBand = Literal["no_drift", "amended", "repealed"]
DRIFT_BANDS: tuple[str, ...] = get_args(DriftBand)
