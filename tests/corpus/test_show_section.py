import csv
import datetime as dt
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inforce.corpus.show_section import SectionNotFoundError, by_section, find_section, main, marked, most_versions, shown
from inforce.records.tables import SECTIONS, write_table


def version(label, start, end, text, code="a"):
    day = dt.date.fromisoformat
    return {
        "version_uri": f"x/law/{code}/section-{label}/v/{start}",
        "section_uri": f"x/law/{code}/section-{label}",
        "law_code": code,
        "label": label,
        "component_type": "section",
        "valid_from": day(start) if start else None,
        "valid_to": day(end) if end else None,
        "date_status": "derived",
        "begun_by": None,
        "text": text,
        "text_sha256": "0",
        "source": f"{label}@{start}",
    }


ROWS = [
    version("1", "2000-01-01", "2001-01-01", "A fine of ten."),
    version("1", "2001-01-01", None, "A fine of twenty."),
    version("2¹", None, None, "Same."),
    version("3", "2000-01-01", "2001-01-01", "a"),
    version("3", "2001-01-01", "2002-01-01", "b"),
    version("3", "2002-01-01", None, " b\n"),
]


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("A fine of ten.", "A fine of twenty.", "A fine of [-ten.-]{+twenty.+}"),
        ("one two three", "one three", "one [-two-] three"),
        ("one three", "one two three", "one {+two+} three"),
        ("one\ntwo", "one  two", ""),  # wrapped anew
        ("one\n\ntwo", "one two", "one[-¶-] two"),
        ("one two", "one\n\ntwo", "one{+¶+} two"),
        ("one\n\ntwo x", "one\n\ntwo y", "one\n\ntwo [-x-]{+y+}"),
        ("處三年以下", "處五年以下", "處[-三-]{+五+}年以下"),
        ("", "new", "{+new+}"),
    ],
)
def test_changes_are_marked_by_words(before, after, said):
    assert marked(before, after) == said


words = st.lists(st.sampled_from("abcd"), max_size=12).map(" ".join)


@given(words, words)
def test_both_texts_can_be_read_from_the_marks(before, after):
    text = marked(before, after)
    if before == after:
        assert text == ""
    else:
        assert re.sub(r"\{\+(.*?)\+\}", r"\1", re.sub(r"\[-.*?-\]", "", text)).split() == after.split()
        assert re.sub(r"\[-(.*?)-\]", r"\1", re.sub(r"\{\+.*?\+\}", "", text)).split() == before.split()


def test_a_section_is_shown_with_days_and_changes():
    sections = by_section(ROWS)
    assert shown(("a", "1"), sections["a", "1"]) == (
        "a 1: 2 versions\n\n"
        "== 1. from 2000-01-01 until before 2001-01-01 (derived) 1@2000-01-01\nA fine of ten.\n\n"
        "== 2. from 2001-01-01, no end (derived) 1@2001-01-01\nA fine of [-ten.-]{+twenty.+}"
    )
    assert "white space only" in shown(("a", "3"), sections["a", "3"])
    assert "from an unknown day, no end" in shown(("a", "2¹"), sections["a", "2¹"])


def test_a_label_as_a_source_writes_it_and_the_nearest_one():
    sections = by_section(ROWS)
    assert find_section(sections, "a", "2^1") == find_section(sections, "a", "2¹") == ("a", "2¹")
    assert find_section(sections, "a", "１") == ("a", "1")
    with pytest.raises(SectionNotFoundError, match="did you mean 2¹"):
        find_section(sections, "a", "2")
    with pytest.raises(SectionNotFoundError, match=r"the laws are a$"):
        find_section(sections, "b", "1")


def test_most_versions_first():
    assert most_versions(by_section(ROWS), 2) == [("a", "3"), ("a", "1")]


def test_the_command(tmp_path, capsys):
    table, out = tmp_path / "sections.parquet", tmp_path / "v.csv"
    write_table(table, ROWS, SECTIONS)
    main(["--sections", str(table), "--most", "2"])
    assert [line.split() for line in capsys.readouterr().out.splitlines()] == [
        ["law_code", "label", "versions", "first_start", "last_start"],
        ["a", "3", "3", "2000-01-01", "2002-01-01"],
        ["a", "1", "2", "2000-01-01", "2001-01-01"],
    ]
    main(["--sections", str(table), "a", "1", "--csv", str(out)])
    assert capsys.readouterr().out.startswith("a 1: 2 versions\n")
    rows = list(csv.DictReader(out.open(encoding="utf-8")))
    assert [(row["version"], row["valid_to"], row["change"]) for row in rows] == [
        ("1", "2001-01-01", ""),
        ("2", "", "A fine of [-ten.-]{+twenty.+}"),
    ]
    main(["--sections", str(table), "--csv", str(out)])
    assert len(list(csv.DictReader(out.open(encoding="utf-8")))) == len(ROWS)


@pytest.mark.parametrize(
    ("arguments", "said"), [([], "give LAW and LABEL"), (["a"], "give LAW and LABEL"), (["a", "1", "--most", "2"], "or --most N")]
)
def test_half_a_question_is_refused(tmp_path, capsys, arguments, said):
    with pytest.raises(SystemExit):
        main(["--sections", str(tmp_path / "s.parquet"), *arguments])
    assert said in capsys.readouterr().err


def test_what_is_no_table_is_named(tmp_path):
    with pytest.raises(SystemExit, match="does not exist; read_law writes it"):
        main(["--sections", str(tmp_path / "s.parquet"), "a", "1"])
    (tmp_path / "s.csv").write_text("a,b\n", encoding="utf-8")
    with pytest.raises(SystemExit, match="not a Parquet file"):
        main(["--sections", str(tmp_path / "s.csv"), "a", "1"])
