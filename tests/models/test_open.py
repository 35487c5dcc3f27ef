"""The one door to a model: nothing asked twice, nothing lost, whatever is killed; nothing asked at all in a stored-only run."""

import asyncio
import json
import random
import re
import signal
import time
from collections import Counter

import pytest
from models.asking import ask_all, endpoint, local_model, message, number_in, stored

from inforce.models.interface import MissingResponse, ModelUnavailable
from inforce.models.open import open_model, seed_from

KILLS, REQUESTS, IN_FLIGHT = 6, 200, 16


def opened(tmp_path, model, writer="job", *, stored_only=False):
    return open_model(model, model_name="stub", weights=None, responses=tmp_path / "responses", writer=writer, stored_only=stored_only)


def asked_numbers(server):
    return Counter(number_in(body) for body in server.requests())


def test_kill_9_at_any_moment_loses_nothing_and_asks_nothing_twice_that_was_stored(tmp_path, stub_server, asking, capsys):
    server = stub_server(delay=0.04)
    folder, seen = tmp_path / "responses" / "stub", tmp_path / "seen"
    arguments = {"base_url": server.base_url, "responses": tmp_path / "responses", "seen": seen}
    kill_at = sorted(random.Random(20).sample(range(1, REQUESTS - IN_FLIGHT), KILLS))
    kept, figures = {}, []  # number -> times asked when it was first found stored at a kill

    for least in kill_at:
        process = asking(requests=REQUESTS, in_flight=IN_FLIGHT, **arguments)
        while process.poll() is None and (not folder.exists() or sum(p.read_bytes().count(b"\n") for p in folder.glob("*.jsonl")) < least):
            time.sleep(0.001)
        process.kill()
        if process.wait() != -signal.SIGKILL:
            break  # finished first
        names = stored(folder)
        assert len(names) == len(set(names))
        told = {line.split()[0] for line in seen.read_text().splitlines()}
        assert told <= set(names), "what a caller has seen is on disk"
        times = asked_numbers(server)
        lines = [json.loads(line) for path in folder.glob("*.jsonl") for line in path.read_bytes().split(b"\n")[:-1]]
        for line in lines:
            kept.setdefault(number_in(line["request"]), times[number_in(line["request"])])
        figures.append(len(names))

    last = asking(requests=REQUESTS, in_flight=IN_FLIGHT, **arguments)
    out, err = last.communicate(timeout=60)
    assert last.returncode == 0, err
    times, kills = asked_numbers(server), len(figures)
    twice = sum(count > 1 for count in times.values())
    again = sum(count - 1 for count in times.values())
    with capsys.disabled():
        print(
            f"\n{kills} kills, stored at each {figures}; {sum(times.values())} asked in all for {REQUESTS}, {twice} more than once, {again} extra"
        )

    assert kills >= 3
    assert len(stored(folder)) == len(set(stored(folder))) == REQUESTS, "none lost, none stored twice"
    assert set(times) == set(range(REQUESTS))
    assert {number: times[number] for number in kept} == kept, "what was stored at a kill is not asked again"
    assert again <= kills * IN_FLIGHT, "only what was in flight at a kill is asked again"
    assert json.loads(out) == {"asked": REQUESTS - figures[-1], "found": figures[-1]}
    assert {line.split()[1] for line in seen.read_text().splitlines()} == {"None"}

    auditor = opened(tmp_path, endpoint("http://127.0.0.1:9/v1"), stored_only=True)
    server.stop()

    async def audit():
        requests = [
            auditor.build_request([{"role": "user", "content": message(n)}], seed_name=f"seed/{n}", sample=1) for n in range(REQUESTS)
        ]
        return [await auditor.complete(one) for one in requests]

    assert all(answer.text and answer.error_class is None for answer in asyncio.run(audit()))


@pytest.mark.parametrize("writers", [("one", "two"), ("same", "same")])
def test_two_processes_at_once_ask_each_request_once(writers, tmp_path, stub_server, asking):
    server, count = stub_server(delay=0.03), 100
    go = tmp_path / "go"
    common = {
        "base_url": server.base_url,
        "responses": tmp_path / "responses",
        "requests": count,
        "in_flight": 8,
        "few_tasks": True,
        "go": go,
    }
    one = asking(**common, writer=writers[0], seen=tmp_path / "seen-1")
    two = asking(**common, writer=writers[1], seen=tmp_path / "seen-2", reverse=True)
    while len(list(tmp_path.glob("go.*"))) < 2 and one.poll() is None and two.poll() is None:
        time.sleep(0.005)
    go.touch()
    done = []
    for process in (one, two):
        out, err = process.communicate(timeout=60)
        assert process.returncode == 0, err
        done.append(json.loads(out))
    assert asked_numbers(server) == Counter(range(count))
    assert sum(part["asked"] for part in done) == count and all(part["asked"] + part["found"] == count for part in done)
    assert all(part["asked"] > 0 for part in done)
    assert len(stored(tmp_path / "responses" / "stub")) == count
    for name in ("seen-1", "seen-2"):
        assert len((tmp_path / name).read_text().splitlines()) == count


