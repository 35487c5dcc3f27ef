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
        ("His passport number was P1234567.", "His passport number was [id number]."),
        ("Tel. 0812345678", "Tel. [phone number]"),
        ("phone +44 20 7946 0958, or +66 81 234 5678", "phone [phone number], or [phone number]"),
        ("(081) 234-5678", "[phone number]"),
        ("IBAN GB82 WEST 1234 5698 7654 32", "IBAN [account number]"),
        ("Write to a.smith@mail.example.", "Write to [e-mail address]."),
        ("registration number 7XK-4421", "registration number [plate]"),
        ("123/45 Harbour Road, 12-14 Harbour Road", "[house number] Harbour Road, [house number] Harbour Road"),
        ("12 St Mary's Road", "[house number] St Mary's Road"),
        ("No 12A, Old Harbour Street", "No [house number], Old Harbour Street"),
        ("Ms MARY SMITH and MR SMITH", "Ms S. and MR S."),
        ("Mr van der Berg sued Dr de la Cruz.", "Mr B. sued Dr C.."),
        ("Mr Łukasz Żak came.", "Mr Ż. came."),
        ("Mrs. Anne-Marie St. John left.", "Mrs. J. left."),
        ("Mr J. R. R. Pemble wrote.", "Mr P. wrote."),
        ("Mr JOHN VAN DER BERG and Mr Pemble's Car", "Mr B. and Mr P.'s Car"),
        ("Ms Smith-Jones met Mr O'Neil-Brown of 7 Harbour Rd.", "Ms S. met Mr O. of [house number] Harbour Rd."),
        ("Mr Pemble QC and Lady Ashworth", "Mr P. QC and Lady A."),
        ("Mr P. The court agreed. The Lord Chancellor did not.", "Mr P. The court agreed. The Lord Chancellor did not."),
    ],
)
def test_english_in_other_forms(text, masked):
    assert mask("en", text) == [masked]


@pytest.mark.parametrize(
    "text",
    [
        "The registration Act 1979 and the registration of 1979",
        "section 12 Market Court, Article 3 High Street",
        "on 3 May Harbour Road was closed, and 5 High Court judges met",
        "the account 2019 - 2020, on account of 1990 2000 events, and the years 1990 1991",
        "identity of 5 persons in 1999 10 times",
        "registration of plate is required; plate in the kitchen 12",
        "24 days later, on 3 January 1983, a fine of 12,000 crowns; 30 days, 10 of 12",
    ],
)
def test_english_that_is_no_detail(text):
    assert mask("en", text) == [text]


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("Judge May heard it in May 1990; May she?", "Judge M. heard it in May 1990; May she?"),
        ("Mr Law relied on the Law of Property, and so did Law.", "Mr L. relied on the Law of Property, and so did L.."),
        ("Mr Court and the Court of Appeal", "Mr C. and the Court of Appeal"),
        ("Miss June Price: the price was low, Price Act 1980, paid in June", "Miss P.: the price was low, Price Act 1980, paid in June"),
        ("Mr John Price sued. Later John Price and the buyer met.", "Mr P. sued. Later P. and the buyer met."),
        (
            "Mr Kettle said the kettle was old. Kettle lied, and the court believed Kettle.",
            "Mr K. said the kettle was old. Kettle lied, and the court believed K..",
        ),
        ("MR SMITH left. Smith's car stayed with Mary Smith.", "MR S. left. S.'s car stayed with Mary S.."),
        ("Mr van der Berg paid; van der Berg said so.", "Mr B. paid; B. said so."),
    ],
)
def test_a_name_that_is_a_word_is_masked_only_where_it_stands_as_a_name(text, masked):
    assert mask("en", text) == [masked]


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("รถยนต์ทะเบียนรถ กข 1234", "รถยนต์ทะเบียนรถ [ทะเบียนรถ]"),
        ("ทะเบียนเลขที่ กข 1234", "ทะเบียนเลขที่ [ทะเบียนรถ]"),
        ("เลขบัญชี 123-4-56789-0", "เลขบัญชี [เลขที่บัญชี]"),
        ("โทร +66812345678", "โทร [หมายเลขโทรศัพท์]"),
        ("อยู่ เลขที่ 12/3 หมู่ 4", "อยู่ เลขที่ [บ้านเลขที่] หมู่ 4"),
        ("บ้านเลขที่ 12 ทวิ ถนนใหญ่", "บ้านเลขที่ [บ้านเลขที่] ถนนใหญ่"),
        ("นายประกันชัย ดี", "นายป."),
        ("นายทุนทรัพย์ มีสุข", "นายท."),
        ("นางสาวสาวิตรี รักดี และนางสาวิตรี", "นางสาวส. และนางส."),
        ("นายช่างทอง", "นายช."),
        ("ร.ต.ท.สมศักดิ์ มั่นคง", "ร.ต.ท.ส."),
        ("ดร.สมชาย ใจดี", "ดร.ส."),
        ("นายสมชาย อายุ 20 ปี", "นายส. อายุ 20 ปี"),
        ("โทรศัพท์ 0 2123 4567", "โทรศัพท์ [หมายเลขโทรศัพท์]"),
        ("นายเฉลิม อยู่บำรุง อยู่บ้าน", "นายฉ. อยู่บ้าน"),
        ("นายสัญญา ดี ทำสัญญาซื้อขาย แล้วสัญญา ดี ก็ตาย", "นายส. ทำสัญญาซื้อขาย แล้วส. ก็ตาย"),
        ("นายประเทศ ใจดี ฟ้องว่าประเทศไทย", "นายป. ฟ้องว่าประเทศไทย"),
        ("นายอำนาจ มีสุข ใช้อำนาจปกครอง", "นายอ. ใช้อำนาจปกครอง"),
    ],
)
def test_thai_in_other_forms(text, masked):
    assert mask("th", text) == [masked]


@pytest.mark.parametrize(
    "text",
    [
        "นายประกันไม่มาศาล และนายทุนให้กู้ นายช่างโยธา นายทุนขูดรีด นายท่า",
        "นายทะเบียนและนายอำเภอ นางพยาบาลผู้ดูแล นายตรวจ",
        "สัญญาเลขที่ 12/2530 โฉนดเลขที่ 1234 ตำบลนางเลิ้ง",
        "ทะเบียนสมรส 2499 มาตรา 12 ลงวันที่ 3 มกราคม 2535",
    ],
)
def test_thai_that_is_no_detail(text):
    assert mask("th", text) == [text]


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


def test_details_are_told_so_that_other_texts_can_be_masked_alike():
    masker = Masker(RULES["en"])
    masker.mask(["Judge May heard Mr Harold Pemble of 3 High Street, telephone 020 7946 0958."])
    assert masker.details() == {
        "020 7946 0958": "[phone number]",
        "3 High Street": "[house number] High Street",  # 3 alone is any number
        "Judge May": "Judge M.",  # and May a month
        "Mr Harold Pemble": "Mr P.",
        **dict.fromkeys(("Harold Pemble", "Pemble", "PEMBLE"), "P."),
    }
