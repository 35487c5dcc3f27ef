import matplotlib.pyplot as plt
import pandas as pd
import pytest
from report.paper_run import run_figure
from stats.test_score_by_citations import planted

from inforce.report import plot_score_by_f1 as module
from inforce.report.shown import read_numbers
from inforce.stats import score_by_citations


def made(folder, n_models):
    frame = planted(60, tuple(f"m{n:02d}" for n in range(n_models)))
    frame = frame.assign(score=frame["score"].clip(0, 10))
    bins, weights = score_by_citations.score_by_citations("r", frame, 200)
    bins.to_csv(folder / "b.csv", index=False)
    weights.to_csv(folder / "w.csv", index=False)
    return ["--bins", str(folder / "b.csv"), "--weights", str(folder / "w.csv")]


@pytest.mark.parametrize("n_models", [1, 28])
def test_equal_bytes(tmp_path, n_models):
    run_figure(module.main, tmp_path, *made(tmp_path, n_models))


def test_lines_rise_and_words(tmp_path):
    made(tmp_path, 3)
    bins = read_numbers(tmp_path / "b.csv", ["setting", "model", "bin"], ["value", "low", "high", "n"])
    weights = read_numbers(tmp_path / "w.csv", ["setting", "statistic"], ["value", "low", "high"])
    figure = module.draw(bins, weights)
    axes = figure.axes[0]
    assert sum(line.get_color() == "#b5b5b5" for line in axes.lines) == 3
    value = weights.set_index("statistic")["value"]
    assert axes.texts[0].get_text().startswith(f"{value['rise']:+.1f} points")
    assert f"together {100 * value['share_both']:.0f} %" in figure.texts[0].get_text()
    assert f"recall {value['weight_recall']:.2f}" in figure.texts[0].get_text()
    assert module.BINS == score_by_citations.BINS
    renderer = figure.canvas.get_renderer()
    assert all(text.get_window_extent(renderer).x1 < figure.bbox.x1 for text in figure.texts), "cut off"
    plt.close(figure)


def test_nobody_cites(tmp_path):
    for name, columns in (("b", score_by_citations.BIN_COLUMNS), ("w", score_by_citations.WEIGHT_COLUMNS)):
        pd.DataFrame(columns=columns).to_csv(tmp_path / f"{name}.csv", index=False)
    run_figure(module.main, tmp_path, "--bins", str(tmp_path / "b.csv"), "--weights", str(tmp_path / "w.csv"))
