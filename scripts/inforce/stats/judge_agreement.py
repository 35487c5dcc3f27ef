"""How far the judges of a panel agree: judge_agreement.csv.

One row a setting (`all` = all settings together) and measure. The unit is an answer to one sub-question in one sample.
  alpha_interval, alpha_ordinal  Krippendorff's alpha of all seats' scores (Krippendorff 2004, ch. 11), on units that two seats
                                 at least have scored: 1 = full agreement, 0 = as by chance, empty where the scores do not vary
  correlation                    Pearson's correlation of two judges' scores, on units that both have scored
  exact                          share of these units with equal scores, in per cent
  difference                     mean of the first judge's score less the second's
  bias                           mean of a judge's score less the mean of the others', on units that all seats have scored:
                                 a judge who is a point harsher than the others has a bias of about -1
Intervals are 95 % percentile intervals of a cluster bootstrap over items that share a question. The ordinal distance is the
difference of mid-ranks among all scores, ranked once and not anew in every resample. `judge` and `other` are names of
config/judges in the order of the panel; a judge who fills several seats is numbered (NAME#2). n counts units.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from scipy.stats import rankdata

from inforce.records.status import SETTINGS
from inforce.records.tables import SCORES, write_csv
from inforce.stats.aggregation import group_sums
from inforce.stats.bootstrap import (
    draw_clusters,
    every_cluster_once,
    percentile_interval,
    prepare_draws,
    quotient,
    resampled_sums,
    seed_of,
    settled,
)
from inforce.stats.frames import Codes, Floats, StatsError, read_tables

ALL = "all"
COLUMNS = ["run", "setting", "measure", "judge", "other", "value", "low", "high", "n", "n_clusters"]


def alpha_sums(scores: Floats) -> Floats:
    """What alpha (interval) is made of, for each unit (units × seats, NaN = no score): number, sum and squares of its scores, and
    its squared differences within. Zero for a unit with fewer than two scores, which says nothing on agreement."""
    known = np.isfinite(scores)
    filled = np.where(known, scores, 0.0)
    m, total, squares = known.sum(axis=1).astype(np.float64), filled.sum(axis=1), (filled**2).sum(axis=1)
    within = 2 * (m * squares - total**2) / np.maximum(m - 1, 1)
    out: Floats = np.column_stack([m, total, squares, within]) * (m >= 2)[:, None]
    return out


def alpha_of(sums: Floats) -> Floats:
    """Krippendorff's alpha from sums of `alpha_sums` (… × 4) over units; NaN where the scores do not vary."""
    n, total, squares, within = np.moveaxis(sums, -1, 0)
    expected = 2 * (n * squares - total**2)
    # with n values: observed = within / n, expected = expected / (n (n - 1)); a spread of rounding dust is none
    spread = expected > 1e-9 * np.maximum(1.0, n * squares)
    return np.where(spread, 1 - np.divide(within * (n - 1), expected, out=np.zeros_like(within), where=spread), np.nan)


def krippendorff_alpha(scores: Floats, level: str = "interval") -> float:
    """Alpha of units × seats (NaN = no score); `level` is interval or ordinal."""
    values = mid_ranks(scores) if level == "ordinal" else scores
    return float(alpha_of(alpha_sums(values).sum(axis=0)))


def mid_ranks(scores: Floats) -> Floats:
    """Each score's mid-rank among all scores of units with two scores or more: Krippendorff's ordinal distance is their difference."""
    paired = np.isfinite(scores) & (np.isfinite(scores).sum(axis=1) >= 2)[:, None]
    out = np.full(scores.shape, np.nan)
    out[paired] = rankdata(scores[paired])
    return out


def pair_sums(one: Floats, other: Floats) -> Floats:
    """What a pair's measures are made of, for each unit: counted, both values, squares, product, equal. Units × 7."""
    known = np.isfinite(one) & np.isfinite(other)
    x, y = np.where(known, one, 0.0), np.where(known, other, 0.0)
    return np.column_stack([known, x, y, x * x, y * y, x * y, known & (x == y)]).astype(np.float64)


def pair_measures(sums: Floats) -> dict[str, Floats]:
    """correlation, exact (%) and difference from sums of `pair_sums` (… × 7)."""
    n, x, y, xx, yy, xy, equal = np.moveaxis(sums, -1, 0)
    left, right = n * xx - x * x, n * yy - y * y
    varies = (left > 1e-9 * np.maximum(1.0, n * xx)) & (right > 1e-9 * np.maximum(1.0, n * yy))
    below = np.sqrt(np.where(varies, left * right, 1.0))
    return {
        "correlation": np.where(varies, (n * xy - x * y) / below, np.nan),
        "exact": 100 * quotient(equal, n),
        "difference": quotient(x - y, n),
    }


def bias_sums(scores: Floats) -> Floats:
    """For each unit, counted if full, then each seat's score less the mean of the other seats': units × (1 + seats)."""
    n_seats = scores.shape[1]
    full: npt.NDArray[np.bool_] = np.asarray(np.isfinite(scores).all(axis=1))
    filled = np.where(full[:, None], scores, 0.0)
    others = (filled.sum(axis=1, keepdims=True) - filled) / max(1, n_seats - 1)
    return np.column_stack([full.astype(np.float64), filled - others])


