import matplotlib.pyplot as plt
import pytest
from report.paper_run import run_figure, write_paper

from inforce.report import plot_invented as module
from inforce.report.shown import read_numbers
from inforce.report.words import read_models


@pytest.mark.parametrize("n_models", [1, 28])
def test_equal_bytes(tmp_path, n_models):
    write_paper(tmp_path, n_models)
    run_figure(module.main, tmp_path, "--settings", str(tmp_path / "settings.csv"), "--models-dir", str(tmp_path / "models"))


def test_both_parts_add_up_and_what_is_unknown_says_so(tmp_path):
    write_paper(tmp_path)
    settings = read_numbers(tmp_path / "settings.csv", ["model", "setting", "domain", "metric"], ["value"])
    models = read_models(tmp_path / "models", settings["model"].unique())
    settings.loc[(settings["model"] == "gpt-6-1-sol") & settings["metric"].str.startswith("invented"), "value"] = float("nan")
    figure = module.draw(settings, models)
    axes = figure.axes[0]
    laws, sections = axes.containers
    assert laws[26].get_width() + sections[26].get_width() == pytest.approx(27.6) and sections[26].get_x() == pytest.approx(0.8 * 27.6)
    texts = [text.get_text() for text in axes.texts]
    assert texts[26] == "27.6 % of 3,000" and texts[27] == "no citation checked"
    figure = module.draw(settings[settings["setting"] != "parametric"], models)
    assert "Parametric was not run" in figure.texts[0].get_text()
    plt.close("all")
