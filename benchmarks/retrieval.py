"""Date-filtered search among many section versions: time a query, recall and memory, beside exact search and another library.

    PYTHONPATH=scripts python benchmarks/retrieval.py --rows 395000 --queries 1000

Our search is the pipeline's own code, from the search layer's files to the version names it returns. Beside it, in the same process on the
same vectors, queries and days: exact search (every row in force compared) and hnswlib (an HNSW graph, filtered by a byte for each row;
needs envs/bench.in; building it takes most of the benchmark's time). Every search uses one thread. Recall is the share of the exact top 10 that a search
found. A query's own embedding is not part of its time.

The vectors are made, from seeds. Embeddings of a statute book are not spread evenly in their 1,024 dimensions: sections of one law are
alike, and versions of one section nearly equal. So: a law is a point in a space whose i-th axis has the weight 1/sqrt(i) (a spectrum as
embedding models have it); a section is its law's point plus a step of .7 of that size; each next version is the one before plus a step of .05 to
.4; a query is a version's point plus a step of .8. All are scaled to length 1. Some 3.7 versions a section, as in the paper's corpus
(394,943 texts of 106,041 sections in 5,912 laws); the first begins between 1930 and 2015, amendments lie anywhere between then and 2026,
and one section in eight has ended. A query asks for a day between 1995 and 2026, or (every second one) for today.

Evenly spread (Gaussian) vectors are the worst case for every graph and like no embedding; a smaller run of them is reported for honesty.
"""

from __future__ import annotations

import argparse
import datetime as dt
import gc
import json
import os
import platform
import resource
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from inforce.retrieval import search as search_module
from inforce.retrieval.build_index import BITS, build_index, save_index
from inforce.retrieval.codes import QUERY_BITS
from inforce.retrieval.search import SearchLayer, open_layer
from inforce.retrieval.vectors import Vectors, unit

VERSIONS_A_SECTION, SECTIONS_A_LAW = 3.72, 18
TODAY = dt.date(2026, 9, 1)
TOP_K = 10
Days = npt.NDArray[np.int64]


class Book(NamedTuple):
    """A made statute book: vectors (n, d), first and last day of each row as ordinals, and queries with their days."""

    vectors: Vectors
    start: Days
    end: Days
    queries: Vectors
    days: list[dt.date]


