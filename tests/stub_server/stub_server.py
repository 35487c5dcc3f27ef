"""A real OpenAI-compatible server for tests: answers in form, at a given pace, and fails on command.

    python tests/stub_server/stub_server.py --port 0 --log requests.jsonl --delay 0.05 --fail-script '[{"match": "", "first": 2, "do": "500"}]'

Prints `port N` on its first line. Each request is one line of the log: {"n": number, "body": {...}, "did": "answer" | rule's name}, written
before the reply. The reply is a valid instance of the response schema, chosen by the sha256 of the request's body, so that equal requests
get equal replies. With tools, the first turn calls the first tool; once the messages hold a tool's result, the reply is the answer.

The fail script is a list of rules; the first that applies decides:
  {"match": TEXT in the request body ("" = any), "first": N (only its first N uses; absent = always), "do": WHAT, ...}
WHAT: "429" (with "retry_after": seconds), "500", "503", "400", "401", "404", "422", "overflow", "filter", "refusal", "drop" (close the
connection), "hang" ("seconds"), "malformed_tool_call", "two_tool_calls", "unparsed" (plain words), "truncated" (half of the reply, finish
length), "think" (reasoning in <think> tags), "think_only" (unclosed <think>, finish length), "reasoning" (in reasoning_content), "empty",
"text" ("text": the reply's content), "not_json".

POST /v1/embeddings gives each text 8 numbers (or `dimensions`) from its sha256, in reverse order of the texts, as the index allows; the
same log and fail script hold, with "one_short" (a vector too few) besides.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import os
import sys
from collections.abc import Callable
from typing import Any

from aiohttp import web

WORDS = [
    "the",
    "section",
    "in",
    "force",
    "on",
    "that",
    "day",
    "governs",
    "this",
    "claim",
    "and",
    "the",
    "appeal",
    "is",
    "dismissed",
    "with",
    "costs",
    "to",
    "the",
    "other",
    "party",
]
ERRORS: dict[str, tuple[int, str]] = {
    "429": (429, "Rate limit reached"),
    "500": (500, "internal error"),
    "503": (503, "overloaded"),
    "400": (400, "temperature: should be a number"),
    "401": (401, "Incorrect API key provided: {key}"),
    "404": (404, "The model does not exist"),
    "422": (422, "unprocessable"),
    "overflow": (400, "This model's maximum context length is 8192 tokens. However, your request has 9000 input tokens."),
}


class Draw:
    """Numbers from a hash: the same seed gives the same reply."""

    def __init__(self, seed: str) -> None:
        self.seed, self.count = seed, 0

    def below(self, n: int) -> int:
        self.count += 1
        return int(hashlib.sha256(f"{self.seed}/{self.count}".encode()).hexdigest()[:12], 16) % max(1, n)


def instance(schema: dict[str, Any], draw: Draw, root: dict[str, Any] | None = None) -> Any:
    """A value that fits the schema: objects, arrays, strings, enums, constants, numbers, null, anyOf/oneOf and $ref."""
    root = root if root is not None else schema
    if "$ref" in schema:
        target: Any = root
        for part in schema["$ref"].removeprefix("#/").split("/"):
            target = target[part]
        return instance(target, draw, root)
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return schema["enum"][draw.below(len(schema["enum"]))]
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return instance(schema[key][draw.below(len(schema[key]))], draw, root)
    kind = schema.get("type", "object")
    if isinstance(kind, list):
        kind = kind[draw.below(len(kind))]
    if kind == "object":
        return {name: instance(part, draw, root) for name, part in schema.get("properties", {}).items()}
    if kind == "array":
        if "prefixItems" in schema:
            return [instance(part, draw, root) for part in schema["prefixItems"]]
        least = schema.get("minItems", 0)
        most = min(schema.get("maxItems", least + 2), least + 2)
        return [instance(schema.get("items", {"type": "string"}), draw, root) for _ in range(least + draw.below(most - least + 1))]
    if kind == "string":
        text = " ".join(WORDS[draw.below(len(WORDS))] for _ in range(3 + draw.below(6)))
        text = text[: schema.get("maxLength", 200)]
        return text.ljust(schema.get("minLength", 0), "x")
    if kind in ("integer", "number"):
        low = schema.get("minimum", 0)
        high = schema.get("maximum", low + 9)
        return low + draw.below(int(high - low) + 1)
    if kind == "boolean":
        return bool(draw.below(2))
    return None


class Stub:
    """The server's state: the log, how often each rule was used, and how many requests are in flight."""

    def __init__(self, log: str, delay: float, rules: list[dict[str, Any]]) -> None:
        self.fd = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        self.delay, self.rules, self.used, self.count = delay, rules, [0] * len(rules), 0
        self.in_flight = self.most_in_flight = 0

    def rule_for(self, text: str) -> dict[str, Any]:
        for number, rule in enumerate(self.rules):
            if rule.get("match", "") in text and self.used[number] < rule.get("first", float("inf")):
                self.used[number] += 1
                return rule
        return {"do": "answer"}

    async def chat(self, request: web.Request) -> web.StreamResponse:
        return await self.serve(request, self.reply)

    async def embeddings(self, request: web.Request) -> web.StreamResponse:
        return await self.serve(request, self.vectors)

    async def serve(self, request: web.Request, reply: Callable[..., web.StreamResponse]) -> web.StreamResponse:
        data = await request.read()
        body = json.loads(data)
        rule = self.rule_for(data.decode())
        self.count += 1
        os.write(self.fd, (json.dumps({"n": self.count, "body": body, "did": rule["do"]}, ensure_ascii=False) + "\n").encode())
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        try:
            await asyncio.sleep(rule.get("seconds", 3600) if rule["do"] == "hang" else self.delay)
            return reply(request, body, data, rule)
        finally:
            self.in_flight -= 1

    def vectors(self, request: web.Request, body: dict[str, Any], data: bytes, rule: dict[str, Any]) -> web.StreamResponse:
        if rule["do"] not in ("answer", "one_short", "hang"):
            return self.reply(request, body, data, rule)
        rows = []
        for number, text in enumerate(body["input"]):
            digest = hashlib.sha512(text.encode()).digest()
            rows.append({"object": "embedding", "index": number, "embedding": [byte - 128 for byte in digest[: body.get("dimensions", 8)]]})
        rows.reverse()
        if rule["do"] == "one_short":
            rows.pop()
        return web.json_response({"object": "list", "model": body["model"], "data": rows, "usage": {"prompt_tokens": len(data) // 4}})

    def reply(self, request: web.Request, body: dict[str, Any], data: bytes, rule: dict[str, Any]) -> web.StreamResponse:
        do = rule["do"]
        if do == "drop":
            assert request.transport is not None
            request.transport.abort()
            return web.Response()
        if do == "not_json":
            return web.Response(text="<html>gateway</html>", content_type="text/html")
        if do in ERRORS:
            status, message = ERRORS[do]
            key = request.headers.get("Authorization", "").removeprefix("Bearer ")
            headers = {"Retry-After": str(rule["retry_after"])} if "retry_after" in rule else {}
            error = {"error": {"message": message.format(key=key), "type": "invalid_request_error", "code": None}}
            return web.json_response(error, status=status, headers=headers)
        name = hashlib.sha256(data).hexdigest()
        message, finish = self.message(body, rule, Draw(name))
        words = len((message["content"] or "").split())
        usage: dict[str, Any] = {"prompt_tokens": len(data) // 4, "completion_tokens": words, "total_tokens": len(data) // 4 + words}
        if do == "reasoning":
            usage |= {"prompt_tokens_details": {"cached_tokens": 8}, "completion_tokens_details": {"reasoning_tokens": 5}}
        choice = {"index": 0, "message": message, "finish_reason": finish}
        return web.json_response(
            {"id": f"stub-{name[:8]}", "object": "chat.completion", "model": body["model"], "choices": [choice], "usage": usage}
        )

    def message(self, body: dict[str, Any], rule: dict[str, Any], draw: Draw) -> tuple[dict[str, Any], str]:
        """The assistant's message and its finish reason."""
        do = rule["do"]
        if do == "filter":
            return {"role": "assistant", "content": ""}, "content_filter"
        if do == "refusal":
            return {"role": "assistant", "content": None, "refusal": "I cannot help with that."}, "stop"
        tools, results = body.get("tools"), [m for m in body["messages"] if m["role"] == "tool"]
        if tools and not results:
            function = tools[0]["function"]
            arguments = json.dumps(instance(function["parameters"], draw))
            if do == "malformed_tool_call":
                arguments = arguments[:-2]
            calls = [
                {"id": f"call_{n}", "type": "function", "function": {"name": function["name"], "arguments": arguments}}
                for n in range(2 if do == "two_tool_calls" else 1)
            ]
            return {"role": "assistant", "content": None, "tool_calls": calls}, "tool_calls"
        schema = body.get("response_format", {}).get("json_schema", {}).get("schema")
        text = json.dumps(instance(schema, draw)) if schema else " ".join(WORDS[draw.below(len(WORDS))] for _ in range(8))
        if do == "unparsed":
            text = "I am not able to give that as JSON."
        elif do == "truncated":
            return {"role": "assistant", "content": text[: len(text) // 2]}, "length"
        elif do == "think":
            text = f"<think>\nfirst I consider\n</think>\n\n{text}"
        elif do == "think_only":
            return {"role": "assistant", "content": "<think>\nI go on and on"}, "length"
        elif do == "empty":
            return {"role": "assistant", "content": ""}, "length"
        elif do == "text":
            text = rule["text"]
        reply = {"role": "assistant", "content": text}
        return (reply | {"reasoning_content": "first I consider"} if do == "reasoning" else reply), "stop"


async def serve(port: int, stub: Stub) -> None:
    app = web.Application(client_max_size=1 << 28)
    app.router.add_post("/v1/chat/completions", stub.chat)
    app.router.add_post("/v1/embeddings", stub.embeddings)
    app.router.add_get("/v1/models", lambda _: _json({"object": "list", "data": [{"id": "stub"}]}))
    app.router.add_get("/health", lambda _: _json({"status": "ok", "most_in_flight": stub.most_in_flight, "count": stub.count}))
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", port, backlog=1024)
    await site.start()
    sockets = site._server.sockets  # type: ignore[union-attr]
    print(f"port {sockets[0].getsockname()[1]}", flush=True)
    await asyncio.Event().wait()


async def _json(value: dict[str, Any]) -> web.Response:
    return web.json_response(value)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--log", required=True)
    parser.add_argument("--delay", type=float, default=0.0, help="seconds before each reply")
    parser.add_argument("--fail-script", default="[]", help="JSON list of rules, see above")
    args = parser.parse_args()
    try:
        asyncio.run(serve(args.port, Stub(args.log, args.delay, json.loads(args.fail_script))))
    except KeyboardInterrupt:
        sys.exit(0)


if __name__ == "__main__":
    main()
