"""Build the nearest-neighbour index over the vectors of all section versions.

An HNSW graph (hnswlib) on the inner product of vectors of length 1, which is their cosine. It is built by one thread with a fixed seed
in row order, so the same vectors give the same bytes. Label i of the index is row i of the vectors. Dates are not in the index: the
search gives it, with each query, the rows that are in force on the day asked for.
"""

from __future__ import annotations

import argparse
import os
import struct
import tempfile
from pathlib import Path
from typing import BinaryIO

import hnswlib
import numpy as np

from inforce.retrieval.vectors import Vectors

# Malkov & Yashunin 2018: M 16-48 for vectors of high dimension; more costs memory (8 M bytes a row), less costs recall under a filter
M = 32
EF_CONSTRUCTION = 200  # candidates kept while a row is linked in; beyond 200 the recall gained is small
SEED = 100

_HEADER = 96  # bytes before the first row in a file of chroma-hnswlib 0.7.6


def build_index(vectors: Vectors) -> hnswlib.Index:
    """The index of vectors of length 1, shape (n, d); label i is row i. Raises ValueError if there is no row."""
    if vectors.ndim != 2 or not len(vectors):
        raise ValueError(f"expected rows of vectors, found an array of shape {vectors.shape}")
    index = hnswlib.Index(space="ip", dim=vectors.shape[1])
    index.init_index(max_elements=len(vectors), M=M, ef_construction=EF_CONSTRUCTION, random_seed=SEED)
    index.set_num_threads(1)
    index.add_items(vectors, np.arange(len(vectors)), num_threads=1)
    return index


def save_index(index: hnswlib.Index, path: Path | str) -> None:
    """Write the index whole or not at all: beside its name, synced, renamed."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{path.name}.", dir=path.parent) as folder:
        beside = Path(folder) / path.name
        index.save_index(str(beside))
        with open(beside, "rb+") as handle:
            _blank_unset(handle, index)
            os.fsync(handle.fileno())
        beside.replace(path)


def _blank_unset(handle: BinaryIO, index: hnswlib.Index) -> None:
    """Put zeros where the library writes memory that it never set: one 32-bit number a row behind the rows' own block.

    Those numbers are of use only to an index that the library itself keeps on disk. Left in, no two builds have the same bytes, and the
    file holds whatever was in the process's memory.
    """
    n, row_bytes = struct.unpack_from("<8x8xQQ", handle.read(_HEADER))
    expected = 4 + 4 * 2 * M + 4 * index.dim + 8  # count and links of the ground level, vector, label
    if n != index.element_count or row_bytes != expected:
        raise RuntimeError(f"hnswlib writes another file format than this module knows: {n} rows of {row_bytes} bytes, expected {expected}")
    handle.seek(_HEADER + n * row_bytes)
    handle.write(bytes(4 * n))
    handle.flush()


def main(argv: list[str] | None = None) -> None:
    """The command; see the module's text."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.retrieval.build_index --vectors results/retrieval/demo/minilm/vectors.npy "
        "--index results/retrieval/demo/minilm/index.bin",
    )
    parser.add_argument("--vectors", required=True, help="vectors.npy of embed_sections")
    parser.add_argument("--index", required=True, help="written: the index")
    args = parser.parse_args(argv)
    try:
        index = build_index(np.load(args.vectors, mmap_mode="r"))
    except (OSError, ValueError) as error:
        raise SystemExit(f"{args.vectors}: {error}") from error
    save_index(index, args.index)


if __name__ == "__main__":
    main()
