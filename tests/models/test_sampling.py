"""Draws by hand on four tokens, and replies held to a schema."""

import json
from collections import Counter

import jsonschema
import numpy as np
import pytest
from models.asking import request
from transformers import AutoTokenizer

from inforce.models.sampling import Chooser, GrammarError, Grammars

CHANCES = np.array([0.15, 0.5, 0.05, 0.3])  # token 1 is the likeliest, then 3, 0, 2


def scores(chances=CHANCES):
    return np.log(chances).astype(np.float32)


def chooser(prompt=(), seed=1, **sampling):
    return Chooser(request(sampling=sampling, seed=seed), list(prompt), None, frozenset(), 4)


def draws(n=2000, **sampling):
    one = chooser(**sampling)
    return [one.choose(scores()) for _ in range(n)]


def test_temperature_0_takes_the_likeliest_and_the_first_of_equals():
    assert set(draws(50, temperature=0)) == {1}
    assert chooser(temperature=0).choose(scores(np.array([0.1, 0.4, 0.1, 0.4]))) == 1


@pytest.mark.parametrize(
    ("sampling", "kept"),
    [
        ({"temperature": 1.0}, {1: 0.5, 3: 0.3, 0: 0.15, 2: 0.05}),
        ({"temperature": 1.0, "top_p": 0.96}, {1: 0.5, 3: 0.3, 0: 0.15, 2: 0.05}),
        ({"temperature": 1.0, "top_p": 0.9}, {1: 0.5, 3: 0.3, 0: 0.15}),
        ({"temperature": 1.0, "top_p": 0.7}, {1: 0.5, 3: 0.3}),
        ({"temperature": 1.0, "top_p": 0.49}, {1: 0.5}),
        ({"temperature": 1.0, "top_k": 3}, {1: 0.5, 3: 0.3, 0: 0.15}),
        ({"temperature": 1.0, "top_k": 1}, {1: 0.5}),
        ({"temperature": 1.0, "min_p": 0.25}, {1: 0.5, 3: 0.3, 0: 0.15}),  # at least a quarter of the likeliest's .5
        ({"temperature": 1.0, "min_p": 0.4}, {1: 0.5, 3: 0.3}),
        ({"temperature": 0.5}, {1: 0.25, 3: 0.09, 0: 0.0225, 2: 0.0025}),  # chances squared
        ({"temperature": 0.5, "top_p": 0.9}, {1: 0.25, 3: 0.09}),  # .25 of .365 is .68, with .09 it is .93: temperature before top_p
    ],
)
def test_what_may_be_drawn_and_how_often_by_hand(sampling, kept):
    counted = Counter(draws(4000, **sampling))
    assert set(counted) <= set(kept)
    for token, weight in kept.items():
        chance = weight / sum(kept.values())
        assert counted[token] / 4000 == pytest.approx(chance, abs=4 * (chance * (1 - chance) / 4000) ** 0.5 + 1e-9)


def test_one_draw_by_hand():
    """top_p .7 keeps token 1 with 5/8 and token 3 with 3/8, in this order, and takes one number a token from the seed's generator."""
    numbers = np.random.Generator(np.random.PCG64(9)).random(200)
    one = chooser(seed=9, temperature=1.0, top_p=0.7)
    assert [one.choose(scores()) for _ in numbers] == [1 if number < 0.625 else 3 for number in numbers]


def test_the_seed_decides_and_without_one_the_request_s_name_does():
    assert draws(40, seed=3, temperature=1.0) == draws(40, seed=3, temperature=1.0) != draws(40, seed=4, temperature=1.0)
    assert draws(40, seed=None, temperature=1.0) == draws(40, seed=None, temperature=1.0)


def test_repetition_penalty_by_hand():
    """Scores of tokens already there: positive ones are divided, negative ones multiplied. What is chosen counts from then on."""
    given = np.array([2.0, 1.5, -1.0, -1.9], dtype=np.float32)
    one = chooser(prompt=[0, 0, 2], temperature=0, repetition_penalty=2.0)
    assert one.choose(changed := given.copy()) == 1  # 2 became 1, behind 1.5
    assert changed.tolist() == pytest.approx([1.0, 1.5, -2.0, -1.9])
    assert one.choose(changed := given.copy()) == 0  # now 1.5 became .75
    assert changed.tolist() == pytest.approx([1.0, 0.75, -2.0, -1.9])


# ---- with a schema


@pytest.fixture(scope="module")
def tokenizer(weights):
    return AutoTokenizer.from_pretrained(weights, local_files_only=True)


@pytest.fixture(scope="module")
def grammars(tokenizer):
    return Grammars(tokenizer, len(tokenizer), [tokenizer.eos_token_id])


SCHEMA = {
    "type": "object",
    "properties": {
        "tier": {"enum": ["T1", "T8"]},
        "score": {"type": "integer", "minimum": 0, "maximum": 100},
        "words": {"type": "array", "items": {"type": "string", "maxLength": 6}, "maxItems": 2},
    },
    "required": ["tier", "score", "words"],
    "additionalProperties": False,
}


@pytest.mark.parametrize("seed", range(6))
def test_whatever_the_scores_the_reply_fits_the_schema(seed, grammars, tokenizer):
    """Scores drawn by chance stand for the worst model there is."""
    size, stops = len(tokenizer), frozenset({tokenizer.eos_token_id})
    one = Chooser(request(sampling={"temperature": 1.0}, seed=seed), [], grammars.matcher(SCHEMA), stops, size)
    noise, written = np.random.default_rng(seed), one.forced()
    while not one.complete and len(written) < 200:
        token = one.choose(noise.normal(size=size).astype(np.float32) * 3)
        if token in stops:
            break
        written += [token, *one.forced()]
    reply = json.loads(tokenizer.decode(written))
    jsonschema.validate(reply, SCHEMA)


def test_tokens_that_follow_from_the_form_need_no_scores(grammars, tokenizer):
    form = {"type": "object", "properties": {"a": {"const": "only way"}}, "required": ["a"], "additionalProperties": False}
    one = Chooser(request(), [], grammars.matcher(form), frozenset({tokenizer.eos_token_id}), len(tokenizer))
    forced = one.forced()
    assert tokenizer.decode(forced) == '{"a":"only way"}'[: len(tokenizer.decode(forced))] and len(forced) >= 3


def test_matchers_of_one_schema_do_not_share_their_place(grammars, tokenizer):
    one, two = (Chooser(request(), [], grammars.matcher(SCHEMA), frozenset({tokenizer.eos_token_id}), len(tokenizer)) for _ in "ab")
    assert one.forced() == two.forced() != []


def test_a_schema_that_cannot_be_enforced_says_so(grammars):
    with pytest.raises(GrammarError):
        grammars.matcher({"type": "string", "pattern": "(?=ahead)a"})
