import json
import os
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inforce.records.files import braced, canonical_json, sha256_file, sha256_json, sha256_text, write_bytes, write_text

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


def test_braces_by_hand():
    assert braced(["a/b"]) == "a/b"
    assert braced(["a", "b"]) == "{a,b}"
    assert (
        braced(["r/m/x/1.jsonl", "r/m/x/2.jsonl", "r/m/y/1.jsonl", "r/n/x/1.jsonl"]) == "r/{m/{x/{1.jsonl,2.jsonl},y/1.jsonl},n/x/1.jsonl}"
    )


@given(st.lists(st.lists(st.text("ab.-_1", min_size=1, max_size=3), min_size=2, max_size=2), min_size=1, max_size=8, unique_by=tuple))
def test_bash_expands_braces_to_the_paths(parts):
    paths = sorted(f"r/{folder}/{name}.jsonl" for folder, name in parts)
    said = subprocess.run(["bash", "-c", f"printf '%s\\n' {braced(paths)}"], capture_output=True, text=True, check=True).stdout
    assert sorted(said.splitlines()) == paths


def test_the_files_of_every_model_judged_three_times_fit_into_a_command():
    names = [
        f"results/grades/run/model-of-some-length-{m}/gold_in_force/{k}/judge-of-some-length-{j}.jsonl"
        for m in range(28)
        for k in range(15)
        for j in range(3)
    ]
    assert sum(map(len, names)) > 100_000
    assert len(braced(names)) < 60_000
