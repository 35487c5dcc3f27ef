import subprocess
import sys

import faiss
import numpy as np
import pytest

from inforce.retrieval import build_index as build_index_module
from inforce.retrieval.build_index import BITS, SEED, build_index, is_of, main, other_kind, save_index
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


def test_an_index_of_another_kind_says_what_it_is():
    vectors = some_vectors(d=32)
    assert other_kind(build_index(vectors)) is None
    assert other_kind(faiss.IndexFlatIP(32)) == "IndexFlatIP"
    matrix, hadamard, other_seed = (
        faiss.RandomRotationMatrix(32, 32),
        faiss.HadamardRotation(32, SEED),
        faiss.HadamardRotation(32, SEED + 1),
    )
    inner = (faiss.METRIC_INNER_PRODUCT, faiss.METRIC_L2)
    made = [
        (matrix, faiss.IndexRaBitQ(32, inner[0], BITS), "IndexRaBitQ of RandomRotationMatrix"),
        (hadamard, faiss.IndexFlatIP(32), "IndexFlatIP of HadamardRotation"),
        (hadamard, faiss.IndexRaBitQ(32, inner[1], BITS), f"bits, measure and seed are (1, 1, {SEED}), not (1, 0, {SEED})"),
        (other_seed, faiss.IndexRaBitQ(32, inner[0], BITS), f"bits, measure and seed are (1, 0, {SEED + 1}), not (1, 0, {SEED})"),
    ]
    assert [other_kind(faiss.IndexPreTransform(turn, codes)) for turn, codes, _ in made] == [says for _, _, says in made]


@pytest.mark.parametrize("d", [1, 2, 3, 24, 384])
def test_an_index_knows_its_vectors(d):
    vectors, others = unit(some_vectors(d=d) - 0.1), unit(some_vectors(d=d, seed=9) - 0.1)
    assert is_of(build_index(vectors), vectors) and not is_of(build_index(vectors), others)


def test_no_vectors_and_no_file_are_one_sentence(tmp_path):
    np.save(tmp_path / "v.npy", np.zeros((0, 4), np.float32))
    with pytest.raises(SystemExit, match=r"v.npy: expected rows of vectors, found an array of shape \(0, 4\)"):
        main(["--vectors", str(tmp_path / "v.npy"), "--index", str(tmp_path / "i")])
    with pytest.raises(SystemExit, match=r"none.npy"):
        main(["--vectors", str(tmp_path / "none.npy"), "--index", str(tmp_path / "i")])
