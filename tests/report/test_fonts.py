from inforce.report.fonts import BASE, BUNDLED, families_for, letters_of, missing_letters


def test_latin_needs_the_base_font_only():
    assert families_for(["Section 14 bis – “six crowns”"]) == [BASE]
    assert missing_letters(["Section 14 bis"]) == []


def test_thai_is_set_in_the_bundled_font_with_its_licence():
    text = "ผู้ใดเอาทรัพย์ของผู้อื่นไปโดยทุจริต ๓๓๕ ทวิ"
    assert families_for([text]) == [BASE, "Noto Sans Thai"]
    assert missing_letters([text]) == []
    folder = BUNDLED["Noto Sans Thai"].parent
    assert "SIL Open Font License" in (folder / "NotoSansThai-OFL.txt").read_text(encoding="utf-8")


def test_a_letter_that_no_font_has_is_named():
    assert missing_letters(["a\U00012000"]) == ["\U00012000"]  # cuneiform


def test_letters_are_signs_with_a_shape():
    assert letters_of(["a b\n\u200b\u00a0c"]) == {"a", "b", "c"}
