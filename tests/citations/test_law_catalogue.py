import pytest
from citations.grammars import grammar

from inforce.citations.law_catalogue import LawCatalogue

LAWS = [
    {"law_code": "CIVC", "name": "Civil Code 1908", "aliases": ["CC", "Civ. Code"]},
    {"law_code": "SALE", "name": "Consumer Sales Act 1961", "aliases": ["CSA", "Sales Act"]},
    {"law_code": "LETS", "name": "Lettings Act 1926", "aliases": ["LA", "Old Lettings Act"]},
    {"law_code": "HOME", "name": "Home Lettings Act 2011", "aliases": ["HLA", "New Lettings Act"]},
    {"law_code": "OLD", "name": "Harbour Act 1901", "aliases": []},
    {"law_code": "NEW", "name": "Harbour Act 1975", "aliases": []},
]


@pytest.fixture
def catalogue():
    return LawCatalogue(LAWS, grammar("en_demo").config)


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("Civil Code 1908", "CIVC"),
        ("civil  CODE", "CIVC"),
        ("CC", "CIVC"),
        ("CIVC", "CIVC"),
        ("Civ Code", "CIVC"),
        ("Lettings Act", "LETS"),
        ("Home Lettings Act", "HOME"),
        ("New Lettings Act", "HOME"),
        ("Harbour Act 1975", "NEW"),
        # likeness
        ("Consumer Sale Act", "SALE"),
        ("the Consumer Sales Act 1961", "SALE"),
        ("Home Letings Act", "HOME"),
    ],
)
def test_names_find_their_law(catalogue, words, code):
    assert catalogue.find(words).code == code


@pytest.mark.parametrize(
    "words",
    [
        "Road Act",  # one word shared: WRatio 85.5
        "Civil Code 1999",  # another year
        "Consumer Sales (Amendment) Act 2013",
        "Fisheries Protection Act 1950",
        "Act",
        "",
    ],
)
def test_names_of_other_laws_find_none(catalogue, words):
    assert catalogue.find(words) == (words, None, None)


def test_a_name_that_two_laws_have_is_left_open(catalogue):
    assert catalogue.find("Harbour Act") == ("Harbour Act", None, None)


def test_an_abbreviation_of_the_grammar_reaches_the_law_of_the_corpus():
    rows = [{"law_code": "PC", "name": "ประมวลกฎหมายอาญา", "aliases": []}]
    laws = LawCatalogue(rows, grammar("th").config)
    assert [laws.find(words).code for words in ("ป.อ.", "ป. อ.", "ประมวลกฎหมายอาญา", "ป.พ.พ.")] == ["PC", "PC", "PC", None]


def test_many_names_are_resolved_as_one_by_one(catalogue):
    names = ["Civil Code", "Consumer Sale Act", "Road Act", "Civil Code"]
    assert [law.code for law in catalogue.find_all(names, workers=2)] == ["CIVC", "SALE", None, "CIVC"]
    assert LawCatalogue([], grammar("en_demo").config).find("Civil Code") == ("Civil Code", None, None)


def test_an_alias_that_two_laws_share_is_left_open_and_their_names_are_not():
    rows = [
        {"law_code": "A", "name": "code civil", "aliases": ["C. civ."]},
        {"law_code": "B", "name": "code des dunes", "aliases": ["C. Civ"]},
    ]
    shared = LawCatalogue(rows, grammar("fr").config)  # the grammar has the alias too
    assert [shared.find(words).code for words in ("C. civ.", "code civil", "code des dunes")] == [None, "A", "B"]
