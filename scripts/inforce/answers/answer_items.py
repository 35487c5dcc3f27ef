"""Ask one model for its answers to all items, in one setting, for one sample.

The answers file is a projection of the response store: one line an item, in item order. Every response is stored the moment it
arrives, so a run that was killed resumes where it stood, and a run whose responses are all stored asks nothing and writes the same bytes.

Settings: parametric, gold_current, gold_in_force, rag_current, rag_in_force (NitiBench+ §5.2). The two rag settings need
--embedding-config, --vectors, --versions and --index as well. --stored-only takes every response and every search from the store, needs
neither weights nor index, and fails on the first that is missing.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections import Counter
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from inforce.answers.agent import Searcher, answer_item
from inforce.answers.essay import SEARCH_SETTINGS, Essay, MissingVersionError, provisions_from
from inforce.answers.prompts import PromptError, Prompts
from inforce.config.load import ConfigError, read_config
from inforce.config.model import Embedding, Endpoint, Model, Vllm
from inforce.config.protocol import Protocol
from inforce.models.interface import MissingResponse, ModelUnavailable
from inforce.models.open import StoredModel, open_model
from inforce.models.stopping import run
from inforce.records.answers import Answer
from inforce.records.items import Item
from inforce.records.lines import read_lines, write_lines
from inforce.records.progress import Progress
from inforce.records.status import SETTINGS, STATUSES
from inforce.records.tables import LAWS, SECTIONS, read_rows
from inforce.retrieval.embed_sections import unique_versions
from inforce.retrieval.embedding import Embedder, EmbeddingUnavailableError, Vectors, open_embedding
from inforce.retrieval.search import SearchLayer, SearchTool, open_layer
from inforce.retrieval.search_store import MissingSearchError, SearchStore

SEARCHES = "searches"  # folder of the store beside the models' own


class Searches:
    """The search tools of a job: one layer, one embedding model loaded at the first search that is not stored, one thread."""

    def __init__(self, layer: SearchLayer, config: Embedding, store: SearchStore, protocol: Protocol, setting: str) -> None:
        self._layer, self._config, self.store, self._search, self._setting = layer, config, store, protocol.search, setting
        self._embedder: Embedder | None = None
        # one thread: searches wait for each other and not the event loop for them
        self._thread = ThreadPoolExecutor(max_workers=1)

    def tool(self, item: Item) -> Searcher:
        """The tool of an item, on its day: the corpus date in rag_current, the day whose law the court applied in rag_in_force."""
        current = self._setting == "rag_current"
        tool = SearchTool(
            self._layer,
            self._embed,
            self.store,
            self._config.identity(),
            item.corpus_date if current else item.law_date,
            active_only=current,
            top_k=self._search.top_k,
            result_chars=self._search.result_chars,
        )

        async def search(query: str) -> Any:
            return await asyncio.get_running_loop().run_in_executor(self._thread, tool.search, query)

        return search

    def close(self) -> None:
        """Let the thread go."""
        self._thread.shutdown(cancel_futures=True)

    def _embed(self, query: str) -> Vectors:
        if self._embedder is None:
            self._embedder = open_embedding(self._config)
        vector: Vectors = self._embedder.queries([query])[0]
        return vector


async def answer_items(
    items: list[Item], ask: Callable[[Item], Awaitable[Answer]], max_endpoint_errors: int, at_once: int | None, progress: Progress
) -> list[Answer]:
    """The answers to all items, in their order.

    at_once: items under way; the model bounds its requests itself, so this only has to keep it busy; null = all.
    Raises TooManyFailedError if more than max_endpoint_errors end as endpoint_error. Then no further item is begun, as it would fail as
    well, but those under way are brought to their end: their responses are paid for, and stored.
    """
    gate = asyncio.Semaphore(at_once or max(1, len(items)))
    failed: list[Answer] = []

    async def one(item: Item) -> Answer | None:
        async with gate:
            if len(failed) > max_endpoint_errors:
                return None
            answer = await ask(item)
        if answer.status == "endpoint_error":
            failed.append(answer)
        progress.step()
        return answer

    tasks = [asyncio.ensure_future(one(item)) for item in items]
    try:
        answers = await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    if len(failed) > max_endpoint_errors:
        raise TooManyFailedError(
            f"{len(failed)} items ended as endpoint_error and {max_endpoint_errors} may; the first was {failed[0].item_id}: {failed[0].detail}"
        )
    return [answer for answer in answers if answer is not None]


class TooManyFailedError(RuntimeError):
    """More items failed than the protocol allows; no answers file is written."""


def summary(answers: list[Answer], model: StoredModel, searches: SearchStore | None) -> str:
    """One line for people: how many answers of which status, what was asked and what was found."""
    counts: Counter[str] = Counter(answer.status for answer in answers)
    statuses = ", ".join(f"{counts[status]} {status}" for status in STATUSES if counts[status])
    text = f"{len(answers)} answers ({statuses}); responses: {model.asked} asked, {model.found} found"
    if searches is not None:
        n = sum(len(answer.search_trace) for answer in answers)
        text += f"; searches: {n} ({searches.asked} run, {searches.found} found), malformed calls: {sum(answer.n_tool_call_errors for answer in answers)}"
    return text


def main(argv: list[str] | None = None) -> None:
    """The command; see the module's text."""
    args = _parser().parse_args(argv)
    try:
        _run(args)
    except (
        ConfigError,
        PromptError,
        MissingVersionError,
        MissingResponse,
        MissingSearchError,
        ModelUnavailable,
        EmbeddingUnavailableError,
    ) as error:
        raise SystemExit(str(error)) from error
    except TooManyFailedError as error:
        raise SystemExit(
            f"{args.out} is not written: {error}. All that was answered is stored: run again to resume, or raise max_endpoint_errors in {args.protocol_config}"
        ) from error
    except (FileNotFoundError, ValueError) as error:
        raise SystemExit(f"answers cannot be made: {error}") from error


