"""Every form of LESSONS §5 with its whole output, worked by hand; what must hold for any text."""

import re
import sys

import pytest
from citations.grammars import NAMES, found, grammar
from hypothesis import given, settings
from hypothesis import strategies as st

from inforce.citations.extract import extract

PENAL, CIVIL = "ประมวลกฎหมายอาญา", "ประมวลกฎหมายแพ่งและพาณิชย์"
JOBS = "พระราชบัญญัติจัดหางานและคุ้มครองคนหางาน พ.ศ.2528"


def none(words, label, path="", kind="section"):
    """A citation whose law is not named."""
    return (words, kind, label, path, None, "none")


THAI = [
    ("มาตรา ๓๓๕ ทวิ", [none("มาตรา ๓๓๕ ทวิ", "335 ทวิ")]),
    ("มาตรา 335ทวิ", [none("มาตรา 335ทวิ", "335 ทวิ")]),
    ("มาตรา 335 ทวิวรรคแรก", [none("มาตรา 335 ทวิวรรคแรก", "335 ทวิ", "paragraph 1")]),
    ("มาตรา 65สัตตรส และมาตรา 65 สัตต", [none("มาตรา 65สัตตรส", "65 สัตตรส"), none("มาตรา 65 สัตต", "65 สัตต")]),
    ("มาตรา 65 ทวิ/1", [none("มาตรา 65 ทวิ/1", "65 ทวิ/1")]),
    ("มาตรา 65 ฉัพพีสติ/2", [none("มาตรา 65 ฉัพพีสติ/2", "65 ฉัพพีสติ/2")]),
    ("มาตรา 65 ฉ", [none("มาตรา 65 ฉ", "65 ฉ")]),
    ("มาตรา 65 ฉบับแก้ไข", [none("มาตรา 65", "65")]),
    ("ม.140–143", [none("ม.140–143", "140..143", kind="range")]),
    ("มาตรา 281 ถึง 288", [none("มาตรา 281 ถึง 288", "281..288", kind="range")]),
    ("มาตรา 281 ถึงมาตรา 288", [none("มาตรา 281 ถึงมาตรา 288", "281..288", kind="range")]),
    ("มาตรา 290,295 ประกอบด้วยมาตรา 60", [none("มาตรา 290", "290"), none("295", "295"), none("มาตรา 60", "60")]),
    ("มาตรา289(6),340,340ตรี", [none("มาตรา289(6)", "289", "item 6"), none("340", "340"), none("340ตรี", "340 ตรี")]),
    ("มาตรา 193/14 (3) (4)", [none("มาตรา 193/14 (3)", "193/14", "item 3"), none("(4)", "193/14", "item 4")]),
    (
        "มาตรา 335(1)(7) วรรคสอง",
        [none("มาตรา 335(1)", "335", "item 1 > paragraph 2"), none("(7) วรรคสอง", "335", "item 7 > paragraph 2")],
    ),
    ("มาตรา 1 (1) (ก) (ข)", [none("มาตรา 1 (1) (ก)", "1", "item 1 > subitem ก"), none("(ข)", "1", "item 1 > subitem ข")]),
    ("มาตรา 295คงเป็นผิดตาม", [none("มาตรา 295", "295")]),
    (
        "ป.อ. ม. 334, ม. 335 (1)",
        [("ม. 334", "section", "334", "", PENAL, "named"), ("ม. 335 (1)", "section", "335", "item 1", PENAL, "named")],
    ),
    ("ป.อ.ม.334", [("ม.334", "section", "334", "", PENAL, "named")]),
    ("มาตรา 335 วรรคแรก", [none("มาตรา 335 วรรคแรก", "335", "paragraph 1")]),
    ("มาตรา 335 วรรคหนึ่ง", [none("มาตรา 335 วรรคหนึ่ง", "335", "paragraph 1")]),
    ("มาตรา 59 วรรคท้าย", [none("มาตรา 59 วรรคท้าย", "59", "paragraph last")]),
    ("มาตรา 59 วรรคสุดท้าย", [none("มาตรา 59 วรรคสุดท้าย", "59", "paragraph last")]),
    ("มาตรา 309 วรรค 2", [none("มาตรา 309 วรรค 2", "309", "paragraph 2")]),
    ("มาตรา 335 ตอน 1 ไม่ใช่ ตอน 2", [none("มาตรา 335 ตอน 1", "335", "part 1")]),
    ("วรรคสองของมาตรา 335", [none("วรรคสองของมาตรา 335", "335", "paragraph 2")]),
    (
        "มาตรา 136และ 326 แห่งประมวลกฎหมายอาญา",
        [("มาตรา 136", "section", "136", "", PENAL, "named"), ("326", "section", "326", "", PENAL, "named")],
    ),
    (
        "มาตรา 148,310,334ประมวลกฎหมายอาญา",
        [
            ("มาตรา 148", "section", "148", "", PENAL, "named"),
            ("310", "section", "310", "", PENAL, "named"),
            ("334", "section", "334", "", PENAL, "named"),
        ],
    ),
    (
        f"{JOBS} มาตรา 4,30 ประกอบประมวลกฎหมายอาญา มาตรา 83 และมาตรา 9 แห่งพระราชบัญญัติดังกล่าว",
        [
            ("มาตรา 4", "section", "4", "", JOBS, "named"),
            ("30", "section", "30", "", JOBS, "named"),
            ("มาตรา 83", "section", "83", "", PENAL, "named"),
            ("มาตรา 9", "section", "9", "", JOBS, "back"),
        ],
    ),
    (
        "ป.พ.พ. มาตรา 420 มาตราดังกล่าวไม่ใช้บังคับ",
        [("มาตรา 420", "section", "420", "", CIVIL, "named"), ("มาตราดังกล่าว", "same", "420", "", CIVIL, "carried")],
    ),
    (
        "ป.พ.พ. มาตรา 420 ส่วนจำเลยที่ 2 ไม่ต้องรับผิดตามมาตรา 425",
        [("มาตรา 420", "section", "420", "", CIVIL, "named"), ("มาตรา 425", "section", "425", "", CIVIL, "carried")],
    ),
    ("มาตรา 288 และ 2 ปี", [none("มาตรา 288", "288")]),
    ("มาตรา 341 และ 10,000 บาท", [none("มาตรา 341", "341")]),
    ("มาตรา 30 แห่งประมวลกฎหมายอาญาทหาร", [("มาตรา 30", "section", "30", "", "ประมวลกฎหมายอาญาทหาร", "named")]),
    ("ป.อ.ทหาร มาตรา 30", [("มาตรา 30", "section", "30", "", "ป.อ.ทหาร", "named")]),
    ("ร่างประมวลกฎหมายอาญา มาตรา 5", [("มาตรา 5", "section", "5", "", "ร่างประมวลกฎหมายอาญา", "named")]),
    ("มาตรา 5 แห่งร่างประมวลกฎหมายอาญา", [("มาตรา 5", "section", "5", "", "ร่างประมวลกฎหมายอาญา", "named")]),
    (
        "ป.อ. มาตรา 288 และมาตรา 6 แห่งอนุสัญญาว่าด้วยสิทธิเด็ก",
        [
            ("มาตรา 288", "section", "288", "", PENAL, "named"),
            ("มาตรา 6", "section", "6", "", "อนุสัญญาว่าด้วยสิทธิเด็ก", "named"),
        ],
    ),
    ("มาตรา 366 อัฐิของผู้ตาย", [none("มาตรา 366", "366")]),
    ("มาตรา 12 นวัตกรรม", [none("มาตรา 12", "12")]),
    ("มาตรา 20 ทศนิยม", [none("มาตรา 20", "20")]),
    ("มาตรา 12 ตรีคูณ", [none("มาตรา 12", "12")]),
    ("มาตรา 335ทวิคงเป็นผิด", [none("มาตรา 335ทวิ", "335 ทวิ")]),
    ("ม.140—143", [none("ม.140—143", "140..143", kind="range")]),
    ("ม.140‑143", [none("ม.140‑143", "140..143", kind="range")]),
    (
        "มาตรา 276 วรรคหนึ่ง (เดิม), 310 วรรคแรก",
        [none("มาตรา 276 วรรคหนึ่ง", "276", "paragraph 1"), none("310 วรรคแรก", "310", "paragraph 1")],
    ),
    ("มาตรา 276 (เดิม) วรรคหนึ่ง และ 310", [none("มาตรา 276 (เดิม) วรรคหนึ่ง", "276", "paragraph 1"), none("310", "310")]),
    ("มาตรา 276 (เดิม) แห่ง ป.อ.", [("มาตรา 276", "section", "276", "", PENAL, "named")]),
    ("มาตรา\u200b335 ครับ", [none("มาตรา\u200b335", "335")]),
    ("ป\u200b.อ. มาตรา 335\u200bทวิ\u200b", [("มาตรา 335\u200bทวิ", "section", "335 ทวิ", "", PENAL, "named")]),
    ("มาตรา 93 วรรคสองและวรรคสาม", [none("มาตรา 93 วรรคสอง", "93", "paragraph 2"), none("วรรคสาม", "93", "paragraph 3")]),
    ("มาตรา 93 วรรคสองและสาม", [none("มาตรา 93 วรรคสอง", "93", "paragraph 2"), none("สาม", "93", "paragraph 3")]),
    ("มาตรา 93 วรรคสองและสามารถขอได้", [none("มาตรา 93 วรรคสอง", "93", "paragraph 2")]),
    ("มาตรา 93 วรรคหนึ่งถึงสาม", [none("มาตรา 93 วรรคหนึ่งถึงสาม", "93", "paragraph 1-3")]),
    ("มาตรา 93 วรรค 2 และ 3", [none("มาตรา 93 วรรค 2", "93", "paragraph 2"), none("3", "93", "paragraph 3")]),
    ("มาตรา 335 วรรคสอง, 83", [none("มาตรา 335 วรรคสอง", "335", "paragraph 2"), none("83", "83")]),
    ("มาตรา 335 วรรค 2, 83", [none("มาตรา 335 วรรค 2", "335", "paragraph 2"), none("83", "83")]),
    (
        "วรรคสองและสามแห่งมาตรา 93",
        [none("วรรคสองและสามแห่งมาตรา 93", "93", "paragraph 2"), none("วรรคสองและสามแห่งมาตรา 93", "93", "paragraph 3")],
    ),
    ("มาตรา 5 เป็นต้นไป แห่งประมวลกฎหมายอาญา", [("มาตรา 5", "section", "5", "", PENAL, "named")]),
    ("มาตรา 288 ถึง 281", [none("มาตรา 288", "288")]),
    ("องค์ประกอบ มาตรา 420", []),
    ("องค์ประกอบมาตรา 420", []),
    ("มาตราส่วน 1:1000", []),
    ("มาตราส่วน 1 ต่อ 1000", []),
    ("อนุมาตรา 9", []),
    ("ยาว 5 ซ.ม. 3 แผล", []),
]

