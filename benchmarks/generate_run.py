"""A run of the report's size with known truth: score tables, items and truth.csv, as if 13 models had been asked and graded.

    PYTHONPATH=scripts python benchmarks/generate_run.py --run full --templates results/items/demo/items.jsonl --folder results

Items, drift bands and sub-questions are as many as in NitiBench+ Table 5: 1,670 items, 4,071 sub-questions. What an item asks and cites is
taken from the template items of its band, so that tables about the law itself find what they look for. Pairs of items share a question.

With --with-answers also the answers and each judge's grades, as long as those of a real run (some 4 GB): what the report page reads.

A score is a sum of symmetric, bounded parts: model in setting, domain, gain of the text in force by band, then by chance question, item,
item for the model, sub-question, and judge. The judges' biases cancel in the median. So its mean is known exactly, as are those of the
citation metrics: truth.csv holds them. No score says anything about a model.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from inforce.config.load import read_config
from inforce.config.protocol import Protocol
from inforce.records.files import canonical_json, write_text
from inforce.records.items import Item
from inforce.records.lines import read_lines, write_lines
from inforce.records.status import DRIFT_BANDS, SETTINGS
from inforce.records.tables import CITATION_SCORES, ITEM_SCORES, SCORES, write_csv
from inforce.stats.bootstrap import seed_of

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.intp]


class Domain(NamedTuple):
    """One domain's items by drift band, and its sub-questions."""

    name: str
    bands: tuple[int, int, int]
    sub_questions: int


TABLE_5 = (
    Domain("Family & Succession", (60, 85, 1), 326),
    Domain("Criminal", (13, 106, 27), 352),
    Domain("Civil & Commercial", (63, 60, 21), 351),
    Domain("Land & Property", (43, 42, 32), 284),
    Domain("Labor", (41, 63, 12), 239),
    Domain("Tax & Revenue", (18, 47, 48), 290),
    Domain("Intellectual Property", (36, 48, 25), 255),
    Domain("Public Law", (27, 26, 45), 263),
    Domain("Civil Procedure", (13, 61, 13), 180),
    Domain("Natural Resources & Licensing", (15, 36, 33), 173),
    Domain("Administrative Acts", (36, 34, 12), 233),
    Domain("Public Personnel", (32, 21, 28), 244),
    Domain("State Liability", (36, 21, 23), 241),
    Domain("Narcotics", (3, 2, 69), 159),
    Domain("Administrative Contracts", (28, 31, 15), 227),
    Domain("Traffic & Transport", (8, 48, 7), 117),
    Domain("Securities & Finance", (15, 28, 13), 137),
)
BIASES = np.array([-0.2, 0.0, 0.2])  # of the three judges; the median's mean is the score's own
UNPARSED, PANEL_INCOMPLETE = 0.004, 0.003
N_GOLD = 2


class Corpus(NamedTuple):
    """Items and sub-questions as numbers from 0."""

    ids: list[str]
    domain_names: list[str]
    domains: Codes
    bands: Codes
    clusters: Codes
    owners: Codes  # each sub-question's item, in the order of the items
    numbers: Codes  # each sub-question's number within its item, from 1

    @property
    def cluster_names(self) -> list[str]:
        """The smallest id of each item's cluster."""
        first: dict[int, str] = {}
        for item_id, cluster in zip(self.ids, self.clusters, strict=True):
            first[int(cluster)] = min(first.get(int(cluster), item_id), item_id)
        return [first[int(cluster)] for cluster in self.clusters]


class Truth(NamedTuple):
    """The means that are planted."""

    base: Floats  # models × settings, in the text in force
    domains: Floats  # offsets, mean 0
    gains: Floats  # models × 2 accesses (gold, rag) × bands
    hits: Floats  # models × settings × 3: chances of citing 0, 1 or both gold sections


