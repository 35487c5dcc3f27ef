"""The search tool of the RAG settings (NitiBench+ §5.2): the sections most like a query among those in force on a day.

    layer = SearchLayer(index, vectors, versions, sections, laws, embed)
    tool = SearchTool(layer, day, top_k=10, result_chars=None)
    tool.search("termination without notice")      # SearchResult, best first

The date filter is the index's own: a row that is not in force on the day is never a candidate, so a search returns min(top_k, rows in
force) results, always. Few rows are compared exactly; of many the index chooses CANDIDATES for each result wanted, which are compared
exactly. Likeness is the cosine, rounded to 5 decimals so that the last bits of a processor decide nothing; equal ones
stand in the order of their version_uri.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import faiss
import numpy as np

from inforce.records.files import sha256_json
from inforce.retrieval.build_index import BITS, SEED, is_of, other_kind
from inforce.retrieval.codes import QUERY_BITS, Codes, Rows
from inforce.retrieval.search_store import SearchStore
from inforce.retrieval.vectors import Vectors

CANDIDATES = 10  # rows that the index chooses for each result wanted (benchmarks/retrieval.py measures what it costs and finds)
EXACT_ROWS = 5_000  # so many rows in force or fewer are compared one by one: exact, and as fast as the index
DECIMALS = 5
BLOCK = 4_000  # rows compared at once
FEW = 20  # so many rows or fewer are compared in double precision without a first choice
MARGIN = 1e-3  # how far single precision may be off, many times over: rows within it of the last place are compared again

NO_NUMBERS = "the vector of a query holds values that are no numbers: look at the embedding model"
_NEVER = np.iinfo(np.int64).max


class SearchResult(NamedTuple):
    """One section version found; `text` is cut to the tool's `result_chars`."""

    version_uri: str
    law_name: str
    label: str
    valid_from: dt.date | None
    valid_to: dt.date | None
    text: str


class SearchLayer:
    """All versions of a jurisdiction with their vectors and dates; asked for the rows nearest to a query on a day.

    index: row i = row i of vectors, shape (n, d) = versions[i]. sections: rows of sections.parquet, one for each version at least.
    laws: rows of laws.parquet. Raises ValueError if index, vectors, versions and sections are not of one piece.
    """

    def __init__(
        self,
        index: faiss.IndexPreTransform | None,
        vectors: Vectors | None,
        versions: list[str],
        sections: list[dict[str, Any]],
        laws: list[dict[str, Any]],
    ) -> None:
        held = {str(row["version_uri"]): row for row in sections}
        missing = [version for version in versions if version not in held]
        if missing or held.keys() - set(versions):
            example = missing[0] if missing else next(iter(held.keys() - set(versions)))
            raise ValueError(f"versions and sections are not of one piece: {example} is only in one of them; make the vectors anew")
        if len(set(versions)) != len(versions):
            raise ValueError(f"versions hold {Counter(versions).most_common(1)[0][0]} more than once; make the vectors anew")
        for what, n in (("vectors", None if vectors is None else len(vectors)), ("index", None if index is None else index.ntotal)):
            if n is not None and n != len(versions):
                raise ValueError(f"{what} hold {n} rows, versions {len(versions)}: they were not made together; make them anew")
        self.versions, self._rows, self._index = versions, [held[version] for version in versions], index
        self._vectors = None if vectors is None else np.asarray(vectors)  # of a mapped file the plain array, which hands out rows faster
        self._row_of = {version: row for row, version in enumerate(versions)}
        self._laws = {str(row["law_code"]): row for row in laws}
        ends = [self._laws.get(str(row["law_code"]), {}).get("repealed_on") for row in self._rows]
        self._from = np.array([_day(row["valid_from"] or row["begun_by"], _NEVER) for row in self._rows], dtype=np.int64)
        self._to = np.array(
            [min(_day(row["valid_to"], _NEVER), _day(end, _NEVER)) for row, end in zip(self._rows, ends, strict=True)], dtype=np.int64
        )
        self._active = np.array([bool(self._laws.get(str(row["law_code"]), {}).get("is_active", True)) for row in self._rows], dtype=bool)
        self.corpus_sha256 = sha256_json(
            [
                [version, row["text_sha256"], int(start), int(end), bool(active)]
                for version, row, start, end, active in zip(versions, self._rows, self._from, self._to, self._active, strict=True)
            ]
        )
        # the rows in force on a day, and the same as the index takes it
        self._rows_in_force = lru_cache(maxsize=64)(self._find_in_force)
        self._known = lru_cache(maxsize=64)(lambda day, active_only: self._codes.in_force(day.toordinal(), active_only))

    def in_force(self, day: dt.date, active_only: bool) -> Rows:
        """Rows in force on the day, ascending: begun, not ended, and their law not repealed by then.

        active_only: besides, only of laws that are active on the corpus date (for the current law). A version of unknown start is
        among them from the day on by which it has certainly begun, and never where no such day is known (records.dates.covers).
        """
        return self._rows_in_force(day, active_only)

    def nearest(self, query: Vectors, day: dt.date, active_only: bool, top_k: int) -> list[str]:
        """The min(top_k, rows in force) versions most like the query vector (d,), best first. Raises ValueError if it holds NaN or infinity."""
        if self._index is None or self._vectors is None:
            raise ValueError("this layer was made without vectors and index")
        few = max(EXACT_ROWS, CANDIDATES * top_k)
        # to the zero vector all are alike, so there is no first choice
        if len(self.versions) <= few or not np.any(query) or (known := self._known(day, active_only)).n_rows <= few:
            return self.nearest_exactly(query, day, active_only, top_k)
        if not np.all(np.isfinite(query)):
            raise ValueError(NO_NUMBERS)
        return self._best(query, self._codes.nearest(query, known, CANDIDATES * top_k), top_k)

    def nearest_exactly(self, query: Vectors, day: dt.date, active_only: bool, top_k: int) -> list[str]:
        """What `nearest` should give: every row in force compared, the index not asked."""
        if not np.all(np.isfinite(query)):
            raise ValueError(NO_NUMBERS)
        rows = self.in_force(day, active_only)
        return self._best(query, rows, min(top_k, len(rows))) if len(rows) else []

    def result(self, version_uri: str, chars: int | None) -> SearchResult:
        """What the tool shows of a version."""
        row = self._rows[self._row_of[version_uri]]
        law = self._laws.get(str(row["law_code"]), {})
        return SearchResult(
            version_uri,
            str(law.get("name") or row["law_code"]),
            str(row["label"]),
            row["valid_from"],
            row["valid_to"],
            cut(str(row["text"] or ""), chars),
        )

    def _find_in_force(self, day: dt.date, active_only: bool) -> Rows:
        number = day.toordinal()
        mask = (self._from <= number) & (number < self._to)
        return np.flatnonzero(mask & self._active if active_only else mask)

    @cached_property
    def _codes(self) -> Codes:
        assert self._index is not None
        return Codes(self._index, self._from, self._to, self._active)

    def _best(self, query: Vectors, rows: Rows, wanted: int) -> list[str]:
        assert self._vectors is not None
        if len(rows) > max(FEW, wanted):
            likeness = np.concatenate([self._vectors.take(block, axis=0) @ query for block in _blocks(rows)])
            rows = rows[likeness >= np.partition(likeness, len(rows) - wanted)[len(rows) - wanted] - MARGIN]
        exact = np.concatenate([self._vectors.take(block, axis=0).astype(np.float64) @ query.astype(np.float64) for block in _blocks(rows)])
        scores = np.round(exact, DECIMALS) + 0.0  # turns -0.0 into 0.0
        least = np.partition(scores, len(scores) - wanted)[len(scores) - wanted]
        kept = np.flatnonzero(scores >= least)  # ties with the last place included: the name decides among them
        ranked = sorted((-scores[place], self.versions[rows[place]]) for place in kept)
        return [version for _, version in ranked[:wanted]]


