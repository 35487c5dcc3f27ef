"""What every way to a model does with a reply: failures in one form, reasoning split from the answer."""

from __future__ import annotations

from typing import Any

from inforce.models.interface import ChatResponse, ErrorClass
from inforce.records.answers import Usage


def failure(name: str, kind: ErrorClass, error: str, raw: dict[str, Any], usage: Usage | None = None) -> ChatResponse:
    """A response with an error class, and therefore without text. name: the request's sha256."""
    return ChatResponse(
        request_sha256=name,
        text="",
        reasoning=None,
        tool_calls=[],
        finish_reason=None,
        usage=usage or Usage(),
        error_class=kind,
        error=error,
        raw=raw,
    )


def split_thinking(text: str) -> tuple[str, str | None]:
    """Answer and reasoning of a text that begins with <think>…</think> blocks.

    A block that is never closed ate the whole budget: all of it is reasoning. A closing tag without an opening one means that the
    opening tag was part of the prompt.
    """
    thoughts: list[str] = []
    rest = text
    while (stripped := rest.lstrip()).startswith("<think>"):
        thought, _, rest = stripped.removeprefix("<think>").partition("</think>")
        thoughts.append(thought.strip())
    if not thoughts and "</think>" in rest:
        thought, _, rest = rest.partition("</think>")
        thoughts.append(thought.strip())
    return (rest.lstrip(), "\n\n".join(thoughts)) if thoughts else (text, None)