def test_one_task_asks_for_all_that_want_the_same(tmp_path, stub_server):
    server = stub_server(delay=0.05)
    model = opened(tmp_path, endpoint(server.base_url))
    answers = asyncio.run(ask_all(model, [message(1)] * 10 + [message(2)] * 10))
    assert len(server.requests()) == 2 and (model.asked, model.found) == (2, 18)
    assert len({answer.text for answer in answers[:10]}) == 1


def test_one_changed_request_of_fifty_is_the_only_one_asked(tmp_path, stub_server):
    server = stub_server()
    model = endpoint(server.base_url)
    first = asyncio.run(ask_all(opened(tmp_path, model), [message(n) for n in range(50)]))
    assert len(server.requests()) == 50
    changed = opened(tmp_path, model, writer="later")
    second = asyncio.run(ask_all(changed, [message(n, changed={17}) for n in range(50)]))
    assert [number_in(body) for body in server.requests()[50:]] == [17]
    assert (changed.asked, changed.found) == (1, 49)
    assert first[:17] + first[18:] == second[:17] + second[18:] and first[17].request_sha256 != second[17].request_sha256


def test_a_changed_model_file_reuses_nothing_stale(tmp_path, stub_server):
    server = stub_server()
    changes = [{}, {"revision": "2"}, {"sampling": {"temperature": 0.6}}, {"max_output_tokens": 65}, {"seeded": False}]
    changes += [{"via": {"engine": "vllm 0.32.0"}}, {"via": {"engine_args": ["--x"]}}, {"via": {"extra_body": {"top_k": 5}}}]
    texts = [message(n) for n in range(3)]
    for turn, change in enumerate(changes, start=1):
        asyncio.run(ask_all(opened(tmp_path, endpoint(server.base_url, **change)), texts))
        assert len(server.requests()) == 3 * turn
    asyncio.run(ask_all(opened(tmp_path, endpoint(server.base_url, via={"concurrency": 3, "timeout_s": 9, "max_attempts": 1})), texts))
    assert len(server.requests()) == 3 * len(changes), "how it is asked decides no answer"


def test_another_sample_is_another_request(tmp_path, stub_server):
    server = stub_server()
    for sample in (1, 2):
        asyncio.run(ask_all(opened(tmp_path, endpoint(server.base_url)), [message(1)], sample=sample))
    assert len(server.requests()) == 2


def test_a_stored_only_run_names_what_is_missing_and_never_calls(tmp_path, stub_server, monkeypatch):
    server = stub_server()
    model = endpoint(server.base_url, via={"api_key_env": "INFORCE_NO_SUCH_KEY"})  # nor does it need a key
    monkeypatch.setenv("INFORCE_NO_SUCH_KEY", "k")
    asyncio.run(ask_all(opened(tmp_path, model), [message(1)]))
    monkeypatch.delenv("INFORCE_NO_SUCH_KEY")
    before = {path.name: path.read_bytes() for path in (tmp_path / "responses" / "stub").iterdir()}
    auditor = opened(tmp_path, model, stored_only=True)
    (held,) = asyncio.run(ask_all(auditor, [message(1)]))
    assert held.error_class is None and (auditor.asked, auditor.found) == (0, 1)
    missing = auditor.build_request([{"role": "user", "content": message(2)}], seed_name=f"seed/{message(2)}", sample=1)
    with pytest.raises(MissingResponse, match=missing.sha256) as caught:
        asyncio.run(ask_all(opened(tmp_path, model, stored_only=True), [message(2)]))
    assert str(tmp_path / "responses" / "stub") in str(caught.value) and "stored-only" in str(caught.value)
    with pytest.raises(MissingResponse):
        asyncio.run(ask_all(opened(tmp_path / "elsewhere", model, stored_only=True), [message(1)]))
    assert not (tmp_path / "elsewhere").exists()
    assert len(server.requests()) == 1
    assert {path.name: path.read_bytes() for path in (tmp_path / "responses" / "stub").iterdir()} == before


