"""Any OpenAI-compatible chat completions endpoint: a vLLM server or a provider.

Attempts are bounded and errors classed (DESIGN §4): 408, 409, 425, 429, 5xx, broken connections and timeouts are tried again with
back-off; a request that the endpoint refuses to take (400, 413, 422) is not, nor is one that no request can pass (401, 402, 403, 404:
`ModelUnavailable`). The key comes from the environment variable that the model file names and goes into a header, nowhere else: it is
struck out of whatever the endpoint sends back, in every spelling (`config.key`). A dummy key stays in answers and goes out of errors.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import aiohttp

from inforce.config.key import AccessError, Key, public_address, read_address, read_key
from inforce.config.model import Endpoint, Model
from inforce.models.interface import ChatRequest, ChatResponse, ErrorClass, FinishReason, ModelUnavailable, ToolCall
from inforce.models.replies import failure, split_thinking
from inforce.records.answers import Usage
from inforce.records.files import canonical_json

RETRIED = {408, 409, 425, 429}  # and all from 500
CLOSED = {401, 402, 403, 404, 405}  # the same for every request: key, credit, permission, model name or address
FIRST_WAIT_S, LONGEST_WAIT_S = 0.5, 60.0
CONNECT_TIMEOUT_S = 30.0

# How servers say that a prompt is too long: OpenAI's code, vLLM, llama.cpp, TGI, Anthropic, Google, and plain words.
OVERFLOW = re.compile(
    r"context_length_exceeded|maximum context length|context (length|window|size|limit)|exceed_context_size|max_model_len|prompt is too long"
    r"|input (is )?too long|too many (input )?tokens|token count .{0,60}exceeds|inputs?`? tokens? .{0,40}must be <="
    r"|inputs`? must have less than|longer than the maximum model length",
    re.IGNORECASE,
)
REFUSED = re.compile(r"content[_ ](policy|filter|management)|responsibleaipolicy|safety system", re.IGNORECASE)
SURROGATE = re.compile("[\ud800-\udfff]")
FINISH: Mapping[str, FinishReason] = {
    "stop": "stop",
    "eos": "stop",
    "end_turn": "stop",
    "length": "length",
    "max_tokens": "length",
    "tool_calls": "tool_calls",
    "function_call": "tool_calls",
}


class EndpointModel:
    """A `ChatModel` over HTTP. At most `via.concurrency` requests are in flight, waits between attempts included."""

    def __init__(self, model: Model, model_name: str, *, key: Key | None = None) -> None:
        """key: the endpoint's key where it is the job's own and stands in no variable. Raises ModelUnavailable: no usable address or key."""
        assert isinstance(model.via, Endpoint)
        self._via, self._reasoning, self._checkpoint = model.via, model.reasoning, model.checkpoint
        self._file = f"config/models/{model_name}.yaml"
        try:
            self._url = f"{read_address(model.via.base_url, model.via.base_url_env)}/chat/completions"
            self.key = key or read_key(model.via.api_key_env)
        except AccessError as error:
            raise ModelUnavailable(f"{self._file}: {error}") from None
        self._proxy = proxy_for(self._url)
        self._session: aiohttp.ClientSession | None = None
        self._slots = asyncio.Semaphore(model.via.concurrency)
        self._draining = False

    async def complete(self, request: ChatRequest) -> ChatResponse:
        """Ask, at most `via.max_attempts` times. Raises ModelUnavailable if no request can pass, or if this one holds the key."""
        if self.key is not None and self.key.held_by(request.canonical):
            raise ModelUnavailable(
                f"{self._file}: a request would hold the key in {self._via.api_key_env}, and requests are stored; take it out of the model "
                "file, the prompts or the items"
            )
        name, body = request.sha256, json.dumps(request_body(request), ensure_ascii=False).encode("utf-8")
        async with self._slots:
            if self._draining:
                raise asyncio.CancelledError
            for attempt in range(1, self._via.max_attempts + 1):
                status, text, retry_after = await self._post(body)
                response = self._judge(name, status, text)
                if response.error_class != "transient" or attempt == self._via.max_attempts or self._draining:
                    break
                await asyncio.sleep(wait_before(name, attempt, retry_after))
        if response.error_class == "transient":
            response.error = f"{response.error}, in {attempt} attempts"
        return response

    def drain(self) -> None:
        """Begin no further request; those under way may come back."""
        self._draining = True

    async def close(self) -> None:
        """Close the connections."""
        if self._session is not None:
            await self._session.close()
            self._session = None

    async def _post(self, body: bytes) -> tuple[int | None, str, str | None]:
        """Status, body and Retry-After of one attempt; status null = no complete reply, and the text says why."""
        if self._session is None:
            headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {self.key.text}"} if self.key else {})
            timeout = aiohttp.ClientTimeout(total=self._via.timeout_s, sock_connect=min(CONNECT_TIMEOUT_S, self._via.timeout_s))
            connector = aiohttp.TCPConnector(limit=self._via.concurrency)
            self._session = aiohttp.ClientSession(headers=headers, timeout=timeout, connector=connector)
        try:
            async with self._session.post(self._url, data=body, allow_redirects=False, proxy=self._proxy) as reply:
                return reply.status, (await reply.read()).decode("utf-8", errors="replace"), reply.headers.get("Retry-After")
        except TimeoutError:
            return None, f"no reply within {self._via.timeout_s:g} s", None
        except (aiohttp.ClientError, OSError) as error:
            return None, f"the connection failed ({type(error).__name__})", None
        except ValueError as error:  # its words may hold the address or a header
            raise ModelUnavailable(
                f"{self._file}: a request cannot be sent to {public_address(self._url)} ({type(error).__name__}); check the address, and the "
                "proxy in the environment"
            ) from None

    def _judge(self, name: str, status: int | None, text: str) -> ChatResponse:
        """What one attempt means."""
        if status is None:
            return failure(name, "transient", text, {})
        body = _parsed(text)
        if self.key is not None and self.key.held_by(text):
            body, text = self.key.struck(body), self.key.struck(text)
        if status == 200 and isinstance(body, dict) and isinstance(body.get("error"), dict) and not body.get("choices"):
            status = _code_in(body["error"])  # some relays wrap an error in a 200
        if status == 200:
            return self._answer(name, body, text)
        if status in RETRIED or status >= 500:
            return failure(name, "transient", f"HTTP {status}", self._raw(status, body, text))
        message = _message(self._error(body), self._error(text))
        if status in CLOSED or 300 <= status < 400:
            raise ModelUnavailable(self._closed(status, message))
        kind: ErrorClass = "permanent"
        if OVERFLOW.search(text):
            kind = "context_overflow"
        elif REFUSED.search(text):
            kind = "refused"
        return failure(name, kind, f"HTTP {status}: {message}", self._raw(status, body, text))

    def _answer(self, name: str, body: Any, text: str) -> ChatResponse:
        """What a reply of status 200 means."""
        if not isinstance(body, dict) or not body.get("choices"):
            return failure(name, "transient", "a reply without choices", self._raw(200, body, text))
        try:
            response = read_reply(name, body, self._reasoning)
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            what = f"a reply that is not a chat completion ({type(error).__name__})"
            return failure(name, "permanent", what, self._raw(200, body, text))
        if self.key is not None:
            response.text = self.key.struck(response.text)  # a text that came in parts may hold it only now
        return response

    def _raw(self, status: int, body: Any, text: str) -> dict[str, Any]:
        """What is stored of a reply that is no answer."""
        return {"status": status, "body": self._error(body if body is not None else text)}

    def _error(self, said: Any) -> Any:
        """The endpoint's words about an error without the key, a dummy one included."""
        return said if self.key is None else self.key.struck_of_error(said)

    def _closed(self, status: int, message: str) -> str:
        where = public_address(self._url)
        said = f" ({message})" if message else ""
        if status in (401, 403):
            from_env = f"the key in {self._via.api_key_env}" if self._via.api_key_env else f"no key, for {self._file} names no api_key_env"
            return f"{where} answered {status} to {from_env}{said}; set the right key and run again, stored responses are kept"
        if status == 402:
            return f"{where} answered 402, no credit{said}; top it up and run again, stored responses are kept"
        return f"{where} answered {status} for model {self._checkpoint}{said}; check base_url and checkpoint in {self._file}"


