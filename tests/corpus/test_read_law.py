import datetime as dt
import hashlib
import json
import subprocess
import sys

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml
from corpus.fast_import import commit, make
from corpus.small import DEMO, DEMO_CONFIG, TSCC, TSCC_CONFIG, jurisdiction, needs_tscc, tscc_config, write_rows
from hypothesis import given
from hypothesis import strategies as st

from inforce.config.load import ConfigError
from inforce.config.sources import GitArticles
from inforce.corpus.read_law import Law, main, natural_key, read_law, read_versions, section_rows
from inforce.records.labels import LabelRules
from inforce.records.problems import read_problems
from inforce.records.tables import LAWS, SECTIONS, read_rows

A = {"A": Law("A", "Act A", [], "act", None, None)}


def versions_of(*rows, laws=A, sections=None, keys=("law_code", "label", "valid_from", "valid_to", "text")):
    config = jurisdiction(sections)
    named = [(number, dict(zip(keys, row, strict=True))) for number, row in enumerate(rows, start=2)]
    return read_versions(named, "s.csv", config.sections, config.labels, laws)


def spans(versions):
    return [(version.label, str(version.valid_from), str(version.valid_to), version.date_status) for version in versions]


def kinds(problems):
    return [(problem.row, problem.kind, problem.action) for problem in problems]


def test_half_open_rows_are_kept_as_they_are():
    versions, problems = versions_of(("A", "1", "2000-01-01", "2010-01-01", "old"), ("A", "1", "2010-01-01", "", "new"))
    assert spans(versions) == [("1", "2000-01-01", "2010-01-01", "exact"), ("1", "2010-01-01", "None", "exact")]
    assert problems == []


def test_inclusive_buddhist_ends_become_half_open():
    table = {"calendar": "buddhist", "end_inclusive": True, "null_dates": ["0000-00-00"]}
    versions, problems = versions_of(
        ("A", "มาตรา ๓๓๕ bis", "๒๕๐๐-๐๑-๐๑", "2559-02-28", "old"), ("A", "335 BIS", "2559-02-29", "0000-00-00", "new"), sections=table
    )
    assert spans(versions) == [("335 bis", "1957-01-01", "2016-02-29", "exact"), ("335 bis", "2016-02-29", "None", "exact")]
    assert problems == []


def test_order_is_by_law_natural_label_and_start():
    laws = {code: Law(code, code, [], "act", None, None) for code in "AB"}
    rows = [
        ("B", "1", "2000-01-01", "", "x"),
        ("A", "10", "2000-01-01", "", "x"),
        ("A", "2 ter", "2000-01-01", "", "x"),
        ("A", "2 bis", "2000-01-01", "", "x"),
        ("A", "2", "2005-01-01", "", "x"),
        ("A", "2", "2000-01-01", "2005-01-01", "x"),
    ]
    versions, _ = versions_of(*rows, laws=laws)
    assert [(v.law_code, v.label, v.valid_from.year) for v in versions] == [
        ("A", "2", 2000),
        ("A", "2", 2005),
        ("A", "2 bis", 2000),
        ("A", "2 ter", 2000),
        ("A", "10", 2000),
        ("B", "1", 2000),
    ]


def test_of_two_overlapping_versions_the_later_one_goes_and_the_rest_goes_on():
    versions, problems = versions_of(
        ("A", "1", "2000-01-01", "2010-01-01", "one"),
        ("A", "1", "2009-12-31", "2012-01-01", "two"),
        ("A", "1", "2010-01-01", "", "three"),
        ("A", "2", "2000-01-01", "", "open end"),
        ("A", "2", "2010-01-01", "", "later"),
    )
    assert spans(versions) == [
        ("1", "2000-01-01", "2010-01-01", "exact"),
        ("1", "2010-01-01", "None", "exact"),
        ("2", "2000-01-01", "None", "exact"),
    ]
    assert kinds(problems) == [("row 3", "overlap", "rejected"), ("row 6", "overlap", "rejected")]