CRIMINAL, ROAD = "中華民國刑法", "道路交通管理處罰條例"

TAIWAN = [
    ("第九十八條之六第一項第一款", [none("第九十八條之六第一項第一款", "98-6", "paragraph 1 > subparagraph 1")]),
    ("第十四條至第十五條之二", [none("第十四條至第十五條之二", "14..15-2", kind="range")]),
    ("第十四至十六條", [none("第十四至十六條", "14..16", kind="range")]),
    (
        "民法第184條第1項前段、第191條之2前段",
        [
            ("第184條第1項前段", "section", "184", "paragraph 1 > part first", "民法", "named"),
            ("第191條之2前段", "section", "191-2", "part first", "民法", "named"),
        ],
    ),
    ("第７９條", [none("第７９條", "79")]),
    ("第 37-1 條", [none("第 37-1 條", "37-1")]),
    ("第三十七條之一", [none("第三十七條之一", "37-1")]),
    ("第十五條之規定", [none("第十五條", "15")]),
    ("第三條之二分之一", [none("第三條", "3")]),
    ("前二條", [none("前二條", "None-2", kind="relative")]),
    ("前條第二項", [none("前條第二項", "None-1", "paragraph 2", kind="relative")]),
    (
        "民法第184條第一項，同條第二項",
        [
            ("第184條第一項", "section", "184", "paragraph 1", "民法", "named"),
            ("同條第二項", "same", "184", "paragraph 2", "民法", "carried"),
        ],
    ),
    (
        "刑法第一百十六條，同法第五條",
        [("第一百十六條", "section", "116", "", CRIMINAL, "named"), ("第五條", "section", "5", "", CRIMINAL, "back")],
    ),
    (
        "違反道路交通管理處罰條例第三十五條第一項第一款、第三款或第三項；依民法第一條，同條例第二十四條",
        [
            ("第三十五條第一項第一款", "section", "35", "paragraph 1 > subparagraph 1", ROAD, "named"),
            ("第三款", "section", "35", "paragraph 1 > subparagraph 3", ROAD, "named"),
            ("第三項", "section", "35", "paragraph 3", ROAD, "named"),
            ("第一條", "section", "1", "", "民法", "named"),
            ("第二十四條", "section", "24", "", ROAD, "back"),
        ],
    ),
    (
        "陸海空軍刑法第三條及刑法第四條",  # one name inside another
        [("第三條", "section", "3", "", "陸海空軍刑法", "named"), ("第四條", "section", "4", "", CRIMINAL, "named")],
    ),
    ("第一款至第五款", []),
    ("第八條第一款至第五款", [none("第八條第一款至第五款", "8", "subparagraph 1-5")]),
    ("民§184", [("§184", "section", "184", "", "民法", "named")]),
    (
        "第一百八十四、一百八十五條之一",
        [none("第一百八十四", "184"), none("一百八十五條之一", "185-1")],
    ),
    ("憲法增修條文第10條", [("第10條", "section", "10", "", "憲法增修條文", "named")]),
    ("民法總則施行法第3條", [("第3條", "section", "3", "", "民法總則施行法", "named")]),
    ("德國民法第823條", [("第823條", "section", "823", "", "德國民法", "named")]),
    (
        "民法第1條及公民與政治權利國際公約第6條",
        [
            ("第1條", "section", "1", "", "民法", "named"),
            ("第6條", "section", "6", "", "公民與政治權利國際公約", "named"),
        ],
    ),
    (
        "民法第184條，系爭契約第5條約定，同契約第6條",
        [
            ("第184條", "section", "184", "", "民法", "named"),
            ("第5條", "section", "5", "", "系爭契約", "named"),
            ("第6條", "section", "6", "", "系爭契約", "back"),
        ],
    ),
    ("第一○五條", [none("第一○五條", "105")]),  # U+25CB
    ("第３７－１條", [none("第３７－１條", "37-1")]),
    ("第 37 - 1 條", [none("第 37 - 1 條", "37-1")]),
    ("第 2-3 條", [none("第 2-3 條", "2-3")]),
    ("第1條-第5條", [none("第1條-第5條", "1..5", kind="range")]),
    ("第184條第一項、第三項", [none("第184條第一項", "184", "paragraph 1"), none("第三項", "184", "paragraph 3")]),
    ("第184條第一項及第二項", [none("第184條第一項", "184", "paragraph 1"), none("第二項", "184", "paragraph 2")]),
    (
        "第184條第1、3項及第185條",
        [none("第184條第1", "184", "paragraph 1"), none("3項", "184", "paragraph 3"), none("第185條", "185")],
    ),
    ("第184條第1至3項", [none("第184條第1至3項", "184", "paragraph 1-3")]),
    (
        "第339條之4第1項第1款、第2、4款",
        [
            none("第339條之4第1項第1款", "339-4", "paragraph 1 > subparagraph 1"),
            none("第2", "339-4", "paragraph 1 > subparagraph 2"),
            none("4款", "339-4", "paragraph 1 > subparagraph 4"),
        ],
    ),
    ("第184條第1、2項前段", [none("第184條第1", "184", "paragraph 1"), none("2項前段", "184", "paragraph 2 > part first")]),
    ("第28條之1、之2第1項", [none("第28條之1", "28-1"), none("之2第1項", "28-2", "paragraph 1")]),
    ("第28條之1至之3", [none("第28條之1至之3", "28-1..28-3", kind="range")]),
    ("第28條之1、之2分之一", [none("第28條之1", "28-1")]),
    ("第8條第1項、第2款", [none("第8條第1項", "8", "paragraph 1")]),
    ("第一條件", []),
    ("第三條款", []),
    ("第二條約", []),
    ("第二條約定", [none("第二條", "2")]),
    ("第三條之一切", [none("第三條", "3")]),
    ("第三條之一部", [none("第三條", "3")]),
    ("第10條之三倍", [none("第10條", "10")]),
    ("第 二 條 路", []),
    ("第二條路", []),
    ("條例第一章", []),
]