def request_body(request: ChatRequest) -> dict[str, Any]:
    """The request in the form of the chat completions API. Fields of `extra_body` come last and win; a null there removes a field.

    An `extra_body` with `max_completion_tokens` replaces `max_tokens`, which newer OpenAI models do not take.
    """
    body: dict[str, Any] = {"model": request.checkpoint, "messages": request.messages, "max_tokens": request.max_output_tokens}
    body |= request.sampling
    if request.seed is not None:
        body["seed"] = request.seed
    if request.tools:
        body["tools"] = [{**tool, "function": {**tool["function"], "strict": True}} for tool in request.tools]
        body["tool_choice"] = "auto"
    if request.response_schema is not None:
        schema = {"name": "reply", "strict": True, "schema": request.response_schema}
        body["response_format"] = {"type": "json_schema", "json_schema": schema}
    body |= request.extra_body
    if request.extra_body.get("max_completion_tokens") is not None:
        del body["max_tokens"]
    return {key: value for key, value in body.items() if value is not None}


def read_reply(name: str, body: dict[str, Any], reasoning_in: str) -> ChatResponse:
    """A chat completion as a ChatResponse. reasoning_in: none | field | think_tags."""
    choice = body["choices"][0]
    message = choice.get("message") or {}
    finish = choice.get("finish_reason")
    usage = read_usage(body.get("usage"))
    if finish == "content_filter" or message.get("refusal"):
        why = "finish_reason content_filter" if finish == "content_filter" else "the reply's refusal field is set"
        return failure(name, "refused", why, body, usage)
    text, reasoning = _text(message.get("content")), None
    if reasoning_in == "field":
        reasoning = message.get("reasoning_content") or message.get("reasoning") or None
    elif reasoning_in == "think_tags":
        text, reasoning = split_thinking(text)
    calls = [_tool_call(call, number) for number, call in enumerate(message.get("tool_calls") or [])]
    return ChatResponse(
        request_sha256=name,
        text=text,
        reasoning=reasoning,
        tool_calls=calls,
        finish_reason=FINISH.get(finish or ""),
        usage=usage,
        error_class=None,
        error=None,
        raw=body,
    )


