"""What a run cost in tokens, searches and GPU hours (NitiBench+ Table 16) -> compute.csv, one row a model.

input_tokens (tool results included) and output_tokens are sums over the settings and samples, of the n_with_tokens answers whose engine
reports them, of n answers. reasoning_share (%) is reasoning_tokens of output_tokens over the n_with_reasoning answers that report both.
searches_SETTING is the mean number of searches an answer. gpu_hours comes from a log that the user keeps (columns run, model, gpu_hours,
source): wall-clock times are no property of the data and are in no other table. What is not known is empty.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import pandas as pd

from inforce.records.tables import ITEM_SCORES, write_csv
from inforce.stats.bootstrap import settled
from inforce.stats.frames import StatsError, numbers, read_tables

SEARCHING = ("rag_current", "rag_in_force")
HOURS = ["run", "model", "gpu_hours", "source"]
COLUMNS = [
    *("run", "model", "input_tokens", "output_tokens", "n_with_tokens", "n", "reasoning_share", "n_with_reasoning"),
    *(f"searches_{setting}" for setting in SEARCHING),
    "gpu_hours",
]


def sum_compute(run: str, answers: pd.DataFrame, hours: dict[tuple[str, str], float]) -> pd.DataFrame:
    """The table of a run, models in the order met."""
    rows = []
    for model in answers["model"].unique():
        of_model = answers[answers["model"] == model]
        read, written, thought = numbers(of_model, ["input_tokens", "output_tokens", "reasoning_tokens"]).T
        counted, both = np.isfinite(read) & np.isfinite(written), np.isfinite(written) & np.isfinite(thought)
        row: dict[str, object] = dict.fromkeys(COLUMNS)
        row |= {"run": run, "model": model, "n_with_tokens": int(counted.sum()), "n": len(of_model), "n_with_reasoning": int(both.sum())}
        if counted.any():
            row |= {"input_tokens": int(read[counted].sum()), "output_tokens": int(written[counted].sum())}
        if written[both].sum() > 0:
            row["reasoning_share"] = float(settled(100 * thought[both].sum() / written[both].sum()))
        for setting in SEARCHING:
            searches = numbers(of_model[of_model["setting"] == setting], ["n_searches"])
            known = searches[np.isfinite(searches)]
            row[f"searches_{setting}"] = float(settled(known.mean())) if len(known) else None
        row["gpu_hours"] = hours.get((run, str(model)))
        rows.append(row)
    whole = dict.fromkeys(["input_tokens", "output_tokens"], "Int64")
    return pd.DataFrame(rows, columns=COLUMNS).astype(whole)


def read_hours(path: Path) -> dict[tuple[str, str], float]:
    """GPU hours by run and model, several rows of one added up. Raises StatsError for other columns or a number below zero."""
    try:
        frame = pd.read_csv(path, dtype={"run": str, "model": str, "source": str}, keep_default_na=False, na_values={"gpu_hours": [""]})
    except FileNotFoundError as error:
        raise StatsError(f"{path} does not exist; a file with the line {','.join(HOURS)} says that no GPU hours are known") from error
    if list(frame.columns) != HOURS:
        raise StatsError(f"{path}: columns are {', '.join(frame.columns)}, expected {', '.join(HOURS)}")
    known = frame.dropna(subset=["gpu_hours"])
    given = pd.to_numeric(known["gpu_hours"], errors="coerce")
    if len(given) and not (given >= 0).all():
        raise StatsError(f"{path}: gpu_hours of {known['model'][~(given >= 0)].iloc[0]} is not a number of hours")
    hours: dict[tuple[str, str], float] = {}
    for run, model, value in zip(known["run"], known["model"], given, strict=True):
        hours[str(run), str(model)] = hours.get((str(run), str(model)), 0.0) + float(value)
    return hours


def main(argv: list[str] | None = None) -> None:
    """Read the files, add up, write the table."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.stats.sum_compute --run demo --item-scores results/scores/demo/*/*/*/items.parquet "
        "--gpu-hours config/gpu_hours.csv --out results/stats/demo/compute.csv",
    )
    parser.add_argument("--run", required=True)
    parser.add_argument("--item-scores", nargs="+", required=True, help="items.parquet of every model, setting and sample")
    parser.add_argument("--gpu-hours", required=True, type=Path, help="the user's log: run, model, gpu_hours, source")
    parser.add_argument("--out", required=True)
    args = parser.parse_args(argv)
    try:
        columns = ["run", "model", "setting", "input_tokens", "output_tokens", "reasoning_tokens", "n_searches"]
        answers = read_tables(args.item_scores, ITEM_SCORES, columns, args.run)
        write_csv(args.out, sum_compute(args.run, answers, read_hours(args.gpu_hours)))
    except StatsError as error:
        raise SystemExit(str(error)) from error


if __name__ == "__main__":
    main()
