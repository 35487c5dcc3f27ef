import re

import pytest
from citations.grammars import grammar

from inforce.citations.wording import any_name, any_of, not_after_letter, not_before_letter, unnamed, word

EN, TH, FR = grammar("en_demo").config, grammar("th").config, grammar("fr").config


@pytest.mark.parametrize(
    ("text", "hit"),
    [("section 5", True), ("Section 5", True), ("subsection 5", False), ("sectional 5", False)],
)
def test_words_are_whole_where_they_are_parted(text, hit):
    assert bool(re.search(word("section", EN), text)) is hit


def test_a_short_word_does_not_follow_an_apostrophe():
    assert not re.search(word("s", EN), "the court's 11 judges")
    assert re.search(word("s", EN), "see s 11")


def test_phrases_take_any_white_space_and_any_apostrophe():
    assert re.fullmatch(word("de l'article", FR), "de\nl’article")


def test_thai_words_need_no_boundary_and_names_take_thai_digits():
    assert re.search(word("มาตรา", TH), "ตามมาตรา5")
    assert re.fullmatch(word("พ.ศ. 2499", TH), "พ.ศ.๒๔๙๙")


def test_the_longest_word_and_the_longest_name_win():
    assert re.match(any_of(["of", "of the"], EN), "of the act")[0] == "of the"
    names = any_name(["Lettings Act", "Lettings Act 1926", "Civil Code"], EN)
    assert [hit[0] for hit in re.finditer(names, "lettings act 1926, Lettings Act and Civil  Code")] == [
        "lettings act 1926",
        "Lettings Act",
        "Civil  Code",
    ]
    assert any_of([], EN) == any_name([], EN) == ""


def test_thai_vowel_signs_count_as_letters():
    assert not re.search("ฉ" + not_before_letter(), "ฉัน")
    assert re.search("ฉ" + not_before_letter(), "ฉ (1)")
    assert not re.search(not_after_letter() + "ม", "ซิม")


def test_unnamed_groups_can_stand_twice():
    assert unnamed("(?P<a>x)(?:y)") == "(?:x)(?:y)"
