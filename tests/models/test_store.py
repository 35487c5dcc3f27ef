"""The store's files: round trips, damage of every kind, several writers, claims. Real files and real processes."""

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from models.asking import request, response

from inforce.config.key import Key
from inforce.models.interface import ModelUnavailable
from inforce.models.store import ResponseStore
from inforce.records.files import canonical_json

ROOT = Path(__file__).parents[2]


def put(store, *pairs):
    async def all_of_them():
        await asyncio.gather(*(store.append(asked.sha256, asked, answer) for asked, answer in pairs))

    asyncio.run(all_of_them())


def pairs(*texts):
    return [(asked, response(asked, f"answer to {asked.messages[0]['content']}")) for asked in map(request, texts)]


def filled(folder, writer, *texts):
    """A closed store file; returns its requests."""
    store = ResponseStore(folder, writer)
    put(store, *pairs(*texts))
    store.close()
    return [request(text) for text in texts]


def found(folder, *requests):
    """What a fresh reader finds, as texts, null where nothing is."""
    store = ResponseStore(folder, "reader")
    answers = [store.find(asked.sha256) for asked in requests]
    store.close()
    return [answer and answer.text for answer in answers]


def test_a_response_comes_back_as_it_was(tmp_path):
    asked = request("มาตรา 1 \u2028 \n 'quotes\"")
    kept = response(asked, "คำตอบ\n\u2028\x00 end").model_copy(update={"raw": {"b": [1, None, 2.5], "a": {"z": "é"}}, "reasoning": "r"})
    store = ResponseStore(tmp_path / "m", "w")
    assert store.find(asked.sha256) is None
    put(store, (asked, kept))
    assert store.find(asked.sha256) == kept
    store.close()
    store.close()
    again = ResponseStore(tmp_path / "m", "other")
    assert again.find(asked.sha256) == kept and len(again) == 1
    again.close()


def test_lines_are_canonical_and_named_by_their_request(tmp_path):
    requests = filled(tmp_path, "w", "a", "b", "ค")
    lines = (tmp_path / "w.jsonl").read_text(encoding="utf-8").split("\n")
    assert lines.pop() == ""
    assert {json.loads(line)["name"] for line in lines} == {asked.sha256 for asked in requests}
    for line in lines:
        assert line == canonical_json(json.loads(line))


@settings(max_examples=15, deadline=None)
@given(st.lists(st.text(max_size=200), min_size=1, max_size=12, unique=True))
def test_the_index_finds_the_right_line_for_any_texts(tmp_path_factory, texts):
    folder = tmp_path_factory.mktemp("store")
    requests = filled(folder, "w", *texts)
    assert found(folder, *requests) == [f"answer to {text}" for text in texts]


def test_the_files_of_all_writers_are_read(tmp_path):
    first, second = filled(tmp_path, "one", "a", "b"), filled(tmp_path, "two", "c")
    assert found(tmp_path, *first, *second) == ["answer to a", "answer to b", "answer to c"]


def test_a_reader_sees_what_another_appends_after_a_refresh(tmp_path):
    reader, writer = ResponseStore(tmp_path, "r"), ResponseStore(tmp_path, "w")
    for text in ("a", "b"):
        put(writer, *pairs(text))
        assert reader.find(request(text).sha256) is None
        reader.refresh()
        assert reader.find(request(text).sha256).text == f"answer to {text}"
    reader.close()
    writer.close()


def test_a_run_that_asks_nothing_leaves_no_file(tmp_path):
    requests = filled(tmp_path, "w", "a")
    assert found(tmp_path, *requests) == ["answer to a"]
    assert not (tmp_path / "reader.jsonl").exists()


def test_two_open_stores_of_one_writer_do_not_share_a_file(tmp_path):
    one, two = ResponseStore(tmp_path, "w"), ResponseStore(tmp_path, "w")
    put(one, *pairs("a"))
    put(two, *pairs("b"))
    put(one, *pairs("c"))
    one.close()
    two.close()
    assert sorted(path.name for path in tmp_path.glob("*.jsonl")) == ["w.2.jsonl", "w.jsonl"]
    assert found(tmp_path, *map(request, "abc")) == ["answer to a", "answer to b", "answer to c"]


