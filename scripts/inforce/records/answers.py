"""Model answers (answers/**.jsonl, DESIGN §2): one line an item, a projection of the response store."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

from inforce.records.status import Setting, Status


class AnswerCitation(BaseModel):
    """A citation as the model gave it: a version identifier, or the words of a law's name and a section."""

    model_config = ConfigDict(extra="forbid")

    version: str | None = None
    law: str | None = None
    section: str | None = None


class SubAnswer(BaseModel):
    """The answer to sub-question number `sub_question`, counted from 1."""

    model_config = ConfigDict(extra="forbid")

    sub_question: int
    verdict: str
    reasoning: str
    citations: list[AnswerCitation]


class Search(BaseModel):
    """One call of the search tool that ran: the query and the versions returned, best first."""

    model_config = ConfigDict(extra="forbid")

    query: str
    version_uris: list[str]


class Usage(BaseModel):
    """Tokens over all requests of an item. `cached_tokens` are part of the input, `reasoning_tokens` of the output; null = not reported."""

    model_config = ConfigDict(extra="forbid")

    input_tokens: int | None = None
    cached_tokens: int | None = None
    output_tokens: int | None = None
    reasoning_tokens: int | None = None


class Answer(BaseModel):
    """One model × setting × sample × item."""

    model_config = ConfigDict(extra="forbid")

    item_id: str
    model: str
    setting: Setting
    sample: int
    status: Status
    detail: str | None
    request_sha256: list[str]  # every request of the item in the order asked; the last one holds the answer
    sub_answers: list[SubAnswer]
    raw_text: str
    search_trace: list[Search]
    n_tool_call_errors: int
    usage: Usage
    finish_reason: str | None
