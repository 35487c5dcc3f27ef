import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inforce.records.uris import parse_uri, section_uri, version_uri


def test_a_version_is_named_by_its_section_and_its_first_day():
    assert version_uri("demo", "SALE", "14 bis", dt.date(2014, 1, 1)) == "demo/law/SALE/section-14_bis/v/2014-01-01"
    assert section_uri("demo", "SALE", "14 bis") == "demo/law/SALE/section-14_bis"
    assert version_uri("demo", "SALE", "1", None) == "demo/law/SALE/section-1/v/unknown"


def test_labels_with_a_slash_keep_it():
    parsed = parse_uri("th/law/CC/section-193/14/v/1992-06-08")
    assert parsed is not None
    assert (parsed.law_code, parsed.label, parsed.valid_from) == ("CC", "193/14", dt.date(1992, 6, 8))


@pytest.mark.parametrize("text", ["", "section 14", "demo/SALE/14", "demo/law/SALE/section-1/v/2014-02-30"])
def test_what_is_no_identifier(text):
    assert parse_uri(text) is None


def test_section_without_a_version():
    parsed = parse_uri(" /demo/law/SALE/section-14_bis ")
    assert parsed is not None
    assert parsed.section_uri == "demo/law/SALE/section-14_bis"
    assert not parsed.is_version


def test_labels_with_and_without_a_blank_have_names_of_their_own():
    assert section_uri("demo", "SALE", "14 bis") == "demo/law/SALE/section-14_bis"
    assert section_uri("demo", "SALE", "14_bis") == "demo/law/SALE/section-14%5Fbis"


words = st.text(st.sampled_from("abcXYZ019ก๑()-._"), min_size=1, max_size=6)


@given(words, words, st.lists(words, min_size=1, max_size=3), st.none() | st.dates(min_value=dt.date(1000, 1, 1)))
def test_parse_takes_apart_what_format_put_together(jurisdiction, law, label, day):
    parsed = parse_uri(version_uri(jurisdiction, law, " ".join(label), day))
    assert parsed is not None
    assert (parsed.jurisdiction, parsed.law_code, parsed.label, parsed.valid_from) == (jurisdiction, law, " ".join(label), day)
