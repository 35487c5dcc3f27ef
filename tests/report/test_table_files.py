import argparse

import pandas as pd
import pytest

from inforce.report.table_files import add_table_arguments, write_table_files


def args_in(folder):
    parser = argparse.ArgumentParser()
    add_table_arguments(parser)
    return parser.parse_args([f"--{form}={folder / form}" for form in ("csv", "markdown", "latex")])


def test_three_forms_of_one_table(tmp_path):
    table = pd.DataFrame({"model": ["A_1"], "gain": [0.25]})
    write_table_files(args_in(tmp_path), table, ["Model", "Gain"], [["A_1", "+0.25*"]], "Points of ten.")
    assert (tmp_path / "csv").read_text() == "model,gain\nA_1,0.25\n"
    assert (tmp_path / "markdown").read_text() == "| Model | Gain |\n| :-- | --: |\n| A\\_1 | +0.25\\* |\n\nPoints of ten.\n"
    assert (tmp_path / "latex").read_text().splitlines() == [
        "% Points of ten.",
        r"\begin{tabular}{lr}",
        r"\toprule",
        r"Model & Gain \\",
        r"\midrule",
        r"A\_1 & +0.25$^{*}$ \\",
        r"\bottomrule",
        r"\end{tabular}",
    ]


def test_a_table_without_rows_keeps_header_and_note(tmp_path):
    write_table_files(args_in(tmp_path), pd.DataFrame(columns=["model"]), ["Model"], [], "Needs three samples.")
    assert (tmp_path / "csv").read_text() == "model\n"
    assert "Needs three samples." in (tmp_path / "markdown").read_text()


def test_a_ragged_row_is_refused_and_nothing_written(tmp_path):
    with pytest.raises(ValueError, match="row 0 has 1 cells, the header 2"):
        write_table_files(args_in(tmp_path), pd.DataFrame(), ["Model", "Gain"], [["A"]], "")
    assert not list(tmp_path.iterdir())
