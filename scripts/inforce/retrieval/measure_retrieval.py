"""How good the search of a run is: its index against exact search, and how often it finds the sections the court relied on (§6.3).

Three measures, each for the current and the in-force index and by the drift band of the items, as hits of n:

- recall: of the exact top k (every row compared), how many the index returns. One is a search without loss.
- gold_sections: of the load-bearing gold sections, how many are among the top k. A section counts as found in whatever version it is
  returned: the current index can hold no other one.
- searches_with_gold: of the searches, how many return at least one gold section. The paper gives one rate for each index and calls it both
  the finding of the gold sections and the share of the searches; these two rows are the two readings.

Two kinds of queries are made of every sub-question that has a gold section in the corpus: `question`, its words alone, and
`facts_and_question`. A third, `agent`, needs no search: the searches that stand in the answers files, a row for each model, setting and
sample; a gold section counts as found by any search of its item. `left_out`: what is not in n, because the corpus holds no gold section for
it, or, for gold sections of `agent`, because the model did not search for that item. `n` and `hits` are counts; rate is empty where n is 0.

Searches are kept in the store and found again like those of the models, so that an auditor needs no embedding model. Times go to a sidecar
(--latency), for they differ from run to run: only searches made anew are timed.
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import platform
import statistics
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from inforce.config.load import ConfigError, read_config
from inforce.config.model import Embedding
from inforce.config.protocol import Protocol
from inforce.records.answers import Answer
from inforce.records.files import canonical_json, sha256_json, write_text
from inforce.records.items import Item, SubQuestion
from inforce.records.lines import read_lines
from inforce.records.status import DRIFT_BANDS
from inforce.records.tables import LAWS, SECTIONS, read_rows, write_csv
from inforce.retrieval.embed_sections import unique_versions
from inforce.retrieval.embedding import Embedder, EmbeddingUnavailableError, Vectors, open_embedding
from inforce.retrieval.search import SearchLayer, SearchTool, open_layer
from inforce.retrieval.search_store import MissingSearchError, SearchStore

SEARCHES = "searches"  # folder of the store, as in answers
WRITER = "measure_retrieval"
INDEXES = ("current", "in_force")
SETTING_INDEX = {"rag_current": "current", "rag_in_force": "in_force"}
COLUMNS = ("queries", "model", "setting", "sample", "index", "measure", "top_k", "drift_band", "hits", "n", "left_out", "rate")


class Query(NamedTuple):
    """One search of the report."""

    kind: str  # question | facts_and_question
    band: str
    text: str
    gold: frozenset[str]  # section_uri
    day: dt.date
    law: str  # current | in_force: which index


class Found(NamedTuple):
    """What a query got from the index and from exact search, best first."""

    through_index: list[str]
    exactly: list[str]


class Tally:
    """Hits of n, and what is left out, under keys; each is counted in its band and in `all`."""

    def __init__(self) -> None:
        self.counts: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)

    def add(self, key: tuple[str, ...], band: str, hits: int, n: int, left_out: int = 0) -> None:
        """Count under the key."""
        for name in ("all", band):
            self.counts[*key, name].update({"hits": hits, "n": n, "left_out": left_out})


def gold_sections(questions: Iterable[SubQuestion]) -> frozenset[str]:
    """Sections of the gold citations that count (A.1)."""
    cited = (citation for question in questions for citation in question.citations)
    return frozenset(section_of(citation.version_uri) for citation in cited if citation.is_scored and citation.version_uri)


def section_of(version_uri: str) -> str:
    """The section that a version is of."""
    return version_uri.split("/v/")[0]


def queries_of(items: Sequence[Item]) -> list[Query]:
    """Two queries, on two indexes, of every sub-question."""
    queries = []
    for item in items:
        for question in item.sub_questions:
            texts = {"question": question.question, "facts_and_question": f"{item.fact_pattern}\n{question.question}"}
            for kind, text in texts.items():
                for index, day in zip(INDEXES, (item.corpus_date, item.law_date), strict=True):
                    queries.append(Query(kind, item.drift_band, text, gold_sections([question]), day, index))
    return queries


class Searcher:
    """Runs queries through the index and exactly, unless the store holds them; keeps times in milliseconds."""

    def __init__(self, layer: SearchLayer, config: Embedding, store: SearchStore, top_k: int) -> None:
        self._layer, self._config, self._store, self._top_k = layer, config, store, top_k
        self.times: dict[str, list[float]] = {"index": [], "exact": [], "embedding": []}

    def run(self, queries: Sequence[Query]) -> list[Found]:
        """Results in the order of the queries. Raises MissingSearchError in a stored-only run that lacks one."""
        names = [self._names(query) for query in queries]
        held = {name: self._store.find(name) for pair in names for name in pair}
        missing = {pair: query for pair, query in zip(names, queries, strict=True) if any(held[name] is None for name in pair)}
        vectors = self._embed(sorted({query.text for query in missing.values()}))
        for pair, query in missing.items():
            for name, way in zip(pair, ("index", "exact"), strict=True):
                search = self._layer.nearest if way == "index" else self._layer.nearest_exactly
                began = time.perf_counter()
                held[name] = search(vectors[query.text], query.day, query.law == "current", self._top_k)
                self.times[way].append(1000 * (time.perf_counter() - began))
                self._store.add(name, query.text, held[name] or [])
        return [Found(*(held[name] or [] for name in pair)) for pair in names]

    def _names(self, query: Query) -> tuple[str, str]:
        """Names in the store: the search tool's own, and that of the same search made exactly."""
        tool = SearchTool(
            self._layer, _no_embedding, None, self._config.identity(), query.day, query.law == "current", self._top_k, result_chars=None
        )
        name = tool.name(query.text)
        return name, sha256_json({"exact": name})

    def _embed(self, texts: list[str]) -> dict[str, Vectors]:
        if not texts:
            return {}
        embedder: Embedder = open_embedding(self._config, threads=1)
        vectors: dict[str, Vectors] = {}
        for start in range(0, len(texts), self._config.texts_at_once):
            some = texts[start : start + self._config.texts_at_once]
            began = time.perf_counter()
            vectors |= zip(some, embedder.queries(some), strict=True)
            self.times["embedding"].append(1000 * (time.perf_counter() - began) / len(some))
        return vectors


