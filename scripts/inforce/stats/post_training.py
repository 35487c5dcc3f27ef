"""Models beside the model that they were trained from (NitiBench+ Table 14, §7.6): post_training.csv.

One row a model whose `base` (its model file) is in the run, setting and metric: value, the base's, and their difference.
score and citation_f1 are macro-averages as in settings.csv, searches the mean over items of an item's searches (answers
whose count is known); all are averaged over samples first. The interval is the 95 % percentile interval of a cluster
bootstrap in which both models rest on the same draws. A setting that either was not run in has no row.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import pandas as pd

from inforce.config.load import ConfigError, read_config
from inforce.config.model import Model
from inforce.records.status import SETTINGS
from inforce.records.tables import ITEM_SCORES, SCORES, write_csv
from inforce.stats import cells
from inforce.stats.bootstrap import percentile_interval, pooled, quotient, resampled_sums, settled
from inforce.stats.frames import Floats, StatsError, read_tables

COLUMNS = ["run", "model", "base", "setting", "metric", "value", "base_value", "difference", "low", "high", "n_clusters"]
METRICS = {"score": "score", "citation_f1": "citation_f1", "searches": "n_searches"}


def pairs_of(models: list[str], bases: dict[str, str | None]) -> list[tuple[str, str]]:
    """(model, base) for each model whose base is among the models."""
    return [(model, base) for model in models if (base := bases.get(model)) in models and base is not None and base != model]


def metric_rows(table: cells.Cells, draws: cells.Draws, pairs: list[tuple[str, str]], metric: str) -> pd.DataFrame:
    """The rows of one metric."""
    if metric == "searches":
        value, many = _pooled_means(table, draws)
    else:
        value, many = cells.macro_values(table.values, table.items), cells.resampled_macro(draws.many, table.values)
    clusters = cells.clusters_of(np.isfinite(table.values), table.items.clusters)
    place = {key: number for number, key in enumerate(table.keys)}
    rows = []
    for model, base in pairs:
        for setting in (setting for setting in SETTINGS if {(model, setting), (base, setting)} <= place.keys()):
            one, other = place[model, setting], place[base, setting]
            fewest = min(clusters[one], clusters[other])
            interval = percentile_interval((many[:, one] - many[:, other])[:, None], np.array([fewest], dtype=np.intp))
            numbers = (settled(value[[one]])[0], settled(value[[other]])[0], settled(value[[one]] - value[[other]])[0])
            rows.append((model, base, setting, metric, *numbers, interval.low[0], interval.high[0], fewest))
    return pd.DataFrame(rows, columns=COLUMNS[1:])


def post_training(run: str, scores: pd.DataFrame, answers: pd.DataFrame, bases: dict[str, str | None], n_resamples: int) -> pd.DataFrame:
    """post_training.csv of a run, models in the order met; no rows where no model's base was run."""
    models = list(scores["model"].unique())
    pairs = pairs_of(models, bases)
    named = {name for pair in pairs for name in pair}
    if not named:
        return pd.DataFrame(columns=COLUMNS)
    blocks = []
    draws: cells.Draws | None = None
    for metric, column in METRICS.items():
        rows = answers if metric == "searches" else scores
        table = cells.item_cells(rows[rows["model"].isin(named)], column, run)
        draws = draws or cells.run_draws(table.items, run, n_resamples)
        blocks.append(metric_rows(table, draws, pairs, metric))
    order = {pair: number for number, pair in enumerate(pairs)}
    frame = pd.concat(blocks, ignore_index=True).assign(run=run)
    places = [order[pair] for pair in zip(frame["model"], frame["base"], strict=True)]
    return frame.assign(place=places).sort_values("place", kind="stable")[COLUMNS].reset_index(drop=True)


def _pooled_means(table: cells.Cells, draws: cells.Draws) -> tuple[Floats, Floats]:
    known = np.isfinite(table.values)
    both = np.hstack([np.where(known, table.values, 0.0), known.astype(np.float64)])
    width = table.values.shape[1]
    many = resampled_sums(draws.many, both)
    return quotient(both[:, :width].sum(axis=0), both[:, width:].sum(axis=0)), pooled(many[..., :width], many[..., width:])


def main(argv: list[str] | None = None) -> None:
    """Read the files, compare, write the table."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.stats.post_training --run demo --scores results/scores/demo/*/*/*/scores.parquet "
        "--item-scores results/scores/demo/*/*/*/items.parquet --models-dir config/models --out results/stats/demo/post_training.csv",
    )
    parser.add_argument("--run", required=True)
    parser.add_argument("--resamples", type=int, default=10_000)
    parser.add_argument("--scores", nargs="+", required=True, help="scores.parquet of every model, setting and sample")
    parser.add_argument("--item-scores", nargs="+", required=True, help="items.parquet of every model, setting and sample")
    parser.add_argument("--models-dir", required=True, type=Path)
    parser.add_argument("--out", required=True)
    args = parser.parse_args(argv)
    try:
        scores = read_tables(args.scores, SCORES, [*cells.COLUMNS, "score", "citation_f1"], args.run)
        answers = read_tables(args.item_scores, ITEM_SCORES, [*cells.COLUMNS, "n_searches"], args.run)
        bases = {name: read_config(args.models_dir / f"{name}.yaml", Model).base for name in scores["model"].unique()}
        write_csv(args.out, post_training(args.run, scores, answers, bases, args.resamples))
    except (StatsError, ConfigError) as error:
        raise SystemExit(str(error)) from error


if __name__ == "__main__":
    main()
