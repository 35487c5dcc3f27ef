"""Has a model seen what it is asked? Two checks of every model and setting (NitiBench+ §7.1): contamination.csv.

One row a model, setting and check:
  split_gap   score on the validation split, which is public, less that on the test split, which is not. A model that was
              trained on the released items runs ahead. Macro-averages; the splits share no cluster, so the interval comes from
              two bootstraps, each over its own split's clusters. Empty where the run does not hold both splits.
  cutoff_gap  score on cases decided after the model's knowledge_cutoff (its model file) less that on cases decided up to that
              day: mean of the domains' differences, over the domains that have both kinds, so that an easy domain with many
              late cases does not pass for knowledge; bootstrap over all clusters. A case of which only the year is known is
              left out where the day falls in that year. Empty where the day is not known or no domain has both kinds. Law and
              questions change with the years, so a fall after the day is a hint and no proof.
value, 95 % percentile interval (low, high), star where it does not hold zero, the score on both sides and the number of
items there (first = validation, after; second = test, up to); missing says why a value is empty.
"""

from __future__ import annotations

import argparse
import datetime as dt
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pandas as pd

from inforce.config.load import ConfigError, read_config
from inforce.config.model import Model
from inforce.records.items import Item
from inforce.records.lines import read_lines
from inforce.records.tables import SCORES, write_csv
from inforce.stats import cells
from inforce.stats.aggregate_scores import Items
from inforce.stats.aggregation import group_sums
from inforce.stats.bootstrap import GroupDraws, percentile_interval, quotient, settled
from inforce.stats.frames import Codes, Floats, StatsError, read_tables
from inforce.stats.split_scores import read_splits

COLUMNS = [
    *("run", "model", "setting", "check", "value", "low", "high", "star", "first", "second", "n_first", "n_second"),
    *("knowledge_cutoff", "missing"),
]
NO_SPLITS = "the run does not hold both splits"
NO_SCORES = "no score in the {} split"
NO_DAY = "knowledge cut-off not known"
NO_SIDES = "no domain has scored cases on both sides of the day"
Days = tuple[npt.NDArray[np.datetime64], npt.NDArray[np.datetime64]]  # earliest and latest day of each item's decision


def split_gaps(values: Floats, items: Items, run: str, parts: dict[str, Codes], n_resamples: int) -> pd.DataFrame:
    """value, low, high and both sides for each cell of items × cells; `parts` numbers the items of validation and test."""
    sides, many, counts = [], [], []
    for name in ("validation", "test"):
        rows = parts[name]
        clusters, _ = pd.factorize(items.clusters[rows], sort=True)
        part = Items(items.ids[rows], items.domain_names, items.domains[rows], clusters)
        draws = cells.run_draws(part, run, n_resamples, f"contamination {name}")
        sides.append(cells.macro_values(values[rows], part))
        many.append(cells.resampled_macro(draws.many, values[rows]))
        counts.append((np.isfinite(values[rows]).sum(axis=0), cells.clusters_of(np.isfinite(values[rows]), clusters)))
    return _frame(sides, many[0] - many[1], [n for n, _ in counts], np.minimum(counts[0][1], counts[1][1]))


def cutoff_gaps(values: Floats, items: Items, draws: cells.Draws, after: Floats) -> pd.DataFrame:
    """The same for decided after (1) and up to (0) the day, NaN = left out; `values` are the cells of one model."""
    known = np.isfinite(values) & np.isfinite(after)[:, None]
    late = known & (after == 1)[:, None]
    early = known & ~late
    stacked = np.hstack([np.where(late, values, 0.0), late, np.where(early, values, 0.0), early]).astype(np.float64)
    (once, many), width = (_side_means(drawn, stacked) for drawn in (draws.once, draws.many)), values.shape[1]
    kept = (group_sums(late.astype(float), items.domains, len(items.domain_names)) > 0) & (
        group_sums(early.astype(float), items.domains, len(items.domain_names)) > 0
    )
    counts = [(side & kept[items.domains]).sum(axis=0) for side in (late, early)]
    clusters = [cells.clusters_of(side & kept[items.domains], items.clusters) for side in (late, early)]
    return _frame([once[0, :width], once[0, width:]], many[:, :width] - many[:, width:], counts, np.minimum(*clusters))


def _side_means(drawn: list[GroupDraws], stacked: Floats) -> Floats:
    """Means over the domains that have both sides, after and up to the day: resamples × (2 × cells)."""
    width = stacked.shape[1] // 4
    sums = np.zeros((2, 2, len(drawn[0].weights), width))  # what is added up, number of domains; after, up to
    for group in drawn:
        if len(group.rows):
            here = group.weights @ group_sums(stacked[group.rows], group.codes, group.weights.shape[1])
            means = [quotient(here[:, :width], here[:, width : 2 * width]), quotient(here[:, 2 * width : 3 * width], here[:, 3 * width :])]
            both = np.isfinite(means[0]) & np.isfinite(means[1])
            for side in (0, 1):
                sums[0, side] += np.where(both, means[side], 0.0)
                sums[1, side] += both
    return np.hstack(list(quotient(sums[0], sums[1])))


