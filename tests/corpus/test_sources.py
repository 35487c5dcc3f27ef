import datetime as dt

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from corpus.small import jurisdiction

from inforce.config.load import ConfigError
from inforce.corpus.sources import RAGGED, BadRow, Rows, source_file


def test_row_numbers_are_those_of_a_spreadsheet(tmp_path):
    (tmp_path / "a.csv").write_text('\ufeffx,y\n1,"two\nlines"\n\n3,4,5\n6\n7,8\n', encoding="utf-8")
    assert list(Rows(tmp_path / "a.csv", {"ours": "y"})) == [
        (2, {"ours": "two\nlines"}),
        (4, RAGGED),
        (5, RAGGED),
        (6, {"ours": "8"}),
    ]


def test_a_missing_column_is_named_with_the_nearest_one(tmp_path):
    (tmp_path / "a.csv").write_text("lawid,content\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"no column .contents., which the configuration names for text; did you mean content\?"):
        Rows(tmp_path / "a.csv", {"text": "contents"})


def test_a_file_in_another_encoding_is_refused(tmp_path):
    (tmp_path / "a.csv").write_bytes("text\nมาตรา\n".encode("tis-620"))
    with pytest.raises(ConfigError, match="not a CSV file in UTF-8"):
        list(Rows(tmp_path / "a.csv", {"text": "text"}))


def test_a_very_long_section_is_read(tmp_path):
    (tmp_path / "a.csv").write_text("text\n" + "x" * 300_000 + "\n", encoding="utf-8")
    assert [len(row["text"]) for _, row in Rows(tmp_path / "a.csv", {"text": "text"}) if row] == [300_000]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "is empty; its first line should name the columns"),
        (b"text,text\nx,y\n", "has 2 columns 'text'"),
        (b"text\nx\n\xe9\n", r"a\.csv, line 3: not a CSV file in UTF-8"),
        (b'text\nx\n"y" z\n', r"a\.csv, line 3: not a CSV file in UTF-8"),
        (b'text\nx\n"y\nz\n', r"a\.csv, line 4: not a CSV file in UTF-8"),
    ],
)
def test_a_faulty_file_is_named_with_its_line(tmp_path, data, message):
    (tmp_path / "a.csv").write_bytes(data)
    with pytest.raises(ConfigError, match=message):
        list(Rows(tmp_path / "a.csv", {"ours": "text"}))


def test_a_doubled_column_that_is_not_read_does_no_harm(tmp_path):
    (tmp_path / "a.csv").write_text("text,note,note\nx,1,2\n", encoding="utf-8")
    assert list(Rows(tmp_path / "a.csv", {"ours": "text"})) == [(2, {"ours": "x"})]


def test_a_nul_is_a_row_of_its_own(tmp_path):
    (tmp_path / "a.csv").write_bytes(b"text\nx\0y\ngood\n")
    assert list(Rows(tmp_path / "a.csv", {"ours": "text"})) == [
        (2, BadRow("nul_character", "a NUL character stands in 'x\\x00y'")),
        (3, {"ours": "good"}),
    ]


def test_json_lines_are_a_table(tmp_path):
    lines = ['{"n": 12, "day": "2000-01-01"}', "", "{", "[]", '{"n": null, "day": [1]}', '{"day": "x", "n": 1.5}', '{"day": "y"}']
    (tmp_path / "a.jsonl").write_text("\n".join(lines), encoding="utf-8")
    rows = list(Rows(tmp_path / "a.jsonl", {"label": "n", "start": "day"}))
    assert [(number, row if isinstance(row, dict) else row.kind) for number, row in rows] == [
        (1, {"label": "12", "start": "2000-01-01"}),
        (3, "not_json"),
        (4, "bad_record"),
        (5, "bad_record"),
        (6, {"label": "1.5", "start": "x"}),
        (7, {"label": "", "start": "y"}),
    ]
    with pytest.raises(ConfigError, match="no column 'days', which the configuration names for start; did you mean day"):
        Rows(tmp_path / "a.jsonl", {"start": "days"})


def test_parquet_is_a_table(tmp_path):
    values = {"label": [12.0, None], "start": [dt.date(2000, 1, 1), None], "end": [dt.datetime(2001, 1, 1), None], "kept": [True, False]}
    pq.write_table(pa.table(values), tmp_path / "a.parquet")
    assert list(Rows(tmp_path / "a.parquet", {name: name for name in values})) == [
        (1, {"label": "12", "start": "2000-01-01", "end": "2001-01-01", "kept": "true"}),
        (2, {"label": "", "start": "", "end": "", "kept": "false"}),
    ]
    (tmp_path / "b.parquet").write_text("text\n")
    with pytest.raises(ConfigError, match="is not a Parquet file"):
        Rows(tmp_path / "b.parquet", {"text": "text"})


def test_missing_outside_data_says_what_it_is_and_how_to_get_it(tmp_path):
    config = jurisdiction(outside_data=True, root="thai", terms="By their authors, academic use only.")
    with pytest.raises(ConfigError) as error:
        source_file(tmp_path / "thai", "a.csv", config)
    message = str(error.value)
    for part in (str(tmp_path / "thai"), "INFORCE_DATA", "data_root", "By their authors, academic use only.", "data/README.md"):
        assert part in message
    assert "--root" in message
    assert "thai/" in message
    assert "\n" not in message


def test_missing_data_without_a_folder_of_its_own_is_named_by_its_file(tmp_path):
    with pytest.raises(ConfigError, match=r"names the folder that holds a\.bundle\. See") as error:
        source_file(tmp_path, "a.bundle", jurisdiction(outside_data=True, root="."))
    assert "./" not in str(error.value).replace(str(tmp_path), "")


def test_one_missing_file_in_a_folder_that_is_there(tmp_path):
    with pytest.raises(ConfigError, match=r"sections.csv does not exist; the jurisdiction"):
        source_file(tmp_path, "sections.csv", jurisdiction())
