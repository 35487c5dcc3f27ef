import matplotlib.pyplot as plt
import pytest
from report.paper_run import run_figure, write_paper

from inforce.report import plot_cost as module
from inforce.report.shown import read_numbers
from inforce.report.words import read_models
from inforce.stats import pareto_front


def made(folder, **options):
    write_paper(folder, **options)
    pareto_front.main(["--settings", str(folder / "settings.csv"), "--out", str(folder / "front.csv")])
    return ["--front", str(folder / "front.csv"), "--models-dir", str(folder / "models")]


@pytest.mark.parametrize("n_models", [1, 28])
def test_equal_bytes(tmp_path, n_models):
    run_figure(module.main, tmp_path, *made(tmp_path, n_models=n_models))


def test_log_axis_front_and_who_is_not_placed(tmp_path):
    made(tmp_path)
    front = read_numbers(tmp_path / "front.csv", ["model", "setting", "on_front"], ["cost_usd", "score"])
    front.loc[front["model"] == "muse-spark-1-3", ["cost_usd", "on_front"]] = [float("nan"), ""]
    figure = module.draw(front, read_models(tmp_path / "models", front["model"]))
    axes = figure.axes[0]
    assert axes.get_xscale() == "log" and axes.get_xlim()[0] > 0
    words = [text.get_text() for text in figure.texts]
    assert words == ["Not placed, cost or score not known, or free: Muse Spark 1.3, THaLLE 0.2 8B, Qwen3-8B."]
    labels = [text.get_text() for text in axes.texts]
    assert len(labels) == 25 and "Muse Spark 1.3" not in labels
    (line,) = (line for line in axes.lines if line.get_label() == "Pareto front")
    costs, scores = line.get_data()
    assert list(costs) == sorted(costs) and list(scores) == sorted(scores) and len(costs) == 7
    plt.close(figure)


def test_no_prices_say_so(tmp_path):
    front = made(tmp_path, n_models=2, prices=False)
    run_figure(module.main, tmp_path, *front)
    frame = read_numbers(tmp_path / "front.csv", ["model", "setting", "on_front"], ["cost_usd", "score"])
    figure = module.draw(frame, {})
    assert "config/prices.csv" in figure.texts[0].get_text()
    plt.close(figure)
