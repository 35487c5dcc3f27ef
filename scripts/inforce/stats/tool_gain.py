"""What the search tool adds and what better search could still add (NitiBench+ Table 13, §7.6): tool_gain.csv.

One row a model and contrast: gain is the score in rag_in_force less that in parametric, gap the score in gold_in_force less
that in rag_in_force. Both are differences of the macro-averages that settings.csv holds, with 95 % percentile intervals of a
cluster bootstrap in which both settings rest on the same draws. A contrast whose settings were not both run has no row.
"""

from __future__ import annotations

import argparse

import numpy as np
import pandas as pd

from inforce.records.tables import SCORES, write_csv
from inforce.stats import cells
from inforce.stats.bootstrap import percentile_interval, settled
from inforce.stats.frames import Floats, StatsError, read_tables

CONTRASTS = {"gain": ("rag_in_force", "parametric"), "gap": ("gold_in_force", "rag_in_force")}  # above, taken away
COLUMNS = ["run", "model", "contrast", "value", "low", "high", "n_items", "n_clusters"]


def contrasts(scores: dict[str, Floats]) -> dict[str, Floats]:
    """Gain and gap from scores by setting (arrays of one shape); a contrast with a setting missing is left out."""
    return {name: scores[above] - scores[below] for name, (above, below) in CONTRASTS.items() if above in scores and below in scores}


def tool_gain(run: str, scores: pd.DataFrame, n_resamples: int) -> pd.DataFrame:
    """tool_gain.csv of a run, models in the order met."""
    table = cells.item_cells(scores, "score", run)
    draws = cells.run_draws(table.items, run, n_resamples)
    value, many = cells.macro_values(table.values, table.items), cells.resampled_macro(draws.many, table.values)
    known = np.isfinite(table.values)
    rows = []
    for model in dict(table.keys):
        columns = {setting: number for number, (name, setting) in enumerate(table.keys) if name == model}
        values = contrasts({setting: value[number : number + 1] for setting, number in columns.items()})
        resampled = contrasts({setting: many[:, number] for setting, number in columns.items()})
        for name, difference in values.items():
            both = np.column_stack([known[:, columns[setting]] for setting in CONTRASTS[name]])
            clusters = cells.clusters_of(both, table.items.clusters)
            interval = percentile_interval(resampled[name][:, None], clusters.min(keepdims=True))
            numbers = (settled(difference)[0], interval.low[0], interval.high[0], both.all(axis=1).sum(), clusters.min())
            rows.append((run, model, name, *numbers))
    return pd.DataFrame(rows, columns=COLUMNS)


def main(argv: list[str] | None = None) -> None:
    """Read the files, compare, write the table."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.stats.tool_gain --run demo --scores results/scores/demo/*/*/*/scores.parquet "
        "--out results/stats/demo/tool_gain.csv",
    )
    parser.add_argument("--run", required=True)
    parser.add_argument("--resamples", type=int, default=10_000)
    parser.add_argument("--scores", nargs="+", required=True, help="scores.parquet of every model, setting and sample")
    parser.add_argument("--out", required=True)
    args = parser.parse_args(argv)
    try:
        scores = read_tables(args.scores, SCORES, [*cells.COLUMNS, "score"], args.run)
        write_csv(args.out, tool_gain(args.run, scores, args.resamples))
    except StatsError as error:
        raise SystemExit(str(error)) from error


if __name__ == "__main__":
    main()
