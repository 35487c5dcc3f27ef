import pandas as pd
from report.paper_run import run_table
from report.small_run import model_config, write_json
from stats.published_tables import published

from inforce.report import split_table as module


def files(folder, parts=module.PARTS):
    table = published("table12_splits")
    rows = [
        {"run": "r", "model": f"m{n}", "setting": setting, "part": part, "value": row[f"{setting}_{part}"], "n_items": 500}
        for n, row in enumerate(table.to_dict("records"))
        for setting in module.TOLD
        for part in parts
    ]
    for number, name in enumerate(table["model"]):
        write_json(folder / "models" / f"m{number}.yaml", model_config(name))
    pd.DataFrame(rows).to_csv(folder / "s.csv", index=False)
    statistics = [{"run": "r", "setting": "parametric", "statistic": name, "value": 0.967, "n_models": 13} for name in module.STATISTICS]
    pd.DataFrame(statistics).to_csv(folder / "a.csv", index=False)
    return ["--splits", str(folder / "s.csv"), "--agreement", str(folder / "a.csv"), "--models-dir", str(folder / "models")]


def test_the_published_table(tmp_path):
    table, markdown, latex = run_table(module.main, tmp_path, *files(tmp_path))
    assert list(table.columns) == module.COLUMNS and len(table) == 13 + 5
    assert table.loc[0, ["model", "parametric_full", "rag_in_force_validation", "items_test"]].tolist() == [
        "Gemma 4 31B",
        "3.68",
        "4.52",
        "500",
    ]
    last = table[table["model"] == "Spearman, test against full"].iloc[0]
    assert last["parametric_full"] == "0.967" and last["parametric_validation"] == "" and last["kind"] == "agreement"
    assert "| Gemma 4 31B | 3.68 | 3.66 | 3.74 |" in markdown and "*Agreement*" in markdown and r"\toprule" in latex


def test_a_run_of_one_split_has_no_rows_and_says_why(tmp_path):
    table, markdown, _ = run_table(module.main, tmp_path, *files(tmp_path, ("full", "test")))
    assert table.empty and list(table.columns) == module.COLUMNS and "does not hold items of both splits" in markdown
