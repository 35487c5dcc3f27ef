import pytest
from corpus.small import jurisdiction

from inforce.config.load import ConfigError
from inforce.corpus.sources import Rows, source_file


def test_row_numbers_are_those_of_a_spreadsheet(tmp_path):
    (tmp_path / "a.csv").write_text('\ufeffx,y\n1,"two\nlines"\n\n3,4,5\n6\n7,8\n', encoding="utf-8")
    assert list(Rows(tmp_path / "a.csv", {"ours": "y"})) == [
        (2, {"ours": "two\nlines"}),
        (4, None),
        (5, None),
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