def make_corpus(domains: Sequence[Domain], generator: np.random.Generator, shared: float = 0.06, fixed_bands: bool = True) -> Corpus:
    """Items with the domains' counts. `fixed_bands` false = each item's band is drawn with the chances that the counts give."""
    of_item, bands, clusters, sizes = [], [], [], []
    start = 0
    for number, domain in enumerate(domains):
        n = sum(domain.bands)
        of_item.append(np.full(n, number))
        fixed = np.repeat(np.arange(3), domain.bands)
        bands.append(generator.permutation(fixed) if fixed_bands else generator.choice(3, size=n, p=np.array(domain.bands) / n))
        pairs = int(n * shared / 2)
        clusters.append(start + np.concatenate([np.repeat(np.arange(pairs), 2), np.arange(pairs, n - pairs)]))
        start += n
        sizes.append(1 + generator.multinomial(domain.sub_questions - n, np.full(n, 1 / n)))
    size = np.concatenate(sizes)
    total = len(size)
    owners = np.repeat(np.arange(total), size)
    numbers = np.concatenate([np.arange(1, many + 1) for many in size])
    return Corpus(
        [f"item-{number:05d}" for number in range(total)],
        [domain.name for domain in domains],
        np.concatenate(of_item),
        np.concatenate(bands),
        np.unique(np.concatenate(clusters), return_inverse=True)[1],
        owners,
        numbers,
    )


def make_truth(n_models: int, n_domains: int, generator: np.random.Generator) -> Truth:
    """Means such that no sum of the parts leaves 0 to 10."""
    offsets = generator.uniform(-0.3, 0.3, n_domains)
    strength = np.linspace(7.2, 3.7, n_models)[:, None] + np.array([-0.4, 0.4, 0.4, 0.1, 0.1])
    gains = np.zeros((n_models, 2, 3))
    gains[:, 0, 1:] = np.column_stack([generator.uniform(0.0, 0.4, n_models), generator.uniform(0.3, 0.9, n_models)])
    gains[:, 1, 1:] = gains[:, 0, 1:] / 2
    both = np.linspace(0.6, 0.1, n_models)[:, None] * np.array([0.3, 0.9, 1.0, 0.6, 0.7])
    one = np.full_like(both, 0.25)
    return Truth(strength, np.clip(offsets - offsets.mean(), -0.35, 0.35), gains, np.stack([1 - one - both, one, both], axis=2))


def mean_score(truth: Truth, model: int, setting: str) -> Floats:
    """domains × bands: the mean of a score."""
    access = {"gold_current": 0, "rag_current": 1}.get(setting)
    loss = truth.gains[model, access] if access is not None else np.zeros(3)
    out: Floats = truth.base[model, SETTINGS.index(setting)] + truth.domains[:, None] - loss
    return out


def mean_citations(truth: Truth, model: int, setting: str) -> tuple[float, float, float]:
    """Means of precision, recall and F1: a hit count from `hits`, and as likely none, one or two sections beside it."""
    chances = truth.hits[model, SETTINGS.index(setting)]
    precision = recall = f1 = 0.0
    for hits in range(3):
        for extra in range(3):
            weight, cited = chances[hits] / 3, hits + extra
            precision += weight * (hits / cited if cited else 0)
            recall += weight * hits / N_GOLD
            f1 += weight * (2 * hits / (cited + N_GOLD))
    answered = 1 - UNPARSED
    return precision * answered, recall * answered, f1 * answered


class Effects(NamedTuple):
    """What chance adds to an item's scores: the same for all models, and for each model."""

    items: Floats
    of_model: Floats  # models × items


def draw_effects(corpus: Corpus, n_models: int, generator: np.random.Generator) -> Effects:
    """Items of one cluster share the larger part."""
    of_cluster = generator.uniform(-0.6, 0.6, int(corpus.clusters.max()) + 1)
    n = len(corpus.ids)
    return Effects(of_cluster[corpus.clusters] + generator.uniform(-0.3, 0.3, n), generator.uniform(-0.2, 0.2, (n_models, n)))


