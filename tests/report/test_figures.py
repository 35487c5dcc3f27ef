import argparse

import matplotlib.pyplot as plt

from inforce.report import figures as module


def test_a_message_instead_of_nothing_in_equal_bytes(tmp_path):
    parser = argparse.ArgumentParser()
    module.add_figure_arguments(parser)
    for name in ("one", "two"):
        args = parser.parse_args(["--png", str(tmp_path / f"{name}.png"), "--svg", str(tmp_path / f"{name}.svg")])
        module.write_figure(args, lambda: module.message_figure("Nothing was run, at a cost of $ 0 and $ 1."), ["ชื่อ"])
    assert (tmp_path / "one.png").read_bytes() == (tmp_path / "two.png").read_bytes()
    svg = (tmp_path / "one.svg").read_text(encoding="utf-8")
    assert svg == (tmp_path / "two.svg").read_text(encoding="utf-8") and "<dc:date>" not in svg
    assert not plt.get_fignums()


def test_margins_grow_with_names_and_stop_at_half():
    figure = plt.figure(figsize=(8, 2))
    short, long = module.left_margin(figure, ["A"]), module.left_margin(figure, ["A much longer name of a model"])
    assert short < long < module.left_margin(figure, ["x" * 400]) == 0.5
    assert module.left_margin(figure, []) == 0.03
    assert module.plain("a $ b") == r"a \$ b" and module.text_width(figure, "WW") > module.text_width(figure, "ii")
    assert not figure.texts
    plt.close(figure)
