from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from inforce.report.words import ReportError, amount, cells_of, fixed, latex, markdown, read_csv, read_models, signed


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (4.5, 2, "4.50"),
        (0.0004, 2, "0.00"),
        (-0.001, 2, "0.00"),
        (-0.02, 2, "-0.02"),
        (None, 2, ""),
        (float("nan"), 1, ""),
        (float("inf"), 1, ""),
    ],
)
def test_fixed(value: float | None, digits: int, text: str) -> None:
    assert fixed(value, digits) == text


def test_signed_keeps_the_sign_of_a_value_that_rounds_to_zero() -> None:
    assert signed(0.451, star="*") == "+0.45*"
    assert signed(-0.002) == "-0.00"
    assert signed(-1.5, minus="−") == "−1.50"
    assert signed(None) == signed(float("nan")) == ""


def test_markdown_escapes_what_would_be_markup() -> None:
    text = markdown(["Model", "A|B"], [["a_b*|<img>\nc", "1"]])
    assert text.splitlines() == ["| Model | A\\|B |", "| :-- | --: |", "| a\\_b\\*\\|&lt;img> c | 1 |"]


def test_latex_escapes_what_would_be_markup() -> None:
    assert r"50\% of a\_b\textbackslash{} & $-$1$^{*}$ \\" in latex(["Model", "x"], [["50% of a_b\\", "−1*"]])


def test_read_csv_knows_empty_numbers_from_empty_text(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("model,value,star\nNA,,\nm,1.5,*\n", encoding="utf-8")
    frame = read_csv(tmp_path / "t.csv", ["model", "value"])
    assert list(frame["model"]) == ["NA", "m"] and list(frame["star"]) == ["", "*"]  # a model may be called NA
    assert frame["value"].isna().tolist() == [True, False]
    with pytest.raises(ReportError, match=r"t\.csv has no column low"):
        read_csv(tmp_path / "t.csv", ["low"])
    with pytest.raises(ReportError, match="does not exist"):
        read_csv(tmp_path / "none.csv", [])
    (tmp_path / "empty.csv").write_text("", encoding="utf-8")
    with pytest.raises(ReportError, match="is empty"):
        read_csv(tmp_path / "empty.csv", [])


def test_two_rows_of_one_key_are_refused() -> None:
    with pytest.raises(ReportError, match="two rows of the same model, setting"):
        cells_of(pd.DataFrame({"model": ["m", "m"], "setting": ["s", "s"], "value": [1, 2]}), ["model", "setting"])


def test_a_missing_model_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ReportError, match=r"lost\.yaml does not exist"):
        read_models(tmp_path, ["lost"])
    assert read_models(tmp_path, ["all"]) == {}


@pytest.mark.parametrize(
    ("value", "text"), [(0.00042, "0.00042"), (0.000996, "0.001"), (0.000096, "0.000096"), (0.0, "0.000"), (1.5, "1.500"), (None, "")]
)
def test_an_amount_that_is_not_zero_does_not_read_zero(value: float | None, text: str) -> None:
    assert amount(value, 3) == text