def draw_cell(
    corpus: Corpus, truth: Truth, effects: Effects, model: int, setting: str, generator: np.random.Generator
) -> dict[str, np.ndarray]:
    """Columns of one model, setting and sample, one value a sub-question (`unparsed` one an item)."""
    n_items, n = len(corpus.ids), len(corpus.owners)
    mean = mean_score(truth, model, setting)[corpus.domains, corpus.bands] + effects.items + effects.of_model[model]
    own = mean[corpus.owners] + generator.uniform(-0.4, 0.4, n)
    seats = np.round(own[:, None] + BIASES + generator.uniform(-0.2, 0.2, (n, 3)), 2)
    unparsed = generator.random(n_items) < UNPARSED
    silent = unparsed[corpus.owners]
    incomplete = (generator.random(n) < PANEL_INCOMPLETE) & ~silent
    score = np.median(seats, axis=1)
    score[silent | incomplete] = np.nan
    seats[silent] = np.nan
    seats[incomplete, generator.integers(0, 3, int(incomplete.sum()))] = np.nan
    hits = generator.choice(3, size=n, p=truth.hits[model, SETTINGS.index(setting)])
    extra = generator.integers(0, 3, n)
    hits[silent], extra[silent] = 0, 0
    cited = hits + extra
    with np.errstate(invalid="ignore", divide="ignore"):
        precision = np.where(cited > 0, hits / cited, 0.0)
    recall, f1 = hits / N_GOLD, 2 * hits / (cited + N_GOLD)
    invented_law = generator.binomial(extra, 0.1 if setting == "parametric" else 0.01)
    stale = generator.binomial(hits, 0.3 if setting.endswith("current") else 0.02)
    return {
        **{"seats": seats, "score": score, "unparsed": unparsed, "silent": silent, "incomplete": incomplete},
        **{"hits": hits, "extra": extra, "cited": cited, "precision": precision, "recall": recall, "f1": f1},
        **{"invented_law": invented_law, "stale": stale},
    }


def tiers(seats: Floats) -> npt.NDArray[np.object_]:
    """A tier for each score (NaN = null): below 4 the verdict differs from the court's."""
    names = np.array(["T2", "T3", "T5", "T6", "T7", "T8"], dtype=object)
    out = names[np.digitize(np.nan_to_num(seats), [2, 4, 5, 6.5, 8.5])]
    out[np.isnan(seats)] = None
    return out


def score_table(run: str, model: str, setting: str, sample: int, corpus: Corpus, cell: dict[str, np.ndarray]) -> pa.Table:
    """The cell as scores.parquet has it."""
    n = len(corpus.owners)
    names = np.array(corpus.ids, dtype=object)[corpus.owners]
    tier = tiers(cell["seats"])
    full = ~np.isnan(cell["score"])
    agrees = np.isin(tier, ["T5", "T6", "T7", "T8"]).sum(axis=1) >= 2
    offsets = np.arange(0, 3 * n + 1, 3, dtype=np.int32)
    hits, extra, stale, law = cell["hits"], cell["extra"], cell["stale"], cell["invented_law"]
    columns = {
        **{"run": _same(run, n), "model": _same(model, n), "setting": _same(setting, n), "sample": np.full(n, sample, dtype=np.int32)},
        **{"item_id": names, "sub_question": corpus.numbers.astype(np.int32)},
        "domain": np.array(corpus.domain_names, dtype=object)[corpus.domains[corpus.owners]],
        "drift_band": np.array(DRIFT_BANDS, dtype=object)[corpus.bands[corpus.owners]],
        "cluster": np.array(corpus.cluster_names, dtype=object)[corpus.owners],
        "answer_status": np.where(cell["silent"], "unparsed", "ok"),
        "panel_status": np.where(cell["silent"], "unparsed", np.where(cell["incomplete"], "panel_incomplete", "ok")),
        "score": pa.array(cell["score"], from_pandas=True),
        "seat_scores": pa.ListArray.from_arrays(offsets, pa.array(cell["seats"].ravel(), from_pandas=True)),
        "seat_tiers": pa.ListArray.from_arrays(offsets, pa.array(tier.ravel(), type=pa.string())),
        "agrees_with_court": pa.array(agrees, mask=~full),
        "lexical_score": pa.array(np.where(cell["silent"], np.nan, 10 * cell["f1"]), from_pandas=True),
        **{"citation_precision": cell["precision"], "citation_recall": cell["recall"], "citation_f1": cell["f1"]},
        **{"n_gold": np.full(n, N_GOLD), "n_cited": cell["cited"], "n_checked": cell["cited"], "n_invented_law": law},
        **{"n_invented_section": np.zeros(n), "n_exact": hits - stale, "n_stale": stale, "n_future": np.zeros(n)},
        **{"n_wrong_section": extra - law, "n_nonexistent": law},
    }
    return pa.table([pa.array(columns[name]).cast(SCORES.field(name).type) for name in SCORES.names], schema=SCORES)


