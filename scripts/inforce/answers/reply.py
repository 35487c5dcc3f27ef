"""Read a model's reply: the one JSON object with answers in it, one for each sub-question. Nothing is evaluated, nothing guessed."""

from __future__ import annotations

import json
from typing import Any

from inforce.records.answers import AnswerCitation, SubAnswer


class UnparsedError(ValueError):
    """A reply that is no answer; the message says why."""


def parse_answer(text: str, n_sub_questions: int, by_name: bool) -> list[SubAnswer]:
    """The answers in a reply, in the order of their numbers 1..n_sub_questions.

    Words, code fences and reasoning around the object are passed over. by_name: a citation that is a bare string is a law's name,
    else a version identifier. Raises UnparsedError if there is no object with answers, if there are two that differ, or if one is
    not of the form.
    """
    return read_answers(find_object(text, "answers"), n_sub_questions, by_name)


def read_answers(reply: dict[str, Any], n_sub_questions: int, by_name: bool) -> list[SubAnswer]:
    """The answers of a decoded reply. Raises UnparsedError if it is not of the form."""
    entries = reply.get("answers")
    if not isinstance(entries, list):
        raise UnparsedError("answers is no list")
    answers = [_entry(entry, place, by_name) for place, entry in enumerate(entries, start=1)]
    numbers = [answer.sub_question for answer in answers]
    if sorted(numbers) != list(range(1, n_sub_questions + 1)):
        raise UnparsedError(f"answers are numbered {numbers}, expected one each for 1 to {n_sub_questions}")
    return sorted(answers, key=lambda answer: answer.sub_question)


def find_object(text: str, *keys: str) -> dict[str, Any]:
    """The outermost JSON object in the text that has one of the keys. Raises UnparsedError if there is none or if two differ."""
    decoder = json.JSONDecoder(object_pairs_hook=_no_twins, parse_constant=_no_constant)
    found: list[dict[str, Any]] = []
    start = text.find("{")
    while start >= 0:
        try:
            value, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            end = start + 1
        else:
            if any(key in value for key in keys):
                found.append(value)
        start = text.find("{", end)
    if not found:
        raise UnparsedError(f"no JSON object with {' or '.join(keys)} in the reply" if text.strip() else "the reply is empty")
    if any(other != found[0] for other in found[1:]):
        raise UnparsedError(f"{len(found)} different JSON objects with {' or '.join(keys)} in the reply")
    return found[0]


def clean(text: str) -> str:
    """The text with lone surrogates replaced: JSON can spell them, UTF-8 and so a file cannot hold them."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _entry(entry: object, place: int, by_name: bool) -> SubAnswer:
    if not isinstance(entry, dict):
        raise UnparsedError(f"answer {place} is no object")
    for key in ("verdict", "reasoning"):
        if not isinstance(entry.get(key), str):
            raise UnparsedError(f"answer {place} has no {key}")
    if not isinstance(entry.get("citations"), list):
        raise UnparsedError(f"answer {place} has no list of citations")
    return SubAnswer(
        sub_question=_number(entry.get("sub_question"), place),
        verdict=clean(entry["verdict"]),
        reasoning=clean(entry["reasoning"]),
        citations=[_citation(citation, place, by_name) for citation in entry["citations"]],
    )


def _number(value: object, place: int) -> int:
    if isinstance(value, str) and value.strip().isascii() and value.strip().isdecimal():
        return int(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    raise UnparsedError(f"answer {place} has no sub_question number")


def _citation(value: object, place: int, by_name: bool) -> AnswerCitation:
    if isinstance(value, str):
        value = {"law" if by_name else "version": value}
    if not isinstance(value, dict):
        raise UnparsedError(f"a citation of answer {place} is no object")
    parts: dict[str, str | None] = {key: _word(value.get(key)) for key in ("version", "law", "section")}
    if not any(parts.values()):
        raise UnparsedError(f"a citation of answer {place} names neither a version nor a law or section")
    return AnswerCitation(**parts)


def _word(value: object) -> str | None:
    """A string, or a number where a section was written as one; blank and all else is null."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return clean(value) if isinstance(value, str) and value.strip() else None


def _no_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise ValueError("the same key twice")
    return value


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")
