"""A first choice among many rows: their codes (see build_index), scanned for the rows in force on a day.

Most of a scan's time is waiting for memory where it skips rows. So the codes are laid by the day on which each row ends, the latest first,
and by its first day: what is in force on a day then lies together, on the corpus date without a gap (benchmarks/retrieval.py).
"""

from __future__ import annotations

from typing import NamedTuple

import faiss
import numpy as np
import numpy.typing as npt

from inforce.retrieval.vectors import Vectors

QUERY_BITS = 2  # of each number of a query while it is compared with codes; more cost time, and the exact ranking makes up for fewer

Rows = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


class InForce(NamedTuple):
    """The rows in force on a day: how many, and one bit a row in the order of the codes."""

    n_rows: int
    bits: npt.NDArray[np.uint8]


class Codes:
    """The codes of n rows, in an order of their own.

    index: of build_index, its row i = row i of the vectors; not changed. first, end: first day of each row and the day on which it is no longer
    in force, shape (n,), as ordinals. active: whether its law is active on the corpus date, shape (n,).
    """

    def __init__(self, index: faiss.IndexPreTransform, first: Rows, end: Rows, active: Mask) -> None:
        self._order = np.lexsort((first, -end))
        self._index = faiss.clone_index(index)
        inner = faiss.downcast_index(self._index.index)
        codes = faiss.vector_to_array(inner.codes).reshape(inner.ntotal, -1)
        faiss.copy_array_to_vector(codes[self._order].ravel(), inner.codes)
        # half as wide as the days are given: each new day asked for reads them all
        self._first, self._end = (np.minimum(days, np.iinfo(np.int32).max).astype(np.int32)[self._order] for days in (first, end))
        self._active = active[self._order]

    def in_force(self, day: int, active_only: bool) -> InForce:
        """The rows that have begun and not ended on the day, an ordinal; active_only: of them those whose law is active."""
        mask = (self._first <= day) & (day < self._end)
        if active_only:
            mask &= self._active
        return InForce(int(np.count_nonzero(mask)), np.packbits(mask, bitorder="little"))

    def nearest(self, query: Vectors, rows_in_force: InForce, wanted: int) -> Rows:
        """Of the rows in force the `wanted` whose codes promise the greatest inner product with the query (d,), ascending; or all if fewer."""
        faiss.omp_set_num_threads(1)
        inner = faiss.RaBitQSearchParameters(sel=faiss.IDSelectorBitmap(rows_in_force.bits), qb=QUERY_BITS)
        parameters = faiss.SearchParametersPreTransform(index_params=inner)
        places = self._index.search(np.ascontiguousarray(query[None, :], dtype=np.float32), wanted, params=parameters)[1][0]
        rows: Rows = np.sort(self._order[places[places >= 0]])
        return rows
