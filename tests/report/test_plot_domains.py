import matplotlib.pyplot as plt
import pytest
from report.paper_run import run_figure, write_paper

from inforce.report import plot_domains as module
from inforce.report.shown import read_numbers
from inforce.report.words import read_models
from inforce.stats import domain_means


def made(folder, n_models):
    write_paper(folder, n_models)
    domain_means.main(["--settings", str(folder / "settings.csv"), "--out", str(folder / "means.csv")])
    return ["--settings", str(folder / "settings.csv"), "--means", str(folder / "means.csv"), "--models-dir", str(folder / "models")]


def frames(folder):
    settings = read_numbers(folder / "settings.csv", ["model", "setting", "domain", "metric"], ["value"])
    return (
        settings,
        read_numbers(folder / "means.csv", ["setting", "domain"], ["mean"]),
        read_models(folder / "models", settings["model"].unique()),
    )


@pytest.mark.parametrize("n_models", [1, 28])
def test_equal_bytes(tmp_path, n_models):
    run_figure(module.main, tmp_path, *made(tmp_path, n_models))


def test_rows_columns_and_every_score(tmp_path):
    made(tmp_path, 28)
    figure = module.draw(*frames(tmp_path))
    axes = figure.axes[0]
    assert axes.get_yticklabels()[0].get_text() == "Claude Fable 5.1"
    columns = [label.get_text() for label in axes.get_xticklabels()]
    assert columns[0] == "Natural Resources & Licensing" and columns[-1] == "Public Personnel" and len(axes.texts) == 28 * 17
    assert axes.texts[0].get_text() == "8.0"
    plt.close(figure)


def test_a_missing_score_is_a_dash_and_none_at_all_a_sentence(tmp_path):
    made(tmp_path, 2)
    settings, means, models = frames(tmp_path)
    hole = (settings["domain"] == "Labor") & (settings["model"] == "claude-fable-5-1")
    figure = module.draw(settings.assign(value=settings["value"].mask(hole)), means, models)
    assert [text.get_text() for text in figure.axes[0].texts].count("–") == 1
    empty = module.draw(settings.assign(value=float("nan")), means, models)
    assert empty.texts[0].get_text() == "No domain of this run has a score."
    plt.close("all")
