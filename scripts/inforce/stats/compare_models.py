"""Every pair of models of a run in every setting, tested on the same questions: model_comparison.csv.

Verdict agreement (agrees_with_court), on the sub-questions that both models have a panel's verdict for, in each model's
first sample: how often only the one agrees with the court and how often only the other does, and McNemar's test on these,
exact and mid-p. That test takes sub-questions to be independent, which those of one case and of cases that share a question
are not: its p is too small where their verdicts go together. p_clustered is the test for it: the sum of the clusters'
differences over the root of the sum of their squares, against the normal distribution; with one sub-question a cluster it
is McNemar's chi-square test without correction.

Score: the macro-average over domains of the items' own differences (mean over samples), on items that both models have
scored, with the 95 % percentile interval of a cluster bootstrap. p_wald is two-sided: the difference over its standard error in the
same bootstrap, against the normal distribution (cells.wald_p), so it need not fall below .05 exactly where the interval leaves zero out.

Columns ending in _holm are corrected by Holm's step-down method within their family: all pairs of one setting and one test.
A pair that shares no sub-question has no p, and no interval with fewer than two clusters; it counts in no family.
"""

from __future__ import annotations

import argparse
from itertools import combinations

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.stats import binom, norm

from inforce.records.status import SETTINGS
from inforce.records.tables import SCORES, write_csv
from inforce.stats import cells
from inforce.stats.aggregation import group_sums
from inforce.stats.bootstrap import percentile_interval, settled
from inforce.stats.frames import Codes, Floats, StatsError, numbers, read_tables

TESTS = ("p_mcnemar", "p_mid", "p_clustered", "p_wald")
COLUMNS = [
    *("run", "setting", "model", "other", "n", "only_model", "only_other", "agreement_difference"),
    *("p_mcnemar", "p_mid", "p_clustered", "score_difference", "low", "high", "p_wald", "n_items", "n_clusters"),
    *(f"{test}_holm" for test in TESTS),
]


def mcnemar(only_one: Codes, only_other: Codes) -> tuple[Floats, Floats]:
    """Two-sided exact and mid-p values of McNemar's test from the discordant counts of each pair; 1 where there are none."""
    n, least = only_one + only_other, np.minimum(only_one, only_other)
    exact = np.minimum(1.0, 2 * binom.cdf(least, n, 0.5))
    mid = np.where(only_one == only_other, 1.0, 2 * binom.cdf(least, n, 0.5) - binom.pmf(least, n, 0.5))
    return exact, np.minimum(1.0, mid)


def clustered_p(differences: Floats) -> Floats:
    """Two-sided p that the clusters' differences (clusters × pairs) have mean zero; 1 where all are zero."""
    spread = np.sqrt((differences**2).sum(axis=0))
    z = np.divide(differences.sum(axis=0), spread, out=np.zeros_like(spread), where=spread > 0)
    return np.asarray(2 * norm.sf(np.abs(z)), dtype=np.float64)


def holm(p: Floats) -> Floats:
    """Holm's corrected p values of one family; NaN is no member of it."""
    out = np.full(len(p), np.nan)
    known = np.flatnonzero(np.isfinite(p))
    order = known[np.argsort(p[known], kind="stable")]
    steps = p[order] * np.arange(len(order), 0, -1)
    out[order] = np.minimum(1.0, np.maximum.accumulate(steps)) if len(order) else steps
    return out


def verdict_rows(verdicts: Floats, clusters: Codes, pairs: Codes) -> dict[str, npt.NDArray[np.generic]]:
    """The columns on verdict agreement from sub-questions × models (1, 0, NaN = no verdict); pairs × 2 numbers of models."""
    one, other = verdicts[:, pairs[:, 0]], verdicts[:, pairs[:, 1]]
    both = np.isfinite(one) & np.isfinite(other)
    apart = np.where(both, one, 0.0) - np.where(both, other, 0.0)
    n, only_one, only_other = both.sum(axis=0), (apart > 0).sum(axis=0), (apart < 0).sum(axis=0)
    exact, mid = mcnemar(only_one, only_other)
    n_clusters = int(clusters.max()) + 1 if len(clusters) else 0
    clustered = clustered_p(group_sums(apart, clusters, n_clusters))
    known = np.where(n > 0, 1.0, np.nan)
    difference = settled(100 * (only_one - only_other) / np.maximum(n, 1) * known)
    p_values = {"p_mcnemar": exact * known, "p_mid": mid * known, "p_clustered": clustered * known}
    return {"n": n, "only_model": only_one, "only_other": only_other, "agreement_difference": difference, **p_values}


