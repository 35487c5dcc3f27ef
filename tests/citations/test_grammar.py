import re

import pytest
from citations.grammars import FOLDER, NAMES, found, grammar

from inforce.citations.extract import extract
from inforce.citations.grammar import read_grammar
from inforce.config.load import ConfigError


@pytest.mark.parametrize("name", NAMES)
def test_every_grammar_compiles_and_a_unit_is_found(name):
    one = grammar(name)
    assert one.anchor.search(one.labels[0].write(one.labels[0].parse("12")))


def test_names_of_a_corpus_are_found_in_texts_and_the_longest_wins():
    rows = [
        {"law_code": "LETS", "name": "Lettings Act 1926", "aliases": ["LA"]},
        {"law_code": "HOME", "name": "Home Lettings Act 2011", "aliases": []},
        {"law_code": "TIDE", "name": "On Tides and Harbours", "aliases": []},
    ]
    one = read_grammar(FOLDER / "en_demo.yaml", rows)
    text = "LA section 1. Home Lettings Act 2011, section 2. On Tides and Harbours section 3; Old Lettings Acts section 4, LAMP section 5"
    assert [(text[start:end]) for start, end in one.names_in(text)] == ["LA", "Home Lettings Act 2011", "On Tides and Harbours"]
    assert [citation.law_code for citation in extract(text, one)] == ["LETS", "HOME", "TIDE", "TIDE", "TIDE"]


def test_a_longer_name_is_not_the_law_whose_name_it_starts_with():
    rows = [{"law_code": "HOME", "name": "Home Lettings Act 2011", "aliases": []}]
    one = read_grammar(FOLDER / "en_demo.yaml", rows)
    (citation,) = extract("section 5 of the Home Lettings Act 2005", one)
    assert (citation.law_code, citation.law_words) == (None, "Home Lettings Act 2005")


def test_a_longer_name_around_a_known_one_is_not_the_law_of_the_corpus():
    one = read_grammar(FOLDER / "th.yaml", [{"law_code": "CC", "name": "ประมวลกฎหมายอาญา", "aliases": ["กฎหมายอาญา", "Penal Code"]}])
    texts = {
        "มาตรา 30 แห่งประมวลกฎหมายอาญา": "CC",
        "มาตรา 30 แห่งประมวลกฎหมายอาญาทหาร": None,
        "ประมวลกฎหมายอาญาทหาร มาตรา 30": None,
        "กฎหมายอาญาทหาร มาตรา 30": None,
        "ร่างประมวลกฎหมายอาญา มาตรา 5": None,
        "ป.อ. มาตรา 288 และมาตรา 4 แห่งร่างประมวลกฎหมายอาญา": None,
    }
    assert {text: extract(text, one)[-1].law_code for text in texts} == texts


def test_another_instrument_is_known_by_an_equal_name_alone():
    rows = [{"law_code": "CONV", "name": "European Convention", "aliases": []}, {"law_code": "CC", "name": "Civil Code", "aliases": []}]
    one = read_grammar(FOLDER / "en_demo.yaml", rows)
    text = "section 1 of the Civil Code, section 2 of the European Convention, section 3 of the Europan Convention, section 4 of the draft Civil Code"
    assert [citation.law_code for citation in extract(text, one)] == ["CC", "CONV", None, None]


def test_chinese_names_start_after_a_lead_or_where_no_letter_stands_before():
    one = grammar("tw")
    text = "違反公司法第"
    assert text[one.name_before(text, 0, 5) : 5] == "公司法"
    assert found("tw", "犯罪被害人保護法第三條")[0][4] == "犯罪被害人保護法"


def test_brackets_find_their_level():
    one = grammar("en_demo")

    def levels(text):
        tokens, last = [], None
        for hit in re.finditer(one.level, text):
            last = one.read_level(hit, last)
            tokens.append(last)
        return one.path(tokens)

    assert levels("(3)(a)(i)") == ("subsection 3", "paragraph a", "subparagraph i")
    assert levels("(h)(i)") == ("paragraph h", "paragraph i")


def test_counts_are_digits_or_words():
    assert [grammar("en_demo").count(text) for text in ("two", "3", None)] == [2, 3, 1]
    assert grammar("tw").count("二") == 2


def test_a_new_grammar_needs_no_code(tmp_path):
    path = tmp_path / "xx.yaml"
    path.write_text(
        "title: Estonia\nnumerals: [arabic]\nunits: [{name: section, before: [§]}]\nlabel: {}\n"
        "levels: [{name: subsection, before: [lg]}]\ncommas: [',']\nands: [ja]\n"
        "laws: {names: [{name: karistusseadustik, aliases: [KarS]}], after: never}\n",
        encoding="utf-8",
    )
    one = read_grammar(path)
    assert [(c.law_name, c.label, c.paragraph) for c in extract("KarS § 121 lg 2 ja § 122", one)] == [
        ("karistusseadustik", "121", ("subsection 2",)),
        ("karistusseadustik", "122", ()),
    ]


def test_a_missing_grammar_is_named():
    with pytest.raises(ConfigError, match="en_demo"):
        read_grammar(FOLDER / "en_dem.yaml")
