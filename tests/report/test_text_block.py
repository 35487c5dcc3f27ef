from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from inforce.report.marked_difference import Part
from inforce.report.text_block import LONGEST, Measure, break_lines, shortened


class Letters(Measure):
    """A tenth of an inch a sign, so that lines can be counted by hand."""

    def __init__(self) -> None:
        pass

    def __call__(self, text: str, bold: bool = False) -> float:
        return len(text) / 10


def texts(lines: list[list[Part]]) -> list[str]:
    return ["".join(text for _, text in line).rstrip() for line in lines]


def test_hand_worked_lines() -> None:
    """One inch holds ten signs: `a fine of ` is ten, its last space does not count."""
    lines = break_lines([("same", "a fine of "), ("old", "six baht"), ("same", " is due")], 1.0, Letters())
    assert texts(lines) == ["a fine of", "six baht", "is due"]
    assert lines[1][0] == ("old", "six baht")


def test_thai_breaks_between_letters_and_never_before_a_mark() -> None:
    for line in texts(break_lines([("same", "ผู้ใดเอาทรัพย์ของผู้อื่น")], 0.5, Letters())):
        assert line[0] not in "ู้ัิื่์ะาำ" and line[-1] not in "เแโใไ"


@given(st.lists(st.tuples(st.sampled_from(["same", "old", "new"]), st.text("ab ผู้เก法。", max_size=30)), max_size=6))
def test_nothing_is_lost_but_spaces(parts: list[Part]) -> None:
    lines = break_lines(parts, 0.7, Letters())
    assert "".join(texts(lines)).replace(" ", "") == "".join(text for _, text in parts).replace(" ", "")


def test_long_unchanged_passages_are_cut_in_the_middle() -> None:
    parts: list[Part] = [("same", "x" * 500 + "head "), ("old", "six"), ("new", "sixty"), ("same", " tail" + "y" * 500)]
    kept = shortened(parts)
    assert kept[0][1].startswith(" … x") and kept[0][1].endswith("head ")
    assert kept[1:3] == [("old", "six"), ("new", "sixty")]
    assert kept[3][1].startswith(" tail") and kept[3][1].endswith(" … ")
    assert shortened([("same", "short")]) == [("same", "short")]


def test_everything_together_is_bounded_on_both_sides() -> None:
    kept = shortened([("old", "o" * 5000), ("new", "n" * 5000)])
    assert [kind for kind, _ in kept] == ["old", "new"]
    assert all(len(text) <= LONGEST + 2 and text.endswith("…") for _, text in kept)
    assert len(shortened([("same", "s" * 5000)])[0][1]) == LONGEST + 2


def test_real_widths_count_spaces_at_the_ends() -> None:
    measure = Measure(8.5)
    assert measure("word ") > measure("word") and abs(measure(" a ") - measure("a") - 2 * measure.space) < 1e-9
    assert measure("word", bold=True) > measure("word") > 0 == measure("")
