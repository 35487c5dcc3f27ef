"""The bundled model itself: form, seeds, order, limits. Replies must not depend on what else is under way."""

import asyncio
import json

import jsonschema
import pytest
from models.asking import ask_all, local_model, message, request

from inforce.models.interface import ModelUnavailable
from inforce.models.local import Guesses, LocalModel
from inforce.models.open import open_model

SCHEMA = {
    "type": "object",
    "properties": {
        "verdict": {"type": "string", "enum": ["allowed", "dismissed"]},
        "reasoning": {"type": "string", "minLength": 1, "maxLength": 20},
        "sections": {"type": "array", "items": {"type": "integer", "minimum": 1, "maximum": 99}, "maxItems": 2},
    },
    "required": ["verdict", "reasoning", "sections"],
    "additionalProperties": False,
}
QUESTIONS = ["Is the rent due?", "May the buyer return the goods after a month?", "ลูกจ้างได้รับค่าจ้างเมื่อใด"]


def free(text, seed=1, most=12, temperature=1.0, **changes):
    return request(text, seed=seed, max_output_tokens=most, sampling={"temperature": temperature}, **changes)


@pytest.fixture(scope="module")
def local(weights):
    """One loaded model for all tests; it has four slots."""
    model = LocalModel(local_model(window=1024), "m", weights)
    yield model
    asyncio.run(model.close())


def complete(model, *requests):
    async def run():
        return await asyncio.gather(*(model.complete(one) for one in requests))

    return asyncio.run(run())


def tokens(*answers):
    return [answer.raw["tokens"] for answer in answers]


def test_replies_fit_the_schema(local):
    requests = [request(text, response_schema=SCHEMA, max_output_tokens=120, sampling={"temperature": 0.8}) for text in QUESTIONS]
    for asked, answer in zip(requests, complete(local, *requests), strict=True):
        jsonschema.validate(json.loads(answer.text), SCHEMA)
        assert (answer.finish_reason, answer.error_class, answer.request_sha256) == ("stop", None, asked.sha256)
        assert answer.usage.input_tokens > 5 and 5 < answer.usage.output_tokens <= 120
        assert (answer.usage.cached_tokens, answer.usage.reasoning_tokens) == (None, None)


def test_temperature_0_always_says_the_same(local):
    asked = [free(QUESTIONS[0], seed=seed, temperature=0) for seed in (1, 2)]
    one, two = complete(local, *asked)
    (again,) = complete(local, asked[0])
    assert one.text == two.text == again.text != ""


