import datetime as dt

import pytest
from scores.cases import RULES, SECTIONS, gold, unheld, version

from inforce.records.tables import SECTIONS as SCHEMA
from inforce.records.tables import write_table
from inforce.scores.dated_sections import DatedSections, full_label, gold_key, read_sections, section_key


def test_keys_are_whole_labels_without_sub_paragraphs():
    assert section_key("CODE", "มาตรา ๑๐ วรรคสอง", RULES) == "CODE/10"
    assert section_key("CODE", "Section 14BIS (2)", RULES) == "CODE/14 bis"
    assert len({section_key("CODE", label, RULES) for label in ("1", "10", "11", "1/1", "1 bis")}) == 5


def test_the_version_in_force_on_a_day():
    sections = DatedSections(SECTIONS, RULES)
    starts = {day: sections.on("CODE/10", dt.date.fromisoformat(day)) for day in ("1949-12-31", "1999-12-31", "2000-01-01", "2030-01-01")}
    assert starts["1949-12-31"] is None
    assert [starts[day].uri[-10:] for day in list(starts)[1:]] == ["1950-01-01", "2000-01-01", "2010-01-01"]
    assert sections.on("CODE/999", dt.date(2005, 1, 1)) is None


def test_a_version_of_unknown_start_is_there_from_the_day_by_which_it_has_begun():
    sections = DatedSections([{**version("CODE", "1", None), "begun_by": dt.date(1970, 1, 1)}, version("CODE", "2", None)], RULES)
    assert sections.on("CODE/1", dt.date(1969, 12, 31)) is None
    assert sections.on("CODE/1", dt.date(1970, 1, 1)).uri == "qm/law/CODE/section-1/v/unknown"
    assert sections.on("CODE/2", dt.date(2020, 1, 1)) is None


def test_of_sub_paragraphs_held_apart_the_one_named_is_taken():
    rows = [version("CODE", label, "1950-01-01") for label in ("289(1)", "289(4)", "289(7)")]
    sections = DatedSections(rows, RULES)
    label = full_label("มาตรา 289 (4)", RULES)
    assert label == "289(4)"
    assert sections.on("CODE/289", dt.date(2000, 1, 1), label).uri == "qm/law/CODE/section-289(4)/v/1950-01-01"
    assert sections.on("CODE/289", dt.date(2000, 1, 1)).uri == "qm/law/CODE/section-289(7)/v/1950-01-01"  # a fixed choice


def test_gold_keys():
    assert gold_key(gold("CODE", "14 bis", "1950-01-01"), RULES) == "CODE/14 bis"
    assert gold_key(gold("CODE", "10", None), RULES) == "CODE/10"
    assert gold_key(unheld("Notice 12"), RULES) is None


def test_only_the_laws_asked_for_are_read_and_all_are_known(tmp_path):
    write_table(tmp_path / "sections.parquet", SECTIONS, SCHEMA)
    sections = read_sections(tmp_path / "sections.parquet", RULES, {"TRADE2", "NOSUCH"})
    assert list(sections.by_key) == ["TRADE2/7"]
    assert sections.law_codes == {"CODE", "TRADE1", "TRADE2"}


def test_a_table_of_another_form_is_refused(tmp_path):
    import pyarrow as pa
    import pyarrow.parquet as pq

    pq.write_table(pa.table({"law_code": ["A"]}), tmp_path / "other.parquet")
    with pytest.raises(ValueError, match=r"other\.parquet: columns are \['law_code'\].*read_law"):
        read_sections(tmp_path / "other.parquet", RULES, set())
