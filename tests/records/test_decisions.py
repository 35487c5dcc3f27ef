import pytest
from pydantic import ValidationError

from inforce.records.decisions import Decision, DecisionCitation, DecisionQuestion


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


@pytest.mark.parametrize("date", ["x", "2559-02-29", "2010-5", "0000"])
def test_a_date_that_is_none_is_refused_where_a_decision_is_read(date):
    fields = dict.fromkeys(("decision_id", "court", "source", "source_id", "domain", "title", "fact_pattern"), "x")
    for known in ("2010-05", ""):
        assert Decision(**fields, decision_date=known, sub_questions=[]).decision_date == known
    with pytest.raises(ValidationError, match="decision_date"):
        Decision(**fields, decision_date=date, sub_questions=[])
