"""Score tables of one run read together, as the statistics need them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from inforce.records.status import SETTINGS

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.intp]


class StatsError(ValueError):
    """Tables that cannot be put together. The message names the file and the remedy."""


def read_tables(paths: Sequence[Path | str], schema: pa.Schema, columns: Sequence[str], run: str) -> pd.DataFrame:
    """The named columns of all files in one frame, rows in the order of the files.

    Raises StatsError for a missing file, for columns that differ from the schema, and for rows of another run.
    """
    tables = []
    for path in paths:
        try:
            names = pq.read_schema(path).names
        except FileNotFoundError as error:
            raise StatsError(f"{path} does not exist; run the step that makes it (score_answers)") from error
        except pa.ArrowInvalid as error:
            raise StatsError(f"{path} is not a parquet table: {error}") from error
        if names != schema.names:
            raise StatsError(f"{path}: columns are {names}, expected {schema.names}; make the file again with score_answers")
        tables.append(pq.read_table(path, columns=list(columns)))
    frame: pd.DataFrame = pa.concat_tables(tables).to_pandas()
    others = sorted(set(frame["run"]) - {run})
    if others:
        raise StatsError(f"rows of the run {', '.join(others)} among the tables of the run {run}; give the files of one run")
    return frame


def numbers(frame: pd.DataFrame, columns: Sequence[str]) -> Floats:
    """The columns as one array of rows × columns; null is NaN, true is 1."""
    return np.column_stack([frame[name].to_numpy(dtype=np.float64, na_value=np.nan) for name in columns])


def by_setting(settings: Sequence[str]) -> list[str]:
    """The settings met, in the order of the paper."""
    met = set(settings)
    return [setting for setting in SETTINGS if setting in met]