def _run(args: argparse.Namespace) -> None:
    protocol, model_config = read_config(args.protocol_config, Protocol), read_config(args.model_config, Model)
    items = read_lines(args.items, Item)
    laws, sections = read_rows(args.laws, LAWS), read_rows(args.sections, SECTIONS)
    task = Essay(Prompts(args.prompts), protocol.reply, provisions_from(sections, laws))
    searches = _open_searches(args, protocol, sections, laws) if args.setting in SEARCH_SETTINGS else None
    model = open_model(
        model_config,
        model_name=args.model_name,
        weights=args.weights,
        responses=args.responses,
        writer=_writer(args),
        stored_only=args.stored_only,
    )

    async def ask(item: Item) -> Answer:
        return await answer_item(
            item,
            task=task,
            model=model,
            model_name=args.model_name,
            setting=args.setting,
            sample=args.sample,
            tools=model_config.tools,
            search=searches.tool(item) if searches else None,
            max_searches=protocol.search.max_searches,
            constrained=model_config.structured_output == "json_schema",
        )

    # twice the requests in flight: while one item searches, another one asks
    at_once = 2 * model_config.via.concurrency if isinstance(model_config.via, Endpoint | Vllm) else None

    async def whole() -> list[Answer]:
        progress = Progress(f"{args.model_name}, {args.setting}, sample {args.sample}: items answered", len(items))
        try:
            return await answer_items(items, ask, protocol.max_endpoint_errors, at_once, progress)
        finally:
            await model.close()
            if searches:
                searches.close()

    answers = run(whole())
    write_lines(args.out, answers)
    print(summary(answers, model, searches.store if searches else None))


def _open_searches(args: argparse.Namespace, protocol: Protocol, sections: list[dict[str, Any]], laws: list[dict[str, Any]]) -> Searches:
    needed = ("embedding_config",) if args.stored_only else ("embedding_config", "vectors", "versions", "index")
    missing = [name for name in needed if getattr(args, name) is None]
    if missing:
        raise SystemExit(f"setting {args.setting} searches, and needs --{missing[0].replace('_', '-')}")
    # without the file, the order in which embed_sections writes it
    versions = json.loads(Path(args.versions).read_text(encoding="utf-8")) if args.versions else unique_versions(sections)
    layer = open_layer(args.index, args.vectors, versions, sections, laws)
    store = SearchStore(args.responses / SEARCHES / args.model_name, _writer(args), args.stored_only)
    return Searches(layer, read_config(args.embedding_config, Embedding), store, protocol, args.setting)


def _writer(args: argparse.Namespace) -> str:
    return f"{args.run}.{args.setting}.{args.sample}"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.answers.answer_items --run demo --model-name smollm2-135m --setting gold_in_force --sample 1 "
        "--items results/items/demo.jsonl --laws results/corpus/demo/laws.parquet --sections results/corpus/demo/sections.parquet "
        "--prompts config/prompts/essay.en --protocol-config config/protocols/demo.yaml --model-config config/models/smollm2-135m.yaml "
        "--weights results/models/smollm2-135m --responses responses --out results/answers/demo/smollm2-135m/gold_in_force/1.jsonl",
    )
    parser.add_argument("--run", required=True, help="name of the run; only names the files of the store that this job appends to")
    parser.add_argument("--model-name", required=True, help="stem of the model's configuration file")
    parser.add_argument("--setting", required=True, choices=SETTINGS, help="what the model may read")
    parser.add_argument("--sample", required=True, type=int, help="number of the sample, from 1")
    parser.add_argument("--items", required=True, type=Path, help="items.jsonl")
    parser.add_argument("--laws", required=True, type=Path, help="laws.parquet")
    parser.add_argument("--sections", required=True, type=Path, help="sections.parquet")
    parser.add_argument("--prompts", required=True, type=Path, help="folder of the task's prompts in the jurisdiction's language")
    parser.add_argument("--protocol-config", required=True, type=Path, help="config/protocols/NAME.yaml")
    parser.add_argument("--model-config", required=True, type=Path, help="config/models/NAME.yaml")
    parser.add_argument("--weights", type=Path, help="folder made by prepare_model, for local models")
    parser.add_argument("--embedding-config", type=Path, help="config/embeddings/NAME.yaml, for the rag settings")
    parser.add_argument("--vectors", type=Path, help="vectors.npy of embed_sections, for the rag settings")
    parser.add_argument("--versions", type=Path, help="versions.json of embed_sections, for the rag settings")
    parser.add_argument("--index", type=Path, help="index of build_index, for the rag settings")
    parser.add_argument("--responses", required=True, type=Path, help="folder of the response store")
    parser.add_argument(
        "--stored-only", action="store_true", help="take everything from the store, ask nothing, fail on the first that is missing"
    )
    parser.add_argument("--out", required=True, type=Path, help="written: one line an item")
    return parser


if __name__ == "__main__":
    main()
