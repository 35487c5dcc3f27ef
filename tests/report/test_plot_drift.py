from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import matplotlib.image
import numpy as np
import pandas as pd
import pytest

from inforce.report import plot_drift as module
from inforce.report.plot_drift import STATES, Bar, bars_of, drawable, width_of_bars

ROOT = Path(__file__).parents[2]
DEMO = ROOT / "config" / "jurisdictions" / "demo.yaml"


def years(*rows: tuple[str, float | None, int, int, int, int]) -> pd.DataFrame:
    frame = pd.DataFrame(rows, columns=["court", "year", *STATES, "unresolved"])
    frame["decisions"] = frame[list(STATES)].sum(axis=1)
    return frame


SMALL = years(("S", 1998, 1, 2, 0, 0), ("S", 1999, 3, 0, 1, 5), ("S", 2001, 0, 0, 4, 0), ("S", 2003, 0, 0, 0, 2), ("S", None, 1, 0, 0, 0))


def test_bars_add_up_and_nothing_is_drawn_for_nothing() -> None:
    assert bars_of(SMALL, 1) == [Bar(1998, (1, 2, 0)), Bar(1999, (3, 0, 1)), Bar(2001, (0, 0, 4)), Bar(None, (1, 0, 0))]
    assert bars_of(SMALL, 5) == [Bar(1995, (4, 2, 1)), Bar(2000, (0, 0, 4)), Bar(None, (1, 0, 0))]
    assert bars_of(SMALL, 10) == [Bar(1990, (4, 2, 1)), Bar(2000, (0, 0, 4)), Bar(None, (1, 0, 0))]


@pytest.mark.parametrize(
    ("first", "a_year", "width"),
    [(2010, 10, 1), (2010, 9, 5), (2010, 1, 10), (1935, 500, 5), (1700, 500, 10)],
)
def test_years_a_bar(first: int, a_year: int, width: int) -> None:
    assert width_of_bars(years(*(("S", year, a_year, 0, 0, 0) for year in range(first, 2026)))) == width


def test_a_name_that_the_font_lacks_is_a_number() -> None:
    assert drawable("Cour de cassation – $", 1) == r"Cour de cassation – \$"
    assert drawable("ศาลฎีกา", 2) == "ศาลฎีกา"
    assert drawable("𐎠𐎼𐎹", 2) == "Court 2"  # cuneiform
    assert drawable("", 3) == "Court 3"


def made(folder: Path, frame: pd.DataFrame, config: Path = DEMO) -> tuple[bytes, bytes]:
    frame.to_csv(folder / "y.csv", index=False)
    arguments = ["--by-year", str(folder / "y.csv"), "--jurisdiction-config", str(config)]
    module.main([*arguments, "--png", str(folder / "f.png"), "--svg", str(folder / "f.svg")])
    return (folder / "f.png").read_bytes(), (folder / "f.svg").read_bytes()


def test_equal_bytes_in_another_process_and_nothing_cut_off(tmp_path: Path) -> None:
    courts = [("Supreme Court", 1935), ("Court of Appeal for Specialised Cases", 2001)]
    rows = [(court, year, year % 7, year % 11, year % 3, 1) for court, first in courts for year in [*range(first, 2026)]]
    frame = years(*rows, ("Supreme Court", None, 1, 1, 0, 0))
    here = made(tmp_path, frame)
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "scripts"), "PYTHONHASHSEED": "5"}
    command = [sys.executable, "-m", "inforce.report.plot_drift", "--by-year", "y.csv", "--jurisdiction-config", str(DEMO)]
    subprocess.run([*command, "--png", "g.png", "--svg", "g.svg"], check=True, cwd=tmp_path, env=environment)
    assert ((tmp_path / "g.png").read_bytes(), (tmp_path / "g.svg").read_bytes()) == here
    assert b"<dc:date>" not in here[1] and b"<text" not in here[1]
    picture = matplotlib.image.imread(tmp_path / "f.png")[..., :3]
    assert picture.shape[1] == 1600
    edge = np.concatenate(
        [picture[:, :6].reshape(-1, 3), picture[:, -6:].reshape(-1, 3), picture[:6].reshape(-1, 3), picture[-6:].reshape(-1, 3)]
    )
    assert (edge == 1).all(), "something is cut off at an edge"
    # the areas of the three states are those of the mean shares of the bars
    colours = [tuple(round(int(colour[place : place + 2], 16) / 255, 2) for place in (1, 3, 5)) for colour in module.COLOURS.values()]
    drawn = [(np.abs(picture - colour) < 0.01).all(axis=2).sum() for colour in colours]
    bars = [bar for court, _ in courts for bar in bars_of(frame[frame["court"] == court], 5)]
    expected = [sum(bar.counts[number] / bar.decisions for bar in bars) / len(bars) for number in range(3)]
    assert [area / sum(drawn) for area in drawn] == pytest.approx(expected, abs=0.02)


def test_courts_without_a_resolved_citation(tmp_path: Path) -> None:
    made(tmp_path, years(("S", 2000, 0, 0, 0, 3)))
    made(tmp_path, years(("S", 2000, 1, 0, 0, 0), ("A", 2000, 0, 0, 0, 3)))
    made(tmp_path, years(("S", None, 1, 0, 0, 0)))


def test_a_name_from_the_configuration(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    frame = years(("𐎠𐎼𐎹", 2000, 1, 0, 0, 0))
    made(tmp_path, frame)
    assert "𐎠𐎼𐎹: no font at hand has all of these letters, the figure says Court 1" in capsys.readouterr().out
    config = tmp_path / "named.yaml"
    config.write_text(DEMO.read_text(encoding="utf-8") + "court_names: {𐎠𐎼𐎹: Persian Court}\n", encoding="utf-8")
    made(tmp_path, frame, config)
    assert capsys.readouterr().out == ""


def test_nothing_to_draw_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="has no rows; nothing to draw"):
        made(tmp_path, SMALL.iloc[:0])
