import pandas as pd
from report.paper_run import run_table
from report.small_run import model_config, write_json

from inforce.report import post_training_table as module

HEADER = "run,model,base,setting,metric,value,base_value,difference,low,high,n_clusters\n"


def arguments(folder):
    return ["--pairs", str(folder / "p.csv"), "--models-dir", str(folder / "models")]


def test_base_first_then_what_was_trained_from_it(tmp_path):
    for key, name in (("base", "Base 8B"), ("thai", "Thai 8B"), ("legal", "Legal 8B")):
        write_json(tmp_path / "models" / f"{key}.yaml", model_config(name))
    lines = [
        "r,thai,base,parametric,score,1.66,1.15,0.51,0.4,0.6,9",
        "r,thai,base,rag_in_force,score,2.45,1.62,0.83,-0.1,0.9,9",
        "r,thai,base,rag_in_force,citation_f1,0.335,0.251,0.084,0.05,0.1,9",
        "r,thai,base,rag_in_force,searches,4.7,2.9,1.8,,,1",
        "r,legal,base,parametric,score,1.1,1.15,-0.05,-0.1,-0.01,9",
        "r,legal,base,rag_in_force,score,1.72,1.62,0.1,0.004,0.2,9",  # printed as +0.00, and yet above zero
    ]
    (tmp_path / "p.csv").write_text(HEADER + "\n".join(lines) + "\n", encoding="utf-8")
    table, markdown, latex = run_table(module.main, tmp_path, *arguments(tmp_path))
    assert table["model"].tolist() == ["Base 8B", "Thai 8B", "Legal 8B"] and table["base"].tolist() == ["", "Base 8B", "Base 8B"]
    assert table.loc[1, ["citation_f1", "difference_citation_f1", "interval_citation_f1"]].tolist() == [
        "0.335",
        "+0.084",
        "[+0.050, +0.100]",
    ]
    rows = markdown.splitlines()
    assert rows[2] == "| Base 8B | 1.15 |  | 1.62 | 0.251 | 2.9 |"
    assert rows[3] == r"| ↪ Thai 8B | 1.66 (+0.51\*) |  | 2.45 (+0.83) | 0.335 (+0.084\*) | 4.7 (+1.8) |"
    assert table.loc[2, ["interval_rag_in_force", "star_rag_in_force"]].tolist() == ["[+0.00, +0.20]", "*"]
    assert rows[4].startswith(r"| ↪ Legal 8B | 1.10 (−0.05\*) |  | 1.72 (+0.10\*) |") and r"$\hookrightarrow$" in latex


def test_no_base_no_rows(tmp_path):
    (tmp_path / "p.csv").write_text(HEADER, encoding="utf-8")
    table, markdown, _ = run_table(module.main, tmp_path, *arguments(tmp_path))
    assert list(table.columns) == module.COLUMNS and table.empty and "No model of this run names a base" in markdown
    assert pd.read_csv(tmp_path / "out.csv").empty
