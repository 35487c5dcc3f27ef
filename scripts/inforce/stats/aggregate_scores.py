"""Scores of one run -> settings.csv: every metric of every model and setting, with its interval and its counts.

One row a model × setting × domain × metric; `domain` is a domain's name, or `all` for the benchmark's own figure:

  macro    score, lexical_score, citation_f1, citation_precision, citation_recall, agreement (% that agree with the court):
           sub-questions -> item -> samples -> domain -> mean over domains alike
  mean     searches, tool_call_errors, input_tokens, output_tokens, cost_usd (US dollars), unparsed_share (%):
           per answer, mean over samples and items
  ratio    invented_rate = invented_law_rate + invented_section_rate (% of checked citations), version_exact,
           version_stale, version_future, version_wrong_section, version_nonexistent (% of classed citations): sums over sums
  sum      checked_citations, classed_citations: what the ratios rest on; no interval

n_scored of n counts sub-questions × samples (answers for the means); n_items and n_clusters are what the value rests on.
Intervals are 95 % percentile intervals of a cluster bootstrap; empty with fewer than two clusters.
"""

from __future__ import annotations

import argparse
from typing import NamedTuple

import numpy as np
import pandas as pd

from inforce.records.progress import Progress
from inforce.records.status import SETTINGS
from inforce.records.tables import ITEM_SCORES, SCORES, write_csv
from inforce.stats.aggregation import group_sums, item_means
from inforce.stats.bootstrap import (
    GroupDraws,
    draw_clusters,
    every_cluster_once,
    macro,
    percentile_interval,
    pooled,
    prepare_draws,
    resampled_sums,
    seed_of,
    settled,
)
from inforce.stats.frames import Codes, Floats, StatsError, numbers, read_tables

ALL = "all"
COLUMNS = ["run", "model", "setting", "domain", "metric", "value", "low", "high", "n_scored", "n", "n_items", "n_clusters"]

MACRO = {  # metric -> column, factor
    "score": ("score", 1),
    "lexical_score": ("lexical_score", 1),
    "citation_f1": ("citation_f1", 1),
    "citation_precision": ("citation_precision", 1),
    "citation_recall": ("citation_recall", 1),
    "agreement": ("agrees_with_court", 100),
}
MEAN = {
    "searches": ("n_searches", 1),
    "tool_call_errors": ("n_tool_call_errors", 1),
    "input_tokens": ("input_tokens", 1),
    "output_tokens": ("output_tokens", 1),
    "cost_usd": ("cost_usd", 1),
    "unparsed_share": ("is_unparsed", 100),
}
_CLASSES = ["n_exact", "n_stale", "n_future", "n_wrong_section", "n_nonexistent"]
RATIO = {  # metric -> columns above, columns below
    "invented_rate": (["n_invented_law", "n_invented_section"], ["n_checked"]),
    "invented_law_rate": (["n_invented_law"], ["n_checked"]),
    "invented_section_rate": (["n_invented_section"], ["n_checked"]),
    **{f"version_{name[2:]}": ([name], _CLASSES) for name in _CLASSES},
}
SUM = {"checked_citations": "invented_rate", "classed_citations": "version_exact"}  # metric -> ratio whose lower sum it is
METRICS: tuple[str, ...] = (*MACRO, *MEAN, *RATIO)

_KEYS = ["run", "model", "setting", "sample", "item_id", "domain", "cluster"]
_COUNTED = [*_CLASSES, "n_checked", "n_invented_law", "n_invented_section"]


class Items(NamedTuple):
    """The items of a run: ids, domain names, and each item's domain and cluster as numbers from 0."""

    ids: pd.Index[str]
    domain_names: list[str]
    domains: Codes
    clusters: Codes


class Quotients(NamedTuple):
    """What each metric (column) is the quotient of, for each item (row), and what is counted with it."""

    above: Floats
    below: Floats
    n_scored: Floats
    n: Floats


