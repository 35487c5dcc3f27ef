import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inforce.answers.reply import UnparsedError, clean, parse_answer
from inforce.records.answers import AnswerCitation


def entry(number=1, **changed):
    return {"sub_question": number, "verdict": "v", "reasoning": "r", "citations": []} | changed


def reply(*entries):
    return json.dumps({"answers": list(entries)})


def reason(text, n=1, by_name=False):
    with pytest.raises(UnparsedError) as error:
        parse_answer(text, n, by_name)
    return str(error.value)


WHOLE = reply(entry())


@pytest.mark.parametrize(
    "text",
    [
        WHOLE,
        f"```json\n{WHOLE}\n```",
        f"Here it is {{as asked}}:\n{WHOLE}\nI hope {{that}} helps.",
        f'The form is {{"sub_question": 1}}. {WHOLE}',
        f"{WHOLE}\n{WHOLE}",  # said twice, but one answer
        json.dumps({"action": "answer", "answers": [entry()]}, indent=2),
        json.dumps({"thoughts": {"answers": "soon"}, "answers": [entry()]}),
    ],
)
def test_the_answer_is_found_among_words_and_fences(text):
    assert [answer.verdict for answer in parse_answer(text, 1, False)] == ["v"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "the reply is empty"),
        ("  \n", "the reply is empty"),
        ("The claim fails.", "no JSON object with answers in the reply"),
        (WHOLE[:-3], "no JSON object with answers in the reply"),
        ('{"answers": NaN}', "no JSON object with answers in the reply"),
        ('{"answers": [], "answers": []}', "no JSON object with answers in the reply"),
        (WHOLE + reply(entry(verdict="w")), "2 different JSON objects with answers in the reply"),
        ('{"answers": {"1": "yes"}}', "answers is no list"),
        ('{"answers": ["yes"]}', "answer 1 is no object"),
        (reply(entry(verdict=None)), "answer 1 has no verdict"),
        (reply({"sub_question": 1, "verdict": "v", "citations": []}), "answer 1 has no reasoning"),
        (reply(entry(citations="none")), "answer 1 has no list of citations"),
        (reply(entry(citations=[7])), "a citation of answer 1 is no object"),
        (reply(entry(citations=[{"version": " "}])), "a citation of answer 1 names neither a version nor a law or section"),
        (reply(entry(number=True)), "answer 1 has no sub_question number"),
        (reply(entry(number="one")), "answer 1 has no sub_question number"),
        (reply(entry(number=0)), "answers are numbered [0], expected one each for 1 to 1"),
    ],
)
def test_what_is_no_answer_is_refused_with_the_reason(text, expected):
    assert reason(text) == expected


@pytest.mark.parametrize("numbers", [[1], [1, 1], [1, 3], [1, 2, 3], [2, 2], []])
def test_there_is_one_answer_for_each_sub_question(numbers):
    assert reason(reply(*map(entry, numbers)), n=2) == f"answers are numbered {numbers}, expected one each for 1 to 2"


def test_answers_come_in_the_order_of_their_numbers():
    answers = parse_answer(reply(entry(2, verdict="b"), entry("1", verdict="a")), 2, False)
    assert [(answer.sub_question, answer.verdict) for answer in answers] == [(1, "a"), (2, "b")]


def test_citations_are_read_as_given():
    given_ones = [{"version": "u", "extra": 1}, "v", {"law": "Wage Act", "section": 12}, {"law": "Wage Act"}]
    (by_version,) = parse_answer(reply(entry(citations=given_ones)), 1, False)
    assert by_version.citations == [
        AnswerCitation(version="u"),
        AnswerCitation(version="v"),
        AnswerCitation(law="Wage Act", section="12"),
        AnswerCitation(law="Wage Act"),
    ]
    assert parse_answer(reply(entry(citations=["v"])), 1, True)[0].citations == [AnswerCitation(law="v")]


def test_deep_nesting_and_lone_surrogates_do_no_harm():
    assert reason('{"answers":' + "[" * 100_000) == "no JSON object with answers in the reply"
    (answer,) = parse_answer('{"answers":[{"sub_question":1,"verdict":"\\ud800","reasoning":"r","citations":["\\udfff"]}]}', 1, False)
    assert answer.verdict == answer.citations[0].version == "\ufffd"
    assert clean("ปกติ 😀") == "ปกติ 😀"


@given(st.text() | st.text(alphabet='{}[]":,answers1 '))
def test_any_text_is_read_or_refused(text):
    try:
        assert len(parse_answer(text, 1, False)) == 1
    except UnparsedError as error:
        assert str(error)


@given(st.lists(st.text(min_size=1), min_size=1, max_size=4), st.text(alphabet=st.characters(exclude_characters="{")))
def test_what_a_model_wrote_comes_back_whatever_stands_around_it(verdicts, noise):
    text = noise + reply(*[entry(number, verdict=verdict) for number, verdict in enumerate(verdicts, start=1)]) + noise
    assert [answer.verdict for answer in parse_answer(text, len(verdicts), False)] == [clean(verdict) for verdict in verdicts]
