import pytest
from report.paper_run import run_table, write_paper
from stats.published_tables import published

from inforce.report import model_domain_table as module
from inforce.stats import domain_means


@pytest.mark.parametrize("n_models", [1, 28])
def test_every_cell_is_the_published_one(tmp_path, n_models):
    write_paper(tmp_path, n_models)
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
    assert len(rows) == n_models + 1 and rows.index[-1] == module.MEAN and rows.index[0] == "Claude Fable 5.1"
    for name in rows.index[:-1]:
        assert all(float(rows.loc[name, domain]) == float(printed.loc[name, domain]) for domain in rows.columns if domain != "all")
    if n_models == 28:
        assert list(rows.columns[1:3]) == ["Natural Resources & Licensing", "Public Law"] and rows.columns[-1] == "Public Personnel"
        assert rows.loc[module.MEAN, "Public Personnel"] == "3.83"
    assert "| Model | All |" in markdown
