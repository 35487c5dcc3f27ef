import json

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inforce.grades.reply import ReplyError, parse_reply, reply_schema
from inforce.records.grades import TIER_RANGES


def entry(number=1, tier="T5", score=3, justification="Sound.", **more):
    return {"sub_question": number, "tier": tier, "score": score, "justification": justification, **more}


def reply(*entries, **more):
    return json.dumps({"grades": list(entries), **more})


def fits(value, n=1, chars=40):
    return jsonschema.Draft202012Validator(reply_schema(n, chars)).is_valid(value)


@pytest.mark.parametrize("tier", sorted(TIER_RANGES))
def test_the_schema_holds_each_tier_to_its_range(tier):
    low, high = TIER_RANGES[tier]
    allowed = [score for score in range(-1, 12) if fits({"grades": [entry(tier=tier, score=score)]})]
    assert allowed == list(range(int(low), int(high) + 1))
    for score in range(-1, 12):
        text = reply(entry(tier=tier, score=score))
        if low <= score <= high:
            assert parse_reply(text, 1)[0].score == score
        else:
            with pytest.raises(ReplyError, match=rf"sub-question 1: score {score} is outside {tier}, which is {low} to {high}"):
                parse_reply(text, 1)


def test_the_schema_is_closed_bounded_and_counts():
    assert fits({"grades": [entry(1), entry(2)]}, n=2)
    for value in (
        {"grades": [entry(1)]},
        {"grades": [entry(1), entry(1)]},
        {"grades": [entry(1), entry(2), entry(3)]},
        {"grades": [entry(1), entry(2, justification="x" * 41)]},
        {"grades": [entry(1), entry(2, mood="good")]},
        {"grades": [entry(1), entry(2, score=2.5)]},
        {"grades": [entry(1), entry(2)], "note": ""},
        {},
    ):
        assert not fits(value, n=2), value


def test_the_schema_compiles_for_constrained_decoding():
    import llguidance

    grammar = llguidance.LLMatcher.grammar_from_json_schema(json.dumps(reply_schema(3, 60)))
    assert llguidance.LLMatcher.validate_grammar(grammar) == ""


def test_scores_need_not_be_whole_and_order_does_not_count():
    grades = parse_reply(reply(entry(2, "T8", 9.5), entry(1, "T5", 2.5)), 2)
    assert [(grade.sub_question, grade.tier, grade.score) for grade in grades] == [(1, "T5", 2.5), (2, "T8", 9.5)]


def test_a_code_block_around_the_whole_is_taken_off():
    assert parse_reply(f"\n```json\n{reply(entry())}\n```\n", 1)[0].score == 3


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "not one JSON object and nothing else"),
        ("I would grade this T5, score 3.", "not one JSON object"),  # no grade is read from prose
        (f"Grade: {reply(entry())}", "not one JSON object"),
        (f"{reply(entry())} Done.", "not one JSON object"),
        (f"{reply(entry())}{reply(entry())}", "not one JSON object"),
        (reply(entry())[:-2], "not one JSON object"),
        ('{"grades":[],"grades":[]}', "the same key twice"),
        (reply(entry(score=float("nan"))), "NaN is not JSON"),
        ("[" * 100_000, "not one JSON object"),
        ("3", "the reply:"),
        ("[]", "the reply:"),
        (reply(entry(), note="x"), "note: Extra inputs"),
        (reply(entry(mood="x")), "grades.0.mood: Extra inputs"),
        (reply(entry(tier="T9")), "grades.0.tier"),
        (reply(entry(tier=None)), "grades.0.tier"),
        (reply(entry(score="3")), "grades.0.score"),
        (reply(entry(score=True)), "grades.0.score"),
        (reply(entry(score=None)), "grades.0.score"),
        (reply(entry(justification=None)), "grades.0.justification"),
        (reply(entry("1")), "grades.0.sub_question"),
        (reply(), r"sub-questions \[\]; each of 1 to 1"),
        (reply(entry(1), entry(1)), r"sub-questions \[1, 1\]"),
        (reply(entry(2)), r"sub-questions \[2\]"),
        (reply(entry(tier="T3", score=5)), "score 5 is outside T3, which is 2 to 4"),
        (reply(entry(tier="T8", score=10.5)), "score 10.5 is outside T8"),
    ],
)
def test_what_is_no_grade_is_said(text, reason):
    with pytest.raises(ReplyError, match=reason):
        parse_reply(text, 1)


@given(st.text(max_size=200))
def test_any_text_is_a_grade_or_an_error_with_a_short_reason(text):
    with pytest.raises(ReplyError) as error:
        parse_reply(text, 1)
    assert len(str(error.value)) < 400
