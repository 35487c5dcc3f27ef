"""One small interface for every way a request can reach a model (DESIGN §4)."""

from __future__ import annotations

import functools
from typing import Any, Literal, Protocol

from pydantic import BaseModel, ConfigDict

from inforce.records.answers import Usage
from inforce.records.files import canonical_json, sha256_text

FinishReason = Literal["stop", "length", "tool_calls"]
ErrorClass = Literal["context_overflow", "refused", "permanent", "transient"]


class ChatRequest(BaseModel):
    """Everything that decides an answer, and nothing else: its canonical JSON is hashed into the request's name."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    checkpoint: str
    revision: str
    engine: str  # with version, e.g. "transformers 5.24.0 bfloat16"
    engine_args: list[str]
    messages: list[dict[str, Any]]  # rendered, OpenAI chat form, tool calls and tool results included
    tools: list[dict[str, Any]] | None
    response_schema: dict[str, Any] | None  # JSON Schema that constrains the reply
    sampling: dict[str, float | int]  # model card values that are set; temperature 0 for judges
    extra_body: dict[str, Any]
    max_output_tokens: int
    seed: int | None
    sample: int

    @functools.cached_property
    def canonical(self) -> str:
        """Its canonical JSON; made once, for a request is named, sent and stored. Make a changed request anew, not with model_copy."""
        return canonical_json(self.model_dump(mode="json"))

    @functools.cached_property
    def sha256(self) -> str:
        """The request's name in the store."""
        return sha256_text(self.canonical)


class ToolCall(BaseModel):
    """One call that the model made; `arguments` is the JSON text as the model wrote it, valid or not."""

    model_config = ConfigDict(extra="forbid")

    id: str
    name: str
    arguments: str


class ChatResponse(BaseModel):
    """What came back. A response with an error never has text: an error's words never become an answer."""

    model_config = ConfigDict(extra="forbid")

    request_sha256: str
    text: str  # the answer, reasoning already split off
    reasoning: str | None
    tool_calls: list[ToolCall]
    finish_reason: FinishReason | None
    usage: Usage
    error_class: ErrorClass | None
    error: str | None
    raw: dict[str, Any]  # the body as received


class ChatModel(Protocol):
    """A way to a model. Bounded attempts always: `complete` returns a response with an error class, it does not hang."""

    async def complete(self, request: ChatRequest) -> ChatResponse:
        """Ask once (with the way's own retries) and return what came back."""

    async def close(self) -> None:
        """Release connections and weights. Safe to call twice."""


class MissingResponse(RuntimeError):  # noqa: N818
    """A stored-only run met a request whose response the store does not hold."""


class ModelUnavailable(RuntimeError):  # noqa: N818
    """Nothing can be asked at all: no key, a wrong key, no address, no weights. The message is one sentence with the remedy."""