def test_seeds_decide_and_neighbours_do_not(local):
    """Six requests for four slots, of unequal lengths, together, alone and in another order."""
    requests = [free(f"{QUESTIONS[n % 2]} {'please ' * 9 * n}", seed=n // 2, most=3 + n) for n in range(6)]
    together = tokens(*complete(local, *requests))
    backwards = tokens(*complete(local, *reversed(requests)))[::-1]
    alone = [tokens(*complete(local, requests[n]))[0] for n in (0, 4)]
    assert together == backwards
    assert [together[n] for n in (0, 4)] == alone
    other = tokens(*complete(local, *(free(QUESTIONS[0], seed=seed, most=6) for seed in (1, 2, 3))))
    assert len({tuple(some) for some in other}) > 1


def test_two_batches_at_once_do_not_disturb_each_other(local):
    first, second = ([free(f"{name} {n}", seed=n, most=4) for n in range(3)] for name in ("rent", "wage"))

    async def both():
        async def later():
            await asyncio.sleep(0.1)
            return await asyncio.gather(*(local.complete(one) for one in second))

        return await asyncio.gather(asyncio.gather(*(local.complete(one) for one in first)), later())

    one, two = asyncio.run(both())
    assert tokens(*one) == tokens(*complete(local, *first)) and tokens(*two) == tokens(*complete(local, *second))
    assert [answer.request_sha256 for answer in (*one, *two)] == [asked.sha256 for asked in (*first, *second)]


def test_a_prompt_that_does_not_fit_is_answered_without_running(local):
    complete(local, free("x", most=2))
    steps, read = local._decoder.steps, local._decoder.read
    too_long, too_much, fits = free("word " * 2000), free("x", most=1024), free("x", most=3)
    for answer in complete(local, too_long, too_much):
        assert (answer.error_class, answer.text, answer.finish_reason, answer.usage.output_tokens) == ("context_overflow", "", None, None)
        assert "the window holds 1024" in answer.error and answer.usage.input_tokens > 0
    assert (local._decoder.steps, local._decoder.read) == (steps, read)
    over, good = complete(local, too_long, fits)
    assert (over.error_class, good.error_class) == ("context_overflow", None)


@pytest.mark.parametrize("schema", [None, SCHEMA])
def test_the_limit_of_a_reply_is_kept_and_named(schema, local):
    (answer,) = complete(local, free("Tell me a long story.", most=5, temperature=0, response_schema=schema))
    assert (answer.finish_reason, answer.usage.output_tokens, len(answer.raw["tokens"])) == ("length", 5, 5)
    assert answer.error_class is None


def test_a_schema_that_cannot_be_enforced_is_a_permanent_error_of_that_request_only(local):
    bad = free("x", most=3, response_schema={"type": "string", "pattern": "(?=ahead)a"})
    failed, good = complete(local, bad, free("x", most=3))
    assert (failed.error_class, failed.text, good.error_class) == ("permanent", "", None) and "cannot be enforced" in failed.error


def test_tool_definitions_are_refused_with_the_remedy(local):
    with pytest.raises(ModelUnavailable, match=r"config/models/m.yaml.*tools: action_protocol"):
        complete(local, free("x", tools=[{"type": "function", "function": {"name": "search"}}]))


@pytest.mark.parametrize("given", [None, "empty"])
def test_without_weights_the_command_that_makes_them_is_named(given, tmp_path):
    with pytest.raises(ModelUnavailable, match=r"prepare_model --model-config config/models/m.yaml --out results/models/m"):
        LocalModel(local_model(), "m", tmp_path if given else None)


def test_broken_weights_fail_each_request_and_hang_none(tmp_path):
    (tmp_path / "config.json").write_text("{}")

    async def run():
        model = LocalModel(local_model(), "m", tmp_path)
        answers = await asyncio.wait_for(asyncio.gather(*(model.complete(free(str(n))) for n in range(3)), return_exceptions=True), 15)
        answers += await asyncio.gather(model.complete(free("later")), return_exceptions=True)
        await model.close()
        await model.close()
        return answers

    assert all(isinstance(answer, Exception) for answer in asyncio.run(run()))


def test_through_the_store_a_second_run_needs_no_weights(weights, tmp_path):
    config = local_model(max_output_tokens=16)

    def door(where):
        return open_model(config, model_name="m", weights=where, responses=tmp_path, writer="w", stored_only=False)

    first = asyncio.run(ask_all(door(weights), [message(1), message(2), message(1)]))
    again = door(None)
    assert asyncio.run(ask_all(again, [message(1), message(2), message(1)])) == first
    assert (again.asked, again.found) == (0, 3) and first[0] == first[2]


def test_guesses_by_hand():
    guesses = Guesses()
    guesses.add([1, 2, 3, 4, 1, 2])
    assert guesses.after(2) == [3, 4] and guesses.after(9) == [3, 4, 1, 2]
    guesses.add([5])
    assert guesses.after(3) == []
    guesses.add([1, 2])
    assert guesses.after(1) == [5], "what followed the last time, not the first"
    assert Guesses().after(3) == []


def test_texts_that_do_not_fit_into_memory_together_follow_each_other(local):
    """Room for one text only: the same replies, in more steps."""
    asked = [free(text, seed=seed, most=8) for seed, text in enumerate(QUESTIONS)]
    together = tokens(*complete(local, *asked))
    decoder = local._decoder
    room, steps = decoder.room, decoder.steps
    decoder.room = 1
    assert tokens(*complete(local, *asked)) == together
    assert decoder.steps - steps >= 3 * 2
    decoder.room = room
