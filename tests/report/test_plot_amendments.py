from __future__ import annotations

import argparse
from pathlib import Path

import pandas as pd
import pytest
from report.amendment_files import COLUMNS, write_files

from inforce.report import plot_amendments as module


def table(*rows: tuple[str, str, float, float | str]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=COLUMNS)


def examples(arguments: list[str]) -> list[module.Example]:
    given = dict(zip(arguments[::2], arguments[1::2], strict=True))
    paths = {name[2:].replace("-", "_"): Path(value) for name, value in given.items()}
    return module.collect(argparse.Namespace(**paths | {"amended": given["--amended"], "labels": [paths["labels"]]}))


def test_the_most_typical_item_of_each_change_is_chosen() -> None:
    """Of three rule changes b is the middle one in distance and in gain; wording has one item; the unlabelled one is left out."""
    rows = table(("a", "rule", 0.1, 0.0), ("b", "rule", 0.2, 0.5), ("c", "rule", 0.9, 2.0), ("d", "wording", 0.3, 0.0), ("e", "", 0.2, 0.5))
    assert module.choose(rows, set()) == [("d", "wording"), ("b", "rule")]
    assert module.choose(rows, {"b", "d"})[0][1] == "rule" and module.choose(rows, {"b", "d"})[0][0] in "ac"


def test_without_labels_a_small_and_a_large_amendment() -> None:
    rows = table(("a", "", 0.1, ""), ("b", "", 0.2, ""), ("c", "", 0.8, ""), ("d", "", 0.9, ""))
    (first, _), (second, _) = module.choose(rows, set())
    assert first in "ab" and second in "cd"
    assert module.choose(rows[:1], set()) == [("a", "")]


def test_held_out_items_are_never_shown(tmp_path: Path) -> None:
    for split in ("test", "reserve"):
        assert examples(write_files(tmp_path, split=split)) == []
    assert len(examples(write_files(tmp_path, split="none"))) == 2
    assert len(examples(write_files(tmp_path, split="reserve", items_public=True))) == 2
    assert module.choose(table(), set()) == []


def test_both_texts_and_the_changed_words(tmp_path: Path) -> None:
    wording, rule = examples(write_files(tmp_path))
    assert wording.title.startswith("Wording only: Penal Code, 12 (d = 0.40") and "+1.00 points" in wording.title
    assert ("new", "dishonestly ") in wording.parts or ("new", " dishonestly") in wording.parts
    assert rule.title.startswith("Rule changed: ประมวลกฎหมายอาญา, 334") and rule.current == "Current text, since 2017-11-10"
    assert rule.in_force == "In force on the day of the decision, 2007-05-03"


def test_files_are_equal_for_equal_input(tmp_path: Path) -> None:
    given = write_files(tmp_path)
    for name in ("one", "two"):
        module.main([*given, "--png", f"{tmp_path}/{name}.png", "--svg", f"{tmp_path}/{name}.svg"])
    for form in ("png", "svg"):
        assert (tmp_path / f"one.{form}").read_bytes() == (tmp_path / f"two.{form}").read_bytes()


def test_nothing_to_show_is_a_figure_all_the_same(tmp_path: Path) -> None:
    given = write_files(tmp_path, split="test")
    module.main([*given, "--png", f"{tmp_path}/f.png", "--svg", f"{tmp_path}/f.svg"])
    assert (tmp_path / "f.png").stat().st_size > 1000


def test_a_script_without_a_font_is_said_in_words() -> None:
    figure = module.draw([module.Example("\U00012000", "a", "b", [("same", "x")])])
    assert "No font at hand has 1 of the letters of these texts (such as U+12000)" in figure.texts[0].get_text()


def test_a_missing_file_is_one_sentence(tmp_path: Path) -> None:
    given = write_files(tmp_path)
    (tmp_path / "amended.csv").unlink()
    with pytest.raises(SystemExit, match=r"amended\.csv does not exist"):
        module.main([*given, "--png", "p", "--svg", "s"])
