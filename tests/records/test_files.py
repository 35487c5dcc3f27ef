import json
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inforce.records.files import canonical_json, sha256_file, sha256_json, sha256_text, write_bytes, write_text

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=8
)


@given(values)
def test_canonical_json_reads_back(value):
    assert json.loads(canonical_json(value)) == value


def test_key_order_does_not_matter_and_value_does():
    assert sha256_json({"a": 1, "b": 2}) == sha256_json({"b": 2, "a": 1}) != sha256_json({"a": 1, "b": 3})


def test_known_digest():
    # sha256 of the empty text, as printed in FIPS examples
    assert sha256_text("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


def test_not_a_number_has_no_spelling():
    with pytest.raises(ValueError):
        canonical_json(float("nan"))


def test_a_failed_write_leaves_the_old_file_and_nothing_beside_it(tmp_path, monkeypatch):
    target = tmp_path / "a.txt"
    write_text(target, "old")
    monkeypatch.setattr(os, "fsync", lambda handle: (_ for _ in ()).throw(OSError("disk full")))
    with pytest.raises(OSError, match="disk full"):
        write_bytes(target, b"new")
    assert target.read_text() == "old"
    assert [file.name for file in tmp_path.iterdir()] == ["a.txt"]


def test_write_makes_folders_and_the_usual_mode(tmp_path):
    write_text(tmp_path / "deep" / "a.txt", "x")
    mask = os.umask(0)
    os.umask(mask)
    assert (tmp_path / "deep" / "a.txt").stat().st_mode & 0o777 == 0o666 & ~mask
    assert sha256_file(tmp_path / "deep" / "a.txt") == sha256_text("x")


def test_an_output_that_cannot_be_written_is_one_sentence(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(SystemExit, match="cannot be written"):
        write_text(tmp_path / "file" / "below.txt", "x")
