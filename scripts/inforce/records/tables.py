"""Tables on disk: fixed columns, types, row order and bytes (DESIGN §2)."""

from __future__ import annotations

import io
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from inforce.records.files import write_bytes, write_text

LAWS = pa.schema(
    [
        ("law_code", pa.string()),
        ("name", pa.string()),
        ("aliases", pa.list_(pa.string())),
        ("kind", pa.string()),
        ("enacted", pa.date32()),
        ("repealed_on", pa.date32()),
        ("is_active", pa.bool_()),  # on the corpus date
    ]
)
SECTIONS = pa.schema(
    [
        ("version_uri", pa.string()),
        ("section_uri", pa.string()),
        ("law_code", pa.string()),
        ("label", pa.string()),
        ("component_type", pa.string()),
        ("valid_from", pa.date32()),
        ("valid_to", pa.date32()),
        ("date_status", pa.string()),  # exact | derived | unknown
        ("begun_by", pa.date32()),  # of an unknown start only: in force from this day on at the latest; null = nothing bounds it
        ("text", pa.string()),
        ("text_sha256", pa.string()),
        ("source", pa.string()),
    ]
)
CITATION_SCORES = pa.schema(  # one row a citation that a model made
    [
        ("run", pa.string()),
        ("model", pa.string()),
        ("setting", pa.string()),
        ("sample", pa.int32()),
        ("item_id", pa.string()),
        ("sub_question", pa.int32()),
        ("position", pa.int32()),
        ("cited", pa.string()),  # as the model wrote it, canonical JSON
        ("law_code", pa.string()),
        ("section_key", pa.string()),  # {law_code}/{base label}; null if not resolved
        ("version_uri", pa.string()),
        # exact | stale | future | wrong_section | nonexistent | undecidable | background; null where the sub-question has no gold
        ("version_class", pa.string()),
        ("is_hit", pa.bool_()),
        ("is_checked", pa.bool_()),  # counts in the invented-citation rate (§7.5)
        ("invented", pa.string()),  # law | section | null
    ]
)
SCORES = pa.schema(  # one row a sub-question
    [
        ("run", pa.string()),
        ("model", pa.string()),
        ("setting", pa.string()),
        ("sample", pa.int32()),
        ("item_id", pa.string()),
        ("sub_question", pa.int32()),
        ("domain", pa.string()),
        ("drift_band", pa.string()),
        ("cluster", pa.string()),
        ("answer_status", pa.string()),
        ("panel_status", pa.string()),
        ("score", pa.float64()),  # panel median, 0-10; null unless the panel is full
        ("seat_scores", pa.list_(pa.float64())),  # in the order of the panel; null = that seat gave none
        ("seat_tiers", pa.list_(pa.string())),
        ("agrees_with_court", pa.bool_()),  # majority of a full panel's tiers
        ("lexical_score", pa.float64()),
        ("citation_precision", pa.float64()),  # null where the gold has no resolvable citation
        ("citation_recall", pa.float64()),
        ("citation_f1", pa.float64()),
        ("n_gold", pa.int32()),
        ("n_cited", pa.int32()),
        ("n_checked", pa.int32()),
        ("n_invented_law", pa.int32()),
        ("n_invented_section", pa.int32()),
        ("n_exact", pa.int32()),
        ("n_stale", pa.int32()),
        ("n_future", pa.int32()),
        ("n_wrong_section", pa.int32()),
        ("n_nonexistent", pa.int32()),
    ]
)
ITEM_SCORES = pa.schema(  # one row an item: what is counted once an answer and not once a sub-question
    [
        ("run", pa.string()),
        ("model", pa.string()),
        ("setting", pa.string()),
        ("sample", pa.int32()),
        ("item_id", pa.string()),
        ("domain", pa.string()),
        ("drift_band", pa.string()),
        ("cluster", pa.string()),
        ("status", pa.string()),
        ("n_searches", pa.int32()),
        ("n_tool_call_errors", pa.int32()),
        ("input_tokens", pa.int64()),
        ("cached_tokens", pa.int64()),
        ("output_tokens", pa.int64()),
        ("reasoning_tokens", pa.int64()),
        ("cost_usd", pa.float64()),  # null = no price known
    ]
)


def write_table(path: Path | str, rows: list[dict[str, object]], schema: pa.Schema) -> None:
    """Write rows in the order given as parquet; equal rows are equal bytes under one pyarrow version.

    Raises ValueError for a row with a missing or an unknown column: a typo must not become a column of nulls.
    """
    names = set(schema.names)
    for number, row in enumerate(rows):
        if row.keys() != names:
            raise ValueError(f"{path}, row {number}: columns differ from the schema: {sorted(row.keys() ^ names)}")
    table = pa.Table.from_pylist(rows, schema=schema)
    out = io.BytesIO()
    pq.write_table(table, out, compression="zstd", store_schema=False)
    write_bytes(path, out.getvalue())


def read_rows(path: Path | str, schema: pa.Schema) -> list[dict[str, object]]:
    """All rows as dictionaries, dates as `datetime.date`, nulls as None. Raises ValueError if the columns differ from the schema."""
    table = pq.read_table(path)
    if table.schema.names != schema.names:
        raise ValueError(f"{path}: columns are {table.schema.names}, expected {schema.names}")
    rows: list[dict[str, object]] = table.cast(schema).to_pylist()
    return rows


def read_frame(path: Path | str, schema: pa.Schema) -> pd.DataFrame:
    """The same as a data frame with nullable types, for statistics."""
    table = pq.read_table(path)
    if table.schema.names != schema.names:
        raise ValueError(f"{path}: columns are {table.schema.names}, expected {schema.names}")
    frame: pd.DataFrame = table.cast(schema).to_pandas(types_mapper=_nullable)
    return frame


def write_csv(path: Path | str, frame: pd.DataFrame, float_format: str = "%.6g") -> None:
    """Write a table for people: fixed float format, empty for unknown, no index, LF line ends."""
    write_text(path, frame.to_csv(index=False, float_format=float_format, lineterminator="\n"))


def _nullable(kind: pa.DataType) -> object:
    return {
        pa.int32(): pd.Int32Dtype(),
        pa.int64(): pd.Int64Dtype(),
        pa.float64(): pd.Float64Dtype(),
        pa.bool_(): pd.BooleanDtype(),
        pa.string(): pd.StringDtype(),
    }.get(kind)
