"""Build the nearest-neighbour index over the vectors of all section versions.

Each vector of length 1 is turned by one random rotation (signs and Hadamard transforms: no matrix that every search would have to read) and
kept as one bit a dimension (RaBitQ: Gao & Long 2024, "Quantizing high-dimensional vectors with a theoretical error bound"), 128 bytes and
two numbers for 1,024 dimensions. From these codes a search
estimates every inner product, which is the cosine, and ranks the best exactly. There is no graph: every row that may be found is looked
at, so a date filter costs no recall, however few rows it leaves, and building takes seconds. The rotation has a fixed seed and one thread
works, so the same vectors give the same bytes. Row i of the index is row i of the vectors. Dates are not in the index: the search gives
it, with each query, the rows that are in force on the day asked for.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from pathlib import Path

import faiss
import numpy as np

from inforce.retrieval.vectors import Vectors

SEED = 100  # of the rotation
BITS = 1  # a dimension
BLOCK = 20_000  # rows read and coded at once


def build_index(vectors: Vectors) -> faiss.IndexPreTransform:
    """The index of vectors of length 1, shape (n, d). Raises ValueError if there is no row."""
    if vectors.ndim != 2 or not len(vectors):
        raise ValueError(f"expected rows of vectors, found an array of shape {vectors.shape}")
    faiss.omp_set_num_threads(1)
    rotation = faiss.HadamardRotation(vectors.shape[1], SEED)  # to the next power of two dimensions
    codes = faiss.IndexRaBitQ(rotation.d_out, faiss.METRIC_INNER_PRODUCT, BITS)
    # codes say how a vector differs from the mean of all; taken in double precision, row blocks in order
    blocks = [vectors[at : at + BLOCK] for at in range(0, len(vectors), BLOCK)]
    mean = (sum(block.sum(axis=0, dtype=np.float64) for block in blocks) / len(vectors)).astype(np.float32)
    codes.train(rotation.apply(mean[None, :]))
    index = faiss.IndexPreTransform(rotation, codes)
    for block in blocks:
        index.add(np.ascontiguousarray(block, dtype=np.float32))
    return index


def other_kind(index: faiss.Index) -> str | None:
    """What an index is, if it is none of build_index: another rotation, other codes, another measure."""
    if not isinstance(index, faiss.IndexPreTransform):
        return type(index).__name__
    turns = [faiss.downcast_VectorTransform(index.chain.at(number)) for number in range(index.chain.size())]
    codes = faiss.downcast_index(index.index)
    if [type(turn) for turn in turns] != [faiss.HadamardRotation] or not isinstance(codes, faiss.IndexRaBitQ):
        return " of ".join(type(part).__name__ for part in (codes, *turns))
    wanted = (BITS, faiss.METRIC_INNER_PRODUCT, SEED)
    found = (codes.rabitq.nb_bits, codes.metric_type, turns[0].seed)
    return None if found == wanted else f"bits, measure and seed are {found}, not {wanted}"


def is_of(index: faiss.IndexPreTransform, vectors: Vectors) -> bool:
    """Whether a few rows have the codes that these vectors get. A sign near zero may differ from one processor to another."""
    codes = faiss.downcast_index(index.index)
    rows = np.unique(np.linspace(0, len(vectors) - 1, 20).astype(np.int64))
    held = faiss.vector_to_array(codes.codes).reshape(codes.ntotal, -1)[rows]
    wanted = index.sa_encode(np.ascontiguousarray(vectors[rows], dtype=np.float32))
    # a code begins with its signs, the rest are numbers
    signs = [np.unpackbits(part, axis=1, bitorder="little")[:, : codes.d] for part in (held, wanted)]
    return bool(np.mean(signs[0] == signs[1]) > 0.95)


def save_index(index: faiss.Index, path: Path | str) -> None:
    """Write the index whole or not at all: beside its name, synced, renamed."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{path.name}.", dir=path.parent) as folder:
        beside = Path(folder) / path.name
        faiss.write_index(index, str(beside))
        with open(beside, "rb+") as handle:
            os.fsync(handle.fileno())
        beside.replace(path)


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