def made_book(rows: int, dim: int, queries: int, shape: str, seed: int = 1) -> Book:
    """`shape`: statutes (see the module's text) or gaussian."""
    rng = np.random.Generator(np.random.PCG64(seed))
    per_section = 1 + rng.poisson(VERSIONS_A_SECTION - 1, size=rows)
    sections = int(np.searchsorted(np.cumsum(per_section), rows)) + 1
    section_of = np.repeat(np.arange(sections), per_section[:sections])[:rows]
    place = np.arange(rows) - np.searchsorted(section_of, section_of)  # number of the version within its section
    weights = (1 / np.sqrt(np.arange(1, dim + 1))).astype(np.float32)
    if shape == "gaussian":
        vectors = rng.standard_normal((rows, dim), dtype=np.float32)
        wanted = rng.standard_normal((queries, dim), dtype=np.float32)
    else:
        laws = rng.standard_normal((sections // SECTIONS_A_LAW + 1, dim), dtype=np.float32)
        vectors = np.empty((rows, dim), np.float32)
        last = np.zeros(dim, np.float32)
        for row in range(rows):  # one at a time: each version is a step from the one before
            if place[row] == 0:
                last = laws[section_of[row] // SECTIONS_A_LAW] + np.float32(0.7) * rng.standard_normal(dim, dtype=np.float32)
            else:
                last = last + np.float32(rng.uniform(0.05, 0.4)) * rng.standard_normal(dim, dtype=np.float32)
            vectors[row] = last * weights
        about = rng.integers(0, rows, queries)
        wanted = vectors[about] + np.float32(0.8) * weights * rng.standard_normal((queries, dim), dtype=np.float32)
    for at in range(0, rows, 20_000):
        vectors[at : at + 20_000] = unit(vectors[at : at + 20_000])
    first = rng.integers(dt.date(1930, 1, 1).toordinal(), dt.date(2015, 1, 1).toordinal(), sections)
    share = rng.random(rows)
    share[place == 0] = 0
    order = np.lexsort((share, section_of))  # within a section by date, the first version first
    start = (first[section_of] + share[order] * (TODAY.toordinal() - first[section_of])).astype(np.int64)
    open_end = dt.date.max.toordinal()
    end = np.full(rows, open_end, np.int64)
    follows = np.flatnonzero(section_of[1:] == section_of[:-1])
    end[follows] = np.maximum(start[follows + 1], start[follows] + 1)
    over = np.flatnonzero((end == open_end) & (rng.random(rows) < 0.125))
    end[over] = np.minimum(start[over] + rng.integers(1, 9_000, len(over)), TODAY.toordinal())
    days = [TODAY if k % 2 else dt.date(1995, 1, 1) + dt.timedelta(days=int(rng.integers(0, 11_500))) for k in range(queries)]
    return Book(vectors, start, end, unit(wanted), days)


def layer_of(book: Book, folder: Path, vectors: Path) -> tuple[SearchLayer, float]:
    """Our search over the book, through files as in the pipeline, and the seconds of building the index."""
    began = time.perf_counter()
    graph = build_index(book.vectors)
    seconds = time.perf_counter() - began
    save_index(graph, folder / "index.bin")
    del graph
    gc.collect()
    open_end = dt.date.max.toordinal()
    sections = [
        {
            "version_uri": f"x/law/{row}",
            "law_code": "x",
            "label": str(row),
            "valid_from": dt.date.fromordinal(int(start)),
            "begun_by": None,
            "valid_to": None if end == open_end else dt.date.fromordinal(int(end)),
            "text": "",
            "text_sha256": "",
        }
        for row, (start, end) in enumerate(zip(book.start, book.end, strict=True))
    ]
    versions = [str(row["version_uri"]) for row in sections]
    return open_layer(folder / "index.bin", vectors, versions, sections, []), seconds


def row_of(version_uri: str) -> int:
    """The row that a version's name was made from."""
    return int(version_uri.rsplit("/", 1)[1])


class Measured(NamedTuple):
    """One way of searching: rows found for each query, and the milliseconds of each by the clock and of this thread's own CPU time."""

    found: list[list[int]]
    clock: list[float]
    cpu: list[float]


def measure(search: Callable[[Vectors, dt.date], Sequence[int]], book: Book, n: int) -> Measured:
    """Search the first n queries one after another, each timed alone; a tenth of them once before, untimed."""
    for query, day in list(zip(book.queries, book.days, strict=True))[: max(1, n // 10)]:
        search(query, day)
    found, clock, cpu = [], [], []
    for query, day in zip(book.queries[:n], book.days[:n], strict=True):
        began, used = time.perf_counter(), time.thread_time()
        rows = search(query, day)
        cpu.append(1000 * (time.thread_time() - used))
        clock.append(1000 * (time.perf_counter() - began))
        found.append(list(rows))
    return Measured(found, clock, cpu)


def true_top(book: Book) -> list[list[int]]:
    """The exact top rows of every query, by one product of all rows and all queries, block after block."""
    ordinals = np.array([day.toordinal() for day in book.days])
    best = np.full((len(book.queries), TOP_K), -np.inf, np.float32)
    rows = np.zeros((len(book.queries), TOP_K), np.int64)
    for at in range(0, len(book.vectors), 20_000):
        block = slice(at, at + 20_000)
        scores = book.queries @ book.vectors[block].T
        scores[(book.start[block] > ordinals[:, None]) | (book.end[block] <= ordinals[:, None])] = -np.inf
        both = np.concatenate([best, scores], axis=1)
        numbers = np.concatenate([rows, np.broadcast_to(np.arange(at, at + scores.shape[1]), scores.shape)], axis=1)
        kept = np.argpartition(-both, TOP_K, axis=1)[:, :TOP_K]
        best, rows = np.take_along_axis(both, kept, axis=1), np.take_along_axis(numbers, kept, axis=1)
    return [[int(row) for row in some] for some in rows]


def recall(found: list[list[int]], exact: list[list[int]]) -> float:
    """Share of the exact results that were found."""
    return sum(len(set(one) & set(other)) for one, other in zip(found, exact, strict=True)) / sum(map(len, exact))


def exact_search(book: Book) -> Callable[[Vectors, dt.date], Sequence[int]]:
    """Every row in force compared by numpy, best first; the rows of a day are found once, as ours are."""
    known: dict[dt.date, npt.NDArray[np.int64]] = {}

    def search(query: Vectors, day: dt.date) -> Sequence[int]:
        rows = known.get(day)
        if rows is None:
            rows = known[day] = np.flatnonzero((book.start <= day.toordinal()) & (day.toordinal() < book.end))
        scores = np.concatenate([book.vectors[rows[at : at + 4_000]] @ query for at in range(0, len(rows), 4_000)])
        best = np.argpartition(-scores, TOP_K)[:TOP_K]
        return [int(row) for row in rows[best[np.argsort(-scores[best])]]]

    return search


def hnsw_search(
    book: Book, m: int, ef_construction: int
) -> tuple[Callable[[int], Callable[[Vectors, dt.date], Sequence[int]]], float, Any]:
    """The other library: a search for each ef, seconds of building, and its index."""
    import hnswlib

    index = hnswlib.Index(space="ip", dim=book.vectors.shape[1])
    index.init_index(max_elements=len(book.vectors), M=m, ef_construction=ef_construction, random_seed=1)
    index.set_num_threads(1)
    began = time.perf_counter()
    for at in range(0, len(book.vectors), 20_000):
        index.add_items(book.vectors[at : at + 20_000], np.arange(at, min(at + 20_000, len(book.vectors))), num_threads=1)
    seconds = time.perf_counter() - began
    known: dict[dt.date, bytes] = {}

    def search(query: Vectors, day: dt.date) -> Sequence[int]:
        if day not in known:
            known[day] = ((book.start <= day.toordinal()) & (day.toordinal() < book.end)).tobytes()
        return [int(row) for row in index.knn_query(query[None, :], k=TOP_K, num_threads=1, filter=known[day].__getitem__)[0][0]]

    def of(ef: int) -> Callable[[Vectors, dt.date], Sequence[int]]:
        index.set_ef(ef)
        return search

    return of, seconds, index


def resident() -> float:
    """This process's resident memory in MiB, without pages of mapped files."""
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith("RssAnon"):
            return int(line.split()[1]) / 1024
    return float("nan")


def line(name: str, result: Measured, exact: list[list[int]], **more: Any) -> dict[str, Any]:
    """The figures of one way of searching; printed."""
    figures = {
        "search": name,
        "queries": len(result.clock),
        "recall_at_10": round(recall(result.found, exact[: len(result.clock)]), 5),
        "median_ms": round(statistics.median(result.clock), 3),
        "median_cpu_ms": round(statistics.median(result.cpu), 3),
        "p95_ms": round(sorted(result.clock)[int(len(result.clock) * 0.95)], 3),
        **more,
    }
    print(json.dumps(figures), flush=True)
    return figures


def our_search(layer: SearchLayer) -> Callable[[Vectors, dt.date], Sequence[int]]:
    """The pipeline's own search, as rows."""
    return lambda query, day: [row_of(uri) for uri in layer.nearest(query, day, False, TOP_K)]


def measure_ours(book: Book, exact: list[list[int]], candidates: Sequence[int], scratch: Path) -> tuple[list[dict[str, Any]], float]:
    """Our search as in the pipeline, and with other numbers of candidates; and how many rows are in force on a day (median)."""
    before = resident()
    layer, seconds = layer_of(book, scratch, scratch / "vectors.npy")
    gc.collect()
    figures = []
    for number in (search_module.CANDIDATES, *candidates):
        kept, search_module.CANDIDATES = search_module.CANDIDATES, number
        result = measure(our_search(layer), book, len(book.queries))
        search_module.CANDIDATES = kept
        more: dict[str, Any] = {"parameters": {"bits": BITS, "query_bits": QUERY_BITS, "candidates": number * TOP_K}}
        if not figures:
            more |= {
                "build_s": round(seconds, 1),
                "memory_mib": round(resident() - before),
                "index_file_mib": round((scratch / "index.bin").stat().st_size / 2**20),
            }
        figures.append(line("inforce" if not figures else "inforce, other candidates", result, exact, **more))
    in_force = statistics.median(len(layer.in_force(day, False)) for day in book.days)
    return figures, in_force


def run(shape: str, args: argparse.Namespace, rows: int, scratch: Path, keep: Callable[[dict[str, Any]], None]) -> None:
    """One book, all ways of searching it; `keep` is handed the figures after each."""
    book = made_book(rows, args.dim, args.queries, shape)
    print(f"# {shape}: {rows:,} x {args.dim}, {len(set(book.days)):,} days, load {os.getloadavg()[0]:.1f}", flush=True)
    np.save(scratch / "vectors.npy", book.vectors)
    exact = true_top(book)
    report: dict[str, Any] = {"vectors": shape, "rows": rows, "dim": args.dim}
    figures = [line("exact (numpy)", measure(exact_search(book), book, args.exact_timed), exact)]
    ours, report["rows_in_force_median"] = measure_ours(book, exact, args.candidates, scratch)
    figures += ours
    report["searches"], report["load_at_end"] = figures, round(os.getloadavg()[0], 1)
    keep(report)
    gc.collect()
    if not args.without_hnsw:
        before = resident()
        of, seconds, _ = hnsw_search(book, args.hnsw_m, args.hnsw_ef_construction)
        memory = resident() - before
        for ef in args.hnsw_ef:
            parameters = {"M": args.hnsw_m, "ef_construction": args.hnsw_ef_construction, "ef": ef}
            more = {"build_s": round(seconds, 1), "memory_mib": round(memory), "parameters": parameters}
            figures.append(line("hnswlib", measure(of(ef), book, args.queries), exact, **more))
            keep(report)


def main(argv: list[str] | None = None) -> None:
    """Run what is asked, print the figures and keep them."""
    parser = argparse.ArgumentParser(
        prog="python benchmarks/retrieval.py",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: PYTHONPATH=scripts python benchmarks/retrieval.py --rows 20000 --gaussian-rows 5000",
    )
    parser.add_argument("--rows", type=int, default=395_000)
    parser.add_argument("--gaussian-rows", type=int, default=20_000, help="size of the run with evenly spread vectors; 0 = none")
    parser.add_argument("--dim", type=int, default=1_024)
    parser.add_argument("--queries", type=int, default=500)
    parser.add_argument("--exact-timed", type=int, default=30, help="queries whose exact search is timed")
    parser.add_argument("--candidates", type=int, nargs="*", default=[], help="other numbers of candidates for each result to try")
    parser.add_argument("--hnsw-m", type=int, default=32)
    parser.add_argument("--hnsw-ef-construction", type=int, default=100)
    parser.add_argument("--hnsw-ef", type=int, nargs="*", default=[64, 200])
    parser.add_argument("--without-hnsw", action="store_true", help="only exact search and ours")
    parser.add_argument("--scratch", type=Path, help="folder for vectors and index; default a temporary one, removed at the end")
    parser.add_argument("--out", type=Path, default=Path("benchmarks/results/retrieval.json"), help="written: all figures")
    args = parser.parse_args(argv)
    machine = f"{platform.machine()}, {os.cpu_count()} cores, {cpu_name()}, load {os.getloadavg()[0]:.1f} at the start"
    print(machine)
    runs: dict[str, dict[str, Any]] = {}

    def keep(report: dict[str, Any]) -> None:
        runs[report["vectors"]] = report
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        whole = {"machine": machine, "peak_mib_of_the_benchmark": round(peak), "runs": list(runs.values())}
        args.out.parent.mkdir(parents=True, exist_ok=True)
        args.out.write_text(json.dumps(whole, indent=1) + "\n", encoding="utf-8")

    with tempfile.TemporaryDirectory(dir=args.scratch) as folder:
        for shape, rows in (("gaussian", args.gaussian_rows), ("statutes", args.rows)):
            if rows:
                run(shape, args, rows, Path(folder), keep)
    print(f"load {os.getloadavg()[0]:.1f} at the end; written: {args.out}")


def cpu_name() -> str:
    """The processor's name, empty where it is not told."""
    names = [line for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines() if line.startswith("model name")]
    return names[0].split(":", 1)[1].strip() if names else ""


if __name__ == "__main__":
    main()
