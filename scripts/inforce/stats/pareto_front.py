"""Score against cost, and which models no other model beats in both (NitiBench+ §7.3, Figure 7): pareto_front.csv.

One row a model, in the main setting of the run (rag_in_force, else the last setting that was run): US dollars an item, the
score, and on_front: yes unless another model costs no more and scores no less, and is better in one of the two. A model
whose cost or score is not known is neither on the front nor off it: its on_front is empty.
"""

from __future__ import annotations

import argparse

import numpy as np
import pandas as pd

from inforce.records.tables import write_csv
from inforce.stats.domain_means import ALL, MAIN_SETTING, read_settings
from inforce.stats.frames import Floats, StatsError, by_setting

COLUMNS = ["run", "setting", "model", "cost_usd", "score", "on_front"]


def on_front(costs: Floats, scores: Floats) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """True for each point that no other point dominates; a point with NaN in it dominates nothing and is not on the front."""
    known = np.isfinite(costs) & np.isfinite(scores)
    no_worse = (costs[None, :] <= costs[:, None]) & (scores[None, :] >= scores[:, None])
    better = (costs[None, :] < costs[:, None]) | (scores[None, :] > scores[:, None])
    dominated = (no_worse & better & known[None, :]).any(axis=1)
    out: np.ndarray[tuple[int], np.dtype[np.bool_]] = known & ~dominated
    return out


def pareto_front(settings: pd.DataFrame) -> pd.DataFrame:
    """pareto_front.csv from the rows of settings.csv; models in the order met."""
    rows = settings[(settings["domain"] == ALL) & settings["metric"].isin(["score", "cost_usd"])]
    if rows.empty:
        raise StatsError("settings.csv holds no scores; make it again with aggregate_scores")
    met = by_setting(list(rows["setting"]))
    setting = MAIN_SETTING if MAIN_SETTING in met else met[-1]
    here = rows[rows["setting"] == setting]
    models = list(here["model"].unique())
    wide = here.pivot(index="model", columns="metric", values="value").reindex(index=models, columns=["cost_usd", "score"])
    costs, scores = (wide[name].to_numpy(dtype=np.float64) for name in ("cost_usd", "score"))
    known = np.isfinite(costs) & np.isfinite(scores)
    words = np.where(known, np.where(on_front(costs, scores), "yes", "no"), "")
    frame = pd.DataFrame({"model": models, "cost_usd": costs, "score": scores, "on_front": words})
    return frame.assign(run=rows["run"].iloc[0], setting=setting)[COLUMNS]


def main(argv: list[str] | None = None) -> None:
    """Read settings.csv, write the table."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.stats.pareto_front --settings results/stats/demo/settings.csv --out results/stats/demo/pareto_front.csv",
    )
    parser.add_argument("--settings", required=True)
    parser.add_argument("--out", required=True)
    args = parser.parse_args(argv)
    try:
        write_csv(args.out, pareto_front(read_settings(args.settings)))
    except StatsError as error:
        raise SystemExit(str(error)) from error


if __name__ == "__main__":
    main()
