"""config/prices.csv: dated list prices of tokens, and what an answer would have cost to buy (NitiBench+ §7.3)."""

from __future__ import annotations

import csv
import datetime as dt
import math
from pathlib import Path
from typing import NamedTuple

from inforce.config.load import nearest
from inforce.records.answers import Usage

COLUMNS = ["key", "valid_from", "input_usd_per_million", "cached_usd_per_million", "output_usd_per_million", "source"]


class Price(NamedTuple):
    """US dollars for a million tokens; null = not known."""

    valid_from: dt.date
    input_usd: float | None
    cached_usd: float | None
    output_usd: float | None


def read_prices(path: Path | str) -> dict[str, Price]:
    """The latest price of each key. Raises ValueError that names the row and column of what cannot be read."""
    latest: dict[str, Price] = {}
    with open(path, encoding="utf-8", newline="") as handle:
        reader = csv.DictReader(handle, strict=True)
        if reader.fieldnames != COLUMNS:
            raise ValueError(f"{path}: columns are {reader.fieldnames}, expected {COLUMNS}")
        seen = set()
        for row in reader:
            where = f"{path}, line {reader.line_num}"
            if None in row or None in row.values() or not row["key"]:
                raise ValueError(f"{where}: expected a key and {len(COLUMNS)} fields")
            price = Price(_day(row["valid_from"], where), *(_amount(row[column], column, where) for column in COLUMNS[2:5]))
            if (row["key"], price.valid_from) in seen:
                raise ValueError(f"{where}: a second price of {row['key']} from {price.valid_from}; keep one row a key and day")
            seen.add((row["key"], price.valid_from))
            if row["key"] not in latest or latest[row["key"]].valid_from < price.valid_from:
                latest[row["key"]] = price
    return latest


def price_of(key: str | None, prices: dict[str, Price], path: Path | str) -> Price | None:
    """The price that a model file names; null if it names none. Raises ValueError for a key that the file lacks."""
    if key is None or key in prices:
        return prices.get(key or "")
    near = nearest(key, list(prices))
    raise ValueError(
        f"{path} has no price {key!r}{f'; did you mean {near!r}?' if near else ''}; add a row, or set price: null in the model file"
    )


def cost_usd(usage: Usage, price: Price | None) -> float | None:
    """((input - cached) x input price + cached x cached price + output x output price) / 1e6, in US dollars.

    Reasoning tokens are part of the output. Cached tokens that are not reported count as none. Null, never 0, if the price or the input
    or output tokens are not known, or if tokens were cached and their price is not known.
    Raises ValueError if more tokens were cached than read.
    """
    if price is None or usage.input_tokens is None or usage.output_tokens is None or price.input_usd is None or price.output_usd is None:
        return None
    cached = usage.cached_tokens or 0
    if cached > usage.input_tokens:
        raise ValueError(f"{cached} cached tokens of {usage.input_tokens} input tokens: cached tokens are part of the input")
    if cached and price.cached_usd is None:
        return None
    fresh = usage.input_tokens - cached
    return (fresh * price.input_usd + cached * (price.cached_usd or 0.0) + usage.output_tokens * price.output_usd) / 1e6


def _day(text: str, where: str) -> dt.date:
    try:
        return dt.date.fromisoformat(text)
    except ValueError as error:
        raise ValueError(f"{where}, valid_from: {text!r} is not a day such as 2026-10-26") from error


def _amount(text: str, column: str, where: str) -> float | None:
    if not text.strip():
        return None
    try:
        amount = float(text)
    except ValueError:
        amount = -1.0
    if not (math.isfinite(amount) and amount >= 0):
        raise ValueError(f"{where}, {column}: {text!r} is not an amount of US dollars; leave it empty if it is not known")
    return amount
