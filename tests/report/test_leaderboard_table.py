from report.paper_run import run_table, write_paper
from stats.published_tables import published

from inforce.report import leaderboard_table as module


def test_the_published_leaderboard(tmp_path):
    """Swapped precision and recall, or a model in another place, would be seen here."""
    write_paper(tmp_path)
    arguments = [
        "--settings",
        str(tmp_path / "settings.csv"),
        "--ranks",
        str(tmp_path / "ranks.csv"),
        "--models-dir",
        str(tmp_path / "models"),
    ]
    table, markdown, _ = run_table(module.main, tmp_path, *arguments)
    printed = published("table17_leaderboard").astype(str)
    same = ["rank", "model", "rag_in_force", "parametric", "gold_in_force", "f1", "precision", "recall"]
    found, expected = table[same].copy(), printed[same].copy()
    for column in same[2:]:
        found[column], expected[column] = found[column].astype(float), expected[column].astype(float)
    assert found.to_numpy().tolist() == expected.to_numpy().tolist()
    assert table.loc[1, ["rank_low", "rank_high", "interval"]].tolist() == ["1", "3", "[7.34, 7.74]"]
    assert "| Claude Fable 5.1 | 1 | 1–2 | Proprietary | **7.78** |" in markdown and "Sorted by RAG In-force" in markdown


def test_one_model(tmp_path):
    write_paper(tmp_path, 1)
    arguments = [
        "--settings",
        str(tmp_path / "settings.csv"),
        "--ranks",
        str(tmp_path / "ranks.csv"),
        "--models-dir",
        str(tmp_path / "models"),
    ]
    table, markdown, _ = run_table(module.main, tmp_path, *arguments)
    assert len(table) == 1 and "**" not in markdown.splitlines()[2]