def _frame(sides: list[Floats], many: Floats, counts: list[Codes], n_clusters: Codes) -> pd.DataFrame:
    value = settled(sides[0] - sides[1])
    interval = percentile_interval(many, n_clusters)
    outside = (interval.low > 0) | (interval.high < 0)
    columns = {"value": value, "low": interval.low, "high": interval.high, "star": np.where(outside, "*", "")}
    return pd.DataFrame({**columns, "first": settled(sides[0]), "second": settled(sides[1]), "n_first": counts[0], "n_second": counts[1]})


def decided_after(days: Days, cutoff: dt.date) -> Floats:
    """1 for decisions after the day, 0 for those up to it, NaN where the decision's days lie on both sides."""
    day = np.datetime64(cutoff)
    return np.where(days[0] > day, 1.0, np.where(days[1] <= day, 0.0, np.nan))


def decision_days(items: dict[str, Item], ids: pd.Index[str]) -> Days:
    """Earliest and latest day of each item's decision. Raises StatsError for an item without a record."""
    first, last = [], []
    for item_id in ids:
        if item_id not in items:
            raise StatsError(f"item {item_id} is scored but not among the run's items; make the scores again")
        text = items[item_id].decision_date
        ends = {4: ("-01-01", "-12-31"), 7: ("-01", "")}.get(len(text), ("", ""))
        first.append(np.datetime64(text + ends[0], "D"))
        last.append(np.datetime64(text, "M") + 1 - np.timedelta64(1, "D") if len(text) == 7 else np.datetime64(text + ends[1], "D"))
    return np.array(first, dtype="datetime64[D]"), np.array(last, dtype="datetime64[D]")


def contamination(
    run: str,
    scores: pd.DataFrame,
    splits: dict[str, str],
    records: dict[str, Item],
    cutoffs: dict[str, dt.date | None],
    n_resamples: int,
) -> pd.DataFrame:
    """contamination.csv of a run: models in the order met, settings in the paper's, both checks of each."""
    table = cells.item_cells(scores, "score", run)
    part_of = np.array([splits.get(item, "") for item in table.items.ids], dtype=object)
    parts = {name: np.flatnonzero(part_of == name) for name in ("validation", "test")}
    has_both = all(len(rows) for rows in parts.values())
    split_gap = split_gaps(table.values, table.items, run, parts, n_resamples) if has_both else None
    days = decision_days(records, table.items.ids)
    draws = cells.run_draws(table.items, run, n_resamples) if any(cutoffs.values()) else None
    rows: list[dict[str, object]] = []
    for model in dict(table.keys):
        places = [number for number, (name, _) in enumerate(table.keys) if name == model]
        cutoff = cutoffs.get(model)
        gaps = cutoff_gaps(table.values[:, places], table.items, draws, decided_after(days, cutoff)) if cutoff and draws else None
        for number, place in enumerate(places):
            common = {"run": run, "model": model, "setting": table.keys[place][1], "knowledge_cutoff": cutoff and cutoff.isoformat()}
            rows.append(common | {"check": "split_gap"} | _row(split_gap, place, without_score(split_gap, place)))
            rows.append(common | {"check": "cutoff_gap"} | _row(gaps, number, NO_SIDES if cutoff else NO_DAY))
    return pd.DataFrame(rows, columns=COLUMNS).astype({"n_first": "Int64", "n_second": "Int64"})


def without_score(split_gap: pd.DataFrame | None, place: int) -> str:
    """Why a cell has no difference between the splits: the run lacks one, or the model has no score in one."""
    if split_gap is None:
        return NO_SPLITS
    counts = split_gap.iloc[place]
    return NO_SCORES.format(" or the ".join(name for name, n in (("validation", "n_first"), ("test", "n_second")) if counts[n] == 0))


def _row(frame: pd.DataFrame | None, place: int, why: str) -> dict[str, object]:
    if frame is None:
        return {"missing": why}
    row = {str(name): value for name, value in frame.iloc[place].to_dict().items()}
    return row | {"missing": why if not np.isfinite(row["value"]) else ""}


def main(argv: list[str] | None = None) -> None:
    """Read the files, compare, write the table."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.stats.contamination --run demo --scores results/scores/demo/*/*/*/scores.parquet "
        "--items results/runs/demo/items.jsonl --splits results/items/demo/splits.csv --models-dir config/models "
        "--out results/stats/demo/contamination.csv",
    )
    parser.add_argument("--run", required=True)
    parser.add_argument("--resamples", type=int, default=10_000)
    parser.add_argument("--scores", nargs="+", required=True, help="scores.parquet of every model, setting and sample")
    parser.add_argument("--items", required=True, help="items.jsonl of the run: the dates of the decisions")
    parser.add_argument("--splits", required=True, help="splits.csv of the jurisdiction: item_id, split")
    parser.add_argument("--models-dir", required=True, type=Path)
    parser.add_argument("--out", required=True)
    args = parser.parse_args(argv)
    try:
        scores = read_tables(args.scores, SCORES, [*cells.COLUMNS, "score"], args.run)
        records = {item.id: item for item in read_lines(args.items, Item)}
        cutoffs = {name: read_config(args.models_dir / f"{name}.yaml", Model).knowledge_cutoff for name in scores["model"].unique()}
        write_csv(args.out, contamination(args.run, scores, read_splits(args.splits), records, cutoffs, args.resamples))
    except FileNotFoundError as error:
        raise SystemExit(f"{error.filename} does not exist; run the step that makes it") from error
    except (ConfigError, ValueError) as error:
        raise SystemExit(str(error)) from error


if __name__ == "__main__":
    main()