def _no_embedding(_: str) -> Vectors:
    raise AssertionError("only named, not run")


def tally_queries(tally: Tally, queries: Sequence[Query], found: Sequence[Found]) -> None:
    """Count the three measures of the made queries."""
    for query, result in zip(queries, found, strict=True):
        key = (query.kind, "", "", "", query.law)
        same = len(set(result.through_index) & set(result.exactly))
        tally.add((*key, "recall"), query.band, same, len(result.exactly))
        _tally_gold(tally, key, query.band, query.gold, [result.through_index])


def tally_answers(tally: Tally, items: Sequence[Item], answers: Sequence[Answer]) -> None:
    """Count what the models' own searches found; answers of other settings are passed over."""
    by_id = {item.id: item for item in items}
    for answer in answers:
        index = SETTING_INDEX.get(answer.setting)
        if index is None:
            continue
        item = by_id.get(answer.item_id)
        if item is None:
            raise ValueError(
                f"an answer of {answer.model} is to item {answer.item_id}, which the run's items do not hold; make the answers anew"
            )
        key = ("agent", answer.model, answer.setting, str(answer.sample), index)
        _tally_gold(tally, key, item.drift_band, gold_sections(item.sub_questions), [search.version_uris for search in answer.search_trace])


def _tally_gold(tally: Tally, key: tuple[str, ...], band: str, gold: frozenset[str], searches: Sequence[Sequence[str]]) -> None:
    """Count one sub-question's query, or all searches of one item."""
    returned = [{section_of(version) for version in versions} for versions in searches]
    if not gold:
        tally.add((*key, "gold_sections"), band, 0, 0, 0)
        tally.add((*key, "searches_with_gold"), band, 0, 0, len(searches))
        return
    hits = len(gold & set().union(*returned))
    tally.add((*key, "gold_sections"), band, hits, len(gold) if searches else 0, 0 if searches else len(gold))
    tally.add((*key, "searches_with_gold"), band, sum(bool(gold & sections) for sections in returned), len(searches))


def report_frame(tally: Tally, top_k: int) -> pd.DataFrame:
    """The rows of retrieval_report.csv in a fixed order; every band has its row, also one without items."""
    order = {"question": 0, "facts_and_question": 1, "agent": 2}
    keys = sorted({key[:-1] for key in tally.counts}, key=lambda key: (order[key[0]], *key[1:]))
    rows = []
    for queries, model, setting, sample, index, measure in keys:
        for band in ("all", *DRIFT_BANDS):
            count = tally.counts[queries, model, setting, sample, index, measure, band]
            rate = count["hits"] / count["n"] if count["n"] else None
            rows.append((queries, model, setting, sample, index, measure, top_k, band, count["hits"], count["n"], count["left_out"], rate))
    return pd.DataFrame(rows, columns=list(COLUMNS)).astype({"rate": "Float64"})


