"""Court decisions as read from a source, before their citations are resolved (decisions.jsonl, DESIGN §2)."""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, field_validator

from inforce.records.dates import precision_of

QuestionType = Literal["ruling", "governing_provisions", "legal_consequences", "provision_interaction", "lower_court_departure"]


Words = Annotated[str, StringConstraints(pattern=r"\S")]  # not empty, not only white space


class DecisionCitation(BaseModel):
    """A citation as the source gives it: a section of a law, or the name of an instrument in `law`."""

    model_config = ConfigDict(extra="forbid")

    law_code: str | None = None
    label: str | None = None
    valid_from: dt.date | None = Field(None, description="start of the version applied, where the source names the version")
    law: str | None = Field(None, description="name of an instrument that the corpus does not hold")
    is_loadbearing: bool = True


class DecisionQuestion(BaseModel):
    """One sub-question of a decision with the court's own answer."""

    model_config = ConfigDict(extra="forbid")

    question: Words
    question_type: QuestionType = "ruling"
    depends_on_previous: bool = False
    verdict: Words
    reasoning: str
    citations: list[DecisionCitation]


class Decision(BaseModel):
    """One decided case. `decision_date` is an ISO day, month or year: as much of the date as the source gives; empty = not known."""

    model_config = ConfigDict(extra="forbid")

    decision_id: Words
    court: str
    source: str
    source_id: str
    decision_date: str
    domain: Words
    title: str
    fact_pattern: Words
    shared_question: str | None = Field(None, description="key shared by the cases that ask the same question")
    sub_questions: list[DecisionQuestion]

    @field_validator("decision_date")
    @classmethod
    def _is_a_date(cls, text: str) -> str:
        if text:
            precision_of(text)
        return text
