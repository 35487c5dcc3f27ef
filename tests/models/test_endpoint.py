"""A real server that fails in every way that endpoints fail, and bodies as endpoints send them."""

import asyncio
import base64
import json
import logging
import time
import urllib.request
from collections import Counter
from urllib.parse import quote

import aiohttp
import pytest
from aiohttp import web
from models.asking import ask_all, endpoint, message, number_in, request

from inforce.config.key import Key
from inforce.models.endpoint import EndpointModel, proxy_for, request_body, wait_before
from inforce.models.interface import ModelUnavailable
from inforce.models.open import open_model
from inforce.records.answers import Usage

SCHEMA = {"type": "object", "properties": {"verdict": {"type": "string"}}, "required": ["verdict"], "additionalProperties": False}
TOOL = {"type": "function", "function": {"name": "search", "parameters": {"type": "object", "properties": {"query": {"type": "string"}}}}}
NAME = "0123456789abcdef" * 4


def complete(model, *requests):
    """Ask an EndpointModel all at once."""

    async def run():
        way = EndpointModel(model, "m")
        try:
            return await asyncio.gather(*(way.complete(one) for one in requests))
        finally:
            await way.close()
            await way.close()

    return asyncio.run(run())


def sent(body, *, status=200, headers=None, changes=None):
    """The response to one request whose reply has exactly this body (a JSON value, or text), over HTTP."""

    async def reply(_):
        text = body if isinstance(body, str) else json.dumps(body)
        return web.Response(body=text.encode(), status=status, content_type="application/json", headers=headers)

    async def run():
        app = web.Application()
        app.router.add_post("/v1/chat/completions", reply)
        runner = web.AppRunner(app)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        port = site._server.sockets[0].getsockname()[1]
        way = EndpointModel(endpoint(f"http://127.0.0.1:{port}/v1", **({"via": {"max_attempts": 1}} | (changes or {}))), "m")
        try:
            return await way.complete(request())
        finally:
            await way.close()
            await runner.cleanup()

    return asyncio.run(run())


def completion(message, finish="stop", **more):
    return {"choices": [{"index": 0, "message": message, "finish_reason": finish}], **more}


# ---- attempts


TROUBLE = ["429", "500", "503", "drop", "not_json"]


def did(server, do):
    """What the server did with the requests that name this trouble."""
    return [line["did"] for line in server.lines() if line["body"]["messages"][0]["content"] == f"item {do}"]


def test_passing_trouble_is_tried_again_with_back_off(stub_server):
    server = stub_server(fail=[{"match": f"item {do}", "do": do, "first": 2} for do in TROUBLE])
    asked = [request(f"item {do}") for do in TROUBLE]
    began = time.monotonic()
    answers = complete(endpoint(server.base_url), *asked)
    assert all(answer.error_class is None and answer.text for answer in answers)
    assert [did(server, do) for do in TROUBLE] == [[do, do, "answer"] for do in TROUBLE]
    assert time.monotonic() - began >= max(wait_before(one.sha256, 1, None) + wait_before(one.sha256, 2, None) for one in asked)


def test_attempts_are_bounded_and_end_as_transient_without_text(stub_server):
    server = stub_server(fail=[{"match": f"item {do}", "do": do} for do in TROUBLE])
    answers = complete(endpoint(server.base_url, via={"max_attempts": 2}), *(request(f"item {do}") for do in TROUBLE))
    said = ["HTTP 429", "HTTP 500", "HTTP 503", "the connection failed", "a reply without choices"]
    for answer, words in zip(answers, said, strict=True):
        assert (answer.error_class, answer.text, answer.finish_reason) == ("transient", "", None)
        assert words in answer.error and answer.error.endswith("in 2 attempts")
    assert [did(server, do) for do in TROUBLE] == [[do, do] for do in TROUBLE]


