import pytest
from hypothesis import given
from hypothesis import strategies as st

from inforce.records.labels import LabelRules, base_label, normalise_label, to_ascii_digits

THAI = LabelRules(unit_words=("มาตรา", "ม."), suffix_words=("ทวิ", "ตรี", "สัตต", "สัตตรส"), sub_paragraph_words=("วรรค", "อนุมาตรา"))
ENGLISH = LabelRules(unit_words=("section", "sec.", "s."), suffix_words=("bis", "ter"), sub_paragraph_words=("paragraph", "para."))


@pytest.mark.parametrize(
    ("label", "base"),
    [
        ("มาตรา ๓๓๕ ทวิ", "335 ทวิ"),
        ("335ทวิ", "335 ทวิ"),
        ("มาตรา 65สัตตรส", "65 สัตตรส"),
        ("65 สัตต", "65 สัตต"),
        ("มาตรา 193/14 (3) (4)", "193/14"),
        ("59 วรรคหนึ่ง", "59"),
        ("ม. 335 (1) วรรคท้าย", "335"),
        ("1(6)", "1"),
    ],
)
def test_thai_labels(label, base):
    assert base_label(label, THAI) == base


@pytest.mark.parametrize(
    ("label", "base"),
    [
        ("Section 14BIS", "14 bis"),
        ("s. 14 bis, paragraph 2", "14 bis"),
        ("12(3)(a)", "12"),
        ("14-ter", "14 ter"),
        ("Sec. 10", "10"),
        ("14A", "14a"),
    ],
)
def test_english_labels(label, base):
    assert base_label(label, ENGLISH) == base


def test_a_suffix_is_not_a_number_after_a_slash_and_1_is_not_10():
    assert len({base_label(label, THAI) for label in ("335 ทวิ", "335/2", "335", "33", "3352")}) == 5


def test_digits_of_any_script():
    assert to_ascii_digits("๓๓๕ ３３５ ٣٣٥ §5") == "335 335 335 §5"


@given(st.integers(1, 9999), st.sampled_from(["", " ทวิ", " ตรี", "/1"]))
def test_normal_form_is_stable(number, suffix):
    once = normalise_label(f"มาตรา {number}{suffix}", THAI)
    assert normalise_label(once, THAI) == once == f"{number}{suffix}"
