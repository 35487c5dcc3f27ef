from report.paper_run import run_table
from report.small_run import model_config, write_json
from stats.score_tables import answers_of, frames, generated_run

from inforce.report import comparison_table as module
from inforce.stats.compare_models import COLUMNS, compare_models


def test_main_setting_printed_and_all_in_the_csv(tmp_path):
    for key in "abc":
        write_json(tmp_path / "models" / f"{key}.yaml", model_config(f"Model {key}"))
    rows = generated_run("r", ["a", "b", "c"], ["parametric", "rag_in_force"], 30)
    compare_models("r", frames(tmp_path, rows, answers_of(rows))[0], 200).to_csv(tmp_path / "c.csv", index=False)
    arguments = ["--comparison", str(tmp_path / "c.csv"), "--models-dir", str(tmp_path / "models")]
    table, markdown, _ = run_table(module.main, tmp_path, *arguments)
    assert len(table) == 6 and table["model"].tolist()[:2] == ["Model a", "Model a"] and set(module.COLUMNS) <= set(COLUMNS)
    assert len([line for line in markdown.splitlines() if line.startswith("| Model ")]) == 4  # header and three pairs
    assert "RAG In-force; the other settings are in the CSV" in markdown and "go by the clustered p" in markdown


def test_p_values_and_one_model(tmp_path):
    assert [module.p_value(p) for p in (0.0004, 0.0123, 1.0, float("nan"))] == ["<.001", "0.012", "1.000", ""]
    (tmp_path / "c.csv").write_text(",".join(COLUMNS) + "\n", encoding="utf-8")
    table, markdown, _ = run_table(module.main, tmp_path, "--comparison", str(tmp_path / "c.csv"), "--models-dir", str(tmp_path))
    assert table.empty and "there is no pair to compare" in markdown
