"""Reasoning split from answers, by hand, and failures without text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inforce.models.replies import failure, split_thinking
from inforce.records.answers import Usage


@pytest.mark.parametrize(
    ("text", "answer", "reasoning"),
    [
        ("plain words", "plain words", None),
        ("", "", None),
        ("  kept as it is \n", "  kept as it is \n", None),
        ("<think>why</think>because", "because", "why"),
        ("\n<think>\nwhy\n</think>\n\nbecause\n", "because\n", "why"),
        ("<think>one</think> <think>two</think>because", "because", "one\n\ntwo"),
        ("<think></think>because", "because", ""),
        ("<think>never closed, the budget ran out", "", "never closed, the budget ran out"),
        ("the prompt opened it</think>because", "because", "the prompt opened it"),
        ("because <think>too late</think>", "", "because <think>too late"),
        ("an answer that names <think> only", "an answer that names <think> only", None),
    ],
)
def test_thinking_by_hand(text, answer, reasoning):
    assert split_thinking(text) == (answer, reasoning)


@given(st.text().filter(lambda text: "think>" not in text))
def test_a_text_without_tags_stays_as_it_is(text):
    assert split_thinking(text) == (text, None)


@given(st.text().filter(lambda text: "think>" not in text), st.text().filter(lambda text: "think>" not in text))
def test_what_was_thought_and_what_was_said_come_apart_again(thought, said):
    assert split_thinking(f"<think>{thought}</think>{said}") == (said.lstrip(), thought.strip())


def test_a_failure_has_no_text():
    failed = failure("ab", "refused", "HTTP 400: no", {"status": 400}, Usage(input_tokens=4))
    assert (failed.text, failed.tool_calls, failed.finish_reason, failed.reasoning) == ("", [], None, None)
    assert (failed.error_class, failed.error, failed.usage.input_tokens, failed.request_sha256) == ("refused", "HTTP 400: no", 4, "ab")
    assert failure("ab", "transient", "x", {}).usage == Usage()
