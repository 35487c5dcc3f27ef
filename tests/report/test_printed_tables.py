import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inforce.report.printed_tables import read_printed
from inforce.report.words import ReportError, markdown

CELL = st.text(st.sampled_from("aZ9 ก.+−|_\\*<"), max_size=8).map(str.strip).filter(lambda text: "\n" not in text)


def written(folder, header, rows, note="A note."):
    path = folder / "table13_tool_gain.md"
    path.write_text(markdown(header, rows) + f"\n{note}\n", encoding="utf-8")
    return path


def test_title_number_rows_and_note(tmp_path):
    found = read_printed(written(tmp_path, ["Model", "Gain"], [["A_1|x", "+0.25*"]]))
    assert (found["number"], found["columns"], found["rows"]) == ("Table 13", ["Model", "Gain"], [["A_1|x", "+0.25*"]])
    assert found["title"].startswith("What the search tool adds") and found["note"] == "A note."


@settings(max_examples=60)
@given(st.lists(st.tuples(CELL, CELL), max_size=4))
def test_what_was_printed_is_read_back(tmp_path_factory, rows):
    path = written(tmp_path_factory.mktemp("t"), ["One", "Two"], rows)
    assert read_printed(path)["rows"] == [list(row) for row in rows]


def test_emphasis_is_taken_off(tmp_path):
    path = tmp_path / "x.md"
    path.write_text("| A | B |\n| :-- | --: |\n| **Group** | |\n| m | <u>0.5</u> |\n", encoding="utf-8")
    assert read_printed(path)["rows"] == [["Group", ""], ["m", "0.5"]]


def test_a_file_without_a_table_is_refused(tmp_path):
    path = tmp_path / "x.md"
    path.write_text("nothing", encoding="utf-8")
    with pytest.raises(ReportError, match="holds no Markdown table"):
        read_printed(path)
    with pytest.raises(ReportError, match="does not exist"):
        read_printed(tmp_path / "none.md")
