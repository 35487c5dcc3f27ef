from report.paper_run import run_table, write_paper

from inforce.report import domain_table as module
from inforce.stats import domain_means


def test_domains_of_the_published_leaderboard(tmp_path):
    write_paper(tmp_path)
    domain_means.main(["--settings", str(tmp_path / "settings.csv"), "--out", str(tmp_path / "means.csv")])
    table, markdown, _ = run_table(module.main, tmp_path, "--means", str(tmp_path / "means.csv"), "--models-dir", str(tmp_path / "models"))
    assert len(table) == 18 and table["domain"].iloc[0] == "Natural Resources & Licensing" and table["domain"].iloc[-1] == "all"
    assert table.loc[0, ["items", "rag_in_force", "best_model", "best_score", "lowest_score"]].tolist() == [
        "84",
        "4.57",
        "Gemini 4 Argon",
        "8.04",
        "0.92",
    ]
    assert "28 models" in markdown and markdown.rstrip().splitlines()[-3].startswith("| All domains |")


def test_one_model_in_one_setting(tmp_path):
    write_paper(tmp_path, 1)
    text = (tmp_path / "settings.csv").read_text(encoding="utf-8").splitlines()
    (tmp_path / "settings.csv").write_text("\n".join(line for line in text if "force" not in line) + "\n", encoding="utf-8")
    domain_means.main(["--settings", str(tmp_path / "settings.csv"), "--out", str(tmp_path / "means.csv")])
    table, _, _ = run_table(module.main, tmp_path, "--means", str(tmp_path / "means.csv"), "--models-dir", str(tmp_path / "models"))
    assert table.loc[0, "best_score"] == table.loc[0, "lowest_score"] == table.loc[0, "parametric"] and table.loc[0, "rag_in_force"] == ""
