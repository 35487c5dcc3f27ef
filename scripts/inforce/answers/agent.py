"""From an item to its answer: one request where the texts are given, a loop of searches where the model has the search tool.

The harness runs the searches, hands back what they return, hands back an error where a call cannot be run, and takes the tool away when
the searches are used up. It never puts a search into a model's mouth.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Protocol

from inforce.answers.reply import UnparsedError, clean, find_object
from inforce.answers.schema import TOOL_NAME, search_tool, turn_schema
from inforce.config.protocol import Reply
from inforce.models.interface import ChatRequest, ChatResponse, ToolCall
from inforce.records.answers import Answer, Search, SubAnswer, Usage
from inforce.records.items import Item
from inforce.records.status import Setting, Status

MAX_TOOL_CALL_ERRORS = 5  # calls of one item that cannot be run; the last of them ends the item as tool_call_error

_ERRORS: dict[str, Status] = {
    "context_overflow": "context_overflow",
    "refused": "refused",
    "permanent": "endpoint_error",
    "transient": "endpoint_error",
}


class Asked(Protocol):
    """What this module needs of inforce.models.open.StoredModel."""

    def build_request(
        self,
        messages: list[dict[str, Any]],
        *,
        tools: list[dict[str, Any]] | None = None,
        response_schema: dict[str, Any] | None = None,
        seed_name: str,
        sample: int,
    ) -> ChatRequest:
        """The whole request."""

    async def complete(self, request: ChatRequest) -> ChatResponse:
        """The response, stored or new."""


class Task(Protocol):
    """What a task says: how an item becomes messages, what form the reply has, how it is read. Its words are in `prompts`."""

    prompts: Any
    reply: Reply

    def messages(self, item: Item, setting: Setting, tools: str, max_searches: int) -> list[dict[str, Any]]:
        """The first messages."""

    def schema(self, item: Item, setting: Setting) -> dict[str, Any]:
        """JSON Schema of the answer."""

    def parse(self, text: str, item: Item, setting: Setting) -> list[SubAnswer]:
        """The answers in a reply. Raises UnparsedError."""


class Found(Protocol):
    """What a search returns, each."""

    @property
    def version_uri(self) -> str:
        """The version's name."""


Searcher = Callable[[str], Awaitable[Sequence[Found]]]


class Talk:
    """One item's conversation with a model: messages so far, requests made, tokens used, searches run."""

    def __init__(self, model: Asked, messages: list[dict[str, Any]], seed_name: str, sample: int) -> None:
        self._model, self._seed_name, self._sample = model, seed_name, sample
        self.messages = messages
        self.names: list[str] = []
        self.usages: list[Usage] = []
        self.trace: list[Search] = []
        self.n_errors = 0
        self.n_calls = 0
        self.last: ChatResponse | None = None

    async def turn(self, tools: list[dict[str, Any]] | None, schema: dict[str, Any] | None) -> ChatResponse:
        """Ask with the messages so far. The seed's name counts the turns, so that equal turns draw anew."""
        request = self._model.build_request(
            [dict(message) for message in self.messages],
            tools=tools,
            response_schema=schema,
            seed_name=f"{self._seed_name}/{len(self.names) + 1}",
            sample=self._sample,
        )
        self.last = await self._model.complete(request)
        self.names.append(request.sha256)
        self.usages.append(self.last.usage)
        return self.last

    def say(self, role: str, content: str, **more: object) -> None:
        """Add a message."""
        self.messages.append({"role": role, "content": clean(content), **more})


class EndedError(RuntimeError):
    """The item has ended without an answer."""

    def __init__(self, status: Status, detail: str) -> None:
        super().__init__(detail)
        self.status, self.detail = status, detail


async def answer_item(
    item: Item,
    *,
    task: Task,
    model: Asked,
    model_name: str,
    setting: Setting,
    sample: int,
    tools: str,
    search: Searcher | None,
    max_searches: int,
    constrained: bool,
) -> Answer:
    """One model's answer to an item.

    tools: "native" or "action_protocol", how the model calls the tool; search: the tool, null in settings without one.
    constrained: the model takes a JSON Schema. Raises what the model raises where nothing can be asked at all.
    """
    # the seed's name has no run in it: runs that ask the same share the response
    talk = Talk(model, task.messages(item, setting, tools, max_searches), f"{model_name}/{setting}/{sample}/{item.id}", sample)
    status: Status = "ok"
    detail: str | None = None
    answers: list[SubAnswer] = []
    try:
        if search is None:
            text = _text(await talk.turn(None, task.schema(item, setting)))
        else:
            loop = _native if tools == "native" else _actions
            text = await loop(talk, item, task, setting, search, max_searches)
        answers = await _read(talk, text, item, task, setting, again=constrained and search is not None and tools == "native")
    except EndedError as end:
        status, detail = end.status, end.detail
    except UnparsedError as error:
        status, detail = "unparsed", str(error)
    return _answer(item, model_name, setting, sample, status, detail, answers, talk)


def total_usage(usages: list[Usage]) -> Usage:
    """Tokens over all requests; null where none of them reported any."""
    sums: dict[str, int | None] = {}
    for field in Usage.model_fields:
        known = [value for usage in usages if (value := getattr(usage, field)) is not None]
        sums[field] = sum(known) if known else None
    return Usage(**sums)


