from __future__ import annotations

import base64
import json
import zlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from report.small_run import unpack

from inforce.records.answers import Answer
from inforce.records.files import canonical_json
from inforce.report import page_answers as module
from inforce.report.words import ReportError

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)


def test_only_the_lines_asked_for_are_parsed(tmp_path: Path, small_report: Path) -> None:
    path = small_report / "demo" / "answers" / "little-model" / "parametric" / "1.jsonl"
    lines = path.read_text(encoding="utf-8").split("\n")[:-1]
    note = '"item_id":"crim::001","sample":1 \\'
    fakes = [{"a": note, "item_id": "other", "sample": 1}, {"item_id": "crim::001", "sample": 12}]  # no Answers: parsing them would fail
    (tmp_path / "a.jsonl").write_text("\n".join([*map(canonical_json, fakes), *lines]) + "\n", encoding="utf-8")
    assert [answer.item_id for answer in module.pick_lines(tmp_path / "a.jsonl", Answer, {"crim::001"})] == ["crim::001"]
    assert not list(module.pick_lines(tmp_path / "a.jsonl", Answer, set()))
    with pytest.raises(ReportError, match="does not exist"):
        list(module.pick_lines(tmp_path / "none.jsonl", Answer, {"a"}))


@given(TEXTS, st.integers(0, 200))
def test_values_are_found_behind_their_keys(text: str, sample: int) -> None:
    line = canonical_json({"a": text + '"item_id":"x', "item_id": text, "sample": sample}).encode()
    assert json.loads(module._value_of(line, b'"item_id":')) == text
    assert module._value_of(line, b'"sample":') == str(sample).encode() and module._value_of(line, b'"none":') == b""


def test_files_of_other_samples_are_told_by_their_path() -> None:
    assert module.of_first_sample(Path("answers/r/m/parametric/1.jsonl"), in_folder=False)
    assert not module.of_first_sample(Path("answers/r/m/parametric/2.jsonl"), in_folder=False)
    assert module.of_first_sample(Path("grades/r/m/parametric/1/2.jsonl"), in_folder=True)  # a judge may be called 2
    assert not module.of_first_sample(Path("grades/r/m/parametric/11/1.jsonl"), in_folder=True)
    assert module.of_first_sample(Path("somewhere/answers.jsonl"), in_folder=False)  # its lines say whose they are


@given(st.lists(TEXTS, max_size=6), st.integers(0, 80))
def test_the_longest_length_that_fits(texts: list[str], room: int) -> None:
    def size(length: int) -> int:
        return sum(len(canonical_json(module.shortened_to(length)(text)).encode()) - 2 for text in texts)

    lengths = module.Lengths()
    assert [lengths.add(text) for text in texts] == texts and lengths.whole() == size(20)
    top = max(map(len, texts), default=0)  # beyond it nothing changes
    fitting = [length for length in range(top + 1) if size(length) <= room]
    assert min(lengths.longest(room), top) == max(fitting, default=0)


def test_hand_worked_length() -> None:
    """`กขค` has 9 bytes and `ab` 2: with 8 bytes for both, two letters of the one and its ellipsis are one too many."""
    lengths = module.Lengths()
    for text in ("กขค", "ab"):
        lengths.add(text)
    assert (lengths.whole(), lengths.longest(11), lengths.longest(10), lengths.longest(8)) == (11, lengths.longest(99), 1, 0)
    assert module.shortened_to(1)("กขค") == "ก…" and module.shortened_to(3)("กขค") == "กขค"


def test_bytes_of_letters_in_json() -> None:
    text = 'a"\\\n\x01é€😀\x7f'
    points = np.frombuffer(text.encode("utf-32-le"), dtype=np.uint32)
    assert module.json_bytes(points).tolist() == [len(canonical_json(letter).encode()) - 2 for letter in text]


def test_blocks_are_raw_deflate_and_equal_for_equal_bytes() -> None:
    data = canonical_json({"answers": [{"a": "ก" * 1000}], "versions": []}).encode()
    packed = module.pack(data)
    assert packed == module.pack(data) and len(packed) < 200
    assert zlib.decompress(base64.b64decode(packed), -15) == data


def test_a_block_gives_back_what_was_put_in() -> None:
    search = {"query": "theft", "version_uris": ["xx/b", "xx/a", "xx/b"]}
    answer = Answer.model_validate(
        {
            **{"item_id": "i", "model": "m", "setting": "rag_current", "sample": 1, "status": "ok", "detail": None, "request_sha256": []},
            **{"raw_text": "{}", "search_trace": [search], "n_tool_call_errors": 0, "usage": {}, "finish_reason": "stop"},
            "sub_answers": [
                {"sub_question": 1, "verdict": "v", "reasoning": "rrrrr", "citations": [{"law": "Penal Code", "section": "1, 2"}]}
            ],
        }
    )
    blocks = module.Blocks()
    found = [["exact", True, None, "1"], ["stale", False, None, "2"]]
    grade, score = ["j", "ok", "T7", 8.0, "because"], [8.0, 3.0, 1.0, 1.0, 1.0, True, "ok"]
    blocks.add(answer, {"1": [grade]}, {"1": score}, {(1, 1): found})
    kept = blocks.packed(4)["i"]
    (shown,) = unpack(kept.packed)
    assert (kept.statuses, kept.n) == (["ok"], 1) and shown["searches"][0]["version_uris"] == search["version_uris"]
    assert shown["subs"][0]["reasoning"] == "rrrr…" and shown["searches"][0]["query"] == "thef…" and shown["raw"] == ""
    assert shown["grades"]["1"] == [{"judge": "j", "status": "ok", "tier": "T7", "score": 8.0, "justification": "beca…"}]
    assert shown["scores"]["1"]["panel_status"] == "ok" and shown["scores"]["1"]["score"] == 8.0
    assert [row["part"] for row in shown["subs"][0]["citations"][0]["found"]] == ["1", "2"]