INSURANCE, BUILDING, TAXES = "code des assurances", "code de la construction et de l'habitation", "code général des impôts"

FRENCH = [
    (
        "art. L. 385-2, R. 343-4 et A421-13 C. assur.",
        [
            ("art. L. 385-2", "section", "L385-2", "", INSURANCE, "named"),
            ("R. 343-4", "section", "R343-4", "", INSURANCE, "named"),
            ("A421-13", "section", "A421-13", "", INSURANCE, "named"),
        ],
    ),
    ("articles 819 à 837", [none("articles 819 à 837", "819..837", kind="range")]),
    ("article 1649 quater B", [none("article 1649 quater B", "1649 quater B")]),
    ("article 1649 quater B.", [none("article 1649 quater B", "1649 quater B")]),
    ("article R*442-11-1", [none("article R*442-11-1", "R*442-11-1")]),
    ("code civil, art. 1382", [("art. 1382", "section", "1382", "", "code civil", "named")]),
    ("l'article 1382 du code civil", [("article 1382", "section", "1382", "", "code civil", "named")]),
    (
        "l'article L. 411-2 du code de la construction\net de l'habitation et l'article 5 du même code",
        [
            ("article L. 411-2", "section", "L411-2", "", BUILDING, "named"),
            ("article 5", "section", "5", "", BUILDING, "back"),
        ],
    ),
    (
        "art. 5 C. civ. et 12 C. com.",
        [("art. 5", "section", "5", "", "code civil", "named"), ("12", "section", "12", "", "code de commerce", "named")],
    ),
    ("article 1er, alinéa 2", [none("article 1er, alinéa 2", "1", "paragraph 2")]),
    ("article premier", [none("article premier", "1")]),
    ("deuxième alinéa de l'article 515-3", [none("deuxième alinéa de l'article 515-3", "515-3", "paragraph 2")]),
    (
        "aux deuxième et troisième alinéas de l'article 275",
        [
            none("deuxième et troisième alinéas de l'article 275", "275", "paragraph 2"),
            none("deuxième et troisième alinéas de l'article 275", "275", "paragraph 3"),
        ],
    ),
    (
        "aux alinéas 2 et 3 de l'article 93",
        [
            none("alinéas 2 et 3 de l'article 93", "93", "paragraph 2"),
            none("alinéas 2 et 3 de l'article 93", "93", "paragraph 3"),
        ],
    ),
    ("1° à 5° de l'article 1369-4", [none("1° à 5° de l'article 1369-4", "1369-4", "item 1-5")]),
    (
        "article 16, 3° et 5°, et article 17",
        [none("article 16, 3°", "16", "item 3"), none("5°", "16", "item 5"), none("article 17", "17")],
    ),
    ("article 12, 3 ans après", [none("article 12", "12")]),
    ("l'article précédent", [none("article précédent", "None-1", kind="relative")]),
    ("les deux articles précédents", [none("deux articles précédents", "None-2", kind="relative")]),
    (
        "articles 101,102,103 du code civil",
        [(words, "section", words[-3:], "", "code civil", "named") for words in ("articles 101", "102", "103")],
    ),
    (
        "art. 1382, 1383 et 1384, al. 1er, C. civ.",
        [
            ("art. 1382", "section", "1382", "", "code civil", "named"),
            ("1383", "section", "1383", "", "code civil", "named"),
            ("1384, al. 1er", "section", "1384", "paragraph 1", "code civil", "named"),
        ],
    ),
    (
        "article 1382 du code civil et article 6 § 1 de la Convention européenne",
        [
            ("article 1382", "section", "1382", "", "code civil", "named"),
            ("article 6 § 1", "section", "6", "paragraph 1", "Convention européenne", "named"),
        ],
    ),
    ("article 3 du règlement n° 44/2001", [("article 3", "section", "3", "", "règlement n° 44/2001", "named")]),
    ("article 5 de l'ancien code pénal", [("article 5", "section", "5", "", "ancien code pénal", "named")]),
    ("article 5 du code civil suisse", [("article 5", "section", "5", "", "code civil suisse", "named")]),
    (
        "articles 372 (alinéa 2) et 373 (ancien), 374",
        [none("articles 372 (alinéa 2)", "372", "paragraph 2"), none("373", "373"), none("374", "374")],
    ),
    (
        "articles 372 (al. 2, 3° et 4°) et 373",
        [
            none("articles 372 (al. 2, 3°", "372", "paragraph 2 > item 3"),
            none("4°)", "372", "paragraph 2 > item 4"),
            none("373", "373"),
        ],
    ),
    (
        "articles 1872 (alinéas 2 et 3) et 1873 (alinéas 2 à 4)",
        [
            none("articles 1872 (alinéas 2", "1872", "paragraph 2"),
            none("3)", "1872", "paragraph 3"),
            none("1873 (alinéas 2 à 4)", "1873", "paragraph 2-4"),
        ],
    ),
    ("article 5 (alinéa 2 en 30 jours)", [none("article 5", "5")]),
    (
        "article 5 (alinéa 2 de l'article 6)",
        [none("article 5", "5"), none("alinéa 2 de l'article 6", "6", "paragraph 2")],
    ),
    ("un inventaire article par article", []),
    ("article L. 131‑1", [none("article L. 131‑1", "L131-1")]),  # U+2011
    ("article L. 131–1", [none("article L. 131–1", "L131-1")]),
    ("articles L. 131-1 – L. 131-5", [none("articles L. 131-1 – L. 131-5", "L131-1..L131-5", kind="range")]),
    ("articles 819–837", [none("articles 819–837", "819..837", kind="range")]),
    ("articles 373-2-6–373-2-13", [none("articles 373-2-6–373-2-13", "373-2-6..373-2-13", kind="range")]),
    ("article 16–1", [none("article 16–1", "16-1")]),
    ("article L. 511–513", [none("article L. 511–513", "L511-513")]),
    ("article 235 ter ZD du CGI", [("article 235 ter ZD", "section", "235 ter ZD", "", TAXES, "named")]),
    ("article 1649  quater B", [none("article 1649  quater B", "1649 quater B")]),
    ("article 1649\n   quater\nB", [none("article 1649\n   quater\nB", "1649 quater B")]),
    ("article 12\nA compter du", [none("article 12", "12")]),
    ("article 150-0 A", [none("article 150-0 A", "150-0 A")]),
    ("article 150 VI", [none("article 150 VI", "150 VI")]),
    ("article 219 II", [none("article 219", "219")]),
    ("article 208-0 bis A", [none("article 208-0 bis A", "208-0 bis A")]),
    ("article 1649 quater-0 B bis", [none("article 1649 quater-0 B bis", "1649 quater-0 B bis")]),
    (
        "article 93, alinéas 2 et 3",
        [none("article 93, alinéas 2", "93", "paragraph 2"), none("3", "93", "paragraph 3")],
    ),
    ("article 93, alinéas 2 à 4", [none("article 93, alinéas 2 à 4", "93", "paragraph 2-4")]),
    ("article 93, alinéas 2-4", [none("article 93, alinéas 2-4", "93", "paragraph 2-4")]),
    ("article 93, §§ 2 et 3", [none("article 93, §§ 2", "93", "paragraph 2"), none("3", "93", "paragraph 3")]),
    (
        "article 93, alinéas 2 et 3, et article 95",
        [none("article 93, alinéas 2", "93", "paragraph 2"), none("3", "93", "paragraph 3"), none("article 95", "95")],
    ),
    (
        "articles 93, alinéas 1er, 2 et 3, 94 et 95-1 du code civil",
        [
            ("articles 93, alinéas 1er", "section", "93", "paragraph 1", "code civil", "named"),
            ("2", "section", "93", "paragraph 2", "code civil", "named"),
            ("3", "section", "93", "paragraph 3", "code civil", "named"),
            ("94", "section", "94", "", "code civil", "named"),
            ("95-1", "section", "95-1", "", "code civil", "named"),
        ],
    ),
    (
        "article 93, alinéas 2 et 3 de l'article 95",
        [
            none("article 93", "93"),
            none("alinéas 2 et 3 de l'article 95", "95", "paragraph 2"),
            none("alinéas 2 et 3 de l'article 95", "95", "paragraph 3"),
        ],
    ),
    ("alinéas 2 à 4 de l'article 93", [none("alinéas 2 à 4 de l'article 93", "93", "paragraph 2-4")]),
    (
        "article 93, premier et deuxième alinéas",
        [none("article 93, premier", "93", "paragraph 1"), none("deuxième alinéas", "93", "paragraph 2")],
    ),
    ("article 93, alinéas 2 et 30 jours après", [none("article 93, alinéas 2", "93", "paragraph 2")]),
    (
        "article 93, alinéas 2 et 95-1",
        [none("article 93, alinéas 2", "93", "paragraph 2"), none("95-1", "95-1")],
    ),
    ("article 16, alinéa 2, 3°", [none("article 16, alinéa 2, 3°", "16", "paragraph 2 > item 3")]),
    (
        "au 1° et au 3° de l'article 5",
        [none("1° et au 3° de l'article 5", "5", "item 1"), none("1° et au 3° de l'article 5", "5", "item 3")],
    ),
    ("article 93 à 4", [none("article 93", "93")]),  # a range does not fall
    ("articles 1240 et suivants du code civil", [("articles 1240", "section", "1240", "", "code civil", "named")]),
    ("art. 1240 et s. C.civ.", [("art. 1240", "section", "1240", "", "code civil", "named")]),
    (
        "article 1382, devenu 1240, du code civil",
        [("article 1382", "section", "1382", "", "code civil", "named"), ("1240", "section", "1240", "", "code civil", "named")],
    ),
    (
        "articles 1134 ancien et 1104 nouveau du code civil",
        [("articles 1134", "section", "1134", "", "code civil", "named"), ("1104", "section", "1104", "", "code civil", "named")],
    ),
    ("article 5 ancien code pénal", [("article 5", "section", "5", "", "ancien code pénal", "named")]),
    ("articles n° 12 et 13", [none("articles n° 12", "12"), none("13", "13")]),
    # one paragraph's word: a list of articles
    (
        "articles 1134, alinéa 3, 6 et 1147",
        [none("articles 1134, alinéa 3", "1134", "paragraph 3"), none("6", "6"), none("1147", "1147")],
    ),
    # a word for one or several: small numbers that go on are paragraphs
    (
        "art. 1384, al. 1er, 5 et 1385",
        [none("art. 1384, al. 1er", "1384", "paragraph 1"), none("5", "1384", "paragraph 5"), none("1385", "1385")],
    ),
    ("articles 6 § 1, 8 et 13", [none("articles 6 § 1", "6", "paragraph 1"), none("8", "8"), none("13", "13")]),
    ("article 46 quater-0 WXYZ", []),  # not understood: nothing, and not 46 quater
    ("article 46 quater-0 YZA", [none("article 46 quater-0 YZA", "46 quater-0 YZA")]),
    (
        "articles 49 septies ZZA à 49 septies ZZC et 49 septies YAB",
        [
            none("articles 49 septies ZZA à 49 septies ZZC", "49 septies ZZA..49 septies ZZC", kind="range"),
            none("49 septies YAB", "49 septies YAB"),
        ],
    ),
    ("article 46 AZA octies-0 A", [none("article 46 AZA octies-0 A", "46 AZA octies-0 A")]),
    ("article 46 AZA", [none("article 46", "46")]),  # after a bare number three capitals are more often something else
    ("article 12 TVA", [none("article 12", "12")]),
    ("article 12 bis SAS", [none("article 12 bis", "12 bis")]),
    ("article 235 ter CGI", [("article 235 ter", "section", "235 ter", "", TAXES, "named")]),
    ("article 199 tervicies", [none("article 199 tervicies", "199 tervicies")]),
    ("ARTICLES 12 ET 13", [none("ARTICLES 12", "12"), none("13", "13")]),
    ("article L. O. 111-3", [none("article L. O. 111-3", "LO111-3")]),
    ("article LO 6213-1", [none("article LO 6213-1", "LO6213-1")]),
    ("articles L.O 141, LO. 142 et 143", [none("articles L.O 141", "LO141"), none("LO. 142", "LO142"), none("143", "LO143")]),
    ("article Lp. 111-1", [none("article Lp. 111-1", "LP111-1")]),
    ("article *R. 132-1", [none("article *R. 132-1", "R*132-1")]),
    ("article LOI 5", []),
    ("article 12-00", []),
    ("articles L. 511-1 à 511-3", [none("articles L. 511-1 à 511-3", "L511-1..L511-3", kind="range")]),
    (
        "articles L. 511-1, 511-2 et 511-3",
        [none("articles L. 511-1", "L511-1"), none("511-2", "L511-2"), none("511-3", "L511-3")],
    ),
    ("articles L. 16 à 20", [none("articles L. 16 à 20", "L16..L20", kind="range")]),
    (
        "articles L. 12-3, R. 45-6, 45-7 et 78",  # another form of number: not the same series
        [none("articles L. 12-3", "L12-3"), none("R. 45-6", "R45-6"), none("45-7", "R45-7"), none("78", "78")],
    ),
    ("articles L. 511-1 et article 511-2", [none("articles L. 511-1", "L511-1"), none("article 511-2", "511-2")]),
    ("article R.* 442-11-1", [none("article R.* 442-11-1", "R*442-11-1")]),
    ("article R. * 442-11-1", [none("article R. * 442-11-1", "R*442-11-1")]),
    ("article L.O. 141", [none("article L.O. 141", "LO141")]),
]

