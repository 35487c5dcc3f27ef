"""A first choice among many rows: their codes (see build_index), scanned for the rows in force on a day.

Most of a scan's time is waiting for memory where it skips rows. So the codes are laid by the day on which each row ends, the latest first,
and by its first day: what is in force on a day then lies together, on the corpus date without a gap (benchmarks/retrieval.py).
"""

from __future__ import annotations

import faiss
import numpy as np
import numpy.typing as npt

from inforce.retrieval.vectors import Vectors

QUERY_BITS = 4  # of each number of a query while it is compared with codes; more cost time and find no more

Rows = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


class Codes:
    """The codes of n rows, in an order of their own.

    index: of build_index, its row i = row i of the vectors; not changed. first, last: the days of each row, shape (n,), as ordinals.
    """

    def __init__(self, index: faiss.IndexPreTransform, first: Rows, last: Rows) -> None:
        self._order = np.lexsort((first, -last))
        self._index = faiss.clone_index(index)
        inner = faiss.downcast_index(self._index.index)
        codes = faiss.vector_to_array(inner.codes).reshape(inner.ntotal, -1)
        faiss.copy_array_to_vector(codes[self._order].ravel(), inner.codes)

    def filter_of(self, mask: Mask) -> npt.NDArray[np.uint8]:
        """A mask of rows, shape (n,), as `nearest` takes it: one bit a row, in the order of the codes."""
        return np.packbits(mask[self._order], bitorder="little")

    def nearest(self, query: Vectors, allowed: npt.NDArray[np.uint8], wanted: int) -> Rows:
        """The `wanted` rows of the filter whose codes promise the greatest inner product with the query (d,), ascending; fewer if it has fewer."""
        faiss.omp_set_num_threads(1)
        inner = faiss.RaBitQSearchParameters(sel=faiss.IDSelectorBitmap(allowed), qb=QUERY_BITS)
        parameters = faiss.SearchParametersPreTransform(index_params=inner)
        places = self._index.search(np.ascontiguousarray(query[None, :], dtype=np.float32), wanted, params=parameters)[1][0]
        rows: Rows = np.sort(self._order[places[places >= 0]])
        return rows