def test_a_silent_server_is_given_up_in_time(stub_server):
    server = stub_server(fail=[{"match": "", "do": "hang", "seconds": 60, "first": 2}])
    (answer,) = complete(endpoint(server.base_url, via={"timeout_s": 0.2, "max_attempts": 1}), request())
    assert (answer.error_class, answer.error) == ("transient", "no reply within 0.2 s, in 1 attempts")
    began = time.monotonic()
    (answer,) = complete(endpoint(server.base_url, via={"timeout_s": 1}), request())
    assert answer.error_class is None and 1 <= time.monotonic() - began < 20


def test_no_server_at_all_is_transient():
    (answer,) = complete(endpoint("http://127.0.0.1:9/v1", via={"max_attempts": 1}), request())
    assert answer.error_class == "transient" and answer.text == ""


def test_a_request_that_is_refused_as_wrong_is_not_tried_again(stub_server):
    server = stub_server(fail=[{"match": f"item {do}", "do": do} for do in ("400", "422")])
    for do, answer in zip(("400", "422"), complete(endpoint(server.base_url), request("item 400"), request("item 422")), strict=True):
        assert (answer.error_class, answer.text) == ("permanent", "") and answer.error.startswith(f"HTTP {do}: ")
        assert answer.raw["status"] == int(do) and did(server, do) == [do]


def test_retry_after_is_waited_for(stub_server):
    server = stub_server(fail=[{"match": "", "do": "429", "first": 1, "retry_after": 1.2}])
    began = time.monotonic()
    (answer,) = complete(endpoint(server.base_url), request())
    assert answer.error_class is None and time.monotonic() - began >= 1.2


def test_waits_by_hand():
    # the name's digits 8 to 15 are 89abcdef, a little over half of their range: jitter .5 + .5 * .5378
    assert wait_before(NAME, 1, None) == pytest.approx(0.5 * (0.5 + 0.5 * 0x89ABCDEF / 2**32))
    assert [2 ** (n - 2) / 2 <= wait_before(NAME, n, None) <= 2 ** (n - 2) for n in range(1, 8)] == [True] * 7
    assert wait_before(NAME, 40, None) <= 60
    assert wait_before(NAME, 1, "7") == 7 and wait_before(NAME, 1, "100000") == 60
    for odd in ("Fri, 31 Dec 1999 23:59:59 GMT", "-5", "nan", "0", ""):
        assert wait_before(NAME, 1, odd) == wait_before(NAME, 1, None)
    assert wait_before(NAME, 1, None) != wait_before(NAME[::-1], 1, None)


def test_no_more_requests_are_in_flight_than_the_model_file_says(stub_server):
    server = stub_server(delay=0.03, fail=[{"match": "item-3", "do": "500", "first": 1}])
    answers = complete(endpoint(server.base_url, via={"concurrency": 5}), *(request(f"item-{n}") for n in range(40)))
    assert all(answer.error_class is None for answer in answers)
    with urllib.request.urlopen(server.base_url.removesuffix("/v1") + "/health", timeout=10) as reply:
        assert json.load(reply)["most_in_flight"] == 5


# ---- classes of errors

OVERFLOWS = [
    (400, {"error": {"message": "Please shorten the messages.", "type": "invalid_request_error", "code": "context_length_exceeded"}}),
    (
        400,
        {
            "error": {
                "message": "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens (8500 in the messages)."
            }
        },
    ),
    (400, {"object": "error", "message": "The decoder prompt (length 9000) is longer than the maximum model length of 8192.", "code": 400}),
    (
        400,
        {
            "error": {
                "code": 400,
                "message": "the request exceeds the available context size, try increasing it",
                "type": "exceed_context_size_error",
            }
        },
    ),
    (400, {"type": "error", "error": {"type": "invalid_request_error", "message": "prompt is too long: 208310 tokens > 200000 maximum"}}),
    (
        400,
        {
            "type": "error",
            "error": {"type": "invalid_request_error", "message": "input length and `max_tokens` exceed context limit: 9 + 8 > 16"},
        },
    ),
    (400, {"error": {"code": 400, "message": "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."}}),
    (
        422,
        {
            "error": "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 8740 `inputs` tokens",
            "error_type": "validation",
        },
    ),
    (422, {"error": "Input validation error: `inputs` must have less than 1024 tokens. Given: 1168", "error_type": "validation"}),
    (400, {"error": {"message": "The input (9000 tokens) is longer than the model's context length (8192 tokens)."}}),
    (413, {"error": {"message": "Input is too long for requested model."}}),
    (200, {"error": {"code": 400, "message": "maximum context length is 8192 tokens"}}),
]


