"""A judge's reply: the JSON Schema that bounds it, and the checks that it must pass. Nothing is read from prose."""

from __future__ import annotations

import json
import re
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StrictFloat, StrictInt, ValidationError

from inforce.records.grades import TIER_RANGES, Tier

_CODE_BLOCK = re.compile(r"```(?:json)?[ \t]*\n(.*)\n```", re.DOTALL)


class ReplyError(ValueError):
    """A reply that is no grade; the message says what is wrong, in words that can be said to the judge."""


class ReplyGrade(BaseModel):
    """One entry of a reply, checked for form only."""

    model_config = ConfigDict(extra="forbid")

    sub_question: StrictInt
    tier: Tier
    score: Annotated[StrictInt | StrictFloat, Field(allow_inf_nan=False)]
    justification: Annotated[str, Field(strict=True)]


class Reply(BaseModel):
    """The whole reply."""

    model_config = ConfigDict(extra="forbid")

    grades: list[ReplyGrade]


def reply_schema(n_sub_questions: int, justification_chars: int) -> dict[str, Any]:
    """JSON Schema of a reply: one entry for each sub-question in order, only tiers with a score of their range, bounded texts.

    A model whose decoding is held to it cannot give an invalid grade, nor run on. Scores are whole numbers here; see `parse_reply`.
    """
    return {
        "type": "object",
        "properties": {
            "grades": {
                "type": "array",
                "prefixItems": [
                    {"anyOf": [_entry(number, tier, justification_chars) for tier in TIER_RANGES]}
                    for number in range(1, n_sub_questions + 1)
                ],
                "items": False,
                "minItems": n_sub_questions,
                "maxItems": n_sub_questions,
            }
        },
        "required": ["grades"],
        "additionalProperties": False,
    }


def _entry(number: int, tier: str, justification_chars: int) -> dict[str, Any]:
    low, high = TIER_RANGES[tier]
    return {
        "type": "object",
        "properties": {
            "sub_question": {"const": number},
            "tier": {"const": tier},
            "score": {"type": "integer", "minimum": int(low), "maximum": int(high)},
            "justification": {"type": "string", "maxLength": justification_chars},
        },
        "required": ["sub_question", "tier", "score", "justification"],
        "additionalProperties": False,
    }


def parse_reply(text: str, n_sub_questions: int) -> list[ReplyGrade]:
    """The grades of a reply, sorted by sub-question.

    The text must be one JSON object and nothing else (one code block around the whole is taken off), with each sub-question exactly
    once, and each score, whole or not, within its tier's range. Raises ReplyError.
    """
    block = _CODE_BLOCK.fullmatch(text.strip())
    try:
        value = json.loads(block[1] if block else text, object_pairs_hook=_no_twins, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise ReplyError(f"it is not one JSON object and nothing else ({_short(str(error))})") from error
    try:
        grades = Reply.model_validate(value).grades
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the reply"
        raise ReplyError(f"{where}: {_short(first['msg'])}") from error
    numbers = sorted(grade.sub_question for grade in grades)
    if numbers != list(range(1, n_sub_questions + 1)):
        raise ReplyError(f"it grades sub-questions {numbers[:20]}; each of 1 to {n_sub_questions} must be graded exactly once")
    for grade in grades:
        low, high = TIER_RANGES[grade.tier]
        if not low <= grade.score <= high:
            raise ReplyError(
                f"sub-question {grade.sub_question}: score {grade.score} is outside {grade.tier}, which is {low:g} to {high:g}"
            )
    return sorted(grades, key=lambda grade: grade.sub_question)


def _no_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise ValueError("the same key twice")
    return value


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _short(text: str) -> str:
    return text if len(text) <= 120 else text[:119] + "…"