def score_rows(values: Floats, pairs: Codes, table: cells.Cells, draws: cells.Draws) -> dict[str, npt.NDArray[np.generic]]:
    """The columns on the score from item values (items × models)."""
    differences = values[:, pairs[:, 0]] - values[:, pairs[:, 1]]
    known = np.isfinite(differences)
    n_clusters = cells.clusters_of(known, table.items.clusters)
    many = cells.resampled_macro(draws.many, differences)
    interval = percentile_interval(many, n_clusters)
    value = settled(cells.macro_values(differences, table.items))
    bounds = {"low": interval.low, "high": interval.high, "p_wald": cells.wald_p(value, many, n_clusters)}
    return {"score_difference": value, **bounds, "n_items": known.sum(axis=0), "n_clusters": n_clusters}


def verdict_table(rows: pd.DataFrame, models: list[str]) -> tuple[Floats, Codes]:
    """Verdicts of one setting, sub-questions × models, from each model's first sample; and the sub-questions' clusters."""
    first = rows.groupby("model", sort=False)["sample"].transform("min")
    rows = rows[rows["sample"] == first]
    items, _ = pd.factorize(rows["item_id"], sort=True)
    subs = rows["sub_question"].to_numpy(dtype=np.intp)
    units, place = np.unique(items * (int(subs.max()) + 1) + subs, return_inverse=True)
    out = np.full((len(units), len(models)), np.nan)
    columns = rows["model"].map({model: number for number, model in enumerate(models)}).to_numpy(dtype=np.intp)
    out[place, columns] = numbers(rows, ["agrees_with_court"])[:, 0]
    codes, _ = pd.factorize(rows["cluster"], sort=True)
    clusters = np.empty(len(units), dtype=np.intp)
    clusters[place] = codes
    return out, clusters


def compare_models(run: str, scores: pd.DataFrame, n_resamples: int) -> pd.DataFrame:
    """model_comparison.csv of a run: settings in the paper's order, pairs in the order the models are met; no rows for one model."""
    table = cells.item_cells(scores, "score", run)
    draws = cells.run_draws(table.items, run, n_resamples)
    blocks = []
    for setting in SETTINGS:
        models = cells.names_of(table.keys, setting)
        pairs = np.array(list(combinations(range(len(models)), 2)), dtype=np.intp).reshape(-1, 2)
        if not len(pairs):
            continue
        verdicts, clusters = verdict_table(scores[scores["setting"] == setting], models)
        values = np.column_stack([table.column(model, setting) for model in models])
        names = {"model": [models[one] for one in pairs[:, 0]], "other": [models[other] for other in pairs[:, 1]]}
        columns = verdict_rows(verdicts, clusters, pairs) | score_rows(values, pairs, table, draws)
        block = pd.DataFrame({"run": run, "setting": setting, **names, **columns})
        blocks.append(block.assign(**{f"{test}_holm": holm(np.asarray(columns[test], dtype=np.float64)) for test in TESTS}))
    return pd.concat(blocks, ignore_index=True)[COLUMNS] if blocks else pd.DataFrame(columns=COLUMNS)


def main(argv: list[str] | None = None) -> None:
    """Read the files, compare, write the table."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.stats.compare_models --run demo --scores results/scores/demo/*/*/*/scores.parquet "
        "--out results/stats/demo/model_comparison.csv",
    )
    parser.add_argument("--run", required=True)
    parser.add_argument("--resamples", type=int, default=10_000)
    parser.add_argument("--scores", nargs="+", required=True, help="scores.parquet of every model, setting and sample")
    parser.add_argument("--out", required=True)
    args = parser.parse_args(argv)
    try:
        scores = read_tables(args.scores, SCORES, [*cells.COLUMNS, "sub_question", "score", "agrees_with_court"], args.run)
        write_csv(args.out, compare_models(args.run, scores, args.resamples))
    except StatsError as error:
        raise SystemExit(str(error)) from error


if __name__ == "__main__":
    main()
