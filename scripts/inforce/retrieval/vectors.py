"""Arrays of embedding vectors: what every backend hands over, and the error that each raises where it cannot."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Vectors = npt.NDArray[np.float32]


class EmbeddingUnavailableError(RuntimeError):
    """The embedding model cannot be reached from this machine. The message is one sentence with the remedy."""


def unit(vectors: npt.ArrayLike) -> Vectors:
    """Rows scaled to length 1 as float32; a row of zeros stays zeros, so that it is like nothing."""
    rows = np.asarray(vectors, dtype=np.float32)
    lengths = np.linalg.norm(rows.astype(np.float64), axis=1, keepdims=True)
    return (rows / np.where(lengths == 0, 1, lengths)).astype(np.float32)


def shortened(vectors: npt.ArrayLike, dimensions: int | None) -> Vectors:
    """Rows of length 1 of the first `dimensions` numbers of each; null = of all.

    Raises ValueError if the vectors have fewer.
    """
    rows = np.asarray(vectors, dtype=np.float32)
    if dimensions is not None and rows.shape[1] < dimensions:
        raise ValueError(f"the embedding model gives {rows.shape[1]} numbers a text, and its configuration asks for {dimensions} of them")
    return unit(rows[:, :dimensions])