def test_bad_rows_are_rejected_one_by_one():
    versions, problems = versions_of(
        ("A", "1", "2010-01-01", "2000-01-01", "reversed"),
        ("A", "1", "2010-01-01", "2010-01-01", "no day"),
        ("A", "1", "2010-02-30", "", "no such day"),
        ("A", "1", "2010-01-01", "soon", "no date"),
        ("Z", "1", "2010-01-01", "", "unknown law"),
        ("A", "1", "2010-01-01", "", "  \n "),
        ("A", "section ", "2010-01-01", "", "no label"),
        ("A", "1", "2010-01-01", "", "good"),
        ("A", "Section 1", "2010-01-01", "2011-01-01", "the same again"),
    )
    assert [version.text for version in versions] == ["good"]
    assert kinds(problems) == [
        ("row 2", "reversed_dates", "rejected"),
        ("row 3", "reversed_dates", "rejected"),
        ("row 4", "bad_date", "rejected"),
        ("row 5", "bad_date", "rejected"),
        ("row 6", "unknown_law", "rejected"),
        ("row 7", "empty_text", "rejected"),
        ("row 8", "empty_label", "rejected"),
        ("row 10", "duplicate_key", "rejected"),
    ]


@pytest.mark.parametrize("day", ["1970-01-01", "0001-01-01", "2999-01-01", "9999-12-31"])
def test_a_sentinel_is_never_a_date(day):
    versions, problems = versions_of(("A", "1", day, "", "text"), ("A", "2", "2000-01-01", day, "text"))
    assert spans(versions) == [("1", "None", "None", "unknown"), ("2", "2000-01-01", "None", "unknown")]
    assert kinds(problems) == [("row 2", "sentinel_date", "repaired"), ("row 3", "sentinel_date", "repaired")]


def test_a_corpus_may_hold_a_genuine_1970_01_01():
    versions, problems = versions_of(("A", "1", "1970-01-01", "", "text"), sections={"sentinel_dates": ["9999-12-31"]})
    assert spans(versions) == [("1", "1970-01-01", "None", "exact")]
    assert problems == []


def test_an_end_by_sentinel_is_open_where_the_configuration_says_so():
    versions, problems = versions_of(("A", "1", "2000-01-01", "9999-12-31", "text"), sections={"null_dates": ["9999-12-31"]})
    assert spans(versions) == [("1", "2000-01-01", "None", "exact")]
    assert problems == []


def test_an_unknown_end_comes_from_the_next_version():
    versions, problems = versions_of(("A", "1", "2000-01-01", "1970-01-01", "one"), ("A", "1", "2010-01-01", "", "two"))
    assert spans(versions) == [("1", "2000-01-01", "2010-01-01", "derived"), ("1", "2010-01-01", "None", "exact")]
    assert kinds(problems) == [("row 2", "sentinel_date", "repaired")]


def test_a_table_without_ends():
    keys = ("law_code", "label", "valid_from", "text")
    table = {"columns": {name: name for name in keys}}
    versions, problems = versions_of(("A", "1", "2010-01-01", "two"), ("A", "1", "2000-01-01", "one"), sections=table, keys=keys)
    assert spans(versions) == [("1", "2000-01-01", "2010-01-01", "derived"), ("1", "2010-01-01", "None", "derived")]
    assert problems == []


def test_no_version_outlives_its_law():
    laws = {"A": Law("A", "Act A", [], "act", None, dt.date(2010, 1, 1))}
    versions, problems = versions_of(
        ("A", "1", "2000-01-01", "", "open"),
        ("A", "2", "2000-01-01", "2015-01-01", "too late"),
        ("A", "3", "2000-01-01", "2010-01-01", "right"),
        ("A", "4", "2010-01-01", "", "after"),
        laws=laws,
    )
    assert spans(versions) == [
        ("1", "2000-01-01", "2010-01-01", "derived"),
        ("2", "2000-01-01", "2010-01-01", "derived"),
        ("3", "2000-01-01", "2010-01-01", "exact"),
    ]
    assert kinds(problems) == [
        ("row 2", "outlives_law", "repaired"),
        ("row 3", "outlives_law", "repaired"),
        ("row 5", "starts_after_repeal", "rejected"),
    ]


KEYS = ("law_code", "label", "valid_from", "valid_to", "text", "source_key")
KEYED = {"columns": {name: name for name in KEYS}}


def test_the_second_row_with_a_source_key_is_rejected():
    versions, problems = versions_of(
        ("A", "1", "2000-01-01", "2010-01-01", "old", "k"), ("A", "1", "2010-01-01", "", "new", "k"), sections=KEYED, keys=KEYS
    )
    assert [(version.key, version.text) for version in versions] == [("k", "old")]
    assert kinds(problems) == [("k", "duplicate_source_key", "rejected")]
    assert len(versions_of(("A", "1", "2000-01-01", "", "x", ""), ("A", "2", "2000-01-01", "", "y", ""), sections=KEYED, keys=KEYS)[0]) == 2


