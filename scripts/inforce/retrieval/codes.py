"""A first choice among many rows: their codes (see build_index), scanned for the rows in force on a day.

Most of a scan's time goes into rows that it skips: asking for each, and waiting for memory. So the codes are laid by the day on which each
row ends, the latest first, and by its first day. What is in force on a day then lies at the front and together, on the corpus date without
a gap. They are cut into segments: those behind the last row that may be in force are not scanned, and in one that is wholly in force no row
is asked for (benchmarks/retrieval.py).

Equal texts have equal vectors and codes ("Repealed." a hundred times), and one estimate, which may be too good. They would fill the first
choice. So of rows with equal codes one is scanned, and stands for all of them that are in force.
"""

from __future__ import annotations

from typing import NamedTuple

import faiss
import numpy as np
import numpy.typing as npt

from inforce.retrieval.vectors import Vectors

QUERY_BITS = 4  # of each number of a query while it is compared with codes; more find no more
SEGMENT = 50_000  # rows; a scan of one costs some 20 microseconds beside its rows

Rows = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


class InForce(NamedTuple):
    """The rows in force on a day: how many; for each segment that holds any one bit a row that is scanned (null: all are); and the places of
    those that have equals, ordered by group, with the groups."""

    n_rows: int
    segments: dict[int, npt.NDArray[np.uint8] | None]
    equals: Rows
    groups: Rows


class Codes:
    """The codes of n rows, in an order of their own.

    index: of build_index, its row i = row i of the vectors; not changed. first, end: first day of each row and the day on which it is no longer
    in force, shape (n,), as ordinals. active: whether its law is active on the corpus date, shape (n,).
    """

    def __init__(self, index: faiss.IndexPreTransform, first: Rows, end: Rows, active: Mask) -> None:
        self._order = np.lexsort((first, -end))
        # half as wide as the days are given: each new day asked for reads them all
        self._first = np.minimum(first, np.iinfo(np.int32).max).astype(np.int32)[self._order]
        self._minus_end, self._active = -end[self._order], active[self._order]
        self._index = index  # its rotation is used, and Python does not keep it alive by itself
        self._rotation = faiss.downcast_VectorTransform(index.chain.at(0))
        inner = faiss.downcast_index(index.index)
        codes = faiss.vector_to_array(inner.codes).reshape(inner.ntotal, -1)
        codes = codes[self._order]
        self._group, self._equals = _equal_rows(codes)
        self._segments = [_part_of(inner, codes[at : at + SEGMENT]) for at in range(0, len(codes), SEGMENT)]

    def in_force(self, day: int, active_only: bool) -> InForce:
        """The rows that have begun and not ended on the day, an ordinal; active_only: of them those whose law is active."""
        not_ended = int(np.searchsorted(self._minus_end, -day))
        mask = self._first[:not_ended] <= day
        if active_only:
            mask &= self._active[:not_ended]
        n_rows = int(np.count_nonzero(mask))
        equals = self._equals[self._equals < not_ended]
        equals = equals[mask[equals]]
        groups = self._group[equals]
        mask[equals[1:][groups[1:] == groups[:-1]]] = False  # all but the first of each group
        segments: dict[int, npt.NDArray[np.uint8] | None] = {}
        for number, segment in enumerate(self._segments):
            part = mask[number * SEGMENT : number * SEGMENT + segment.ntotal]
            if n_scanned := np.count_nonzero(part):
                is_whole = n_scanned == segment.ntotal
                segments[number] = None if is_whole else _bits(part, segment.ntotal)
        return InForce(n_rows, segments, equals, groups)

    def nearest(self, query: Vectors, rows_in_force: InForce, wanted: int) -> Rows:
        """Of the rows in force the `wanted` whose codes promise the greatest inner product with the query (d,), ascending; or all if fewer.

        Rows with equal codes count as one and are all returned, so there may be more.
        """
        faiss.omp_set_num_threads(1)
        turned = self._rotation.apply(np.ascontiguousarray(query[None, :], dtype=np.float32))
        found = [self._scan(turned, number, bits, wanted) for number, bits in rows_in_force.segments.items()]
        if not found:
            return np.empty(0, np.int64)
        promised, places = (np.concatenate(values) for values in zip(*found, strict=True))
        places = places[np.lexsort((places, -promised))[:wanted]]
        groups = self._group[places]
        held = np.isin(rows_in_force.groups, groups[groups >= 0])
        rows: Rows = np.sort(self._order[np.concatenate([places[groups < 0], rows_in_force.equals[held]])])
        return rows

    def _scan(self, turned: Vectors, number: int, bits: npt.NDArray[np.uint8] | None, wanted: int) -> tuple[Vectors, Rows]:
        """What the best rows of a segment promise, and their places among all codes."""
        selected = {} if bits is None else {"sel": faiss.IDSelectorBitmap(bits)}
        parameters = faiss.RaBitQSearchParameters(qb=QUERY_BITS, **selected)
        promised, places = self._segments[number].search(turned, min(wanted, self._segments[number].ntotal), params=parameters)
        held = places[0] >= 0
        return promised[0][held], places[0][held] + number * SEGMENT


def _part_of(inner: faiss.IndexRaBitQ, codes: npt.NDArray[np.uint8]) -> faiss.IndexRaBitQ:
    """An index of these codes alone, with all else as in the index that they come from."""
    part = faiss.IndexRaBitQ(inner.d, inner.metric_type, inner.rabitq.nb_bits)
    faiss.copy_array_to_vector(faiss.vector_to_array(inner.center), part.center)
    faiss.copy_array_to_vector(codes.ravel(), part.codes)
    part.is_trained, part.ntotal = True, len(codes)
    return part


def _equal_rows(codes: npt.NDArray[np.uint8]) -> tuple[Rows, Rows]:
    """The group of each row of codes, -1 for one that has no equal; and the rows that have one, by group and place."""
    as_one = np.ascontiguousarray(codes).view(f"V{codes.shape[1]}")[:, 0]
    _, group, counts = np.unique(as_one, return_inverse=True, return_counts=True)
    group = np.where(counts[group] > 1, group, -1)
    equals = np.flatnonzero(group >= 0)
    return group, equals[np.argsort(group[equals], kind="stable")]


def _bits(mask: Mask, length: int) -> npt.NDArray[np.uint8]:
    """One bit a row; rows beyond the mask's end are not in it."""
    bits = np.zeros((length + 7) // 8, np.uint8)
    packed = np.packbits(mask, bitorder="little")
    bits[: len(packed)] = packed
    return bits