class SearchTool:
    """The tool of one item: a search among what is in force on its day. The model gives words, never a date.

    embed: turns a query into a vector (d,); called only for a search that the store does not hold. identity: what names the embedding
    model in the store. active_only: the current law, so only laws active on the corpus date.
    """

    def __init__(
        self,
        layer: SearchLayer,
        embed: Callable[[str], Vectors],
        store: SearchStore | None,
        identity: dict[str, Any],
        day: dt.date,
        active_only: bool,
        top_k: int,
        result_chars: int | None,
    ) -> None:
        self._layer, self._embed, self._store, self._identity = layer, embed, store, identity
        self._day, self._active_only, self._top_k, self._chars = day, active_only, top_k, result_chars

    def search(self, query: str) -> list[SearchResult]:
        """min(top_k, versions in force) results, best first. Raises MissingSearchError in a stored-only run that does not hold it."""
        name = self.name(query)
        versions = self._store.find(name) if self._store else None
        if versions is None:
            versions = self._layer.nearest(self._embed(query), self._day, self._active_only, self._top_k)
            if self._store:
                self._store.add(name, query, versions)
        return [self._layer.result(version, self._chars) for version in versions]

    def name(self, query: str) -> str:
        """The search's name: sha256 of everything that decides its results."""
        return sha256_json(
            {
                "embedding": self._identity,
                "index": ["hadamard rabitq", BITS, SEED, QUERY_BITS, CANDIDATES, EXACT_ROWS, DECIMALS],
                "corpus": self._layer.corpus_sha256,
                "day": self._day.isoformat(),
                "active_only": self._active_only,
                "top_k": self._top_k,
                "query": query,
            }
        )


def open_layer(
    index: Path | None, vectors: Path | None, versions: Sequence[str], sections: list[dict[str, Any]], laws: list[dict[str, Any]]
) -> SearchLayer:
    """The layer from files. The vectors stay on disk and are mapped. Raises OSError or ValueError that say what does not fit."""
    if index is None or vectors is None:
        return SearchLayer(None, None, list(versions), sections, laws)
    rows = np.load(vectors, mmap_mode="r")
    try:
        codes = faiss.read_index(str(index))
    except RuntimeError as error:
        raise ValueError(f"{index} is not an index: {error}") from error
    if kind := other_kind(codes):
        raise ValueError(f"{index} is an index of another kind ({kind}): make it anew with inforce.retrieval.build_index")
    if rows.ndim != 2:
        raise ValueError(f"{vectors} holds an array of shape {rows.shape}, not rows of vectors: make it anew")
    if codes.d != rows.shape[1]:
        raise ValueError(
            f"{index} is of vectors of {codes.d} numbers, {vectors} has {rows.shape[1]}: they were not made together; make them anew"
        )
    if codes.ntotal == len(rows) and not is_of(codes, rows):
        raise ValueError(f"{index} is of other vectors than {vectors}: they were not made together; make them anew")
    return SearchLayer(codes, rows, list(versions), sections, laws)


def cut(text: str, chars: int | None) -> str:
    """The text, or its first `chars` characters with an ellipsis as the last of them."""
    return text if chars is None or len(text) <= chars else text[: chars - 1].rstrip() + "…"


def _blocks(rows: Rows) -> list[Rows]:
    return [rows[start : start + BLOCK] for start in range(0, len(rows), BLOCK)]


def _day(value: dt.date | None, unknown: int) -> int:
    return unknown if value is None else value.toordinal()