def test_unknown_starts_are_versions_apart():
    rows = [
        ("A", "1", "2005-01-01", "2010-01-01", "three"),
        ("A", "1", "", "2005-01-01", "two"),
        ("A", "1", "", "2000-01-01", "one"),
        ("A", "1", "", "", "last"),
        ("A", "1", "", "2000-01-01", "one again"),
        ("A", "1", "", "", "last"),
        ("A", "2", "", "", "this"),
        ("A", "2", "", "", "or that"),
    ]
    versions, problems = versions_of(*rows)
    assert [(v.text, str(v.valid_to), str(v.begun_by)) for v in versions if v.label == "1"] == [
        ("one", "2000-01-01", "1999-12-31"),
        ("two", "2005-01-01", "2004-12-31"),
        ("three", "2010-01-01", "None"),
        ("last", "None", "None"),
    ]
    assert [(v.text, v.begun_by) for v in versions if v.label == "2"] == [("this", None), ("or that", None)]
    assert [row for row in kinds(problems) if row[2] == "rejected"] == [
        ("row 6", "duplicate_key", "rejected"),
        ("row 7", "duplicate_key", "rejected"),
    ]
    names = [row["version_uri"].rsplit("/", 1)[1] for row in section_rows(versions, "x")]
    assert names == ["unknown", "unknown-2", "2005-01-01", "unknown-3", "unknown", "unknown-2"]


def test_a_version_of_unknown_start_does_not_overlap_a_dated_one():
    versions, problems = versions_of(("A", "1", "", "1995-01-01", "undated"), ("A", "1", "1990-01-01", "", "dated"))
    assert [version.text for version in versions] == ["dated"]
    assert kinds(problems) == [("row 2", "unknown_start", "repaired"), ("row 2", "overlap", "rejected")]


def test_no_day_follows_the_last_of_the_calendar():
    table = {"end_inclusive": True, "sentinel_dates": []}
    versions, problems = versions_of(("A", "1", "2000-01-01", "9999-12-31", "x"), ("A", "2", "2000-01-01", "", "y"), sections=table)
    assert [version.label for version in versions] == ["2"]
    assert kinds(problems) == [("row 2", "bad_date", "rejected")]
    assert "null_dates" in problems[0].reason


def test_a_minguo_table():
    versions, problems = versions_of(
        ("A", "1", "110-01-20", "110-07-20", "x"), ("A", "1", "110-07-20", "", "y"), sections={"calendar": "roc"}
    )
    assert spans(versions) == [("1", "2021-01-20", "2021-07-20", "exact"), ("1", "2021-07-20", "None", "exact")]
    assert problems == []


def test_the_law_is_the_same_from_csv_parquet_and_json_lines(tmp_path):
    rows = [("A", "1", "2000-01-01", "2010-01-01", "old"), ("A", "1", "2010-01-01", "", "new")]
    write_rows(tmp_path / "s.csv", rows)
    named = [dict(zip(KEYS, row, strict=False)) for row in rows]
    (tmp_path / "s.jsonl").write_text("\n".join(json.dumps(row) for row in named), encoding="utf-8")
    typed = [{**row, "valid_from": dt.date.fromisoformat(row["valid_from"]), "valid_to": row["valid_to"] or None} for row in named]
    pq.write_table(pa.Table.from_pylist(typed), tmp_path / "s.parquet")
    read = [read_law(tmp_path, jurisdiction({"file": f"s.{ending}"})).versions for ending in ("csv", "jsonl", "parquet")]
    assert [[version[:7] for version in versions] for versions in read] == [[version[:7] for version in read[0]]] * 3
    assert [len(versions) for versions in read] == [2, 2, 2]