def item_table(
    run: str, model: str, setting: str, sample: int, corpus: Corpus, cell: dict[str, np.ndarray], generator: np.random.Generator
) -> pa.Table:
    """The cell as items.parquet has it; searches, tokens and costs by chance."""
    n = len(corpus.ids)
    searches = generator.poisson(5, n) if setting.startswith("rag") else np.zeros(n)
    read = 2000 + 3000 * searches + generator.integers(0, 500, n)
    written = generator.integers(2000, 9000, n)
    columns = {
        **{"run": _same(run, n), "model": _same(model, n), "setting": _same(setting, n), "sample": np.full(n, sample)},
        **{"item_id": corpus.ids, "domain": np.array(corpus.domain_names, dtype=object)[corpus.domains]},
        **{"drift_band": np.array(DRIFT_BANDS, dtype=object)[corpus.bands], "cluster": corpus.cluster_names},
        "status": np.where(cell["unparsed"], "unparsed", "ok"),
        **{"n_searches": searches, "n_tool_call_errors": np.zeros(n), "input_tokens": read, "cached_tokens": read // 2},
        **{"output_tokens": written, "reasoning_tokens": written * 4 // 5, "cost_usd": (read + 5 * written) / 1e6},
    }
    return pa.table([pa.array(columns[name]).cast(ITEM_SCORES.field(name).type) for name in ITEM_SCORES.names], schema=ITEM_SCORES)


def citation_table(run: str, model: str, setting: str, sample: int, corpus: Corpus, cell: dict[str, np.ndarray]) -> pa.Table:
    """The cell as citations.parquet has it: hits first, then what was cited beside them."""
    cited = cell["cited"]
    rows = np.repeat(np.arange(len(cited)), cited)
    n = len(rows)
    position = np.arange(n) - np.repeat(np.cumsum(cited) - cited, cited) + 1
    hit = position <= cell["hits"][rows]
    stale = hit & (position <= cell["stale"][rows])
    invented = ~hit & (position - cell["hits"][rows] <= cell["invented_law"][rows])
    kind = np.select([stale, hit, invented], ["stale", "exact", "nonexistent"], "wrong_section").astype(object)
    key = np.array([f"LAW/{number}" for number in range(1, 9)], dtype=object)[position - 1]
    columns = {
        **{"run": _same(run, n), "model": _same(model, n), "setting": _same(setting, n), "sample": np.full(n, sample)},
        **{"item_id": np.array(corpus.ids, dtype=object)[corpus.owners[rows]], "sub_question": corpus.numbers[rows], "position": position},
        **{"cited": _same('{"law":"Law","section":"1"}', n), "law_code": pa.array(_same("LAW", n), mask=invented)},
        **{"section_key": pa.array(key, mask=invented), "version_uri": pa.nulls(n, pa.string())},
        **{"version_class": kind, "is_hit": hit, "is_checked": np.ones(n, dtype=bool)},
        "invented": pa.array(_same("law", n), mask=~invented),
    }
    return pa.table(
        [pa.array(columns[name]).cast(CITATION_SCORES.field(name).type) for name in CITATION_SCORES.names], schema=CITATION_SCORES
    )


def answer_lines(model: str, setting: str, sample: int, corpus: Corpus, cell: dict[str, np.ndarray], texts: Sequence[str]) -> Iterator[str]:
    """The cell as answers.jsonl has it: the reasoning of a sub-question in 1,200 characters, five searches of ten versions an item."""
    cited = [{"law": "Law", "section": str(number), "version": None} for number in range(1, 9)]
    searches = [
        {"query": f"{text[:60]} {place}", "version_uris": [f"demo/LAW/{n}@2001-01-01" for n in range(10)]}
        for place, text in enumerate(texts[:5])
    ]
    starts = np.searchsorted(corpus.owners, np.arange(len(corpus.ids) + 1))
    for number, item_id in enumerate(corpus.ids):
        silent = bool(cell["unparsed"][number])
        subs = [
            {
                **{
                    "sub_question": int(corpus.numbers[row]),
                    "verdict": "The claim is allowed in part.",
                    "reasoning": texts[row % len(texts)],
                },
                "citations": cited[: int(cell["cited"][row])],
            }
            for row in range(starts[number], starts[number + 1])
        ]
        reply = canonical_json({"sub_answers": subs})
        record = {
            **{"item_id": item_id, "model": model, "setting": setting, "sample": sample, "request_sha256": [f"{number:064x}"]},
            **{"status": "unparsed" if silent else "ok", "detail": "no JSON object" if silent else None, "finish_reason": "stop"},
            **{"sub_answers": [] if silent else subs, "raw_text": reply[: len(reply) // 2] if silent else reply, "n_tool_call_errors": 0},
            "search_trace": searches if setting.startswith("rag") else [],
            "usage": {"input_tokens": 9000, "cached_tokens": 4500, "output_tokens": 5000, "reasoning_tokens": 4000},
        }
        yield canonical_json(record) + "\n"


def grade_lines(
    model: str, setting: str, sample: int, judge: str, seat: int, corpus: Corpus, cell: dict[str, np.ndarray], texts: Sequence[str]
) -> Iterator[str]:
    """The cell as one judge's grades have it: a justification of 300 characters a sub-question."""
    tier, score = tiers(cell["seats"])[:, seat], cell["seats"][:, seat]
    starts = np.searchsorted(corpus.owners, np.arange(len(corpus.ids) + 1))
    for number, item_id in enumerate(corpus.ids):
        silent = bool(cell["unparsed"][number])
        rows = range(starts[number], starts[number + 1])
        known = [not silent and tier[row] is not None for row in rows]
        subs = [
            {
                **{"sub_question": int(corpus.numbers[row]), "status": "ok" if full else "unparsed", "tier": tier[row] if full else None},
                "score": float(score[row]) if full else None,
                "justification": texts[row % len(texts)][:300] if full else None,
            }
            for row, full in zip(rows, known, strict=True)
        ]
        record = {
            **{"item_id": item_id, "model": model, "setting": setting, "sample": sample, "judge": judge, "sub_grades": subs},
            **{"status": "ok" if all(known) else "unparsed", "request_sha256": [] if silent else [f"{number:064x}"]},
        }
        yield canonical_json(record) + "\n"


def make_texts(generator: np.random.Generator, n: int = 500) -> list[str]:
    """Texts of 1,200 characters, from made-up words."""
    words = ["".join(generator.choice(list("abcdefghilmnorstu"), size)) for size in generator.integers(2, 10, 3000)]
    return [" ".join(generator.choice(words, 260))[:1200] for _ in range(n)]


def write_answers(
    folder: Path,
    cell_of: tuple[str, str, str, int],
    panel: Sequence[str],
    corpus: Corpus,
    cell: dict[str, np.ndarray],
    texts: Sequence[str],
) -> None:
    """Answers and grades of one cell (run, model, setting, sample)."""
    run, model, setting, sample = cell_of
    write_text(
        folder / "answers" / run / model / setting / f"{sample}.jsonl", "".join(answer_lines(model, setting, sample, corpus, cell, texts))
    )
    for seat, judge in enumerate(panel):
        lines = grade_lines(model, setting, sample, judge, seat, corpus, cell, texts)
        write_text(folder / "grades" / run / model / setting / str(sample) / f"{judge}.jsonl", "".join(lines))


def _same(text: str, n: int) -> npt.NDArray[np.object_]:
    return np.full(n, text, dtype=object)


def truth_table(truth: Truth, corpus: Corpus, models: Sequence[str], settings: Sequence[str]) -> pd.DataFrame:
    """What aggregate_scores and gain_by_band estimate: model, setting, domain, band, metric, value."""
    counts = np.zeros((len(corpus.domain_names), 3))
    np.add.at(counts, (corpus.domains, corpus.bands), 1)
    rows: list[tuple[str, str, str, str, str, float]] = []
    for number, model in enumerate(models):
        for setting in settings:
            of_domains = (mean_score(truth, number, setting) * counts).sum(axis=1) / counts.sum(axis=1)
            rows.append((model, setting, "all", "", "score", float(of_domains.mean())))
            rows += [(model, setting, name, "", "score", float(value)) for name, value in zip(corpus.domain_names, of_domains, strict=True)]
            metrics = ("citation_precision", "citation_recall", "citation_f1")
            rows += [
                (model, setting, "all", "", metric, value)
                for metric, value in zip(metrics, mean_citations(truth, number, setting), strict=True)
            ]
        for access, name in enumerate(("gold", "rag")):
            rows += [(model, name, "", band, "gain", float(truth.gains[number, access, place])) for place, band in enumerate(DRIFT_BANDS)]
    return pd.DataFrame(rows, columns=["model", "setting", "domain", "band", "metric", "value"])


def make_items(corpus: Corpus, templates: Sequence[Item], generator: np.random.Generator) -> list[Item]:
    """Items whose questions and citations are those of a template of their band. Raises ValueError for a band without a template."""
    by_band = [[item for item in templates if item.drift_band == band] for band in DRIFT_BANDS]
    if not all(by_band):
        raise ValueError("the template items lack a drift band; take the items of a jurisdiction that has all three")
    sizes = np.bincount(corpus.owners)
    sharing: dict[int, list[str]] = {}
    for item_id, cluster in zip(corpus.ids, corpus.clusters, strict=True):
        sharing.setdefault(int(cluster), []).append(item_id)
    out = []
    for number, item_id in enumerate(corpus.ids):
        choice = by_band[int(corpus.bands[number])]
        template = choice[int(generator.integers(len(choice)))]
        questions = [template.sub_questions[place % len(template.sub_questions)] for place in range(int(sizes[number]))]
        if int(sizes[number]) < len(template.sub_questions):  # keep the citation that makes the band
            questions = sorted(
                template.sub_questions, key=lambda q: -max((_severity(c.drift) for c in q.citations if c.is_scored), default=-1)
            )
            questions = questions[: int(sizes[number])]
        out.append(
            template.model_copy(
                update={
                    **{"id": item_id, "domain": corpus.domain_names[int(corpus.domains[number])], "sub_questions": questions},
                    **{"n_sub_questions": len(questions), "title": f"Case {number + 1}"},
                    "asks_shared_question": [other for other in sharing[int(corpus.clusters[number])] if other != item_id],
                }
            )
        )
    return out


def _severity(drift: str | None) -> int:
    return ("unchanged", "amended", "repealed").index(drift) if drift else -1


def write_run(run: str, protocol: Protocol, templates: Sequence[Item], folder: Path, items_file: Path, with_answers: bool = False) -> None:
    """All files of a run under `folder`, and the jurisdiction's items."""
    generator = np.random.Generator(np.random.PCG64(seed_of(run, "generate_run")))
    corpus = make_corpus(TABLE_5, generator)
    truth = make_truth(len(protocol.models), len(TABLE_5), generator)
    effects = draw_effects(corpus, len(protocol.models), generator)
    items = make_items(corpus, templates, generator)
    write_lines(items_file, items)
    write_lines(folder / "runs" / run / "items.jsonl", items)
    texts = make_texts(np.random.Generator(np.random.PCG64(seed_of(run, "texts")))) if with_answers else []
    for number, model in enumerate(protocol.models):
        for setting in protocol.settings:
            for sample in range(1, protocol.n_samples(model) + 1):
                cell = draw_cell(corpus, truth, effects, number, setting, generator)
                here = folder / "scores" / run / model / setting / str(sample)
                here.mkdir(parents=True, exist_ok=True)
                tables = {
                    "scores": score_table(run, model, setting, sample, corpus, cell),
                    "items": item_table(run, model, setting, sample, corpus, cell, generator),
                    "citations": citation_table(run, model, setting, sample, corpus, cell),
                }
                for name, table in tables.items():
                    pq.write_table(table, here / f"{name}.parquet", compression="zstd", store_schema=False)
                if with_answers:
                    write_answers(folder, (run, model, setting, sample), protocol.panel, corpus, cell, texts)
    write_csv(folder / "runs" / run / "truth.csv", truth_table(truth, corpus, protocol.models, protocol.settings), "%.10g")


def main(argv: list[str] | None = None) -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--run", required=True, help="name of the run; it seeds everything")
    parser.add_argument("--protocol-config", type=Path, default=Path("config/protocols/benchmark.yaml"), help="models, settings, samples")
    parser.add_argument("--templates", type=Path, required=True, help="items.jsonl whose questions and citations the items take over")
    parser.add_argument("--folder", type=Path, required=True, help="written to: a results folder")
    parser.add_argument("--items", type=Path, help="also written: the jurisdiction's items (default: FOLDER/items/RUN/items.jsonl)")
    parser.add_argument("--with-answers", action="store_true", help="also write answers and grades, some 4 GB")
    args = parser.parse_args(argv)
    began = time.perf_counter()
    items_file = args.items or args.folder / "items" / args.run / "items.jsonl"
    write_run(
        args.run, read_config(args.protocol_config, Protocol), read_lines(args.templates, Item), args.folder, items_file, args.with_answers
    )
    print(f"run {args.run} written to {args.folder} in {time.perf_counter() - began:.1f} s")


if __name__ == "__main__":
    main()
