import subprocess
import sys

import hnswlib
import numpy as np
import pytest

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
    loaded = hnswlib.Index(space="ip", dim=24)
    loaded.load_index(str(tmp_path / "i"))
    for one in (index, loaded):
        one.set_ef(100)
    queries = some_vectors(20, seed=6)
    assert np.array_equal(index.knn_query(queries, k=10)[0], loaded.knn_query(queries, k=10)[0])
    assert np.array_equal(loaded.knn_query(queries, k=10)[0], np.argsort(-(queries @ vectors.T), axis=1, kind="stable")[:, :10])


def test_no_vectors_and_no_file_are_one_sentence(tmp_path):
    np.save(tmp_path / "v.npy", np.zeros((0, 4), np.float32))
    with pytest.raises(SystemExit, match=r"v.npy: expected rows of vectors, found an array of shape \(0, 4\)"):
        main(["--vectors", str(tmp_path / "v.npy"), "--index", str(tmp_path / "i")])
    with pytest.raises(SystemExit, match=r"none.npy"):
        main(["--vectors", str(tmp_path / "none.npy"), "--index", str(tmp_path / "i")])