@pytest.mark.parametrize(("status", "body"), OVERFLOWS)
def test_a_prompt_that_is_too_long_is_known_by_the_words_of_many_servers(status, body):
    answer = sent(body, status=status)
    assert (answer.error_class, answer.text) == ("context_overflow", "")


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (400, {"error": {"message": "temperature: should be a number"}}),
        (400, {"error": {"message": "max_tokens is too large"}}),
        (422, {"detail": [{"loc": ["body", "messages"], "msg": "field required"}]}),
        (400, "no JSON at all"),
        (400, {"error": None}),
        (400, []),
    ],
)
def test_other_complaints_are_permanent(status, body):
    answer = sent(body, status=status)
    assert (answer.error_class, answer.text) == ("permanent", "") and answer.error.startswith(f"HTTP {status}")


@pytest.mark.parametrize("status", [401, 402, 403, 404, 405, 301])
def test_what_no_request_can_pass_stops_the_run_with_a_remedy(status):
    with pytest.raises(ModelUnavailable, match=f"answered {status}") as caught:
        sent({"error": {"message": "no such thing"}}, status=status, headers={"Location": "http://127.0.0.1:9/"} if status == 301 else None)
    words = str(caught.value)
    assert "\n" not in words and "127.0.0.1" in words
    assert any(remedy in words for remedy in ("set the right key", "top it up", "check base_url and checkpoint in config/models/m.yaml"))


def test_refusals_of_a_served_model(stub_server):
    server = stub_server(fail=[{"match": f"item {do}", "do": do} for do in ("filter", "refusal")])
    for answer in complete(endpoint(server.base_url), request("item filter"), request("item refusal")):
        assert (answer.error_class, answer.text) == ("refused", "") and answer.usage.input_tokens > 0
    assert len(server.requests()) == 2


def test_a_prompt_stopped_by_a_provider_s_filter_is_a_refusal():
    body = {
        "error": {"code": "content_filter", "message": "The response was filtered due to the content management policy.", "status": 400}
    }
    assert sent(body, status=400).error_class == "refused"


@pytest.mark.parametrize(
    "body", ["<html>gateway</html>", "", {}, {"choices": []}, [], "null", {"error": {"code": 502, "message": "upstream"}}]
)
def test_a_200_without_a_reply_is_transient(body):
    answer = sent(body)
    assert (answer.error_class, answer.text) == ("transient", "")


@pytest.mark.parametrize(
    "body", [{"choices": ["x"]}, {"choices": [{"message": "x"}]}, completion({"content": "a"}, usage={"prompt_tokens": "many"})]
)
def test_a_200_of_another_form_is_permanent(body):
    answer = sent(body)
    assert (answer.error_class, answer.text) == ("permanent", "")


# ---- replies


def test_a_reply_in_form(stub_server):
    server = stub_server()
    (answer,) = complete(endpoint(server.base_url), request(response_schema=SCHEMA))
    assert list(json.loads(answer.text)) == ["verdict"]
    assert (answer.finish_reason, answer.error_class, answer.error, answer.tool_calls) == ("stop", None, None, [])
    assert answer.raw["object"] == "chat.completion" and answer.request_sha256 == request(response_schema=SCHEMA).sha256


