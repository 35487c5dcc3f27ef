import subprocess
import sys

import faiss
import numpy as np
import pytest

from inforce.retrieval import build_index as build_index_module
from inforce.retrieval.build_index import build_index, main, save_index
from inforce.retrieval.vectors import unit


def some_vectors(n=700, d=24, seed=5):
    return unit(np.random.Generator(np.random.PCG64(seed)).normal(size=(n, d)))


def test_two_processes_write_the_same_bytes(tmp_path):
    np.save(tmp_path / "v.npy", some_vectors())
    for name in ("a", "b"):
        command = [
            sys.executable,
            "-m",
            "inforce.retrieval.build_index",
            "--vectors",
            str(tmp_path / "v.npy"),
            "--index",
            str(tmp_path / name),
        ]
        subprocess.run(command, check=True, env={"PYTHONPATH": "scripts", "NOISE": name * 5000}, cwd=__file__.split("/tests/")[0])
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b", "v.npy"]


def test_the_file_answers_as_the_index_in_memory_does(tmp_path):
    vectors = some_vectors()
    index = build_index(vectors)
    save_index(index, tmp_path / "i")
    loaded = faiss.read_index(str(tmp_path / "i"))
    queries = some_vectors(20, seed=6)
    assert np.array_equal(index.search(queries, 10)[1], loaded.search(queries, 10)[1])


def test_blocks_make_no_difference_but_in_the_last_bits_of_the_mean(monkeypatch):
    vectors = some_vectors()
    whole = build_index(vectors)
    monkeypatch.setattr(build_index_module, "BLOCK", 64)
    parts = build_index(vectors)
    queries = some_vectors(20, seed=6)
    assert parts.ntotal == whole.ntotal == 700
    assert np.allclose(parts.search(queries, 10)[0], whole.search(queries, 10)[0], atol=1e-5)


def test_a_code_is_one_bit_a_dimension_and_two_numbers():
    index = build_index(some_vectors(d=1024))
    codes = faiss.downcast_index(index.index)
    assert codes.code_size == 1024 // 8 + 2 * 4


def test_no_vectors_and_no_file_are_one_sentence(tmp_path):
    np.save(tmp_path / "v.npy", np.zeros((0, 4), np.float32))
    with pytest.raises(SystemExit, match=r"v.npy: expected rows of vectors, found an array of shape \(0, 4\)"):
        main(["--vectors", str(tmp_path / "v.npy"), "--index", str(tmp_path / "i")])
    with pytest.raises(SystemExit, match=r"none.npy"):
        main(["--vectors", str(tmp_path / "none.npy"), "--index", str(tmp_path / "i")])