def latency_text(times: dict[str, list[float]], top_k: int) -> str:
    """The sidecar: times of this run on this machine, in milliseconds a search (embedding: a query)."""
    figures: dict[str, Any] = {"what": "sidecar: times of one run on one machine, no result", "machine": platform.machine(), "top_k": top_k}
    for way, taken in times.items():
        ordered = sorted(taken)
        figures[way] = {
            "n": len(taken),
            "median_ms": round(statistics.median(taken), 3) if taken else None,
            "p95_ms": round(ordered[int(0.95 * len(ordered))], 3) if taken else None,
        }
    return canonical_json(figures) + "\n"


def main(argv: list[str] | None = None) -> None:
    """The command; see the module's text."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.retrieval.measure_retrieval --run demo --items results/runs/demo/items.jsonl "
        "--laws results/corpus/demo/laws.parquet --sections results/corpus/demo/sections.parquet --protocol-config config/protocols/demo.yaml "
        "--embedding-config config/embeddings/minilm.yaml --vectors results/retrieval/demo/minilm/vectors.npy "
        "--versions results/retrieval/demo/minilm/versions.json --index results/retrieval/demo/minilm/index.bin --answers a.jsonl b.jsonl "
        "--responses responses --latency logs/measure_retrieval/demo.latency.json --out results/retrieval/demo/retrieval_report.csv",
    )
    parser.add_argument("--run", required=True, help="name of the run; only names the file of the store that this step appends to")
    parser.add_argument("--items", required=True, type=Path, help="items.jsonl")
    parser.add_argument("--laws", required=True, type=Path, help="laws.parquet")
    parser.add_argument("--sections", required=True, type=Path, help="sections.parquet")
    parser.add_argument("--protocol-config", required=True, type=Path, help="config/protocols/NAME.yaml")
    parser.add_argument("--embedding-config", required=True, type=Path, help="config/embeddings/NAME.yaml")
    parser.add_argument("--vectors", type=Path, help="vectors.npy of embed_sections; not needed with --stored-only")
    parser.add_argument("--versions", type=Path, help="versions.json of embed_sections; not needed with --stored-only")
    parser.add_argument("--index", type=Path, help="index of build_index; not needed with --stored-only")
    parser.add_argument("--answers", nargs="*", type=Path, default=[], help="answers files of the settings that search")
    parser.add_argument("--responses", required=True, type=Path, help="folder of the response store")
    parser.add_argument("--stored-only", action="store_true", help="take every search from the store, fail on the first that is missing")
    parser.add_argument("--latency", required=True, type=Path, help="written: times, a sidecar")
    parser.add_argument("--out", required=True, type=Path, help="written: retrieval_report.csv")
    args = parser.parse_args(argv)
    try:
        _run(args)
    except (ConfigError, EmbeddingUnavailableError, MissingSearchError) as error:
        raise SystemExit(str(error)) from error
    except (OSError, ValueError) as error:
        raise SystemExit(f"the search cannot be measured: {error}") from error


def _run(args: argparse.Namespace) -> None:
    if not args.stored_only and None in (args.vectors, args.versions, args.index):
        raise ValueError("without --stored-only it needs --vectors, --versions and --index")
    protocol, embedding = read_config(args.protocol_config, Protocol), read_config(args.embedding_config, Embedding)
    items, top_k = read_lines(args.items, Item), protocol.search.top_k
    laws, sections = read_rows(args.laws, LAWS), read_rows(args.sections, SECTIONS)
    versions = json.loads(args.versions.read_text(encoding="utf-8")) if args.versions else unique_versions(sections)
    layer = open_layer(args.index, args.vectors, versions, sections, laws)
    searcher = Searcher(layer, embedding, SearchStore(args.responses / SEARCHES / WRITER, args.run, args.stored_only), top_k)
    queries, tally = queries_of(items), Tally()
    tally_queries(tally, queries, searcher.run(queries))
    for file in args.answers:
        tally_answers(tally, items, read_lines(file, Answer))
    write_csv(args.out, report_frame(tally, top_k))
    write_text(args.latency, latency_text(searcher.times, top_k))
    for (kind, _, setting, _, index, measure, band), count in tally.counts.items():
        if band == "all" and count["n"]:
            print(f"{kind} {setting or index}, {measure}: {count['hits']} of {count['n']} ({count['left_out']} left out)")


if __name__ == "__main__":
    main()
