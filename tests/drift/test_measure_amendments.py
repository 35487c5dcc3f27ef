import csv
import datetime as dt

import pytest

from inforce.drift.measure_amendments import Gold, Version, consecutive_rows, gold_rows, main, read_gold
from inforce.records.tables import SECTIONS, write_table

D = dt.date


def version(label, start, text):
    return Version(f"j/law/A/section-{label}/v/{start or 'unknown'}", f"j/law/A/section-{label}", start, text)


def test_each_version_with_the_next_of_its_section():
    rows = list(
        consecutive_rows(
            [
                version("2", D(2000, 1, 1), "only one"),
                version("1", D(2010, 1, 1), "abce"),
                version("1", None, "abcd"),
                version("1", D(2005, 1, 1), "abcd"),
            ]
        )
    )
    assert [(row[2].rsplit("/", 1)[1], row[3].rsplit("/", 1)[1]) for row in rows] == [
        ("unknown", "2005-01-01"),
        ("2005-01-01", "2010-01-01"),
    ]
    assert [row[8:] for row in rows] == [(0, 0), (pytest.approx(2 / 3), 0.25)]


CITATIONS = """decision_id,version_uri,current_uri,drift
one,u,v,amended
one,u,v,amended
two,u,v,amended
two,v,v,unchanged
two,w,,repealed
three,,,
"""


def test_pairs_of_citations_count_once_a_decision(tmp_path):
    (tmp_path / "c.csv").write_text(CITATIONS, encoding="utf-8")
    assert read_gold(tmp_path / "c.csv") == [Gold("u", "v", "amended", 2), Gold("v", "v", "unchanged", 1)]


def test_a_pair_that_the_sections_do_not_hold_is_refused():
    with pytest.raises(ValueError, match="u is among the citations and not among the sections"):
        list(gold_rows([Gold("u", "v", "amended", 1)], {}))


def section(version):
    fields = dict.fromkeys(SECTIONS.names, "") | {"valid_to": None, "begun_by": None, "law_code": "A"}
    return fields | version._asdict()


def test_the_file(tmp_path):
    old, new = version("1", D(2000, 1, 1), "abcd"), version("1", D(2005, 1, 1), "abce")
    write_table(tmp_path / "s.parquet", [section(new), section(old)], SECTIONS)
    text = f"decision_id,version_uri,current_uri,drift\none,{old.version_uri},{new.version_uri},amended\n"
    (tmp_path / "c.csv").write_text(text, encoding="utf-8")
    arguments = ["--sections", str(tmp_path / "s.parquet"), "--citations", str(tmp_path / "c.csv"), "--out", str(tmp_path / "a.csv")]
    main(arguments)
    first = (tmp_path / "a.csv").read_bytes()
    rows = list(csv.DictReader(first.decode().splitlines()))
    assert [(row["kind"], row["drift"], row["decisions"], row["trigram_distance"], row["levenshtein_distance"]) for row in rows] == [
        ("consecutive", "", "", "0.666667", "0.25"),
        ("gold", "amended", "1", "0.666667", "0.25"),
    ]
    main(arguments)
    assert (tmp_path / "a.csv").read_bytes() == first


def test_a_wrong_file_is_one_sentence(tmp_path):
    with pytest.raises(SystemExit, match="No such file"):
        main(["--sections", str(tmp_path / "s"), "--citations", str(tmp_path / "c"), "--out", str(tmp_path / "a")])