def test_a_git_source_is_closed_with_its_law(tmp_path):
    make(
        tmp_path / "repo",
        [
            commit("one", "2000-01-01T12:00:00+00:00", {"1.md": "old", "2.md": "open"}),
            commit("two", "2005-01-01T12:00:00+00:00", {"1.md": "new"}),
            commit("three", "2012-01-01T12:00:00+00:00", {"1.md": "too late"}),
        ],
    )
    dates = {"order": [{"from": "author_date"}]}
    source = {"type": "git_articles", "repository": "repo", "path": r"(?P<label>\d+)\.md", "law_code": "A", "dates": dates}
    ended = [{"law_code": "A", "name": "Act A", "enacted": "1999-01-01", "repealed_on": "2010-01-01"}]
    law = read_law(tmp_path, jurisdiction(laws=ended).model_copy(update={"sections": GitArticles.model_validate(source)}))
    assert [(v.label, str(v.valid_from), str(v.valid_to)) for v in law.versions] == [
        ("1", "2000-01-01", "2005-01-01"),
        ("1", "2005-01-01", "2010-01-01"),
        ("2", "2000-01-01", "2010-01-01"),
    ]
    assert sorted(problem.kind for problem in law.problems) == ["outlives_law", "outlives_law", "starts_after_repeal"]


days = st.dates(min_value=dt.date(2000, 1, 1), max_value=dt.date(2000, 1, 20))


@given(st.lists(st.tuples(st.sampled_from(["1", "2"]), days, st.none() | days), max_size=8))
def test_no_row_vanishes_and_no_two_versions_are_in_force_on_one_day(rows):
    table = [("A", label, str(start), str(end) if end else "", "text") for label, start, end in rows]
    versions, problems = versions_of(*table)
    assert len(versions) + sum(problem.action == "rejected" for problem in problems) == len(rows)
    for day in (dt.date(2000, 1, 1) + dt.timedelta(days=n) for n in range(25)):
        in_force = [v.label for v in versions if v.valid_from <= day and (v.valid_to is None or day < v.valid_to)]
        assert len(in_force) == len(set(in_force))


def test_natural_order_of_suffixes_is_that_of_the_configuration():
    rules = LabelRules(suffix_words=("ทวิ", "ตรี"))
    labels = ["336", "335 ตรี", "34", "335", "335 ทวิ", "289(10)", "289(2)"]
    assert sorted(labels, key=lambda label: natural_key(label, rules)) == ["34", "289(2)", "289(10)", "335", "335 ทวิ", "335 ตรี", "336"]


def test_laws_of_the_file_and_of_the_configuration(tmp_path):
    header = ("law_code", "name", "aliases", "kind", "enacted", "repealed_on", "notes")
    rows = [
        ("B", "Act B", "B.A.; Old B", "act", "1950-01-01", "2019-12-31", ""),
        ("C", "Act C", "", "", "1970-01-01", "2020-01-02", ""),
        ("A", "Another A", "", "act", "", "", ""),
        ("D D", "Act D", "", "act", "", "", ""),
        ("E", "Act E", "", "act", "1950-02-30", "", ""),
        ("F", "Act F", "", "act", "2000-01-01", "1990-01-01", ""),
    ]
    write_rows(tmp_path / "laws.csv", rows, header)
    write_rows(tmp_path / "sections.csv", [("A", "1", "2000-01-01", "", "text")])
    law = read_law(tmp_path, jurisdiction(laws_file="laws.csv"))
    assert law.laws == [
        Law("A", "Act A", [], "act", None, None),
        Law("B", "Act B", ["B.A.", "Old B"], "act", dt.date(1950, 1, 1), dt.date(2019, 12, 31)),
        Law("C", "Act C", [], "act", None, dt.date(2020, 1, 2)),
    ]
    assert [entry.is_active(dt.date(2020, 1, 1)) for entry in law.laws] == [True, False, True]
    assert kinds(law.problems) == [
        ("C", "sentinel_date", "repaired"),
        ("A", "duplicate_key", "rejected"),
        ("D D", "bad_law", "rejected"),
        ("E", "bad_date", "rejected"),
        ("F", "reversed_dates", "rejected"),
    ]


def test_a_table_of_nothing_but_bad_rows_stops_with_the_first_reason(tmp_path):
    write_rows(tmp_path / "sections.csv", [("A", "1", "x", "", "text")])
    with pytest.raises(ConfigError, match=r"no usable section version; the first problem is: 'x' is not of the form"):
        read_law(tmp_path, jurisdiction())


