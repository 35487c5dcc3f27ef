"""The arithmetic against transformers' own forward pass, and that neighbours change nothing."""

import gc

import pytest
import torch
from transformers import AutoModelForCausalLM

from inforce.models.decoding import CHUNK, WIDTH, Decoder, Pace, pack

LENGTHS = [1, 5, CHUNK, CHUNK + 37]


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
        made.reserve(CHUNK + 100)
        yield made


def close(one, other):
    assert int(one.argmax()) == int(other.argmax())
    torch.testing.assert_close(one, other, atol=2e-3, rtol=1e-3)


@pytest.mark.parametrize("length", LENGTHS)
def test_a_prompt_read_in_chunks_equals_a_plain_forward(length, decoder, expected):
    with torch.inference_mode():
        close(decoder.prefill(0, TEXT[:length]), expected[length - 1])


@pytest.mark.parametrize("length", [CHUNK - 2])
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
    shared = tokens(CHUNK, seed=5)
    with torch.inference_mode():
        before = decoder.reused
        fresh = decoder.prefill(0, shared + tokens(9, seed=6)).clone()
        assert decoder.reused == before
        again = decoder.prefill(1, shared + tokens(9, seed=6))
        assert decoder.reused == before + CHUNK
        assert torch.equal(fresh, again)


def test_neighbours_and_slots_change_no_bit(decoder):
    """A text alone in slot 0, and the same in slot 2 beside two others: equal to the last bit, as a resumed run needs."""
    text = tokens(50, seed=7)
    with torch.inference_mode():
        first = decoder.prefill(0, text[:40]).clone()
        alone = [decoder.step([text[n : n + 1]], [n])[0, 0].clone() for n in range(40, 44)]
        decoder.prefill(0, tokens(60, seed=8))
        decoder.prefill(1, tokens(11, seed=9))
        assert torch.equal(decoder.prefill(2, text[:40]), first)
        for n in range(40, 42):
            others = [tokens(WIDTH, seed=n), tokens(2, seed=n + 50)]
            assert torch.equal(decoder.step([*others, text[n : n + 1]], [60 + n - 40, 11 + n - 40, n])[2, 0], alone[n - 40])
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


def test_few_texts_in_fewer_rows_and_any_number_of_threads_change_no_bit(weights):
    """bfloat16, the bundled model's own 24 slots: a lone text in the smallest number of rows equals the same in all rows."""
    text = tokens(44, seed=12)
    with torch.inference_mode():
        made = Decoder(weights, "bfloat16", 24)
        made.reserve(200)
        before = torch.get_num_threads()
        scores = []
        for rows, threads in ((made._rows, 1), (made._rows, 2), ([24], 1), ([24], 2)):
            made._rows = rows
            made._reading = made._writing = Pace(threads, fixed=True)
            made._chunks.clear()
            scores.append([made.prefill(0, text[:40]).clone(), *(made.step([text[n : n + 1]], [n])[0, 0].clone() for n in range(40, 44))])
        torch.set_num_threads(before)
    for other in scores[1:]:
        assert [torch.equal(one, two) for one, two in zip(scores[0], other, strict=True)] == [True] * 5


def test_laid_out_weights_change_no_bit():
    product = torch.nn.Linear(64, 96, bias=True).to(torch.bfloat16).requires_grad_(False)
    given = torch.randn(8, 64).to(torch.bfloat16)
    with torch.inference_mode():
        plain = product(given).clone()
        assert pack(torch.nn.Sequential(product), [8], 2) in (True, False)
        assert torch.equal(product(given), plain)


def test_threads_are_left_alone_where_they_change_bits():
    pace = Pace(2, fixed=True)
    for seconds in (0.1, 0.5, 0.1):
        assert pace.threads() == 2
        pace.note(seconds)


def test_threads_that_wait_for_each_other_are_not_used():
    pace = Pace(2)
    taken = []
    for seconds in (0.1, 0.5, 0.1):  # alone, both, and the one that was faster
        taken.append(pace.threads())
        pace.note(seconds)
    assert taken == [1, 2, 1]
    for _ in range(Pace.AGAIN - 3):
        pace.note(0.1)
    for seconds in (0.1, 0.06):  # tried out again: the other core is free
        pace.note(seconds)
    assert pace.threads() == 2


def test_texts_of_very_different_length_are_attended_one_by_one_to_the_same_bits(weights, monkeypatch):
    short, long = tokens(44, seed=13), tokens(600, seed=14)
    with torch.inference_mode():
        made = Decoder(weights, "bfloat16", 3)
        made.reserve(700)
        scores = {}
        for share in (0.0, 1.1):  # never and always one by one
            monkeypatch.setattr("inforce.models.decoding.APART", share)
            made.prefill(0, short[:40])
            made.prefill(1, long)
            scores[share] = made.step([short[40:44], [5]], [40, 600]).clone()
            assert made._cache.apart is (share > 1)
    assert torch.equal(scores[0.0][0], scores[1.1][0]) and torch.equal(scores[0.0][1, 0], scores[1.1][1, 0])