def list_items(frame: pd.DataFrame) -> Items:
    """The items in the tables, sorted by id. Raises StatsError if an item has two domains or clusters."""
    items = frame[["item_id", "domain", "cluster"]].drop_duplicates().sort_values("item_id", kind="stable")
    twice = items.loc[items["item_id"].duplicated(), "item_id"]
    if len(twice):
        raise StatsError(f"item {twice.iloc[0]} has two domains or two clusters; the score tables were made from different items files")
    domains, names = pd.factorize(items["domain"], sort=True)
    clusters, _ = pd.factorize(items["cluster"], sort=True)
    return Items(pd.Index(items["item_id"]), list(names), domains, clusters)


def cell_quotients(scores: pd.DataFrame, answers: pd.DataFrame, items: Items) -> Quotients:
    """Numerators and denominators of all metrics for the rows of one model and setting: items × metrics."""
    parts = [_macro_part(scores, items), _mean_part(answers, items), _ratio_part(scores, items)]
    return Quotients(*(np.hstack([part[field] for part in parts]) for field in range(4)))


def aggregate_cell(quotients: Quotients, items: Items, once_drawn: list[GroupDraws], prepared: list[GroupDraws]) -> pd.DataFrame:
    """Values, intervals and counts of one model and setting: a row a domain (`all` first) and metric."""
    width = quotients.above.shape[1]
    both = np.hstack([quotients.above, quotients.below])
    once, many = resampled_sums(once_drawn, both), resampled_sums(prepared, both)
    blocks = []
    for number, name in enumerate([ALL, *items.domain_names]):
        here = np.ones(len(items.ids), dtype=bool) if name == ALL else items.domains == number - 1
        part = slice(None) if name == ALL else slice(number - 1, number)
        used = quotients.below[here] > 0
        n_clusters = np.array([len(np.unique(items.clusters[here][column])) for column in used.T], dtype=np.intp)
        interval = percentile_interval(_statistic(many[:, part, :width], many[:, part, width:]), n_clusters)
        block = pd.DataFrame(
            {
                "domain": name,
                "metric": METRICS,
                "value": settled(_statistic(once[:, part, :width], once[:, part, width:])[0]),
                "low": interval.low,
                "high": interval.high,
                "n_scored": quotients.n_scored[here].sum(axis=0).astype(np.int64),
                "n": quotients.n[here].sum(axis=0).astype(np.int64),
                "n_items": used.sum(axis=0),
                "n_clusters": n_clusters,
            }
        )
        blocks += [block, _sums(block, once[0, part, width:].sum(axis=0))]
    return pd.concat(blocks, ignore_index=True)


def aggregate_scores(run: str, scores: pd.DataFrame, answers: pd.DataFrame, n_resamples: int, table: str = "settings") -> pd.DataFrame:
    """settings.csv of a run: the rows of all models (in the order met) and settings (in the paper's order)."""
    if answers.empty or scores.empty:
        raise StatsError(f"the score tables of the run {run} hold no rows; nothing was answered")
    items = list_items(pd.concat([scores, answers]))
    n_clusters = int(items.clusters.max()) + 1
    once, prepared = (
        prepare_draws(draws, items.clusters, items.domains, len(items.domain_names))
        for draws in (every_cluster_once(n_clusters), draw_clusters(n_clusters, n_resamples, seed_of(run, table)))
    )
    of_scores = dict(list(_numbered(scores, items).groupby(["model", "setting"], sort=False)))
    of_answers = dict(list(_numbered(answers, items).groupby(["model", "setting"], sort=False)))
    cells = [(model, setting) for model in answers["model"].unique() for setting in SETTINGS if (model, setting) in of_answers]
    progress = Progress(f"intervals of {run}", len(cells))
    blocks = []
    for model, setting in cells:
        if (model, setting) not in of_scores:
            raise StatsError(f"answers of {model} in the setting {setting} but no scores; give scores.parquet beside each items.parquet")
        quotients = cell_quotients(of_scores[model, setting], of_answers[model, setting], items)
        blocks.append(aggregate_cell(quotients, items, once, prepared).assign(run=run, model=model, setting=setting))
        progress.step()
    return pd.concat(blocks, ignore_index=True)[COLUMNS]


def _statistic(above: Floats, below: Floats) -> Floats:
    """resamples × domains × metrics -> resamples × metrics: macro-average for the first metrics, pooled for the others."""
    first = len(MACRO)
    return np.hstack([macro(above[..., :first], below[..., :first]), pooled(above[..., first:], below[..., first:])])


