from report.paper_run import run_table
from report.small_run import model_config, write_json

from inforce.report import contamination_table as module
from inforce.stats.contamination import COLUMNS, NO_DAY, NO_SPLITS


def test_both_checks_in_one_row_and_reasons_below(tmp_path):
    for key in ("m", "n"):
        write_json(tmp_path / "models" / f"{key}.yaml", model_config(f"Model {key}"))
    lines = [
        "r,m,rag_in_force,split_gap,0.42,0.3,0.5,*,5.5,5.08,498,500,2025-01-31,",
        "r,m,rag_in_force,cutoff_gap,-0.2,-0.4,0.1,,5,5.2,40,900,2025-01-31,",
        f"r,n,rag_in_force,split_gap,,,,,,,,,,{NO_SPLITS}",
        f"r,n,rag_in_force,cutoff_gap,,,,,,,,,,{NO_DAY}",
    ]
    (tmp_path / "c.csv").write_text(",".join(COLUMNS) + "\n" + "\n".join(lines) + "\n", encoding="utf-8")
    table, markdown, _ = run_table(module.main, tmp_path, "--checks", str(tmp_path / "c.csv"), "--models-dir", str(tmp_path / "models"))
    assert table.loc[0, ["split_gap", "interval_split_gap", "n_first_split_gap", "cutoff_gap"]].tolist() == [
        "+0.42*",
        "[+0.30, +0.50]",
        "498",
        "-0.20",
    ]
    assert table.loc[1, ["split_gap", "why_split_gap", "why_cutoff_gap"]].tolist() == ["", NO_SPLITS, NO_DAY]
    rows = markdown.splitlines()
    assert (
        rows[2]
        == r"| Model m | RAG In-force | 5.50 (498) | 5.08 (500) | +0.42\* | [+0.30, +0.50] | 2025-01-31 | 5.00 (40) | 5.20 (900) | −0.20 | [−0.40, +0.10] |"
    )
    assert rows[3] == "| Model n | RAG In-force | – | – | – |  | – | – | – | – |  |"
    assert f"Not computed (–): {NO_DAY}; {NO_SPLITS}." in markdown
