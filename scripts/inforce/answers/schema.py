"""The forms of replies: JSON Schemas of an answer and of an agent's turn, and the definition of the search tool.

Every string, number and list has a bound: an unbounded schema lets a model write until its token limit. The bounds are the protocol's,
so every model of a run has the same ones.
"""

from __future__ import annotations

from typing import Any

from inforce.config.protocol import Reply

TOOL_NAME = "search_statutes"


def answer_schema(n_sub_questions: int, by_name: bool, reply: Reply) -> dict[str, Any]:
    """Schema of a whole answer: one entry a sub-question, in order. by_name: law and section instead of a version identifier."""
    return _object({"answers": _answers(n_sub_questions, by_name, reply)})


def turn_schema(n_sub_questions: int, reply: Reply, may_search: bool) -> dict[str, Any]:
    """Schema of one turn of the action protocol: a search (while there are any left) or the answer."""
    answer = _object({"action": {"const": "answer"}, "answers": _answers(n_sub_questions, False, reply)})
    if not may_search:
        return answer
    search = _object({"action": {"const": "search"}, "query": {"type": "string", "minLength": 1, "maxLength": reply.query_chars}})
    return {"anyOf": [search, answer]}


def search_tool(description: str, query_description: str) -> dict[str, Any]:
    """OpenAI definition of the one tool; strict, because only then do engines hold the model to it."""
    query = {"type": "string", "description": query_description}
    return {
        "type": "function",
        "function": {"name": TOOL_NAME, "description": description, "strict": True, "parameters": _object({"query": query})},
    }


def _answers(n_sub_questions: int, by_name: bool, reply: Reply) -> dict[str, Any]:
    # an entry for each number, instead of n entries of any number: numbering is form, and form is not what is measured
    entries = [_entry(number, by_name, reply) for number in range(1, n_sub_questions + 1)]
    return {"type": "array", "prefixItems": entries, "items": False, "minItems": n_sub_questions, "maxItems": n_sub_questions}


def _entry(number: int, by_name: bool, reply: Reply) -> dict[str, Any]:
    return _object(
        {
            "sub_question": {"const": number},
            "verdict": {"type": "string", "minLength": 1, "maxLength": reply.verdict_chars},
            "reasoning": {"type": "string", "minLength": 1, "maxLength": reply.reasoning_chars},
            "citations": {"type": "array", "items": _citation(by_name, reply), "maxItems": reply.max_citations},
        }
    )


def _citation(by_name: bool, reply: Reply) -> dict[str, Any]:
    name = {"type": "string", "minLength": 1, "maxLength": reply.citation_chars}
    return _object(
        {"law": name, "section": {"type": "string", "minLength": 1, "maxLength": reply.section_chars}} if by_name else {"version": name}
    )


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}