def agreement_rows(scores: Floats, clusters: Codes, judges: Sequence[str], n_resamples: int, seed: int) -> pd.DataFrame:
    """All measures of units × seats, with intervals. One seat agrees with nobody: no rows."""
    if len(judges) < 2 or not len(scores):
        return pd.DataFrame(columns=COLUMNS[2:])
    _, codes = np.unique(clusters, return_inverse=True)
    n_clusters = int(codes.max()) + 1
    pairs = list(combinations(range(len(judges)), 2))
    parts = [
        alpha_sums(scores),
        alpha_sums(mid_ranks(scores)),
        *(pair_sums(scores[:, a], scores[:, b]) for a, b in pairs),
        bias_sums(scores),
    ]
    ends = np.cumsum([part.shape[1] for part in parts])[:-1]
    by_cluster = group_sums(np.hstack(parts), codes, n_clusters)
    places, group = np.arange(n_clusters, dtype=np.intp), np.zeros(n_clusters, dtype=np.intp)
    draws = every_cluster_once(n_clusters), draw_clusters(n_clusters, n_resamples, seed)
    sums = [np.split(resampled_sums(prepare_draws(drawn, places, group, 1), by_cluster)[:, 0], ends, axis=1) for drawn in draws]
    measured = [_measures(of, judges, pairs) for of in sums]
    value, many = (np.column_stack([column for *_, column in rows]) for rows in measured)
    of_pairs = [by_cluster[:, ends[1 + number]] for number in range(len(pairs)) for _ in range(3)]
    used = [by_cluster[:, 0], by_cluster[:, ends[0]], *of_pairs, *[by_cluster[:, ends[-1]]] * len(judges)]  # units counted in each cluster
    n_used = np.array([(column > 0).sum() for column in used], dtype=np.intp)
    interval = percentile_interval(many, n_used)
    paired_units = int((np.isfinite(scores).sum(axis=1) >= 2).sum())
    n = [paired_units, paired_units, *(int(column.sum()) for column in used[2:])]
    frame = pd.DataFrame([names[:3] for names in measured[0]], columns=["measure", "judge", "other"])
    return frame.assign(value=settled(value[0]), low=interval.low, high=interval.high, n=n, n_clusters=n_used)


def judge_agreement(run: str, rows: pd.DataFrame, seat_scores: Floats, judges: Sequence[str], n_resamples: int) -> pd.DataFrame:
    """judge_agreement.csv of a run: all settings together first, then each."""
    if rows.empty:
        raise StatsError(f"the score tables of the run {run} hold no rows; nothing was answered")
    names = numbered(judges)
    clusters, _ = pd.factorize(rows["cluster"], sort=True)
    settings = rows["setting"].to_numpy()
    blocks = []
    for setting in [ALL, *(setting for setting in SETTINGS if (settings == setting).any())]:
        here = np.ones(len(rows), dtype=bool) if setting == ALL else settings == setting
        block = agreement_rows(seat_scores[here], clusters[here], names, n_resamples, seed_of(run, "judge_agreement"))
        blocks.append(block.assign(run=run, setting=setting))
    return pd.concat(blocks, ignore_index=True)[COLUMNS]


def numbered(judges: Sequence[str]) -> list[str]:
    """Names of the seats: a judge's second seat is NAME#2."""
    seen: Counter[str] = Counter()
    names = []
    for judge in judges:
        seen[judge] += 1
        names.append(judge if seen[judge] == 1 else f"{judge}#{seen[judge]}")
    return names


def read_seats(paths: Sequence[Path | str], n_seats: int) -> Floats:
    """Seat scores of all files, rows in the order of the files: rows × seats. Raises StatsError for a panel of another size."""
    blocks = [np.empty((0, n_seats))]
    for path in paths:
        column = pq.read_table(path, columns=["seat_scores"])["seat_scores"].combine_chunks()
        if len(column) and not pc.all(pc.equal(pc.list_value_length(column), pa.scalar(n_seats, pa.int32()))).as_py():
            raise StatsError(
                f"{path}: a row has not {n_seats} seat scores as the panel has seats; make the scores again with score_answers"
            )
        flat = pc.list_flatten(column).to_numpy(zero_copy_only=False).astype(np.float64)
        blocks.append(flat.reshape(-1, n_seats))
    return np.concatenate(blocks)


def _measures(sums: list[Floats], judges: Sequence[str], pairs: list[tuple[int, int]]) -> list[tuple[str, str, str, Floats]]:
    rows = [("alpha_interval", "", "", alpha_of(sums[0])), ("alpha_ordinal", "", "", alpha_of(sums[1]))]
    for number, (one, other) in enumerate(pairs):
        rows += [(name, judges[one], judges[other], column) for name, column in pair_measures(sums[2 + number]).items()]
    biases = sums[-1]
    return rows + [("bias", judge, "", quotient(biases[:, 1 + seat], biases[:, 0])) for seat, judge in enumerate(judges)]


def main(argv: list[str] | None = None) -> None:
    """Read the files, compare the seats, write the table."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.stats.judge_agreement --run demo --judges a b c --scores results/scores/demo/*/*/*/scores.parquet "
        "--out results/stats/demo/judge_agreement.csv",
    )
    parser.add_argument("--run", required=True)
    parser.add_argument("--resamples", type=int, default=10_000)
    parser.add_argument("--judges", nargs="+", required=True, help="the panel: one name a seat, in its order")
    parser.add_argument("--scores", nargs="+", required=True, help="scores.parquet of every model, setting and sample")
    parser.add_argument("--out", required=True)
    args = parser.parse_args(argv)
    try:
        rows = read_tables(args.scores, SCORES, ["run", "setting", "cluster"], args.run)
        seats = read_seats(args.scores, len(args.judges))
        write_csv(args.out, judge_agreement(args.run, rows, seats, args.judges, args.resamples))
    except StatsError as error:
        raise SystemExit(str(error)) from error


if __name__ == "__main__":
    main()
