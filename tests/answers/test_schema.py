import jsonschema
import pytest
from answers.cases import REPLY

from inforce.answers.schema import answer_schema, search_tool, turn_schema


def entry(number, **changed):
    return {"sub_question": number, "verdict": "v", "reasoning": "r", "citations": [{"version": "u"}]} | changed


def fits(schema, value):
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema).is_valid(value)


def test_an_answer_has_one_entry_for_each_number_in_order():
    schema = answer_schema(2, False, REPLY)
    assert fits(schema, {"answers": [entry(1), entry(2)]})
    for wrong in ([entry(1)], [entry(2), entry(1)], [entry(1), entry(1)], [entry(1), entry(2), entry(3)]):
        assert not fits(schema, {"answers": wrong})


@pytest.mark.parametrize(
    "changed",
    [
        {"verdict": "v" * 61},
        {"reasoning": "r" * 161},
        {"citations": [{"version": "u"}] * 4},
        {"citations": [{"version": "u" * 61}]},
        {"citations": [{"law": "l", "section": "1"}]},
        {"more": 1},
    ],
)
def test_every_part_is_bounded(changed):
    assert not fits(answer_schema(1, False, REPLY), {"answers": [entry(1, **changed)]})


def test_from_memory_a_law_and_a_section_are_cited():
    schema = answer_schema(1, True, REPLY)
    assert fits(schema, {"answers": [entry(1, citations=[{"law": "Wage Act", "section": "1"}])]})
    assert not fits(schema, {"answers": [entry(1)]})


def bounds(schema):
    """Every string and list of a schema that has no bound."""
    if isinstance(schema, list):
        return [path for part in schema for path in bounds(part)]
    if not isinstance(schema, dict):
        return []
    own = (
        [schema]
        if (schema.get("type") == "string" and "maxLength" not in schema) or (schema.get("type") == "array" and "maxItems" not in schema)
        else []
    )
    return own + [path for part in schema.values() for path in bounds(part)]


def test_nothing_in_a_reply_s_schema_is_without_bound():
    assert bounds(answer_schema(3, True, REPLY)) == bounds(turn_schema(3, REPLY, True)) == []


def test_a_turn_searches_or_answers_and_only_answers_once_the_searches_are_used_up():
    search, answer = {"action": "search", "query": "wage"}, {"action": "answer", "answers": [entry(1)]}
    assert fits(turn_schema(1, REPLY, True), search)
    assert fits(turn_schema(1, REPLY, True), answer)
    assert not fits(turn_schema(1, REPLY, True), {"action": "search", "query": ""})
    assert not fits(turn_schema(1, REPLY, False), search)
    assert fits(turn_schema(1, REPLY, False), answer)


def test_the_tool_is_strict_and_takes_a_query_alone():
    function = search_tool("finds", "words")["function"]
    assert function["strict"] is True
    assert fits(function["parameters"], {"query": "wage"})
    assert not fits(function["parameters"], {"query": "wage", "date": "2004-06-01"})
