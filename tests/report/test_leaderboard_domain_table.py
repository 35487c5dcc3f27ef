from report.paper_run import run_table, write_paper
from stats.published_tables import published

from inforce.report import leaderboard_domain_table as module
from inforce.stats import domain_means


def test_every_cell_is_the_published_one(tmp_path):
    write_paper(tmp_path)
    domain_means.main(["--settings", str(tmp_path / "settings.csv"), "--out", str(tmp_path / "means.csv")])
    arguments = [
        "--settings",
        str(tmp_path / "settings.csv"),
        "--means",
        str(tmp_path / "means.csv"),
        "--models-dir",
        str(tmp_path / "models"),
    ]
    table, markdown, _ = run_table(module.main, tmp_path, *arguments)
    printed = published("table21_leaderboard_by_domain").set_index("model")
    rows = table.set_index("model")
    assert list(rows.index) == list(printed.index) and list(rows.columns[:2]) == ["Criminal", "Family & Succession"]
    for domain in printed.columns:
        assert rows[domain].astype(float).tolist() == printed[domain].astype(float).tolist()
    assert rows.columns[-1] == "overall" and "**7.78**" in markdown and "<u>7.54</u>" in markdown
