"""Invented persons, in English and in Thai."""

from pathlib import Path

import pytest

from inforce.config.load import read_config
from inforce.config.masking import Masking
from inforce.items.mask_details import Masker

CONFIG = Path(__file__).parents[2] / "config" / "masking"
RULES = {language: read_config(CONFIG / f"{language}.yaml", Masking) for language in ("en", "th")}


def mask(language, *texts):
    return Masker(RULES[language]).mask(texts)


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("Mr Harold Pemble sued.", "Mr P. sued."),
        ("Mrs. O'Brien and Dr. J. Voss", "Mrs. O. and Dr. V."),
        ("The Judge of the Court and Justice for all", "The Judge of the Court and Justice for all"),
        ("Identity card no. 1234 567 890", "Identity card no. [id number]"),
        ("account number 12-3456-7890 at the bank", "account number [account number] at the bank"),
        ("He rang 020 7946 0958 twice.", "He rang [phone number] twice."),
        ("the car with registration AB12 CDE", "the car with registration [plate]"),
        ("She lives at 14b Old Mill Lane.", "She lives at [house number] Old Mill Lane."),
        (
            "Section 16 fixes five percent; 24 days later, on 3 January 1983.",
            "Section 16 fixes five percent; 24 days later, on 3 January 1983.",
        ),
        ("The seller and the buyer agreed.", "The seller and the buyer agreed."),
    ],
)
def test_english(text, masked):
    assert mask("en", text) == [masked]


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("นายสมชายเป็นสามี", "นายส.เป็นสามี"),
        ("นางสาวเลื่อมใส รักดี ได้ฟ้อง", "นางสาวล. ได้ฟ้อง"),
        ("เด็กชายขจรถูกรถชน", "เด็กชายข.ถูกรถชน"),
        ("โจทก์เป็นนายจ้างของจำเลย และเป็นนายหน้า", "โจทก์เป็นนายจ้างของจำเลย และเป็นนายหน้า"),
        ("นายกรัฐมนตรีและทนายความยื่นต่อนายอำเภอ", "นายกรัฐมนตรีและทนายความยื่นต่อนายอำเภอ"),
        ("จำเลยเจตนายิงผู้เสียหาย เดือนมิถุนายน 2552", "จำเลยเจตนายิงผู้เสียหาย เดือนมิถุนายน 2552"),
        ("นาย ย. และนาง พ.", "นาย ย. และนาง พ."),
        ("เลข 1-2345-67890-12-3", "เลข [เลขประจำตัวประชาชน]"),
        ("เลข ๑-๒๓๔๕-๖๗๘๙๐-๑๒-๓", "เลข [เลขประจำตัวประชาชน]"),
        ("โทร 081-234-5678", "โทร [หมายเลขโทรศัพท์]"),
        ("บัญชีออมทรัพย์ เลขที่ 123-4-56789-0", "บัญชีออมทรัพย์ เลขที่ [เลขที่บัญชี]"),
        ("รถหมายเลขทะเบียน กข 1234", "รถหมายเลขทะเบียน [ทะเบียนรถ]"),
        ("บ้านเลขที่ 99/12 หมู่ 3", "บ้านเลขที่ [บ้านเลขที่] หมู่ 3"),
        ("ป.อ. มาตรา 335 พ.ศ. 2499", "ป.อ. มาตรา 335 พ.ศ. 2499"),
    ],
)
def test_thai(text, masked):
    assert mask("th", text) == [masked]


def test_one_person_has_one_initial_in_all_texts_of_a_case_with_and_without_title():
    assert mask("en", "Mr Pemble sued Ms Parrish.", "Pemble won; Parrish lost.") == ["Mr P. sued Ms P.2.", "P. won; P.2 lost."]
    assert mask("th", "นายไข่แดงนอน", "จับนายไข่แดงบนบ้าน ไข่แดงหนี") == ["นายข.นอน", "จับนายข.บนบ้าน ข.หนี"]


def test_cases_know_nothing_of_each_other():
    assert mask("en", "Mr Pemble") == mask("en", "Mr Parrish") == ["Mr P."]


def test_two_names_in_a_row_are_two_persons():
    assert mask("th", "นายมนัส นายนคร ได้ติดต่อ") == ["นายม. นายน. ได้ติดต่อ"]


def test_what_was_masked_is_counted():
    masker = Masker(RULES["en"])
    masker.mask(["Mr Pemble of 3 High Street rang 020 7946 0958. Pemble paid."])
    assert masker.counts == {"name": 2, "house_number": 1, "phone": 1}


def test_masked_text_stays_as_it_is():
    (once,) = mask("en", "Mr Harold Pemble of 3 High Street")
    assert mask("en", once) == [once]