SALES, CODE = "Consumer Sales Act", "Civil Code"

ENGLISH = [
    (
        "Section 16 of the Consumer Sales Act takes goods on approval; section 20 of the Civil Code fixes interest. Section 21 applies.",
        [
            ("Section 16", "section", "16", "", SALES, "named"),
            ("section 20", "section", "20", "", CODE, "named"),
            ("Section 21", "section", "21", "", CODE, "carried"),
        ],
    ),
    (
        "The Consumer Sales Act and the Civil Code apply. Section 4 of the said Act, section 5 of that Act and section 6 of the Code.",
        [
            ("Section 4", "section", "4", "", SALES, "back"),
            ("section 5", "section", "5", "", SALES, "back"),
            ("section 6", "section", "6", "", CODE, "back"),
        ],
    ),
    (
        "Sections 10 to 12 and 14 bis of the Civil Code",
        [("Sections 10 to 12", "range", "10..12", "", CODE, "named"), ("14 bis", "section", "14 bis", "", CODE, "named")],
    ),
    (
        "sections 4, 5 and 14A, ss. 7–9",
        [none("sections 4", "4"), none("5", "5"), none("14A", "14A"), none("ss. 7–9", "7..9", kind="range")],
    ),
    (
        "section 12(3)(a)(ii) or (b)",
        [
            none("section 12(3)(a)(ii)", "12", "subsection 3 > paragraph a > subparagraph ii"),
            none("(b)", "12", "subsection 3 > paragraph b"),
        ],
    ),
    ("section 12(h)(i)", [none("section 12(h)", "12", "paragraph h"), none("(i)", "12", "paragraph i")]),
    ("subsection (2) of section 12", [none("subsection (2) of section 12", "12", "subsection 2")]),
    (
        "paragraph (a) of subsection (2) of section 12",
        [none("paragraph (a) of subsection (2) of section 12", "12", "subsection 2 > paragraph a")],
    ),
    ("section 12, paragraph (b)", [none("section 12, paragraph (b)", "12", "paragraph b")]),
    ("second paragraph of section 12", [none("second paragraph of section 12", "12", "paragraph 2")]),
    ("Article XIV", [("Article XIV", "section", "14", "", None, "none")]),
    ("under section 11, 14 days after", [none("section 11", "11")]),
    ("under section 11 and 2,000 crowns", [none("section 11", "11")]),
    ("section 10 and 5 October", [none("section 10", "10")]),
    ("section 12, the said section", [none("section 12", "12"), none("the said section", "12", kind="same")]),
    ("the two preceding sections", [none("the two preceding sections", "None-2", kind="relative")]),
    ("sections 1,290,295", [none("sections 1", "1"), none("290", "290"), none("295", "295")]),
    ("section 11, 2,345 widgets", [none("section 11", "11")]),
    (
        "section 5 of the Civil Code and section 6 of the European Convention",
        [("section 5", "section", "5", "", CODE, "named"), ("section 6", "section", "6", "", "European Convention", "named")],
    ),
    (
        "section 93, subsections 2 and 3, and section 95",
        [none("section 93, subsections 2", "93", "subsection 2"), none("3", "93", "subsection 3"), none("section 95", "95")],
    ),
    ("section 93, items 2 to 4", [none("section 93, items 2 to 4", "93", "item 2-4")]),
    (
        "sections 93, paragraphs 2 and 3, and 95",
        [none("sections 93, paragraphs 2", "93", "paragraph 2"), none("3", "93", "paragraph 3"), none("95", "95")],
    ),
    ("section 93, paragraphs 2 and third parties", [none("section 93, paragraphs 2", "93", "paragraph 2")]),
    (
        "section 12, first and second paragraphs",
        [none("section 12, first", "12", "paragraph 1"), none("second paragraphs", "12", "paragraph 2")],
    ),
    ("sections 93, paragraph 2, and 95", [none("sections 93, paragraph 2", "93", "paragraph 2"), none("95", "95")]),
    (
        "paragraph (b) or (c) of section 12(2)",
        [
            none("paragraph (b) or (c) of section 12", "12", "subsection 2 > paragraph b"),
            none("paragraph (b) or (c) of section 12(2)", "12", "subsection 2 > paragraph c"),
        ],
    ),
    (
        "section 8, paragraph 2, items 1 and 3",
        [none("section 8, paragraph 2, items 1", "8", "paragraph 2 > item 1"), none("3", "8", "paragraph 2 > item 3")],
    ),
    ("section 12 et seq. of the Civil Code", [("section 12", "section", "12", "", CODE, "named")]),
    ("section 12 to section 5", [none("section 12", "12"), none("section 5", "5")]),
    ("section of the road", []),
    ("section 3 of the road", []),
    ("a section 3 km long", []),
    ("section 10.5", []),
    ("section 14x", []),
    ("section 27¹", []),
    ("the court's 11 judges", []),
]