def test_transient_errors_are_not_stored_and_asked_again_by_the_next_run(tmp_path, stub_server):
    server = stub_server(fail=[{"match": "<item-3>", "do": "503", "first": 2}])
    model = endpoint(server.base_url, via={"max_attempts": 2})
    texts = [message(n) for n in range(5)]
    first = asyncio.run(ask_all(opened(tmp_path, model), texts))
    assert [answer.error_class for answer in first] == [None, None, None, "transient", None]
    assert first[3].text == "" and first[3].request_sha256 not in stored(tmp_path / "responses" / "stub")
    second = asyncio.run(ask_all(opened(tmp_path, model), texts))
    assert [answer.error_class for answer in second] == [None] * 5
    assert asked_numbers(server) == Counter({0: 1, 1: 1, 2: 1, 3: 3, 4: 1})


def test_permanent_errors_are_stored_and_not_asked_again(tmp_path, stub_server):
    server = stub_server(fail=[{"match": f"<item-{n}>", "do": do} for n, do in ((1, "400"), (2, "overflow"), (3, "filter"))])
    texts = [message(n) for n in range(5)]
    for _ in range(2):
        answers = asyncio.run(ask_all(opened(tmp_path, endpoint(server.base_url)), texts))
        assert [answer.error_class for answer in answers] == [None, "permanent", "context_overflow", "refused", None]
    assert asked_numbers(server) == Counter(range(5))


def test_a_model_that_cannot_be_asked_stops_the_run_and_keeps_what_is_stored(tmp_path, stub_server):
    server = stub_server(fail=[{"match": "<item-3>", "do": "401"}])
    model = endpoint(server.base_url)
    asyncio.run(ask_all(opened(tmp_path, model), [message(1), message(2)]))
    with pytest.raises(ModelUnavailable, match="answered 401"):
        asyncio.run(ask_all(opened(tmp_path, model), [message(1), message(3)]))
    assert len(stored(tmp_path / "responses" / "stub")) == 2


def test_a_cancelled_caller_does_not_cancel_what_others_wait_for(tmp_path, stub_server):
    server = stub_server(delay=0.1)
    model = opened(tmp_path, endpoint(server.base_url))

    async def run():
        asked = model.build_request([{"role": "user", "content": message(1)}], seed_name="s", sample=1)
        impatient, patient = asyncio.create_task(model.complete(asked)), asyncio.create_task(model.complete(asked))
        await asyncio.sleep(0.03)
        impatient.cancel()
        answer = await patient
        await model.close()
        await model.close()
        return answer

    assert asyncio.run(run()).error_class is None
    assert len(server.requests()) == 1


def test_a_request_is_filled_in_from_the_model_file(tmp_path):
    model = endpoint(
        "http://127.0.0.1:9/v1",
        structured_output="none",
        via={
            "engine": "vllm 0.32.0",
            "engine_args": ["--dtype=bfloat16"],
            "extra_body": {"chat_template_kwargs": {"enable_thinking": False}},
        },
        sampling={"temperature": 0.7, "top_k": 20},
    )
    door = opened(tmp_path, model)
    plain = door.build_request([], response_schema={"type": "object"}, tools=[], seed_name="r/m/s/1/i", sample=2)
    assert (plain.checkpoint, plain.revision, plain.engine, plain.engine_args) == ("stub", "1", "vllm 0.32.0", ["--dtype=bfloat16"])
    assert plain.extra_body == {"chat_template_kwargs": {"enable_thinking": False}}
    assert (plain.sampling, plain.max_output_tokens, plain.sample) == ({"temperature": 0.7, "top_k": 20}, 64, 2)
    assert (plain.response_schema, plain.tools, plain.seed) == (None, None, seed_from("r/m/s/1/i"))
    judge = door.build_request([], sampling={"temperature": 0}, max_output_tokens=32, seed_name="x", sample=1)
    assert (judge.sampling, judge.max_output_tokens) == ({"temperature": 0}, 32)
    assert 0 <= seed_from("x") < 2**31 and seed_from("x") != seed_from("y")


def test_a_local_model_names_its_engine_and_needs_weights_only_to_ask(tmp_path):
    door = opened(tmp_path, local_model(batch=3))
    asked = door.build_request([{"role": "user", "content": "x"}], seed_name="s", sample=1)
    assert re.fullmatch(r"transformers \S+ torch [\d.]+ bfloat16", asked.engine)
    assert any("SmolLM2-135M-Instruct" in argument for argument in asked.engine_args) and "slots=3" in asked.engine_args
    with pytest.raises(ModelUnavailable, match=r"prepare_model --model-config config/models/stub.yaml"):
        asyncio.run(ask_all(door, ["x"]))


def test_a_model_whose_revision_is_to_be_filled_is_not_asked(tmp_path):
    model = endpoint("http://localhost:1/v1").model_copy(update={"revision": "to be filled: the provider's snapshot"})
    with pytest.raises(ModelUnavailable, match=r"config/models/stub.yaml: the revision of Stub is still .to be filled"):
        asyncio.run(ask_all(opened(tmp_path, model), ["x"]))
