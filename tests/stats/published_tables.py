"""NitiBench+'s printed tables as numbers: from the folder that INFORCE_REFERENCE names, or the copies beside the tests."""

from __future__ import annotations

import os
from pathlib import Path

import pandas as pd

COPIES = Path(__file__).with_name("published")


def published(table: str) -> pd.DataFrame:
    folder = os.environ.get("INFORCE_REFERENCE")
    path = Path(folder) / "nitibench_plus" / f"{table}.csv" if folder else COPIES / f"{table}.csv"
    return pd.read_csv(path if path.is_file() else COPIES / f"{table}.csv", keep_default_na=False)


def settings_rows(scores: pd.DataFrame, run: str = "paper", metric: str = "score") -> pd.DataFrame:
    """Rows of settings.csv from model, setting, domain and value."""
    blank = {"low": float("nan"), "high": float("nan"), "n_scored": 1, "n": 1, "n_items": 1, "n_clusters": 1}
    return scores.assign(run=run, metric=metric, **blank)