@pytest.mark.parametrize("text", ['A,1,2000-01-01,,"never closed\nA,2,2000-01-01,,good\n', 'A,1,2000-01-01,,"x" y\nA,2,2000-01-01,,good\n'])
def test_a_stray_quote_stops_and_never_swallows_rows(tmp_path, text):
    (tmp_path / "sections.csv").write_text("law_code,label,valid_from,valid_to,text\n" + text, encoding="utf-8")
    with pytest.raises(ConfigError, match=r"sections\.csv"):
        read_law(tmp_path, jurisdiction())


def run(config, root, out):
    files = ["--laws", out / "laws.parquet", "--sections", out / "sections.parquet", "--problems", out / "problems.csv"]
    main([str(part) for part in ["--jurisdiction", "demo", "--jurisdiction-config", config, "--root", root, *files]])


def test_the_bundled_law(tmp_path):
    run(DEMO_CONFIG, DEMO, tmp_path)
    laws, sections = read_rows(tmp_path / "laws.parquet", LAWS), read_rows(tmp_path / "sections.parquet", SECTIONS)
    assert read_problems(tmp_path / "problems.csv") == []
    # the counts of config/jurisdictions/demo/README.md
    assert (len(laws), sum(not law["is_active"] for law in laws)) == (10, 3)
    assert (len({row["section_uri"] for row in sections}), len(sections)) == (94, 204)
    for row in sections:
        assert row["version_uri"] == f"{row['section_uri']}/v/{row['valid_from']}"
        assert row["text_sha256"] == hashlib.sha256(row["text"].encode()).hexdigest()
        assert row["date_status"] == "exact"
        assert row["source"].startswith("sections.csv#row ")


