import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scores.cases import CATALOG, item, question, unheld
from scores.cases import LAWS as CATALOG_LAWS

from inforce.scores.law_names import LawCatalog, _most_alike, _Names, normalise_name, unheld_names


@pytest.mark.parametrize(
    ("name", "codes"),
    [
        ("Penal Code", ["CODE"]),
        ("  penal   CODE. ", ["CODE"]),  # case, spaces and stops do not count
        ("PC", ["CODE"]),  # an alias
        ("code", ["CODE"]),  # the corpus's own code of the law
        ("ประมวลกฎหมายอาญา", ["CODE"]),
        ("Lettings Act ๑๙๒๖", ["RENT"]),  # Thai digits
        ("Trade Act", ["TRADE1", "TRADE2"]),  # two laws of one name: both, by code
        ("the Penal Code", ["CODE"]),  # WRatio 95
        ("Penel Code", ["CODE"]),  # WRatio 90
        ("Act", []),  # WRatio gives 90 to it in any act's name
        ("Topcoat Act", []),  # and 90 to the abbreviation PC in it, and 85.5 to the one word that Lettings Act 1926 shares with it
        ("Fisheries Ordinance", []),  # like nothing in the catalog
        ("Penal Code (Amendment) Act 1999", None),  # an amending act is not the act that it amends, although alike by 85
        ("Ministerial Regulation No. 4", None),
    ],
)
def test_a_name_means_a_law_none_or_cannot_be_decided(name, codes):
    assert CATALOG.find(name) == codes


@pytest.mark.parametrize(
    ("name", "codes"),
    [
        ("the Penal Code", ["CODE"]),
        ("Act", ["RENT", "TRADE1", "TRADE2"]),  # WRatio 90 with each act of the catalog
        ("Topcoat Act", ["CODE"]),  # WRatio 90 with the abbreviation PC inside it
        ("Penal Code (Amendment) Act 1999", None),  # undecidable kinds are left out with or without guards (§7.5)
    ],
)
def test_without_guards_a_likeness_of_85_is_enough_as_in_the_paper(name, codes):
    assert LawCatalog(CATALOG_LAWS, [r"\(amendment\)"]).find(name) == codes


def test_a_kind_excludes_no_law_that_is_of_that_kind_itself():
    held = LawCatalog([{"law_code": "R", "name": "Market Regulation 1990", "aliases": None}], ["regulation", "^by-law"], guarded=True)
    assert held.find("market regulation 1990") == ["R"]
    assert held.find("the Market Regulation 1990") == ["R"]
    assert held.find("Harbour Regulation 1870") is None
    assert held.find("By-law 7") is None
    # a corpus that knows nothing of any other law
    assert LawCatalog([{"law_code": "P", "name": "Penal Code", "aliases": None}], ["."], guarded=True).find("Penal Code of Thailand") == [
        "P"
    ]
    assert LawCatalog([{"law_code": "P", "name": "Penal Code", "aliases": None}], ["."], guarded=True).find("Harbour Act") is None
    assert LawCatalog([{"law_code": "P", "name": "Penal Code", "aliases": None}], ["."], guarded=True).find("Act") is None


WORDS = st.sampled_from(
    ["the", "penal", "civil", "code", "act", "of", "harbour", "harbours", "1990", "1991", "(no.", "2)", "regulation", "trade"]
)
NAMES = st.lists(WORDS, min_size=1, max_size=6).map(" ".join)


@settings(max_examples=300)
@given(NAMES, st.sets(NAMES, min_size=1, max_size=12))
def test_passing_over_unlike_names_loses_none(name, known):
    assert _Names(sorted(known)).most_alike(name) == _most_alike(name, known)


def test_an_instrument_that_the_gold_names_as_not_held_is_not_taken_for_the_law_most_like_it():
    assert CATALOG.find("Trade Act Notice") == ["TRADE1", "TRADE2"]  # alike enough, as far as the catalog knows
    names = unheld_names(item(question(unheld("Trade Act Notice 12"))))
    assert names == {"trade act notice 12"}
    assert CATALOG.find("Trade Act Notice 12", names) is None
    assert CATALOG.find("Trade Act Notice no. 12", names) is None
    assert CATALOG.find("Trade Act", names) == ["TRADE1", "TRADE2"]


def test_equal_likeness_gives_all_names_by_code():
    laws = [{"law_code": code, "name": name, "aliases": []} for code, name in (("Z", "Harbour Act 1"), ("A", "Harbour Act 2"))]
    assert LawCatalog(laws).find("Harbour Act 3") == ["A", "Z"]
    assert LawCatalog(reversed(laws)).find("Harbour Act 3") == ["A", "Z"]


def test_normalised_names():
    assert normalise_name(" “Lettings  Act ๑๙๒๖” ") == "lettings act 1926"
