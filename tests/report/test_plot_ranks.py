import matplotlib.pyplot as plt
import pandas as pd
import pytest
from report.paper_run import run_figure, write_paper

from inforce.report import plot_ranks as module
from inforce.report.shown import read_numbers
from inforce.report.words import read_models
from inforce.stats import outside_index


def made(folder, n_models, indexes=("General index",)):
    keys = write_paper(folder, max(1, n_models))
    rows = [
        (key, index, 90 - 7 * number % 13 - number, "2026-11-03", "s") for index in indexes for number, key in enumerate(keys[:n_models])
    ]
    pd.DataFrame(rows, columns=outside_index.INPUT).to_csv(folder / "i.csv", index=False)
    files = ["--ranks", str(folder / "r.csv"), "--correlations", str(folder / "c.csv")]
    outside_index.main(["--settings", str(folder / "settings.csv"), "--index", str(folder / "i.csv"), *files])
    return [*files, "--models-dir", str(folder / "models")]


@pytest.mark.parametrize("n_models", [0, 1, 28])
def test_equal_bytes(tmp_path, n_models):
    run_figure(module.main, tmp_path, *made(tmp_path, n_models))


def test_labels_on_both_sides_and_nothing_cut_off(tmp_path):
    made(tmp_path, 13, ("General index", "Another one"))
    ranks = read_numbers(tmp_path / "r.csv", ["setting", "index", "model", "date"], ["index_rank", "score_rank"])
    correlations = read_numbers(tmp_path / "c.csv", ["index", "among"], ["spearman", "n_models"])
    figure = module.draw(ranks, correlations, read_models(tmp_path / "models", ranks["model"].unique()))
    assert len(figure.axes) == 2
    renderer = figure.canvas.get_renderer()
    for axes in figure.axes:
        assert len(axes.texts) == 26 and "(13 models), first 8" in axes.get_title()
        for text in axes.texts:
            box = text.get_window_extent(renderer)
            assert box.x0 >= 0 and box.x1 <= figure.bbox.x1, text.get_text()
    assert figure.texts[0].get_text() == "General index, 2026-11-03 (left) and RAG In-force (right)"
    plt.close(figure)


def test_equal_ranks_have_a_line_each():
    assert module._places(pd.Series([2.0, 1.0, 2.0])) == [1, 0, 2]