def read_usage(usage: Any) -> Usage:
    """Token counts, null where the endpoint reports none. Cached tokens are part of the input, reasoning tokens of the output."""
    if not isinstance(usage, dict):
        return Usage()
    read, written = usage.get("prompt_tokens_details") or {}, usage.get("completion_tokens_details") or {}
    cached = read.get("cached_tokens")
    return Usage(
        input_tokens=usage.get("prompt_tokens"),
        cached_tokens=usage.get("prompt_cache_hit_tokens") if cached is None else cached,
        output_tokens=usage.get("completion_tokens"),
        reasoning_tokens=written.get("reasoning_tokens"),
    )


def wait_before(name: str, attempt: int, retry_after: str | None) -> float:
    """Seconds to wait after attempt number `attempt` (from 1): doubling from half a second, times .5 to 1 by the request's name.

    A Retry-After in seconds is a lower bound; neither goes over a minute.
    """
    jitter = 0.5 + int(name[8 * (attempt % 8) : 8 * (attempt % 8) + 8], 16) / 2**33
    wait: float = min(FIRST_WAIT_S * 2 ** (attempt - 1), LONGEST_WAIT_S) * jitter
    try:
        asked = float(retry_after or 0)
    except ValueError:
        asked = 0.0  # a date; the doubling wait does as well
    return min(max(wait, asked), LONGEST_WAIT_S) if asked >= 0 else wait


def proxy_for(url: str) -> str | None:
    """The environment's proxy for an address, never for this machine: a cluster's proxy does not reach a job's own server.

    (aiohttp's `trust_env` would also send passwords from ~/.netrc, and keys are read from nowhere but the variable named.)
    """
    parts = urlsplit(url)
    host = parts.hostname or ""
    if host in ("localhost", "::1") or host.startswith("127.") or proxy_bypass(host):
        return None
    return getproxies().get(parts.scheme)


def _parsed(text: str) -> Any:
    """A body as JSON that the store can hold, null if it is no JSON: NaN becomes null, and half a surrogate pair, which some servers send
    where the token limit cut a letter in two, U+FFFD.
    """
    try:
        body = json.loads(text, parse_constant=lambda _: None)
    except ValueError:
        return None
    return json.loads(SURROGATE.sub("\ufffd", json.dumps(body, ensure_ascii=False))) if "\\ud" in text.lower() else body


def _message(body: Any, text: str) -> str:
    """The endpoint's words about an error, on one line, at most 300 characters."""
    error = body.get("error", body) if isinstance(body, dict) else text
    if isinstance(error, dict):
        error = error.get("message") or error.get("detail") or canonical_json(error)
    return " ".join(str(error).split())[:300]


def _code_in(error: dict[str, Any]) -> int:
    code = str(error.get("code") or error.get("status") or "")
    return int(code) if code.isdigit() and 100 <= int(code) < 600 and int(code) != 200 else 500


def _text(content: Any) -> str:
    if isinstance(content, list):
        return "".join(part.get("text") or "" for part in content if isinstance(part, dict))
    return content or ""


def _tool_call(call: dict[str, Any], number: int) -> ToolCall:
    function = call.get("function") or {}
    arguments = function.get("arguments")
    return ToolCall(
        id=call.get("id") or f"call_{number}",
        name=function.get("name") or "",
        arguments=arguments if isinstance(arguments, str) else canonical_json(arguments if arguments is not None else {}),
    )
