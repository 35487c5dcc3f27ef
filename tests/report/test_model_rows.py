from __future__ import annotations

import pytest
from report.small_run import model_config

from inforce.config.model import Model
from inforce.report.model_rows import best_two, headings_of, model_rows, printed_number


def model(name: str, group: str = "", base: str | None = None) -> Model:
    return Model.model_validate(model_config(name) | {"group": group, "base": base})


def test_post_trainings_stand_below_their_base() -> None:
    models = {
        "thai": model("Thai", "N", "nano"),
        "gem": model("Gem", "General"),
        "nano": model("Nano", "N"),
        "legal": model("Legal", "N", "nano"),
    }
    rows = model_rows(models)
    assert [(row.key, row.label) for row in rows] == [("nano", "Nano"), ("thai", "↪ Thai"), ("legal", "↪ Legal"), ("gem", "Gem")]
    assert headings_of(rows) == {0: "N", 3: "General"}


def test_no_arrow_where_the_base_is_not_in_the_table() -> None:
    rows = model_rows({"typhoon": model("Typhoon", "8B", "qwen"), "gem": model("Gem", "8B")})
    assert [row.label for row in rows] == ["Typhoon", "Gem"] and headings_of(rows) == {}  # one group needs no heading


def test_every_model_is_in_the_table_once_even_if_two_name_each_other() -> None:
    rows = model_rows({"a": model("A", base="b"), "b": model("B", base="a"), "c": model("C", base="c")})
    assert sorted(row.key for row in rows) == ["a", "b", "c"]


def test_best_two_of_a_column() -> None:
    rows = [["A", "4.60", "0.1"], ["B", "5.18", ""], ["C", "5.18", "0.1"], ["D", "4.37", ""]]
    assert best_two(rows, [1]) == {(0, 1): "second", (1, 1): "best", (2, 1): "best"}
    assert best_two(rows, [2]) == {(0, 2): "best", (2, 2): "best"}  # a tie has no second
    assert best_two(rows, [1], lowest=True) == {(3, 1): "best", (0, 1): "second"}
    assert best_two(rows[:1], [1]) == {}


@pytest.mark.parametrize(
    ("text", "value"), [("+0.45* [+0.35, +0.56]", 0.45), ("−0.02", -0.02), ("1,563", 1563.0), ("84%", 84.0), ("", None), ("*", None)]
)
def test_printed_number(text: str, value: float | None) -> None:
    assert printed_number(text) == value
