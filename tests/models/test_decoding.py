"""The arithmetic against transformers' own forward pass, and that neighbours change nothing."""

import gc

import pytest
import torch
from transformers import AutoModelForCausalLM

from inforce.models.decoding import CHUNK, WIDTH, Decoder

LENGTHS = [1, 5, CHUNK, CHUNK + 1, 2 * CHUNK + 37]


def tokens(length, seed=1):
    return torch.randint(20, 40_000, (length,), generator=torch.Generator().manual_seed(seed)).tolist()


TEXT = tokens(max(LENGTHS))


@pytest.fixture(scope="module")
def expected(weights):
    """Scores by a plain forward over one long text: [n - 1] are those of the token after its first n tokens."""
    model = AutoModelForCausalLM.from_pretrained(weights, dtype=torch.float32, local_files_only=True).eval()
    with torch.inference_mode():
        scores = model(input_ids=torch.tensor([TEXT])).logits[0].clone()
    del model
    gc.collect()
    return scores


@pytest.fixture(scope="module")
def decoder(expected, weights):
    with torch.inference_mode():
        made = Decoder(weights, "float32", 3)
        made.reserve(2 * CHUNK + 100)
        yield made


def close(one, other):
    assert int(one.argmax()) == int(other.argmax())
    torch.testing.assert_close(one, other, atol=2e-3, rtol=1e-3)


@pytest.mark.parametrize("length", LENGTHS)
def test_a_prompt_read_in_chunks_equals_a_plain_forward(length, decoder, expected):
    with torch.inference_mode():
        close(decoder.prefill(0, TEXT[:length]), expected[length - 1])


@pytest.mark.parametrize("length", [5, CHUNK])
def test_writing_one_and_several_tokens_a_step_equals_a_plain_forward(length, decoder, expected):
    with torch.inference_mode():
        decoder.prefill(0, TEXT[:length])
        done = length
        for part in (1, WIDTH, 1):
            scores = decoder.step([TEXT[done : done + part]], [done])
            for place in range(part):
                done += 1
                close(scores[0, place], expected[done - 1])


def test_a_guess_that_turned_out_wrong_leaves_no_trace(decoder):
    text = tokens(30)
    with torch.inference_mode():
        decoder.prefill(0, text[:20])
        plain = decoder.step([text[20:21]], [20])[0, 0].clone()
        after = decoder.step([text[21:22]], [21])[0, 0].clone()
        decoder.prefill(0, text[:20])
        guessed = decoder.step([[text[20], 99, 98, 97][:WIDTH]], [20])
        assert torch.equal(guessed[0, 0], plain)
        assert torch.equal(decoder.step([text[21:22]], [21])[0, 0], after)


def test_a_beginning_that_an_earlier_prompt_had_is_copied_and_changes_no_bit(weights, decoder):
    shared = tokens(2 * CHUNK, seed=5)
    with torch.inference_mode():
        before = decoder.reused
        fresh = decoder.prefill(0, shared + tokens(9, seed=6)).clone()
        assert decoder.reused == before
        again = decoder.prefill(1, shared + tokens(9, seed=6))
        assert decoder.reused == before + 2 * CHUNK
        assert torch.equal(fresh, again)


def test_neighbours_and_slots_change_no_bit(decoder):
    """A text alone in slot 0, and the same in slot 2 beside two others: equal to the last bit, as a resumed run needs."""
    text = tokens(50, seed=7)
    with torch.inference_mode():
        first = decoder.prefill(0, text[:40]).clone()
        alone = [decoder.step([text[n : n + 1]], [n])[0, 0].clone() for n in range(40, 44)]
        decoder.prefill(0, tokens(170, seed=8))
        decoder.prefill(1, tokens(11, seed=9))
        assert torch.equal(decoder.prefill(2, text[:40]), first)
        for n in range(40, 42):
            others = [tokens(WIDTH, seed=n), tokens(2, seed=n + 50)]
            assert torch.equal(decoder.step([*others, text[n : n + 1]], [170 + n - 40, 11 + n - 40, n])[2, 0], alone[n - 40])
        decoder.copy(2, 0, 42)  # the gap that a finished text leaves is closed
        for n in range(42, 44):
            assert torch.equal(decoder.step([text[n : n + 1]], [n])[0, 0], alone[n - 40])


def test_making_room_keeps_what_is_there(decoder):
    text = tokens(30, seed=11)
    with torch.inference_mode():
        decoder.prefill(0, text[:20])
        plain = decoder.step([text[20:21]], [20])[0, 0].clone()
        decoder.prefill(0, text[:20])
        decoder.reserve(2000)
        assert torch.equal(decoder.step([text[20:21]], [20])[0, 0], plain)


def test_the_model_s_own_stops_and_vocabulary_are_known(decoder):
    assert decoder.stops == [2] and decoder.vocabulary == 49152