CASES = [(name, *case) for name, cases in (("th", THAI), ("tw", TAIWAN), ("fr", FRENCH), ("en_demo", ENGLISH)) for case in cases]


@pytest.mark.parametrize(("name", "text", "expected"), CASES, ids=[f"{name}: {text}" for name, text, _ in CASES])
def test_forms(name, text, expected):
    assert found(name, text) == expected


def test_the_text_of_a_law_points_at_itself():
    own = {"own_law": "民法", "own_label": "第 185 條"}
    assert found("tw", "依前條、本法第三條或刑法第九條之罪，第四條。第五條及本條第二項。", **own) == [
        ("前條", "relative", "185-1", "", "民法", "own"),
        ("第三條", "section", "3", "", "民法", "own"),
        ("第九條", "section", "9", "", CRIMINAL, "named"),
        ("第四條", "section", "4", "", CRIMINAL, "carried"),  # until the sentence ends
        ("第五條", "section", "5", "", "民法", "own"),
        ("本條第二項", "own", "185", "paragraph 2", "民法", "own"),
    ]


def test_in_a_french_code_a_law_holds_for_its_list_only():
    text = "L'article L. 1-1 du code du travail et l'article 16 du présent code, l'article 17"
    assert found("fr", text, own_law="code civil") == [
        ("article L. 1-1", "section", "L1-1", "", "code du travail", "named"),
        ("article 16", "section", "16", "", "code civil", "own"),
        ("article 17", "section", "17", "", "code civil", "own"),
    ]


