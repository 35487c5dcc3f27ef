"""The run's items, the test split and the validation split beside each other (NitiBench+ Table 12, §7.1).

splits.csv: one row a model, setting and part (full = all items of the run, test, validation): the macro-average over the
part's items with the 95 % percentile interval of a cluster bootstrap over the part's clusters. A part without any item in
this run has no rows; neither has a run that no splits file belongs to.
agreement.csv: one row a setting and statistic over the models scored in both parts: Spearman's correlation of the models'
scores (three models at least, else empty), mean and largest absolute difference.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.stats import rankdata

from inforce.records.status import SETTINGS
from inforce.records.tables import SCORES, write_csv
from inforce.stats import cells
from inforce.stats.aggregate_scores import list_items
from inforce.stats.bootstrap import mean_interval, seed_of, settled
from inforce.stats.frames import Floats, StatsError, read_tables

PARTS = ("full", "test", "validation")
COLUMNS = ["run", "model", "setting", "part", "value", "low", "high", "n_scored", "n", "n_items", "n_clusters"]
AGREEMENT = ["run", "setting", "statistic", "value", "n_models"]
STATISTICS = {  # statistic -> parts compared
    "spearman_test_validation": ("test", "validation"),
    "spearman_test_full": ("test", "full"),
    "mean_difference_test_validation": ("test", "validation"),
    "largest_difference_test_validation": ("test", "validation"),
    "largest_difference_test_full": ("test", "full"),
}
FEWEST_MODELS = 3  # two models are always in perfect agreement or disagreement


def spearman(left: Floats, right: Floats) -> float:
    """Spearman's rank correlation, equal values at their mean rank; NaN with fewer than three pairs or where one side does not vary."""
    if len(left) < FEWEST_MODELS or len(set(left)) < 2 or len(set(right)) < 2:
        return float("nan")
    return float(np.corrcoef(rankdata(left), rankdata(right))[0, 1])


def agreement(parts: dict[str, Floats]) -> dict[str, tuple[float, int]]:
    """Each statistic and the number of models it rests on, from the models' scores by part (NaN = not scored)."""
    out = {}
    for name, (one, other) in STATISTICS.items():
        if one not in parts or other not in parts:
            continue
        known = np.isfinite(parts[one]) & np.isfinite(parts[other])
        left, right = parts[one][known], parts[other][known]
        apart = np.abs(left - right)
        if name.startswith("spearman"):
            value = spearman(left, right)
        else:
            value = float("nan") if not len(apart) else float(apart.mean() if name.startswith("mean") else apart.max())
        out[name] = value, int(known.sum())
    return out


def part_rows(run: str, scores: pd.DataFrame, part: str, n_resamples: int) -> pd.DataFrame:
    """The rows of one part, models in the order met."""
    table = cells.item_cells(scores, "score", run)
    n_domains = len(table.items.domain_names)
    seed = seed_of(run, "split_scores", part)
    value, interval = mean_interval(table.values, table.items.clusters, table.items.domains, n_domains, n_resamples, seed)
    known = np.isfinite(table.values)
    frame = pd.DataFrame(table.keys, columns=["model", "setting"])
    columns = {"value": settled(value), "low": interval.low, "high": interval.high, "n_scored": table.n_scored, "n": table.n}
    counts = {"n_items": known.sum(axis=0), "n_clusters": cells.clusters_of(known, table.items.clusters)}
    return frame.assign(run=run, part=part, **columns, **counts)[COLUMNS]


def split_scores(run: str, scores: pd.DataFrame, splits: dict[str, str], n_resamples: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """splits.csv and agreement.csv of a run. Raises StatsError for an item that the splits file does not name."""
    if scores.empty:
        raise StatsError(f"the score tables of the run {run} hold no rows; nothing was answered")
    ids = list_items(scores).ids
    unknown = [item for item in ids if item not in splits] if splits else []
    if unknown:
        raise StatsError(f"item {unknown[0]} of the run {run} is in no split; make splits.csv again with make_splits")
    part_of = scores["item_id"].map(splits) if splits else pd.Series("", index=scores.index)
    met = {part: scores[part_of == part] for part in PARTS[1:]}
    blocks = [part_rows(run, rows, part, n_resamples) for part, rows in {"full": scores, **met}.items() if len(rows)]
    frame = pd.concat(blocks, ignore_index=True)
    models = {model: number for number, model in enumerate(scores["model"].unique())}
    order = [(models[row.model], SETTINGS.index(row.setting), PARTS.index(row.part)) for row in frame.itertuples()]
    frame = frame.iloc[sorted(range(len(frame)), key=lambda number: order[number])].reset_index(drop=True)
    rows = []
    for setting in (setting for setting in SETTINGS if setting in set(frame["setting"])):
        wide = frame[frame["setting"] == setting].pivot(index="model", columns="part", values="value")
        parts = {part: wide[part].to_numpy(dtype=np.float64) for part in PARTS if part in wide}
        rows += [(run, setting, name, settled(np.array(value)), n) for name, (value, n) in agreement(parts).items()]
    return frame, pd.DataFrame(rows, columns=AGREEMENT)


def read_splits(path: Path | str) -> dict[str, str]:
    """splits.csv -> split by item id."""
    try:
        frame = pd.read_csv(path, dtype=str, keep_default_na=False)
    except FileNotFoundError as error:
        raise StatsError(f"{path} does not exist; run the step that makes it (make_splits)") from error
    if not {"item_id", "split"} <= set(frame.columns):
        raise StatsError(f"{path} needs the columns item_id and split; make it again with make_splits")
    return dict(zip(frame["item_id"], frame["split"], strict=True))


def main(argv: list[str] | None = None) -> None:
    """Read the files, average each part, write both tables."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.stats.split_scores --run demo --scores results/scores/demo/*/*/*/scores.parquet "
        "--splits results/items/demo/splits.csv --out results/stats/demo/splits.csv --agreement results/stats/demo/split_agreement.csv",
    )
    parser.add_argument("--run", required=True)
    parser.add_argument("--resamples", type=int, default=10_000)
    parser.add_argument("--scores", nargs="+", required=True, help="scores.parquet of every model, setting and sample")
    parser.add_argument("--splits", required=True, help="splits.csv of the jurisdiction: item_id, split")
    parser.add_argument("--out", required=True)
    parser.add_argument("--agreement", required=True)
    args = parser.parse_args(argv)
    try:
        scores = read_tables(args.scores, SCORES, [*cells.COLUMNS, "score"], args.run)
        table, statistics = split_scores(args.run, scores, read_splits(args.splits), args.resamples)
    except StatsError as error:
        raise SystemExit(str(error)) from error
    write_csv(args.out, table)
    write_csv(args.agreement, statistics)


if __name__ == "__main__":
    main()
