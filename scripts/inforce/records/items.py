"""Benchmark items: the schema of NitiBench+ Appendix A.1, plus the dates that a harness needs."""

from __future__ import annotations

import datetime as dt

from pydantic import BaseModel, ConfigDict, Field

from inforce.records.dates import Precision
from inforce.records.decisions import QuestionType
from inforce.records.status import Drift, DriftBand


class Citation(BaseModel):
    """A gold citation. An instrument that the corpus does not hold has its name in `law` and no identifier."""

    model_config = ConfigDict(extra="forbid")

    law_code: str | None
    law_name_th: str | None = Field(description="the law's name in the jurisdiction's own language; the field's name is A.1's")
    label: str | None
    law: str | None = None
    is_loadbearing: bool
    version_uri: str | None
    valid_from: dt.date | None
    valid_to: dt.date | None
    current_uri: str | None
    drift: Drift | None
    applicable_date: dt.date | None = Field(
        None,
        description="last day of the cited version's force, where it ended before the decision: the court applied the law of an earlier day",
    )

    @property
    def is_scored(self) -> bool:
        """Only resolved citations that the court relies on count in citation precision and recall (A.1)."""
        return self.is_loadbearing and self.version_uri is not None


class SubQuestion(BaseModel):
    """One question with the court's verdict and reasoning."""

    model_config = ConfigDict(extra="forbid")

    question: str
    question_type: QuestionType
    depends_on_previous: bool
    verdict: str
    reasoning: str
    citations: list[Citation]


class Item(BaseModel):
    """One case of the benchmark (A.1). Sub-questions are numbered from 1 in list order wherever they are named."""

    model_config = ConfigDict(extra="forbid")

    id: str
    domain: str
    court: str
    source: str
    source_id: str
    decision_date: str
    date_precision: Precision
    law_date: dt.date = Field(
        description="day whose law the harness serves: the latest day, decision day at most, on which every cited version is in force"
    )
    applicable_date: dt.date | None = Field(description="`law_date` where it lies before the decision, else null")
    year_be: int = Field(description="year of the decision in the Buddhist era, CE + 543")
    decade: str
    title: str
    fact_pattern: str
    drift_band: DriftBand
    n_sub_questions: int
    n_cited_laws: int
    asks_shared_question: list[str] = Field(description="ids of the other items that ask the same question, sorted")
    corpus_date: dt.date
    sub_questions: list[SubQuestion]

    @property
    def cluster(self) -> str:
        """The name of the item's cluster: the smallest id among the items that share its question."""
        return min([self.id, *self.asks_shared_question])
