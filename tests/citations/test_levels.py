"""Paths below a section, by hand, in the grammars that the project brings."""

import pytest
from citations.grammars import grammar

from inforce.citations.levels import Levels


def levels(name):
    return Levels(grammar(name).labels[0].config)


@pytest.mark.parametrize(
    ("name", "text", "path"),
    [
        ("th", " วรรคสอง", ("paragraph 2",)),
        ("th", " (4)", ("item 4",)),
        ("th", " วรรคสอง (4)", ("paragraph 2", "item 4")),
        ("th", " วรรคสองร้อย", None),  # a word that takes a value must not run on
        ("th", " (4) และ", None),
        ("th", "", ()),
    ],
)
def test_a_path_is_read_whole_or_not_at_all(name, text, path):
    assert levels(name).read_path(text) == path


def test_paths_stand_in_the_order_of_the_law():
    thai = levels("th")
    texts = [" วรรคท้าย", " (10)", " (2)", " วรรคสอง", "", " วรรคสอง (1)"]
    ordered = sorted(texts, key=lambda text: thai.order(thai.read_path(text)))
    assert ordered == ["", " วรรคสอง", " วรรคสอง (1)", " วรรคท้าย", " (2)", " (10)"]