def test_equal_sources_give_equal_bytes(tmp_path):
    for out in (tmp_path / "one", tmp_path / "two"):
        run(DEMO_CONFIG, DEMO, out)
    for name in ("laws.parquet", "sections.parquet", "problems.csv"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_missing_outside_data_ends_with_one_sentence_and_no_traceback(tmp_path):
    command = [sys.executable, "-m", "inforce.corpus.read_law", "--jurisdiction", "th_tscc", "--jurisdiction-config", TSCC_CONFIG]
    command += [
        "--root",
        "nowhere/thai_tscc",
        "--laws",
        tmp_path / "l.parquet",
        "--sections",
        tmp_path / "s.parquet",
        "--problems",
        tmp_path / "p",
    ]
    done = subprocess.run(command, capture_output=True, text=True, cwd=TSCC_CONFIG.parents[2], env={"PYTHONPATH": "scripts"})
    assert done.returncode == 1
    for part in ("the folder nowhere/thai_tscc does not exist", "INFORCE_DATA", "data_root", "not to be redistributed"):
        assert part in done.stderr
    assert "Traceback" not in done.stderr
    assert not list(tmp_path.iterdir())


def test_a_table_that_would_be_parquet_under_another_name_is_refused(tmp_path, capsys):
    files = ["--laws", tmp_path / "l.parquet", "--sections", tmp_path / "s.csv", "--problems", tmp_path / "p.csv"]
    with pytest.raises(SystemExit):
        main([str(part) for part in ["--jurisdiction", "demo", "--jurisdiction-config", DEMO_CONFIG, "--root", DEMO, *files]])
    assert "s.csv is written as Parquet, so its name must end in .parquet" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_what_never_matched_is_said_on_the_screen_too(tmp_path, capsys):
    make(tmp_path / "r.git", [commit("a", "2000-01-01T00:00:00+00:00", {"1.md": "one"})])
    config = yaml.safe_load(DEMO_CONFIG.read_text(encoding="utf-8"))
    dates = {"order": [{"from": "trailer", "key": "Day"}, {"from": "author_date"}]}
    config["sections"] = {"type": "git_articles", "repository": "r.git", "path": r"(?P<label>\d)\.md", "law_code": "c", "dates": dates}
    config["laws"], config["laws_file"] = [{"law_code": "c", "name": "C"}], None
    (tmp_path / "x.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")
    run(tmp_path / "x.yaml", tmp_path, tmp_path)
    assert capsys.readouterr().err == f"{tmp_path / 'x.yaml'}: dates.order.0.key: no commit message has the key 'Day'\n"
    assert [problem.kind for problem in read_problems(tmp_path / "problems.csv")] == ["never_matched"]


@needs_tscc
def test_the_thai_law():
    law = read_law(TSCC, tscc_config())
    assert law.problems == []
    by_key = {version.key: version for version in law.versions}
    assert len(law.versions) == 122
    assert len({version.label for version in law.versions}) == 76
    assert (by_key["CC-335bis-00"].label, by_key["CC-335bis-00"].valid_from) == ("335 ทวิ", dt.date(1969, 12, 17))
    # the end day 7 April 2559 is the last day in force
    assert by_key["CC-084-00"].valid_to == by_key["CC-084-01"].valid_from == dt.date(2016, 4, 8)
    assert by_key["CC-393-02"].valid_to is None
    assert all(version.date_status == "exact" for version in law.versions)


def test_a_section_changed_and_changed_back_on_one_day_is_one_version():
    old, passing = ("A", "1", "2000-01-01", "2001-01-01", "one"), ("A", "1", "2001-01-01", "2001-01-01", "two")
    back, last = ("A", "1", "2001-01-01", "2002-01-01", " one"), ("A", "1", "2002-01-01", "", "three")
    versions, problems = versions_of(old, passing, back, last)
    assert spans(versions) == [("1", "2000-01-01", "2002-01-01", "exact"), ("1", "2002-01-01", "None", "exact")]
    assert kinds(problems) == [("row 3", "reversed_dates", "rejected"), ("row 4", "unchanged", "rejected")]
    assert versions[0].also == ("row 4",)
    assert len(versions_of(old, back)[0]) == 2  # the table's own two versions
    assert len(versions_of(old, passing, ("A", "1", "2001-01-01", "", "other"))[0]) == 2


def test_years_of_another_calendar_are_never_a_date():
    rows = [("A", "1", "2543-01-01", "", "x"), ("A", "2", "2000-01-01", "2543-01-01", "y"), ("A", "3", "2000-01-01", "3000-01-01", "z")]
    versions, problems = versions_of(*rows)
    assert spans(versions) == [("1", "None", "None", "unknown"), ("3", "2000-01-01", "None", "unknown")]
    expected = [
        ("row 2", "implausible_year", "repaired"),
        ("row 3", "implausible_year", "rejected"),
        ("row 4", "sentinel_date", "repaired"),
    ]
    assert kinds(problems) == expected
    assert "2543" in problems[0].reason and "gregorian" in problems[0].reason
    versions, problems = versions_of(("A", "1", "2000-01-01", "2544-01-01", "x"), sections={"calendar": "buddhist"})
    assert spans(versions) == [("1", "None", "2001-01-01", "unknown")]
    assert kinds(problems) == [("row 2", "implausible_year", "repaired")]


def test_a_law_of_another_calendar_s_year_is_rejected(tmp_path):
    header = ("law_code", "name", "aliases", "kind", "enacted", "repealed_on")
    write_rows(tmp_path / "laws.csv", [("A", "Act A", "", "act", "2543-01-01", ""), ("B", "Act B", "", "act", "2000-01-01", "")], header)
    write_rows(tmp_path / "sections.csv", [("B", "1", "2000-01-01", "", "x")])
    read = read_law(tmp_path, jurisdiction(laws=[], laws_file="laws.csv"))
    assert [law.law_code for law in read.laws] == ["B"]
    assert [(problem.source, *row) for problem, row in zip(read.problems, kinds(read.problems), strict=True)] == [
        ("laws.csv", "A", "implausible_year", "rejected")
    ]


def test_names_that_two_laws_have_are_named(tmp_path):
    header = ("law_code", "name", "aliases", "kind", "enacted", "repealed_on")
    laws = [
        ("A", "Road Act 1990", "RA;R. A.;Ways Act", "act", "", ""),
        ("B", "Rail Act", "ra; Rail  Act;WAYS ACT", "act", "", ""),
        ("C", "Ways Act", "C;B", "act", "", ""),
    ]
    write_rows(tmp_path / "laws.csv", laws, header)
    write_rows(tmp_path / "sections.csv", [("A", "1", "2000-01-01", "", "x")])
    read = read_law(tmp_path, jurisdiction(laws=[], laws_file="laws.csv"))
    assert [(problem.source, problem.row, problem.kind, problem.action) for problem in read.problems] == [
        ("laws.csv", name, "shared_name", "noted") for name in ("B", "RA", "Ways Act")
    ]
    assert [problem.reason.split(":")[0] for problem in read.problems] == [
        f"is a name of {codes}" for codes in ("B and C", "A and B", "A and B and C")
    ]