def test_a_reply_cut_short_or_out_of_form_is_passed_on(stub_server):
    cases = {"truncated": ("length", True), "empty": ("length", False), "unparsed": ("stop", True)}
    server = stub_server(fail=[{"match": f"item {do}", "do": do} for do in cases])
    answers = complete(endpoint(server.base_url), *(request(f"item {do}", response_schema=SCHEMA) for do in cases))
    assert [(answer.finish_reason, bool(answer.text)) for answer in answers] == list(cases.values())
    assert {answer.error_class for answer in answers} == {None}


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        (None, Usage()),
        ({}, Usage()),
        ({"prompt_tokens": 5, "completion_tokens": 7}, Usage(input_tokens=5, output_tokens=7)),
        ({"prompt_tokens": 5, "prompt_tokens_details": None, "completion_tokens_details": None}, Usage(input_tokens=5)),
        (
            {
                "prompt_tokens": 50,
                "completion_tokens": 30,
                "prompt_tokens_details": {"cached_tokens": 8},
                "completion_tokens_details": {"reasoning_tokens": 20},
            },
            Usage(input_tokens=50, cached_tokens=8, output_tokens=30, reasoning_tokens=20),
        ),
        ({"prompt_tokens": 50, "prompt_tokens_details": {"cached_tokens": 0}}, Usage(input_tokens=50, cached_tokens=0)),
        (
            {"prompt_tokens": 50, "prompt_cache_hit_tokens": 40, "completion_tokens": 1},
            Usage(input_tokens=50, cached_tokens=40, output_tokens=1),
        ),
    ],
)
def test_usage_is_null_where_nothing_is_reported(usage, expected):
    assert sent(completion({"content": "a"}, usage=usage)).usage == expected


def test_cached_and_reasoning_tokens_of_a_served_model(stub_server):
    server = stub_server(fail=[{"match": "", "do": "reasoning"}])
    (answer,) = complete(endpoint(server.base_url, reasoning="field"), request())
    assert (answer.usage.cached_tokens, answer.usage.reasoning_tokens, answer.reasoning) == (8, 5, "first I consider")


def test_reasoning_in_think_tags_and_a_budget_spent_on_it(stub_server):
    server = stub_server(fail=[{"match": "item-1", "do": "think"}, {"match": "item-2", "do": "think_only"}])
    model = endpoint(server.base_url, reasoning="think_tags")
    done, spent = complete(model, request("item-1", response_schema=SCHEMA), request("item-2"))
    assert (done.reasoning, list(json.loads(done.text))) == ("first I consider", ["verdict"])
    assert (spent.text, spent.reasoning, spent.finish_reason) == ("", "I go on and on", "length")
    (kept,) = complete(endpoint(server.base_url), request("item-1"))
    assert kept.text.startswith("<think>") and kept.reasoning is None


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
def test_the_names_of_the_reasoning_field(field):
    answer = sent(completion({"content": "a", field: "why"}), changes={"reasoning": "field"})
    assert (answer.text, answer.reasoning) == ("a", "why")


def test_tool_calls_one_and_several_in_a_turn(stub_server):
    server = stub_server(fail=[{"match": "item-2", "do": "two_tool_calls"}, {"match": "item-3", "do": "malformed_tool_call"}])
    one, two, broken = complete(endpoint(server.base_url), *(request(f"item-{n}", tools=[TOOL]) for n in (1, 2, 3)))
    assert [call.name for call in one.tool_calls] == ["search"] and list(json.loads(one.tool_calls[0].arguments)) == ["query"]
    assert [call.id for call in two.tool_calls] == ["call_0", "call_1"] and (two.text, two.finish_reason) == ("", "tool_calls")
    with pytest.raises(ValueError):
        json.loads(broken.tool_calls[0].arguments)
    assert broken.error_class is None
    assert all(body["tools"][0]["function"]["strict"] is True for body in server.requests())


def test_tool_calls_in_odd_forms():
    calls = [{"function": {"name": "search", "arguments": {"b": 1, "a": "é"}}}, {"id": "x", "function": {"name": "search"}}, {}]
    answer = sent(completion({"content": None, "tool_calls": calls}, "tool_calls"))
    assert [(call.id, call.name, call.arguments) for call in answer.tool_calls] == [
        ("call_0", "search", '{"a":"é","b":1}'),
        ("x", "search", "{}"),
        ("call_2", "", "{}"),
    ]


