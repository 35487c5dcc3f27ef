import math

import pandas as pd
import pytest

from inforce.report import shown as module
from inforce.report.words import ReportError


def test_main_setting_is_rag_in_force_or_the_last():
    assert module.main_setting(["parametric", "rag_in_force", "gold_current"]) == "rag_in_force"
    assert module.main_setting(["gold_in_force", "parametric"]) == "gold_in_force"
    with pytest.raises(ReportError, match="names no setting"):
        module.main_setting([])


def test_numbers_and_texts_of_a_file(tmp_path):
    (tmp_path / "t.csv").write_text("model,why,value\nm,,1.5\n007,NA,\n", encoding="utf-8")
    frame = module.read_numbers(tmp_path / "t.csv", ["model", "why"], ["value"])
    assert frame["model"].tolist() == ["m", "007"] and frame["why"].tolist() == ["", "NA"]
    assert frame["value"].dtype == "float64" and math.isnan(frame["value"][1])
    with pytest.raises(ReportError, match="has no column other"):
        module.read_numbers(tmp_path / "t.csv", ["model"], ["other"])


def test_values_order_and_words():
    rows = [
        ("m", "parametric", "score", "all", 2.0),
        ("m", "parametric", "cost_usd", "all", math.nan),
        ("m", "parametric", "score", "tax", 9.0),
    ]
    settings = pd.DataFrame(rows, columns=["model", "setting", "metric", "domain", "value"])
    assert module.values_of(settings) == {("m", "parametric", "score"): 2.0}
    assert module.by_score(["a", "b", "c"], {"a": 1.0, "b": math.nan, "c": 2.0}) == ["c", "a", "b"]
    assert module.interval(-0.1, 0.25, "+") == "[-0.10, +0.25]" and module.interval(1, 2) == "[1.00, 2.00]"
    assert module.interval(math.nan, math.nan) == ""
    assert module.domain_name("civil_and_commercial") == "Civil & commercial"
    assert module.domain_name("Tax & Revenue") == "Tax & Revenue"
