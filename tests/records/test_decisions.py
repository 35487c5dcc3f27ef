import pytest
from pydantic import ValidationError

from inforce.records.decisions import DecisionCitation, DecisionQuestion


def test_a_citation_names_a_section_or_an_instrument():
    assert DecisionCitation(law_code="A", label="1").is_loadbearing
    assert DecisionCitation(law="Notification 4").law_code is None


def test_unknown_keys_are_refused():
    with pytest.raises(ValidationError):
        DecisionQuestion(question="?", verdict="No.", reasoning="", citations=[], verdct="x")


def test_a_question_without_words_cannot_be_graded_and_is_refused():
    for empty in ({"question": ""}, {"verdict": "  "}):
        with pytest.raises(ValidationError):
            DecisionQuestion(**{"question": "?", "verdict": "No.", "reasoning": "", "citations": [], **empty})