def test_a_law_said_to_be_known_that_was_never_named_stays_in_its_words():
    assert found("en_demo", "section 5 of that Act") == [("section 5", "section", "5", "", "that Act", "back")]


NUMBERS = re.compile(r"[\d〇零一二兩三四五六七八九十百千廿卅IVXLCDM]")
WORDS_THAT_POINT = re.compile(r"前|次|後|同條|該條|本條|ดังกล่าว|นั้น|นี้|เดียวกัน|ก่อน|ถัดไป|précé|suiv|présent|même|article|section", re.I)
PIECES = {
    "th": ["มาตรา ", "ม. ", "335", "ทวิ", "๓", "(1)", "วรรคสอง", ",", " และ ", "ถึง", "ป.อ. ", "แห่ง", "ประมวลกฎหมายอาญา", "ดังกล่าว", "ก"],
    "tw": ["第", "條", "之", "一百", "３", "37-1", "項", "款", "、", "及", "至", "民法", "刑法", "同法", "前", "同條", "路", "§"],
    "fr": [
        "article ",
        "art. ",
        "L. ",
        "385-2",
        "1er",
        ", ",
        " et ",
        " à ",
        "alinéa ",
        "3°",
        " de l'",
        "du ",
        "code civil ",
        "C. assur.",
        "même code",
    ],
    "en_demo": [
        "section ",
        "ss. ",
        "12",
        "(3)",
        "(a)",
        " bis",
        ", ",
        " and ",
        " to ",
        " of the ",
        "Civil Code",
        "the said Act",
        "paragraph ",
        "x",
    ],
}


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=80, deadline=None)
@given(text=st.text(max_size=60))
def test_a_text_without_numbers_holds_no_citation(name, text):
    if not NUMBERS.search(text) and not WORDS_THAT_POINT.search(text):
        assert extract(text, grammar(name)) == []


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_spans_hold_the_citation(name, data):
    text = "".join(data.draw(st.lists(st.sampled_from(PIECES[name]), max_size=14)))
    one = grammar(name)
    last = 0
    for citation in extract(text, one):
        words = text[citation.start : citation.end]
        assert words == words.strip() and words
        assert citation.start >= last or citation.paragraph  # several paragraphs may share the words of one section
        last = citation.start
        if citation.kind in ("section", "range"):
            # the same words alone give the same label, or are a further paragraph of the section before
            alone = [again.label for again in extract(f"{one.config.units[0].before[0]} {words}", one)] + [
                again.label for again in extract(words, one)
            ]
            carried = [f"{prefix}{label}" for prefix in one.config.label.prefixes for label in alone]  # L. 511-1, 511-2
            assert citation.label in alone + carried or citation.paragraph or one.config.units[0].after


def calls(name, text, count):
    """Calls of functions, Python's and C's, to read a text of `count` citations anew: work, counted without a clock."""
    n = 0

    def counted(_frame, event, _argument):
        nonlocal n
        n += event in ("call", "c_call")

    extract(text, grammar(name))  # what it remembers of single words is there for both lengths
    sys.setprofile(counted)
    try:
        found = extract(text, grammar(name))
    finally:
        sys.setprofile(None)
    assert len(found) == count
    return n


@pytest.mark.parametrize(
    ("name", "start", "member", "joint"),
    [
        ("th", "มาตรา ", "{}", ","),
        ("en_demo", "section 5 ", "({})", ", "),
        ("en_demo", "section 5 ", "({})", " "),
        ("fr", "article 5, ", "{}°", ", "),
        ("tw", "第3條", "第{}款", "、"),
    ],
)
def test_a_long_list_takes_work_in_proportion(name, start, member, joint):
    def text(count):
        return start + joint.join(member.format(number) for number in range(1, count + 1))

    assert calls(name, text(3000), 3000) < 12 * calls(name, text(300), 300)