def test_content_in_parts_and_finish_reasons_of_other_servers():
    assert sent(completion({"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]})).text == "ab"
    for finish, expected in [("eos", "stop"), ("max_tokens", "length"), ("function_call", "tool_calls"), ("something", None), (None, None)]:
        assert sent(completion({"content": "a"}, finish)).finish_reason == expected


def test_replies_that_json_can_hold_and_utf8_cannot_are_stored(tmp_path):
    """Half of an emoji, cut off by the token limit, comes from some servers as an escape; others send NaN as a probability."""
    for body in (
        '{"choices":[{"message":{"content":"a \\ud83d"},"finish_reason":"length"}]}',
        '{"choices":[{"message":{"content":"a"},"p":NaN}]}',
    ):
        answer = sent(body)
        assert answer.error_class is None and answer.text.startswith("a")

        async def store(answer=answer):
            asked = request()
            door = open_model(endpoint("http://x"), model_name="m", weights=None, responses=tmp_path, writer="w", stored_only=False)
            await door.store.append(asked.sha256, asked, answer)
            await door.close()

        asyncio.run(store())


# ---- the request as sent


def test_the_body_by_hand():
    asked = request(
        tools=[TOOL], response_schema=SCHEMA, sampling={"temperature": 0.5, "top_p": 0.9}, extra_body={"top_k": 20, "seed": None}
    )
    assert request_body(asked) == {
        "model": "stub",
        "messages": [{"role": "user", "content": "item-1"}],
        "max_tokens": 64,
        "temperature": 0.5,
        "top_p": 0.9,
        "tools": [{"type": "function", "function": {**TOOL["function"], "strict": True}}],
        "tool_choice": "auto",
        "response_format": {"type": "json_schema", "json_schema": {"name": "reply", "strict": True, "schema": SCHEMA}},
        "top_k": 20,
    }
    plain = request_body(request(sampling={}, seed=7))
    assert plain == {"model": "stub", "messages": [{"role": "user", "content": "item-1"}], "max_tokens": 64, "seed": 7}
    newer = request_body(request(sampling={}, seed=None, extra_body={"max_completion_tokens": 99}))
    assert "max_tokens" not in newer and newer["max_completion_tokens"] == 99


def test_the_server_gets_that_body(stub_server):
    server = stub_server()
    asked = request("มาตรา 1", response_schema=SCHEMA)
    complete(endpoint(server.base_url), asked)
    assert server.requests() == [request_body(asked)]


# ---- addresses and keys


def test_an_address_from_the_environment(stub_server, monkeypatch):
    server = stub_server()
    model = endpoint(None, via={"base_url_env": "INFORCE_TEST_URL"})
    with pytest.raises(ModelUnavailable, match=r"config/models/m.yaml: the environment variable INFORCE_TEST_URL is not set"):
        EndpointModel(model, "m")
    monkeypatch.setenv("INFORCE_TEST_URL", server.base_url + "/")
    assert complete(model, request())[0].error_class is None
    monkeypatch.setenv("INFORCE_TEST_URL", "user:secret@host/v1")
    with pytest.raises(ModelUnavailable, match="http:// or https://") as caught:
        EndpointModel(model, "m")
    assert "secret" not in str(caught.value)


def test_this_machine_is_reached_past_a_proxy(monkeypatch, stub_server):
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    assert proxy_for("http://127.0.0.1:8000/v1") is None and proxy_for("http://localhost/v1") is None
    assert proxy_for("http://models.example/v1") == "http://127.0.0.1:9"
    server = stub_server()
    assert complete(endpoint(server.base_url), request())[0].error_class is None


def test_a_missing_key_is_named_before_anything_is_asked(monkeypatch):
    monkeypatch.delenv("INFORCE_TEST_KEY", raising=False)
    with pytest.raises(ModelUnavailable, match=r"config/models/m.yaml: the environment variable INFORCE_TEST_KEY is not set"):
        EndpointModel(endpoint("http://127.0.0.1:9/v1", via={"api_key_env": "INFORCE_TEST_KEY"}), "m")


def test_the_key_is_sent_and_is_nowhere_else(tmp_path, stub_server, monkeypatch, capfd, caplog):
    """A marked key: in no stored line, no exception, no log, no output, though the server sends it back."""
    marked = "marked-key-5f1c-93aa"
    monkeypatch.setenv("INFORCE_TEST_KEY", f" {marked}\n")
    caplog.set_level(logging.DEBUG)
    via = {"api_key_env": "INFORCE_TEST_KEY", "max_attempts": 2}
    server = stub_server(fail=[{"match": "<item-1>", "do": "401"}, {"match": "<item-2>", "do": "400"}, {"match": "<item-3>", "do": "500"}])
    texts = []
    for number in range(4):
        door = open_model(
            endpoint(server.base_url, via=via),
            model_name="stub",
            weights=None,
            responses=tmp_path / "responses",
            writer="w",
            stored_only=False,
        )
        try:
            texts += [answer.model_dump_json() for answer in asyncio.run(ask_all(door, [message(number)]))]
        except ModelUnavailable as error:
            texts += [str(error), repr(error), repr(error.__cause__), repr(error.__context__)]
            assert "Incorrect API key provided: [key]" in str(error) and "the key in INFORCE_TEST_KEY" in str(error)
    assert Counter(number_in(body) for body in server.requests()) == Counter({0: 1, 1: 1, 2: 1, 3: 2})

    async def echo(asked):  # a server that sends all headers back
        got.append(asked.headers["Authorization"])
        return web.json_response({"error": {"message": f"bad request with {dict(asked.headers)}"}}, status=400)

    async def run():
        app = web.Application()
        app.router.add_post("/v1/chat/completions", echo)
        runner = web.AppRunner(app)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        url = f"http://127.0.0.1:{site._server.sockets[0].getsockname()[1]}/v1"
        door = open_model(
            endpoint(url, via=via), model_name="stub", weights=None, responses=tmp_path / "responses", writer="w", stored_only=False
        )
        answers = await ask_all(door, [message(9)])
        await runner.cleanup()
        return answers

    got = []
    (echoed,) = asyncio.run(run())
    assert got == [f"Bearer {marked}"] and "Bearer [key]" in echoed.error
    texts += [echoed.model_dump_json(), caplog.text, *capfd.readouterr()]
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert {"w.jsonl", "stub-0.jsonl"} <= {path.name for path in files}
    for path in files:
        assert marked.encode() not in path.read_bytes(), path
    for text in texts:
        assert marked not in text


ESCAPES = {
    "slash": lambda key: key.replace("/", "\\/"),
    "hex": lambda key: key.replace("/", "\\/").replace("+", "\\u002B"),
    "url": lambda key: quote(key, safe=""),
    "base64": lambda key: base64.b64encode(key.encode()).decode(),
}


@pytest.mark.parametrize("escape", ESCAPES.values(), ids=ESCAPES)
@pytest.mark.parametrize("status", [200, 400, 401, "text"])
def test_an_escaped_key_is_struck_too(tmp_path, monkeypatch, status, escape):
    key = "sk-AB/cd+efGH=="
    monkeypatch.setenv("INFORCE_TEST_KEY", key)
    error = f'{{"error": {{"message": "Incorrect API key provided: {escape(key)}"}}}}'
    body = {
        200: f'{{"choices": [{{"message": {{"content": "it is {escape(key)}"}}, "finish_reason": "stop"}}]}}',
        "text": f"<html>{error}",
    }
    reply = {"status": 400 if status == "text" else status, "changes": {"via": {"max_attempts": 1, "api_key_env": "INFORCE_TEST_KEY"}}}
    if status == 401:
        with pytest.raises(ModelUnavailable, match=r"Incorrect API key provided: \[key\]") as caught:
            sent(error, **reply)
        assert not Key(key).held_by(str(caught.value))
        return
    answer = sent(body.get(status, error), **reply)
    assert not Key(key).held_by(answer.model_dump_json())
    assert answer.text == "it is [key]" if status == 200 else "Incorrect API key provided: [key]" in answer.error


def test_a_key_in_two_parts_of_a_text_is_struck(monkeypatch):
    monkeypatch.setenv("INFORCE_TEST_KEY", "sk-AB/cd+efGH==")
    parts = [{"type": "text", "text": "it is sk-AB/cd"}, {"type": "text", "text": "+efGH== here"}]
    body = {"choices": [{"message": {"content": parts}, "finish_reason": "stop"}]}
    assert sent(body, changes={"via": {"api_key_env": "INFORCE_TEST_KEY"}}).text == "it is [key] here"


@pytest.mark.parametrize("key", ["local", "message", "content", "none", "stop"])
def test_a_dummy_key_changes_no_answer(monkeypatch, key):
    monkeypatch.setenv("INFORCE_TEST_KEY", key)
    body = {"choices": [{"message": {"content": "The local court had none; stop.", "reasoning": "a message"}, "finish_reason": "stop"}]}
    via = {"max_attempts": 1, "api_key_env": "INFORCE_TEST_KEY"}
    assert sent(body, changes={"via": via}).model_dump() == sent(body).model_dump()


def test_a_dummy_key_goes_out_of_errors_and_does_not_change_what_they_mean(monkeypatch):
    monkeypatch.setenv("INFORCE_TEST_KEY", "context")
    answer = sent({"error": {"message": "maximum context length is 8"}}, status=400, changes={"via": {"api_key_env": "INFORCE_TEST_KEY"}})
    assert answer.error_class == "context_overflow" and answer.error == "HTTP 400: maximum [key] length is 8"
    assert answer.raw["body"] == {"error": {"message": "maximum [key] length is 8"}}


def test_a_key_or_an_address_that_cannot_be_sent_is_one_sentence(monkeypatch):
    monkeypatch.setenv("INFORCE_TEST_KEY", "sk-SECRET-one\nsk-SECRET-two")
    with pytest.raises(ModelUnavailable, match=r"config/models/m.yaml: the environment variable INFORCE_TEST_KEY cannot be sent") as caught:
        EndpointModel(endpoint("http://127.0.0.1:9/v1", via={"api_key_env": "INFORCE_TEST_KEY"}), "m")
    assert "SECRET" not in str(caught.value)
    monkeypatch.setenv("INFORCE_TEST_KEY", "sk-real-key-0123456789")
    monkeypatch.setenv("INFORCE_TEST_URL", "http://me:SECRET@127.0.0.1:9/v1")
    with pytest.raises(ModelUnavailable, match="in the environment variable INFORCE_TEST_URL holds a user or a password") as caught:
        EndpointModel(endpoint(None, via={"base_url_env": "INFORCE_TEST_URL", "api_key_env": "INFORCE_TEST_KEY"}), "m")
    assert "SECRET" not in str(caught.value)


def test_what_the_client_cannot_send_is_one_sentence_without_its_words(monkeypatch):
    monkeypatch.setattr(aiohttp.ClientSession, "post", lambda *_, **__: (_ for _ in ()).throw(ValueError("header sk-SECRET")))
    with pytest.raises(ModelUnavailable, match=r"m.yaml: a request cannot be sent to http://models.example/v1/chat/completions") as caught:
        complete(endpoint("http://models.example/v1"), request())
    assert "SECRET" not in str(caught.value) and caught.value.__suppress_context__


def test_a_request_that_holds_the_key_is_not_sent(stub_server, monkeypatch):
    monkeypatch.setenv("INFORCE_TEST_KEY", "sk-AB/cd+efGH==")
    server = stub_server()
    model = endpoint(server.base_url, via={"api_key_env": "INFORCE_TEST_KEY"})
    with pytest.raises(ModelUnavailable, match="a request would hold the key in INFORCE_TEST_KEY"):
        complete(model, request(extra_body={"also": "sk-AB/cd+efGH=="}))
    assert server.requests() == []
