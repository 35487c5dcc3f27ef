import pandas as pd
from report.paper_run import key_of, run_table, write_paper
from stats.published_tables import published

from inforce.report import tool_gain_table as module


def arguments(folder):
    return ["--settings", str(folder / "settings.csv"), "--gain", str(folder / "gain.csv"), "--models-dir", str(folder / "models")]


def test_the_published_table(tmp_path):
    write_paper(tmp_path)
    printed = published("table13_tool_gain").set_index("model")
    rows = [
        (key_of(name), what, float(row[what]), float(row[what]) - 0.1, float(row[what]) + 0.1)
        for name, row in printed.iterrows()
        for what in ("gain", "gap")
    ]
    pd.DataFrame(rows, columns=["model", "contrast", "value", "low", "high"]).to_csv(tmp_path / "gain.csv", index=False)
    table, markdown, _ = run_table(module.main, tmp_path, *arguments(tmp_path))
    found = table.set_index("model")
    assert len(found) == 28
    for name, row in printed.iterrows():
        assert [float(found.loc[name, column]) for column in ("parametric", "gain", "gap")] == [
            float(row[column]) for column in ("parametric", "gain", "gap")
        ]
    assert found.loc["OpenThaiGPT 8B", "searches"] == "" and found.loc["Qwen3-8B", "gain_interval"] == "[-0.31, -0.11]"
    assert "**+2.60**" in markdown and "**−0.01**" in markdown  # most gained, smallest gap
    assert markdown.index("Nemotron 3 Nano") < markdown.index("↪ SEA-LION v4.8 30B")


def test_without_the_settings_it_says_what_is_missing(tmp_path):
    write_paper(tmp_path, 1)
    (tmp_path / "gain.csv").write_text("model,contrast,value,low,high\n", encoding="utf-8")
    table, markdown, _ = run_table(module.main, tmp_path, *arguments(tmp_path))
    assert table.empty and "Needs the settings parametric" in markdown