async def _native(talk: Talk, item: Item, task: Task, setting: Setting, search: Searcher, max_searches: int) -> str:
    """Let the model call the tool until it answers. No schema while it may search: engines would force an answer at once."""
    definition = [search_tool(task.prompts.render("tool"), task.prompts.render("tool_query"))]
    while True:
        may_search = len(talk.trace) < max_searches
        response = await talk.turn(definition if may_search else None, None if may_search else task.schema(item, setting))
        if response.error_class is not None or not response.tool_calls:
            return _text(response)
        for call, name in zip(response.tool_calls, _echo_calls(talk, response), strict=True):
            words = await _run_call(talk, call, task, search, max_searches) if may_search else _error(talk, task, "none_left", call.name)
            talk.say("tool", words, tool_call_id=name)


async def _actions(talk: Talk, item: Item, task: Task, setting: Setting, search: Searcher, max_searches: int) -> str:
    """The same for a model without tool calls: each turn is a JSON object, a search or the answer."""
    while True:
        may_search = len(talk.trace) < max_searches
        text = _text(await talk.turn(None, turn_schema(item.n_sub_questions, task.reply, may_search)))
        action = find_object(text, "action", "answers")
        if "answers" in action:
            return text
        talk.say("assistant", text)
        if action["action"] != "search":
            words = _error(talk, task, "unknown_tool", str(action["action"]))
        elif not may_search:
            words = _error(talk, task, "none_left", "search")
        elif not isinstance(action.get("query"), str):
            words = _error(talk, task, "malformed", text)
        else:
            words = await _run_query(talk, action["query"], task, search, max_searches)
        talk.say("user", words)


async def _run_call(talk: Talk, call: ToolCall, task: Task, search: Searcher, max_searches: int) -> str:
    """What the tool says to a call: results, or what was wrong with the call."""
    if call.name != TOOL_NAME:
        return _error(talk, task, "unknown_tool", call.name)
    query = _query_of(call)
    return _error(talk, task, "malformed", call.arguments) if query is None else await _run_query(talk, query, task, search, max_searches)


async def _run_query(talk: Talk, query: str, task: Task, search: Searcher, max_searches: int) -> str:
    query = clean(query).strip()
    if not query:
        return _error(talk, task, "empty_query", "")
    if len(talk.trace) >= max_searches:  # a call beyond the last one, in the same turn
        return str(task.prompts.render("no_searches"))
    results = await search(query)
    talk.trace.append(Search(query=query, version_uris=[result.version_uri for result in results]))
    left = max_searches - len(talk.trace)
    words = str(task.prompts.render("results", query=query, results=results, searches_left=left))
    return words if left else f"{words}\n\n{task.prompts.render('no_searches')}"


def _error(talk: Talk, task: Task, kind: str, given: str) -> str:
    """Count a call that cannot be run and say why. Raises EndedError when there were too many."""
    talk.n_errors += 1
    if talk.n_errors >= MAX_TOOL_CALL_ERRORS:
        raise EndedError(
            "tool_call_error",
            f"{talk.n_errors} calls of the search tool could not be run; the last one: {kind} {clean(given)[:200]}".rstrip(),
        )
    return str(task.prompts.render("error", kind=kind, given=clean(given)[:200], tool_name=TOOL_NAME))


def _query_of(call: ToolCall) -> str | None:
    try:
        arguments = json.loads(call.arguments)
    except (ValueError, RecursionError):
        return None
    query = arguments.get("query") if isinstance(arguments, dict) else None
    return query if isinstance(query, str) else None


def _echo_calls(talk: Talk, response: ChatResponse) -> list[str]:
    """Put the model's calls into the messages, under names of our own; the names are returned.

    An engine's random ids would give every repetition another request name; nine letters and digits is what the strictest
    chat template takes. Arguments that are no JSON object would make an engine refuse the whole conversation: they are left out here, and
    the error handed back quotes them.
    """
    calls = []
    for call in response.tool_calls:
        talk.n_calls += 1
        arguments = clean(call.arguments) if _is_object(call.arguments) else "{}"
        calls.append({"id": f"call{talk.n_calls:05d}", "type": "function", "function": {"name": clean(call.name), "arguments": arguments}})
    talk.say("assistant", response.text, tool_calls=calls)
    return [str(call["id"]) for call in calls]


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


async def _read(talk: Talk, text: str, item: Item, task: Task, setting: Setting, again: bool) -> list[SubAnswer]:
    """The answers in the text. again: ask once more, held to the schema, if the text is not of the form.

    Turns with native tools cannot be held to the schema, all other replies are; without this, models with tool calls alone would lose
    answers to their form.
    """
    try:
        return task.parse(text, item, setting)
    except UnparsedError as error:
        if not again or talk.last is None or talk.last.finish_reason == "length":
            raise
        talk.say("assistant", text)
        talk.say("user", task.prompts.render("again", reason=str(error)))
        return task.parse(_text(await talk.turn(None, task.schema(item, setting))), item, setting)


def _text(response: ChatResponse) -> str:
    """The reply's text. Raises EndedError where there is none to read."""
    if response.error_class is not None:
        raise EndedError(_ERRORS[response.error_class], clean(response.error or response.error_class))
    if response.finish_reason == "length" and not response.text.strip():
        raise EndedError("empty_at_limit", "the reply's tokens were used up before the answer began")
    return response.text


def _answer(
    item: Item, model_name: str, setting: Setting, sample: int, status: Status, detail: str | None, answers: list[SubAnswer], talk: Talk
) -> Answer:
    return Answer(
        item_id=item.id,
        model=model_name,
        setting=setting,
        sample=sample,
        status=status,
        detail=detail,
        request_sha256=talk.names,
        sub_answers=answers,
        raw_text=clean(talk.last.text) if talk.last else "",
        search_trace=talk.trace,
        n_tool_call_errors=talk.n_errors,
        usage=total_usage(talk.usages),
        finish_reason=talk.last.finish_reason if talk.last else None,
    )
