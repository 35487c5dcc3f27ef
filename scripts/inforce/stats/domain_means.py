"""Scores by domain over the models of a run (NitiBench+ Tables 19 to 21): domain_means.csv, from settings.csv.

One row a setting and domain (`all` = the macro-average): the mean over the models, the best and the lowest score with the
model that reached it (the first met, where several did), and how many models are scored there. n_items is the domain's
number of items. Domains come from the easiest to the hardest by the mean in the main setting (rag_in_force, else the last
setting that was run), `all` last.
"""

from __future__ import annotations

import argparse

import pandas as pd

from inforce.records.status import SETTINGS
from inforce.records.tables import write_csv
from inforce.stats.frames import StatsError, by_setting

ALL = "all"
MAIN_SETTING = "rag_in_force"
COLUMNS = ["run", "setting", "domain", "n_items", "n_models", "mean", "best_model", "best_score", "lowest_model", "lowest_score"]
_NEEDED = ["run", "model", "setting", "domain", "metric", "value", "n_items"]


def domain_summary(scores: pd.DataFrame) -> pd.DataFrame:
    """Mean, best and lowest over models for each domain of one setting, from rows of model, domain, value; domains in the order met."""
    rows = []
    for domain, group in scores.groupby("domain", sort=False):
        known = group[group["value"].notna()]
        ordered = known.sort_values("value", ascending=False, kind="stable")
        best, lowest = (ordered.iloc[0], known.sort_values("value", kind="stable").iloc[0]) if len(known) else (None, None)
        rows.append(
            {
                "domain": domain,
                "n_models": len(known),
                "mean": known["value"].mean() if len(known) else float("nan"),
                "best_model": best["model"] if best is not None else None,
                "best_score": best["value"] if best is not None else float("nan"),
                "lowest_model": lowest["model"] if lowest is not None else None,
                "lowest_score": lowest["value"] if lowest is not None else float("nan"),
            }
        )
    return pd.DataFrame(rows, columns=COLUMNS[2:3] + COLUMNS[4:])


def domain_means(settings: pd.DataFrame) -> pd.DataFrame:
    """domain_means.csv from the rows of settings.csv."""
    scores = settings[settings["metric"] == "score"]
    if scores.empty:
        raise StatsError("settings.csv holds no scores; make it again with aggregate_scores")
    # an answer has a status whether or not it was scored, so this metric counts every item
    items = settings[settings["metric"] == "unparsed_share"].groupby("domain")["n_items"].max().to_dict()
    blocks = {name: domain_summary(scores[scores["setting"] == name]) for name in by_setting(list(scores["setting"]))}
    main = blocks.get(MAIN_SETTING, list(blocks.values())[-1])
    means = dict(zip(main["domain"], main["mean"].fillna(float("-inf")), strict=True))
    order = sorted(dict.fromkeys(scores["domain"]), key=lambda name: (name == ALL, -means.get(name, float("-inf")), name))
    frame = pd.concat([block.assign(setting=name) for name, block in blocks.items()], ignore_index=True)
    frame = frame.assign(run=scores["run"].iloc[0], n_items=frame["domain"].map(items).astype("Int64"))
    place = frame["setting"].map(SETTINGS.index) * len(order) + frame["domain"].map(order.index)
    return frame.assign(place=place).sort_values("place", kind="stable")[COLUMNS].reset_index(drop=True)


def read_settings(path: str) -> pd.DataFrame:
    """settings.csv. Raises StatsError if it is missing or another table."""
    try:
        frame = pd.read_csv(path, keep_default_na=False, na_values={name: [""] for name in ("value", "low", "high")}, encoding="utf-8")
    except (FileNotFoundError, pd.errors.EmptyDataError) as error:
        raise StatsError(f"{path} does not exist or is empty; run the step that makes it (aggregate_scores)") from error
    missing = [name for name in _NEEDED if name not in frame.columns]
    if missing:
        raise StatsError(f"{path} has no column {missing[0]}; make it again with aggregate_scores")
    return frame


def main(argv: list[str] | None = None) -> None:
    """Read settings.csv, write the table."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.stats.domain_means --settings results/stats/demo/settings.csv --out results/stats/demo/domain_means.csv",
    )
    parser.add_argument("--settings", required=True)
    parser.add_argument("--out", required=True)
    args = parser.parse_args(argv)
    try:
        write_csv(args.out, domain_means(read_settings(args.settings)))
    except StatsError as error:
        raise SystemExit(str(error)) from error


if __name__ == "__main__":
    main()
