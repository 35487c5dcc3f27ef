"""What Tables 22 and 23 share: citation F1 and Bar-standard score of a statistic over samples in each setting, laid out as Table 7."""

from __future__ import annotations

import pandas as pd

from inforce.config.model import Model
from inforce.records.status import SETTINGS
from inforce.report.model_rows import ModelRow, model_rows
from inforce.report.words import SHORT_NAMES, cells_of, fixed

READ = ["model", "setting", "metric", "statistic", "value", "samples", "n_scored", "n"]
COLUMNS = ["model", *(f"{what}_{setting}" for what in ("f1", "bar", "scored") for setting in SETTINGS), "samples"]
EMPTY = " No row: no model of this run has more than one sample an item."


def header(first: str, second: str) -> list[str]:
    """The printed header, with what stands before each setting's name."""
    return ["Model", *(f"{what}: {SHORT_NAMES[setting]}" for what in (first, second, "Scored") for setting in SETTINGS), "Samples"]


def sample_table(samples: pd.DataFrame, statistic: str, models: dict[str, Model]) -> pd.DataFrame:
    """One row a model with several samples, as text, from the rows of samples.csv."""
    cells = cells_of(samples[samples["statistic"] == statistic], ["model", "setting", "metric"])
    rows = []
    for model in model_rows(models):
        row = dict.fromkeys(COLUMNS, "") | {"model": models[model.key].name}
        for setting in SETTINGS:
            score, f1 = (cells.get((model.key, setting, metric)) for metric in ("score", "citation_f1"))
            if score and f1:
                row[f"f1_{setting}"] = fixed(f1["value"], 3)
                row[f"bar_{setting}"] = fixed(score["value"], 2)
                row[f"scored_{setting}"] = f"{score['n_scored']:.0f}/{score['n']:.0f}"
                row["samples"] = f"{score['samples']:.0f}"
        rows.append(row)
    return pd.DataFrame(rows, columns=COLUMNS)


def printed_rows(table: pd.DataFrame, order: list[ModelRow]) -> list[list[str]]:
    """The rows with the models' labels."""
    return [[row.label, *cells[1:]] for row, cells in zip(order, table.to_numpy().tolist(), strict=True)]
