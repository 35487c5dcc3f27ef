import datetime as dt

import pytest
from citations.grammars import grammar

from inforce.citations.extract import extract
from inforce.citations.versions import Corpus, resolve

DAY = dt.date(2000, 1, 1)


def row(label, start, end=None, law="PC"):
    return {
        "law_code": law,
        "label": label,
        "valid_from": start and dt.date.fromisoformat(start),
        "begun_by": None,
        "valid_to": end and dt.date.fromisoformat(end),
        "version_uri": f"th/law/{law}/section-{label}/v/{start}",
    }


ROWS = [
    row("1", "1957-01-01"),
    row("10", "1957-01-01"),
    row("335", "1957-01-01", "2000-01-01"),
    row("335", "2000-01-01"),
    row("๓๓๕ทวิ", "1969-01-01"),
    row("335 ตรี", "2010-01-01"),
    row("336", "1957-01-01", "1999-01-01"),
    row("337", "1957-01-01"),
    row("338", None),
]


@pytest.fixture
def corpus():
    return Corpus(ROWS, grammar("th").labels[0])


def test_the_interval_is_half_open_and_labels_are_compared_whole(corpus):
    assert corpus.find("PC", "335", dt.date(1999, 12, 31)).version_uri.endswith("/v/1957-01-01")
    assert corpus.find("PC", "335", DAY).version_uri.endswith("/v/2000-01-01")
    assert corpus.find("PC", "335 ทวิ", DAY).status == "in_force"
    assert corpus.find("PC", "335/2", DAY) == ("335/2", None, "no_section")
    assert corpus.find("PC", "33", DAY).status == "no_section"
    assert corpus.find("PC", "336", DAY) == ("336", None, "not_in_force")
    assert corpus.find("PC", "338", DAY).status == "not_in_force"  # no known start
    assert corpus.find("XX", "1", DAY).status == "no_section"


def test_section_1_is_not_found_where_only_section_10_is_held():
    only = Corpus([row("10", "1957-01-01")], grammar("th").labels[0])
    assert only.find("PC", "1", DAY).status == "no_section"


def test_ranges_hold_what_the_law_holds_between_their_ends(corpus):
    assert corpus.between("PC", "335", "336") == ["335", "335 ทวิ", "335 ตรี", "336"]
    assert corpus.between("PC", "11", "335") == ["335"]
    assert corpus.between("PC", "335", "335") == ["335"]
    assert corpus.between("PC", "x", "335") == []


def test_neighbours_are_counted_in_the_law_of_the_day(corpus):
    assert corpus.beside("PC", "337", -2, DAY) == ["335", "335 ทวิ"]
    assert corpus.beside("PC", "335", 2, DAY) == ["335 ทวิ", "337"]
    assert corpus.beside("PC", "1", -1, DAY) == []


def read(text, corpus, **context):
    one = grammar("th")
    citations = [citation._replace(law_code="PC" if citation.law_name else None) for citation in extract(text, one, **context)]
    return [[(found.label, found.status) for found in done.found] for done in resolve(citations, corpus, DAY)]


def test_citations_are_resolved(corpus):
    assert read("ป.อ. มาตรา 10, 335 ถึง 336 และมาตรา 999", corpus) == [
        [("10", "in_force")],
        [("335", "in_force"), ("335 ทวิ", "in_force"), ("336", "not_in_force")],
        [("999", "no_section")],
    ]
    assert read("ป.อ. มาตรา 334 ถึง 335", corpus) == [[("334", "no_section"), ("335", "in_force")]]
    assert read("มาตรา 10", corpus) == [[("10", "no_law")]]


def test_relative_sections_need_to_know_where_they_stand(corpus):
    assert read("มาตราก่อน", corpus, own_law="ป.อ.", own_label="337") == [[("335 ทวิ", "in_force")]]
    assert read("มาตราก่อน", corpus, own_law="ป.อ.") == [[(None, "no_law")]]
    assert read("มาตราก่อน", corpus, own_law="ป.อ.", own_label="1") == [[(None, "no_section")]]


