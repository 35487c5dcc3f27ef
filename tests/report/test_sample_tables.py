from __future__ import annotations

import pandas as pd
from report.small_run import model_config

from inforce.config.model import Model
from inforce.report.model_rows import model_rows
from inforce.report.sample_tables import COLUMNS, READ, header, printed_rows, sample_table

MODELS = {"m": Model.model_validate(model_config("Em"))}
ROWS = [
    ("m", "rag_in_force", "score", "best", 5.333, 3, 88, 90),
    ("m", "rag_in_force", "citation_f1", "best", 0.6041, 3, 88, 90),
    ("m", "rag_in_force", "score", "sd", 0.021, 3, 88, 90),
    ("m", "rag_in_force", "citation_f1", "sd", 0.0071, 3, 88, 90),
]


def test_each_statistic_has_its_table() -> None:
    frame = pd.DataFrame(ROWS, columns=READ)
    for statistic, f1, bar in (("best", "0.604", "5.33"), ("sd", "0.007", "0.02")):
        table = sample_table(frame, statistic, MODELS)
        row = table.iloc[0]
        assert (row["f1_rag_in_force"], row["bar_rag_in_force"], row["scored_rag_in_force"], row["samples"]) == (f1, bar, "88/90", "3")
        assert row["bar_parametric"] == ""
        assert printed_rows(table, model_rows(MODELS))[0][0] == "Em"
    assert len(header("a", "b")) == len(COLUMNS)
