import pytest
from scores.cases import answer, gold, item, question

from inforce.records.pairing import pair_answers

ITEMS = [item(question(gold("CODE", "10", "2000-01-01")), item_id=name) for name in ("b", "a")]


def pair(*answers):
    return pair_answers(ITEMS, list(answers), "items.jsonl", "answers.jsonl")


def test_pairs_are_in_item_order():
    found = pair(answer(item_id="a"), answer(item_id="b"))
    assert [(i.id, a.item_id) for i, a in found] == [("b", "b"), ("a", "a")]


@pytest.mark.parametrize(
    ("ids", "message"),
    [
        (["a"], r"answers\.jsonl does not answer each item of items\.jsonl once: 1 items without an answer \['b'\]"),
        (["a", "b", "c"], r"1 answers without an item \['c'\]"),
        (["a", "b", "a"], r"1 repeated"),
    ],
)
def test_what_does_not_fit_is_named(ids, message):
    with pytest.raises(ValueError, match=message):
        pair(*(answer(item_id=name) for name in ids))


def test_a_file_of_two_settings_is_refused():
    with pytest.raises(ValueError, match=r"answers\.jsonl mixes models, settings or samples"):
        pair(answer(item_id="a"), answer(item_id="b", setting="rag_current"))
