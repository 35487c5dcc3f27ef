import os

import pytest

from inforce.records.files import canonical_json, sha256_json
from inforce.records.stored import LineError, cut_torn_line, lines_of, read_line

REQUEST = {"q": "a", "t": 0.7}
NAME = sha256_json(REQUEST)
RESPONSE = canonical_json({"name": NAME, "request": REQUEST, "response": {"request_sha256": NAME, "text": "ค่าจ้าง"}}).encode() + b"\n"
SEARCH = canonical_json({"name": "n", "query": "wage", "version_uris": ["u1", "u2"]}).encode() + b"\n"


def test_whole_lines_count():
    assert read_line(RESPONSE)["response"]["text"] == "ค่าจ้าง"
    assert read_line(SEARCH)["version_uris"] == ["u1", "u2"]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (SEARCH[:-1], "cut short"),
        (b" " + SEARCH, "not spelt"),
        (SEARCH.replace(b",", b", "), "not spelt"),
        (SEARCH.replace(b"\n", b"\r\n"), "not spelt"),
        (SEARCH.replace(b'"name":"n",', b'"name":"n","name":"n",'), "not spelt"),
        (b"\xef\xbb\xbf" + SEARCH, "not spelt"),
        (SEARCH.replace(b'"query":"wage",', b""), "not a stored response or search"),
        (SEARCH.replace(b'["u1","u2"]', b'"u1"'), "not a stored response or search"),
        (b"[" * 100_000 + b"\n", "not a stored line"),
        (RESPONSE.replace(b"0.7", b"0.8"), "does not have the name"),
        (RESPONSE.replace(NAME.encode(), b"0" * 64, 1), "does not have the name"),
        (RESPONSE.replace(b"0.7", b"0.70"), "not spelt"),
        (RESPONSE.replace(b"0.7", b"NaN"), "not a stored line"),
    ],
)
def test_other_lines_do_not_and_it_is_said_why(line, says):
    with pytest.raises(LineError, match=says):
        read_line(line)


def test_lines_are_read_in_the_order_of_the_files_names(tmp_path):
    (tmp_path / "b.jsonl").write_bytes(b"3\n")
    (tmp_path / "a.jsonl").write_bytes(b"1\n\n2")
    (tmp_path / "claims").write_bytes(b"x\n")
    (tmp_path / "c.jsonl").mkdir()
    (tmp_path / "d.jsonl").symlink_to(tmp_path / "nowhere")
    found = [(path.name, number, data) for path, number, data in lines_of(tmp_path)]
    assert found == [("a.jsonl", 1, b"1\n"), ("a.jsonl", 3, b"2"), ("b.jsonl", 1, b"3\n")]
    assert list(lines_of(tmp_path / "none")) == []


@pytest.mark.parametrize(
    ("text", "kept"), [(b"", b""), (b"1\n2", b"1\n"), (b"12", b""), (b"1\n", b"1\n"), (b"1\n" + b"x" * (3 << 20), b"1\n")]
)
def test_a_torn_line_is_cut_off(tmp_path, text, kept):
    (tmp_path / "a").write_bytes(text)
    with (tmp_path / "a").open("ab+") as handle:
        assert cut_torn_line(handle.fileno()) == len(text) - len(kept)
        os.fsync(handle.fileno())
    assert (tmp_path / "a").read_bytes() == kept
