"""What several samples of an item show: the best of them, and how far they lie apart (NitiBench+ Tables 22 and 23).

One row a model, setting, metric (score, citation_f1) and statistic -> samples.csv. `best` takes of each item the best of its samples and
aggregates as settings.csv does (items -> domain -> mean over domains alike): a ceiling, no claim rests on it. `sd` scores each sample
alone and gives the standard deviation (divisor k - 1) of the k figures. n_scored of n counts sub-questions × samples. A model with one
sample has no rows.
"""

from __future__ import annotations

import argparse

import numpy as np
import pandas as pd

from inforce.records.status import SETTINGS
from inforce.records.tables import SCORES, write_csv
from inforce.stats.aggregation import macro_mean
from inforce.stats.bootstrap import settled
from inforce.stats.frames import Codes, Floats, StatsError, read_tables
from inforce.stats.item_scores import one_of_each_item, sample_scores, split_cells

METRICS = ("score", "citation_f1")
STATISTICS = ("best", "sd")
COLUMNS = ["run", "model", "setting", "metric", "statistic", "value", "samples", "n_scored", "n", "n_items"]


def best_of_samples(each: Floats, domains: Codes, n_domains: int) -> Floats:
    """Samples × items × metrics -> the macro-average of each item's best sample. NaN samples are left out."""
    best = np.max(np.where(np.isfinite(each), each, -np.inf), axis=0)
    return macro_mean(np.where(np.isfinite(best), best, np.nan), domains, n_domains)


def spread_of_samples(each: Floats, domains: Codes, n_domains: int) -> Floats:
    """Samples × items × metrics -> the standard deviation of the samples' macro-averages; NaN with fewer than two samples scored."""
    alone = np.stack([macro_mean(sample, domains, n_domains) for sample in each])
    known = np.isfinite(alone)
    count = known.sum(axis=0)
    mean = np.where(known, alone, 0.0).sum(axis=0) / np.maximum(count, 1)
    squares = np.where(known, (alone - mean) ** 2, 0.0).sum(axis=0)
    return np.asarray(np.where(count > 1, np.sqrt(squares / np.maximum(count - 1, 1)), np.nan))


def compare_samples(run: str, scores: pd.DataFrame) -> pd.DataFrame:
    """The table of a run: models in the order met, settings in the paper's."""
    if scores.empty:
        raise StatsError(f"the score tables of the run {run} hold no rows; nothing was answered")
    items = one_of_each_item(scores, ["domain"])
    domains, names = pd.factorize(items["domain"], sort=True)
    cells = split_cells(scores, pd.Index(items["item_id"]), METRICS)
    rows = []
    for model in scores["model"].unique():
        for setting in (setting for setting in SETTINGS if (model, setting) in cells):
            cell = cells[model, setting]
            each = sample_scores(cell, len(items))
            if len(each) < 2:
                continue
            scored, with_any = np.isfinite(cell.values).sum(axis=0), np.isfinite(each).any(axis=0).sum(axis=0)
            for statistic, values in (
                ("best", best_of_samples(each, domains, len(names))),
                ("sd", spread_of_samples(each, domains, len(names))),
            ):
                for place, metric in enumerate(METRICS):
                    value = settled(values)[place]
                    counts = (len(each), scored[place], len(cell.values), with_any[place])
                    rows.append((run, model, setting, metric, statistic, value, *counts))
    return pd.DataFrame(rows, columns=COLUMNS)


def main(argv: list[str] | None = None) -> None:
    """Read the files, compare, write the table."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.stats.compare_samples --run demo --scores results/scores/demo/*/*/*/scores.parquet "
        "--out results/stats/demo/samples.csv",
    )
    parser.add_argument("--run", required=True)
    parser.add_argument("--scores", nargs="+", required=True, help="scores.parquet of every model, setting and sample")
    parser.add_argument("--out", required=True)
    args = parser.parse_args(argv)
    try:
        columns = ["run", "model", "setting", "sample", "item_id", "domain", *METRICS]
        write_csv(args.out, compare_samples(args.run, read_tables(args.scores, SCORES, columns, args.run)))
    except StatsError as error:
        raise SystemExit(str(error)) from error


if __name__ == "__main__":
    main()