TORN = {
    "half a line": lambda whole: whole[: len(whole) // 2],
    "a good line without its end": lambda whole: whole[:-1],
    "bytes that are no text": lambda whole: b"\xff\xfe\x00\x9d" * 5,
    "nulls, as some file systems leave after a power cut": lambda whole: b"\x00" * 100,
    "half a letter": lambda whole: '{"name":"ค'.encode()[:-1],
    "one byte": lambda whole: b"{",
}


@pytest.mark.parametrize("kind", TORN)
def test_a_torn_last_line_is_cut_and_nothing_is_glued_to_it(kind, tmp_path, capsys):
    a, b = filled(tmp_path, "w", "a", "b")
    path = tmp_path / "w.jsonl"
    whole = path.read_bytes()
    spare = tmp_path / "spare"
    filled(spare, "w", "torn")
    torn = TORN[kind]((spare / "w.jsonl").read_bytes())
    path.write_bytes(whole + torn)
    assert found(tmp_path, a, b, request("torn")) == ["answer to a", "answer to b", None]
    c, again = filled(tmp_path, "w", "c", "torn")
    assert path.read_bytes().startswith(whole) and path.read_bytes().count(b"\n") == 4
    for line in path.read_bytes().splitlines():
        json.loads(line)
    assert f"cut off a last line of {len(torn)} bytes" in capsys.readouterr().err
    assert found(tmp_path, a, b, c, again) == ["answer to a", "answer to b", "answer to c", "answer to torn"]


def test_a_torn_line_longer_than_a_block_is_cut(tmp_path):
    (a,) = filled(tmp_path, "w", "a")
    with (tmp_path / "w.jsonl").open("ab") as handle:
        handle.write(b'{"name":"' + b"x" * (3 << 20))
    (b,) = filled(tmp_path, "w", "b")
    assert found(tmp_path, a, b) == ["answer to a", "answer to b"]
    assert (tmp_path / "w.jsonl").read_bytes().count(b"\n") == 2


def test_a_reader_leaves_the_torn_line_of_a_living_writer_alone(tmp_path):
    """It may be in the middle of being written: it counts once its end is there."""
    (a,) = filled(tmp_path, "w", "a")
    path, whole = tmp_path / "w.jsonl", (tmp_path / "w.jsonl").read_bytes()
    path.write_bytes(whole[:50])
    reader = ResponseStore(tmp_path, "r")
    assert reader.find(a.sha256) is None
    assert path.read_bytes() == whole[:50]
    path.write_bytes(whole)
    reader.refresh()
    assert reader.find(a.sha256).text == "answer to a"
    reader.close()


@pytest.mark.parametrize(
    "bad", [b"no json at all", b"", b'{"name":"' + b"z" * 64 + b'","request":{},"response":{}}', b"\xff\x00", b"[1]", b"{}"]
)
def test_a_bad_line_in_the_middle_is_named_and_nothing_else_is_lost(bad, tmp_path, capsys):
    requests = filled(tmp_path, "w", "a", "b", "c")
    path = tmp_path / "w.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[0] + bad + b"\n" + b"".join(lines[1:]))
    assert found(tmp_path, *requests) == ["answer to a", "answer to b", "answer to c"]
    warned = capsys.readouterr().err.splitlines()
    assert len(warned) == 1 and str(path) in warned[0] and f"line at byte {len(lines[0])}" in warned[0]


DAMAGE = {
    "another answer's name": lambda line, other: line.replace(line[9:73], other[9:73], 1),
    "a changed request": lambda line, other: line.replace(b'"max_output_tokens":64', b'"max_output_tokens":65'),
    "a response to another request": lambda line, other: (
        line[: line.rindex(b'"request_sha256":"')] + b'"request_sha256":"' + b"0" * 64 + line[line.rindex(b'"request_sha256":"') + 82 :]
    ),
    "a missing field": lambda line, other: line.replace(b'"text":"answer', b'"tex":"answer'),
    "a broken letter": lambda line, other: line.replace(b"answer to", b"answer\xfftto"),
}


@pytest.mark.parametrize("kind", DAMAGE)
def test_a_line_that_does_not_fit_its_name_is_not_believed(kind, tmp_path, capsys):
    a, b = filled(tmp_path, "w", "a", "b")
    path = tmp_path / "w.jsonl"
    by_name = {json.loads(line)["name"]: line for line in path.read_bytes().splitlines(keepends=True)}
    damaged = DAMAGE[kind](by_name[a.sha256], by_name[b.sha256])
    assert damaged != by_name[a.sha256]
    path.write_bytes(damaged + by_name[b.sha256])
    assert found(tmp_path, a, b) == [None, "answer to b"]
    if kind != "another answer's name":  # then its own name is simply not there
        assert f"{path}, line at byte 0: left out" in capsys.readouterr().err


def test_behind_a_damaged_line_a_whole_one_of_that_name_is_found(tmp_path):
    """Asked again after the damage, or held by a second file."""
    (a,) = filled(tmp_path, "one", "a")
    (tmp_path / "two.jsonl").write_bytes((tmp_path / "one.jsonl").read_bytes())
    (tmp_path / "one.jsonl").write_bytes((tmp_path / "one.jsonl").read_bytes().replace(b'"text":"answer', b'"text":7,"x":"'))
    store = ResponseStore(tmp_path, "r")
    assert store.find(a.sha256).text == "answer to a"
    assert store.damaged == 1 and store.damage() == " (1 damaged lines were left out)"
    store.close()


def test_read_only_makes_and_changes_nothing(tmp_path, capsys):
    (a,) = filled(tmp_path / "m", "w", "a")
    (tmp_path / "m" / "claims").unlink()
    path = tmp_path / "m" / "w.jsonl"
    path.write_bytes(path.read_bytes() + b'{"name":"half')
    before = path.read_bytes()
    store = ResponseStore(tmp_path / "m", "r", read_only=True)
    assert store.find(a.sha256).text == "answer to a"
    store.close()
    assert [entry.name for entry in (tmp_path / "m").iterdir()] == ["w.jsonl"] and path.read_bytes() == before
    assert "it was cut short" in capsys.readouterr().err
    missing = ResponseStore(tmp_path / "none", "r", read_only=True)
    assert missing.find(a.sha256) is None and not (tmp_path / "none").exists()
    missing.close()


def test_a_response_that_holds_the_key_is_not_stored(tmp_path):
    store, key = ResponseStore(tmp_path, "w"), Key("sk-AB/cd+efGH==")
    ((asked, _),) = pairs("a")
    for held in ("it is sk-AB/cd+efGH==", "it is sk-AB%2Fcd%2BefGH%3D%3D", '{"key": "sk-AB\\/cd\\u002befGH=="}'):
        with pytest.raises(ModelUnavailable, match="holds the endpoint's key and is not stored") as caught:
            asyncio.run(store.append(asked.sha256, asked, response(asked, held), key=key))
        assert not key.held_by(str(caught.value))
    assert not (tmp_path / "w.jsonl").exists()
    asyncio.run(store.append(asked.sha256, asked, response(asked, "sk-"), key=key))
    assert store.find(asked.sha256).text == "sk-"
    store.close()


FULL = """
import asyncio, resource, sys
from pathlib import Path
from inforce.models.store import ResponseStore
from models.asking import request, response
async def main():
    store = ResponseStore(Path(sys.argv[1]), "w")
    for n in range(100):
        asked = request(f"item {n}")
        try:
            await store.append(asked.sha256, asked, response(asked, f"answer {n}"))
        except OSError as error:
            print(n, error, flush=True)
            break
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 30, 1 << 30))
    asked = request("afterwards")
    await store.append(asked.sha256, asked, response(asked))
    print(store.find(asked.sha256).text)
resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 1 << 30))
asyncio.run(main())
"""


def test_a_full_disk_raises_and_leaves_whole_lines(tmp_path):
    environment = {**os.environ, "PYTHONPATH": f"{ROOT / 'scripts'}:{ROOT / 'tests'}"}
    done = subprocess.run([sys.executable, "-c", FULL, str(tmp_path)], env=environment, capture_output=True, text=True, timeout=60)
    said, after = done.stdout.splitlines()
    assert after == "an answer" and "could not be stored in" in said and "w.jsonl" in said, done.stderr
    lines = (tmp_path / "w.jsonl").read_bytes().split(b"\n")
    assert lines.pop() == b"" and len(lines) == int(said.split()[0]) + 1 > 3
    for line in lines:
        json.loads(line)


HOLD = """
import sys
from pathlib import Path
from inforce.models.store import ResponseStore
store = ResponseStore(Path(sys.argv[1]), "other")
print(store.claim(sys.argv[2]), flush=True)
sys.stdin.read()
"""


def test_a_claim_keeps_other_processes_out_until_it_is_released_or_its_process_is_killed(tmp_path):
    name, free = request("a").sha256, request("b").sha256
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "scripts")}
    store = ResponseStore(tmp_path, "w")

    def other():
        command = [sys.executable, "-c", HOLD, str(tmp_path), name]
        return subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    with other() as holder:
        assert holder.stdout.readline() == "True\n"
        assert not store.claim(name) and store.claim(free)
        holder.kill()
    assert store.claim(name)
    beside = ResponseStore(tmp_path, "w2")  # locks belong to the process, and stores of one process keep each other out as well
    assert not beside.claim(name)
    beside.close()
    with other() as holder:
        assert holder.stdout.readline() == "False\n", "closing one store must not drop the other's claims"
        holder.kill()
    store.release(name)
    with other() as holder:
        assert holder.stdout.readline() == "True\n"
        holder.kill()
    store.close()
