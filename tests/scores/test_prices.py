from pathlib import Path

import pytest

from inforce.records.answers import Usage
from inforce.scores.prices import COLUMNS, cost_usd, price_of, read_prices

HEAD = ",".join(COLUMNS) + "\n"


def prices(tmp_path, *rows):
    path = tmp_path / "prices.csv"
    path.write_text(HEAD + "".join(f"{row}\n" for row in rows))
    return read_prices(path)


def usage(n_in, cached, out, reasoning=None):
    return Usage(input_tokens=n_in, cached_tokens=cached, output_tokens=out, reasoning_tokens=reasoning)


def test_cost_by_hand(tmp_path):
    price = prices(tmp_path, "m,2026-10-26,2,0.5,8,list")["m"]
    # 600 fresh x 2 + 400 cached x 0.5 + 200 x 8 = 1200 + 200 + 1600 = 3000 millionths; reasoning is part of the 200
    assert cost_usd(usage(1000, 400, 200, 150), price) == pytest.approx(0.003)
    # cached not reported: all 1000 are fresh, 2000 + 1600 = 3600 millionths
    assert cost_usd(usage(1000, None, 200), price) == pytest.approx(0.0036)
    assert cost_usd(usage(0, 0, 0), price) == 0


def test_what_is_not_known_is_null_and_never_zero(tmp_path):
    found = prices(tmp_path, "m,2026-01-01,2,,8,list", "n,2026-01-01,,1,8,list")
    assert cost_usd(usage(1000, 400, 200), None) is None
    assert cost_usd(usage(None, None, 200), found["m"]) is None
    assert cost_usd(usage(1000, 0, None), found["m"]) is None
    assert cost_usd(usage(1000, 400, 200), found["m"]) is None  # cached at an unknown price
    assert cost_usd(usage(1000, 0, 200), found["m"]) == pytest.approx(0.0036)
    assert cost_usd(usage(1000, 0, 200), found["n"]) is None


def test_more_cached_than_read_is_an_error(tmp_path):
    with pytest.raises(ValueError, match="5 cached tokens of 4"):
        cost_usd(usage(4, 5, 1), prices(tmp_path, "m,2026-01-01,1,1,1,list")["m"])


def test_the_latest_price_of_a_key_counts(tmp_path):
    found = prices(tmp_path, "m,2026-03-01,3,1,9,list", "m,2025-01-01,1,1,1,list", "n,2024-01-01,7,7,7,list")
    assert (found["m"].input_usd, found["n"].input_usd) == (3, 7)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("m,2026-02-30,1,1,1,x", r"line 2, valid_from: '2026-02-30'"),
        ("m,2026-01-01,one,1,1,x", r"line 2, input_usd_per_million: 'one'"),
        ("m,2026-01-01,1,-1,1,x", r"line 2, cached_usd_per_million: '-1'"),
        ("m,2026-01-01,1,1,nan,x", r"line 2, output_usd_per_million: 'nan'"),
        ("m,2026-01-01,1,1", r"line 2: expected a key and 6 fields"),
        (",2026-01-01,1,1,1,x", r"line 2: expected a key"),
        ("m,2026-01-01,1,1,1,x\nm,2026-01-01,2,1,1,x", r"line 3: a second price of m from 2026-01-01"),
    ],
)
def test_rows_that_cannot_be_read_are_named(tmp_path, row, message):
    with pytest.raises(ValueError, match=message):
        prices(tmp_path, row)


def test_other_columns_are_refused(tmp_path):
    (tmp_path / "prices.csv").write_text("key,price\n")
    with pytest.raises(ValueError, match="columns are"):
        read_prices(tmp_path / "prices.csv")


def test_a_key_that_the_file_lacks_is_an_error_with_the_nearest_one(tmp_path):
    found = prices(tmp_path, "claude,2026-01-01,1,1,1,x")
    assert price_of(None, found, "prices.csv") is None
    assert price_of("claude", found, "prices.csv") == found["claude"]
    with pytest.raises(ValueError, match=r"prices\.csv has no price 'cluade'; did you mean 'claude'\?"):
        price_of("cluade", found, "prices.csv")


def test_the_project_s_own_file_can_be_read():
    assert isinstance(read_prices(Path(__file__).parents[2] / "config" / "prices.csv"), dict)
