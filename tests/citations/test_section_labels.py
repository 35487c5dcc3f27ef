import random

import pytest
from citations.grammars import NAMES, grammar
from hypothesis import given, settings
from hypothesis import strategies as st

from inforce.citations.extract import extract
from inforce.citations.section_labels import Label

LETTER, SUFFIX, PART = 0, 1, 2


@pytest.mark.parametrize(
    ("name", "text", "normal"),
    [
        ("th", "มาตรา ๓๓๕ ทวิ", "335 ทวิ"),
        ("th", "335ทวิ", "335 ทวิ"),
        ("th", "ม.193/14", "193/14"),
        ("th", "65สัตตรส", "65 สัตตรส"),
        ("th", "65 สัตต", "65 สัตต"),
        ("th", "65 สัตตะ", "65 สัตต"),
        ("th", "65 ทวิ/1", "65 ทวิ/1"),
        ("th", "65 ฉัพพีสติ", "65 ฉัพพีสติ"),
        ("tw", "第九十八條之六", "98-6"),
        ("tw", "第 37-1 條", "37-1"),
        ("tw", "第三十七條之一", "37-1"),
        ("tw", "第７９條", "79"),
        ("tw", "37-1", "37-1"),
        ("fr", "L. 385-2", "L385-2"),
        ("fr", "article l385-2", "L385-2"),
        ("fr", "R*442-11-1", "R*442-11-1"),
        ("fr", "A421-13", "A421-13"),
        ("fr", "1649 quater b", "1649 quater B"),
        ("fr", "article 1er", "1"),
        ("fr", "article premier", "1"),
        ("fr", "515-7-1", "515-7-1"),
        ("fr", "L. 131‑1", "L131-1"),
        ("fr", "235 ter zd", "235 ter ZD"),
        ("fr", "208-0 bis A", "208-0 bis A"),
        ("fr", "R.* 442-11-1", "R*442-11-1"),
        ("fr", "L.O. 141", "LO141"),
        ("en_demo", "Section 14BIS", "14 bis"),
        ("en_demo", "14-bis", "14 bis"),
        ("en_demo", "§ 14a", "14A"),
        ("en_demo", "Annex  I", "annex i"),
        ("en_demo", "27¹", "27¹"),
    ],
)
def test_labels_have_one_normal_spelling(name, text, normal):
    assert grammar(name).labels[0].normalise(text) == normal


def test_335_bis_is_not_335_slash_2_and_1_is_not_10():
    labels = grammar("th").labels[0]
    assert labels.parse("335 ทวิ") != labels.parse("335/2")
    assert labels.parse("1") != labels.parse("10")


@pytest.mark.parametrize(
    ("name", "ordered"),
    [
        ("th", ["193", "193/1", "193/2", "193/14", "194", "335", "335 ทวิ", "335 ตรี", "336"]),
        ("th", ["65", "65 ทวิ", "65 สัตต", "65 อัฏฐ", "65 สัตตรส", "65 ฉัพพีสติ", "66"]),
        ("tw", ["14", "14-1", "14-2", "14-10", "15", "15-2"]),
        ("fr", ["4", "4 B", "4 bis", "1649 quater", "1649 quater B", "1649 quinquies", "L1", "L1-1", "R1"]),
        ("fr", ["150", "150-0 A", "150 A", "150 VI", "208", "208-0 bis", "208-0 bis A", "208 bis", "208-1"]),
        ("en_demo", ["9", "9 bis", "10", "14", "14A", "14 bis", "14 ter"]),
    ],
)
def test_labels_are_ordered_as_the_law_orders_them(name, ordered):
    labels = grammar(name).labels[0]
    mixed = random.Random(1).sample(ordered, len(ordered))
    assert sorted(mixed, key=labels.parse) == ordered


def test_a_label_is_split_from_what_follows_it():
    assert grammar("th").labels[0].split("มาตรา 289 (4)") == (Label("", 289, ()), " (4)")
    assert grammar("fr").labels[0].split("5 al. 2") == (Label("", 5, ()), " al. 2")
    assert grammar("fr").labels[0].split("annexe") is None


@pytest.mark.parametrize("text", ["", "x", "14 foo", "14-", "0", "14 bis ter x", "第條"])
def test_what_is_no_label_is_null(text):
    assert grammar("en_demo").labels[0].parse(text) is None


def label_of(name):
    shape = grammar(name).config.label
    pieces = []
    if shape.parts or shape.tail_parts:
        pieces.append(st.tuples(st.just(PART), st.integers(1, 120), st.just("")))
    if shape.suffixes:
        pieces.append(st.tuples(st.just(SUFFIX), st.integers(0, len(shape.suffixes) - 1), st.just("")))
    if shape.letters != "none":
        pieces.append(st.tuples(st.just(LETTER), st.just(0), st.sampled_from("BFGHJK")))
    prefixes = st.sampled_from(["", *shape.prefixes])
    rest = st.lists(st.one_of(pieces), max_size=2, unique_by=lambda piece: piece[0])
    # 14A bis, but no 14 bisA
    rest = rest.map(lambda some: tuple(sorted(some) if shape.letters == "joined" else some))
    return st.builds(Label, prefixes, st.integers(1, 9999), rest)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_a_written_label_is_read_back(name, data):
    one = grammar(name)
    label = data.draw(label_of(name))
    numeral = data.draw(st.sampled_from(one.config.numerals))
    text = one.labels[0].write(label, numeral)
    assert one.labels[0].parse(text) == label
    assert one.labels[0].parse(one.labels[0].normal(label)) == label
    (citation,) = extract(f"({text})", one)
    assert (citation.label, citation.start, citation.end) == (one.labels[0].normal(label), 1, 1 + len(text))


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=60, deadline=None)
@given(text=st.text(max_size=12) | st.text(alphabet="0123456789 -/.LRAbister條第之一二ทวิตรีมาตรา๓", max_size=14))
def test_normalising_twice_changes_nothing(name, text):
    labels = grammar(name).labels[0]
    assert labels.normalise(labels.normalise(text)) == labels.normalise(text)
