import pandas as pd
from report.paper_run import run_table, write_paper
from stats.published_tables import published

from inforce.report import cost_table as module


def arguments(folder):
    return ["--settings", str(folder / "settings.csv"), "--ranks", str(folder / "ranks.csv"), "--models-dir", str(folder / "models")]


def test_the_published_table(tmp_path):
    write_paper(tmp_path)
    table, markdown, _ = run_table(module.main, tmp_path, *arguments(tmp_path))
    printed = published("table18_cost_behaviour")
    assert table["model"].tolist() == printed["model"].tolist()
    for column in ("bar_standard", "cost_usd", "output_tokens_thousands"):
        assert table[column].astype(float).tolist() == printed[column].astype(float).tolist()
    assert table["hallucinated_pct"].tolist() == [text.rstrip("%") for text in printed["hallucinated_pct"]]
    assert table["searches"].iloc[26] == "" and "| OpenThaiGPT 8B | 27 | 0.87 | 0.001 | 3.5 | – | 27.6 % |" in markdown


def test_unknown_prices_are_empty_and_said(tmp_path):
    write_paper(tmp_path, 2, prices=False)
    table, markdown, _ = run_table(module.main, tmp_path, *arguments(tmp_path))
    assert table["cost_usd"].tolist() == ["", ""] and "No model of this run has a price" in markdown


def test_a_small_cost_is_not_zero(tmp_path):
    write_paper(tmp_path, 3)
    rows = pd.read_csv(tmp_path / "settings.csv")
    costs = dict(zip(rows["model"].unique(), (0.00042, 0.0, 0.0123), strict=True))
    rows.loc[rows["metric"] == "cost_usd", "value"] = rows["model"].map(costs)
    rows.to_csv(tmp_path / "settings.csv", index=False)
    table, _, _ = run_table(module.main, tmp_path, *arguments(tmp_path))
    assert table["cost_usd"].tolist() == ["0.00042", "0.000", "0.012"]
