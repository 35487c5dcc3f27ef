import datetime as dt

import pytest

from inforce.records.tables import LAWS, read_frame, read_rows, write_csv, write_table

ROW = {
    "law_code": "SALE",
    "name": "Sales Act",
    "aliases": ["SA"],
    "kind": "act",
    "enacted": dt.date(1909, 1, 1),
    "repealed_on": None,
    "is_active": True,
}


def test_rows_read_back_and_equal_rows_are_equal_bytes(tmp_path):
    write_table(tmp_path / "a.parquet", [ROW], LAWS)
    write_table(tmp_path / "b.parquet", [dict(reversed(ROW.items()))], LAWS)
    assert read_rows(tmp_path / "a.parquet", LAWS) == [ROW]
    assert (tmp_path / "a.parquet").read_bytes() == (tmp_path / "b.parquet").read_bytes()


@pytest.mark.parametrize("row", [{**ROW, "extra": 1}, {key: value for key, value in ROW.items() if key != "kind"}])
def test_a_wrong_column_is_refused(tmp_path, row):
    with pytest.raises(ValueError, match="row 0"):
        write_table(tmp_path / "a.parquet", [row], LAWS)


def test_csv_is_fixed_and_unknown_is_empty(tmp_path):
    write_table(tmp_path / "a.parquet", [ROW], LAWS)
    frame = read_frame(tmp_path / "a.parquet", LAWS)[["law_code", "repealed_on"]].assign(value=[1 / 3])
    write_csv(tmp_path / "a.csv", frame)
    assert (tmp_path / "a.csv").read_bytes() == b"law_code,repealed_on,value\nSALE,,0.333333\n"