def _macro_part(scores: pd.DataFrame, items: Items) -> tuple[Floats, ...]:
    factors = np.array([factor for _, factor in MACRO.values()], dtype=np.float64)
    values = numbers(scores, [column for column, _ in MACRO.values()]) * factors
    return _of_means(values, scores, items)


def _mean_part(answers: pd.DataFrame, items: Items) -> tuple[Floats, ...]:
    factors = np.array([factor for _, factor in MEAN.values()], dtype=np.float64)
    unparsed = (answers["status"] == "unparsed").astype(np.float64)
    # an answer that its endpoint lost might have parsed or not
    frame = answers.assign(is_unparsed=unparsed.where(answers["status"] != "endpoint_error"))
    values = numbers(frame, [column for column, _ in MEAN.values()]) * factors
    return _of_means(values, answers, items)


def _of_means(values: Floats, rows: pd.DataFrame, items: Items) -> tuple[Floats, ...]:
    means = item_means(values, rows["item_number"].to_numpy(), rows["sample_number"].to_numpy(), len(items.ids))
    known = np.isfinite(means.values)
    return (
        np.where(known, means.values, 0.0),
        known.astype(np.float64),
        means.counts.astype(np.float64),
        _rows_of_item(rows, items, values.shape[1]),
    )


def _ratio_part(scores: pd.DataFrame, items: Items) -> tuple[Floats, ...]:
    codes, n_items = scores["item_number"].to_numpy(), len(items.ids)
    counted = {name: np.nan_to_num(numbers(scores, [name]))[:, 0] for name in _COUNTED}
    above = np.column_stack([100 * sum(counted[name] for name in top) for top, _ in RATIO.values()])
    below = np.column_stack([np.asarray(sum(counted[name] for name in bottom)) for _, bottom in RATIO.values()])
    scored = group_sums((below > 0).astype(np.float64), codes, n_items)
    return group_sums(above, codes, n_items), group_sums(below, codes, n_items), scored, _rows_of_item(scores, items, len(RATIO))


def _rows_of_item(rows: pd.DataFrame, items: Items, width: int) -> Floats:
    n = np.bincount(rows["item_number"], minlength=len(items.ids)).astype(np.float64)
    return np.repeat(n[:, None], width, axis=1)


def _sums(block: pd.DataFrame, below: Floats) -> pd.DataFrame:
    rows = [METRICS.index(ratio) for ratio in SUM.values()]
    return block.iloc[rows].assign(metric=list(SUM), value=below[rows], low=np.nan, high=np.nan)


def _numbered(frame: pd.DataFrame, items: Items) -> pd.DataFrame:
    samples, _ = pd.factorize(frame["sample"], sort=True)
    return frame.assign(item_number=items.ids.get_indexer(pd.Index(frame["item_id"])), sample_number=samples)


def main(argv: list[str] | None = None) -> None:
    """Read the files, aggregate, write the table."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.stats.aggregate_scores --run demo --scores results/scores/demo/*/*/*/scores.parquet "
        "--item-scores results/scores/demo/*/*/*/items.parquet --out results/stats/demo/settings.csv",
    )
    parser.add_argument("--run", required=True)
    parser.add_argument("--resamples", type=int, default=10_000)
    parser.add_argument("--scores", nargs="+", required=True, help="scores.parquet of every model, setting and sample")
    parser.add_argument("--item-scores", nargs="+", required=True, help="items.parquet of every model, setting and sample")
    parser.add_argument("--out", required=True)
    args = parser.parse_args(argv)
    try:
        columns = [*_KEYS, *(column for column, _ in MACRO.values()), *_COUNTED]
        scores = read_tables(args.scores, SCORES, columns, args.run)
        counted = [column for column, _ in MEAN.values() if column != "is_unparsed"]
        answers = read_tables(args.item_scores, ITEM_SCORES, [*_KEYS, "status", *counted], args.run)
        write_csv(args.out, aggregate_scores(args.run, scores, answers, args.resamples))
    except StatsError as error:
        raise SystemExit(str(error)) from error


if __name__ == "__main__":
    main()
