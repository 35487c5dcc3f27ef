from __future__ import annotations

import time

from hypothesis import given
from hypothesis import strategies as st
from report.small_run import NEW, NEW_TH, OLD, OLD_TH

from inforce.report.marked_difference import marked_difference


def side(parts: list[tuple[str, str]], kind: str) -> str:
    return "".join(text for name, text in parts if name in ("same", kind))


def test_words_are_marked_whole() -> None:
    changed = [part for part in marked_difference(OLD, NEW) if part[0] != "same"]
    assert changed == [("new", " dishonestly"), ("old", "six"), ("new", "sixty")]


def test_thai_is_marked_by_letters_with_their_vowels() -> None:
    parts = marked_difference(OLD_TH, NEW_TH)
    assert [part for part in parts if part[0] != "same"] == [("old", "พั"), ("new", "หมื่")]


def test_chance_matches_in_a_spaceless_script_are_not_shown_as_kept() -> None:
    parts = marked_difference("ปรับไม่เกินหกพันบาท", "จำคุกไม่เกินสามเดือน")
    assert all(len(text) >= 4 for name, text in parts[1:-1] if name == "same")


def test_chinese() -> None:
    parts = marked_difference("處五年以下有期徒刑或三萬元以下罰金", "處五年以下有期徒刑或五十萬元以下罰金")
    assert [part for part in parts if part[0] != "same"] == [("old", "三"), ("new", "五十")]


def test_equal_and_empty_texts() -> None:
    assert marked_difference("a b", "a b") == [("same", "a b")]
    assert marked_difference("", "a") == [("new", "a")]
    assert marked_difference("", "") == []


TEXT = st.text(alphabet=st.sampled_from("ab 1.\n\u0e01\u0e31\u0e34\u0e50法\u0301é-"), max_size=40)


@given(TEXT, TEXT)
def test_nothing_is_lost(old: str, new: str) -> None:
    parts = marked_difference(old, new)
    assert side(parts, "old") == old and side(parts, "new") == new


@given(st.text(max_size=60), st.text(max_size=60))
def test_nothing_is_lost_of_any_text(old: str, new: str) -> None:
    parts = marked_difference(old, new)
    assert side(parts, "old") == old and side(parts, "new") == new


def test_long_texts_take_no_longer_than_a_moment() -> None:
    old = "\n".join(f"{OLD_TH} {number}" for number in range(400))
    start = time.process_time()
    parts = marked_difference(old, old.replace(" 77\n", " 78\n"))
    assert time.process_time() - start < 5 and side(parts, "old") == old