IN_PARTS = [
    row("288", "1957-01-01"),
    *(row(f"289({number})", "1957-01-01") for number in (10, 2, 1)),
    row("289 (4)", "1957-01-01", "1999-01-01"),
    row("289 (4)", "1999-01-01"),
    row("290", "1957-01-01"),
    row("59 วรรคหนึ่ง", "1957-01-01"),
    row("59 วรรคสอง", "1957-01-01", "1999-01-01"),
    row("59 วรรคท้าย", "1957-01-01"),
    row("335", "1957-01-01", "1990-01-01"),
    row("335 (1)", "1990-01-01"),
    row("77 (1) (ก)", "1957-01-01"),
    row("77 (1) (ข)", "1957-01-01"),
    row("78 พิเศษ", "1957-01-01"),
    row("79 (1)", "1957-01-01", "1990-01-01"),
    row("79 (2)", "1957-01-01", "1990-01-01"),
]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("289 (4)", [("289 (4)", "in_force")]),
        ("๒๘๙(๔)", [("289 (4)", "in_force")]),
        ("289 (4) (ก)", [("289 (4)", "in_force")]),  # a place inside a part
        ("289 (3)", [("289", "no_section")]),
        ("289", [("289(1)", "in_force"), ("289(2)", "in_force"), ("289 (4)", "in_force"), ("289(10)", "in_force")]),
        ("289 (2) ถึง (9)", [("289(2)", "in_force"), ("289 (4)", "in_force")]),
        ("59 วรรคแรก", [("59 วรรคหนึ่ง", "in_force")]),
        ("59 วรรคสอง", [("59 วรรคสอง", "not_in_force")]),
        ("59", [("59 วรรคหนึ่ง", "in_force"), ("59 วรรคท้าย", "in_force")]),
        ("335 (1) วรรคสอง", [("335 (1)", "in_force")]),
        ("335 (2)", [("335", "not_in_force")]),
        ("77 (1)", [("77 (1) (ก)", "in_force"), ("77 (1) (ข)", "in_force")]),
        ("78", [("78", "no_section")]),
        ("79", [("79", "not_in_force")]),
        ("5 (1)", [("5", "no_section")]),
        (
            "288 ถึง 290",
            [
                ("288", "in_force"),
                ("289(1)", "in_force"),
                ("289(2)", "in_force"),
                ("289 (4)", "in_force"),
                ("289(10)", "in_force"),
                ("290", "in_force"),
            ],
        ),
        ("77 ถึง 80", [("77 (1) (ก)", "in_force"), ("77 (1) (ข)", "in_force"), ("78 พิเศษ", "in_force"), ("80", "no_section")]),
    ],
)
def test_sections_that_are_held_in_parts(words, expected):
    assert read(f"ป.อ. มาตรา {words}", Corpus(IN_PARTS, grammar("th").labels[0])) == [expected]


def test_neighbours_are_sections_not_parts():
    parts = Corpus(IN_PARTS, grammar("th").labels[0])
    assert parts.beside("PC", "290", -2, DAY) == ["288", "289"]
    assert [label for label, _ in read("มาตราก่อน", parts, own_law="ป.อ.", own_label="289 (1)")[0]] == ["288"]


def test_a_part_is_named_in_english_words():
    held = Corpus(
        [row("12(3)(a)", "1957-01-01"), row("14 bis, paragraph 2", "1957-01-01"), row("Annex I", "1957-01-01")],
        grammar("en_demo").labels[0],
    )
    assert held.find_all("PC", "12", ("subsection 3", "paragraph a"), DAY)[0].status == "in_force"
    assert held.find_all("PC", "12", ("subsection 3", "paragraph b"), DAY)[0].status == "no_section"
    assert held.find_all("PC", "14 bis", ("paragraph 2",), DAY)[0].label == "14 bis, paragraph 2"
    assert held.find("PC", "annex i", DAY).status == "in_force"


def test_a_text_of_unknown_start_counts_from_the_day_that_its_source_proves():
    held = Corpus([row("7", None) | {"begun_by": dt.date(1970, 1, 2)}, row("8", None)], grammar("th").labels[0])
    assert held.find("PC", "7", DAY).status == "in_force"
    assert held.find("PC", "7", dt.date(1969, 12, 31)).status == "not_in_force"
    assert held.find("PC", "8", DAY).status == "not_in_force"
