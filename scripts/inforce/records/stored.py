"""Lines of the response store, as all who read it take them: the stores of responses and of searches, and the audit.

A line counts if it is whole: canonical JSON with its end of line, and either `name`, `request` and `response`, where the name is the
sha256 of the request, or `name`, `query` and `version_uris`, the result of a search. Every other line is passed over. Of two lines that
count and have one name the first does, files taken in the order of their names. All files end in `.jsonl`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from inforce.records.files import canonical_json, sha256_json

RESPONSE_KEYS = {"name", "request", "response"}
SEARCH_KEYS = {"name", "query", "version_uris"}
BLOCK = 1 << 20  # bytes


class LineError(ValueError):
    """A line that does not count. The message is a clause that says why."""


def store_files(folder: Path) -> list[Path]:
    """The files of one model's store, in the order in which they are read; none where there is no folder."""
    return sorted(path for path in folder.glob("*.jsonl") if path.is_file())


def lines_of(folder: Path) -> Iterator[tuple[Path, int, bytes]]:
    """File, number from 1 and bytes, end of line included, of every line of a store that is not empty, also of those that do not count."""
    for path in store_files(folder):
        with path.open("rb") as handle:
            for number, data in enumerate(handle, start=1):
                if data.strip():
                    yield path, number, data


def read_line(data: bytes) -> dict[str, Any]:
    """The value of a line with its end. Raises LineError for one that does not count."""
    if not data.endswith(b"\n"):
        raise LineError("it was cut short")
    try:
        value = json.loads(data)
        is_canonical = canonical_json(value).encode() + b"\n" == data
    except (ValueError, RecursionError) as error:
        raise LineError(f"it is not a stored line ({type(error).__name__})") from error
    if not isinstance(value, dict) or not (_is_response(value) or _is_search(value)):
        raise LineError("it is not a stored response or search")
    if not is_canonical:
        raise LineError("it is not spelt as the store spells it (canonical JSON)")
    if "request" in value and not value["name"] == sha256_json(value["request"]) == value["response"].get("request_sha256"):
        raise LineError("its request does not have the name that it is stored under")
    return value


def _is_response(value: dict[str, Any]) -> bool:
    return value.keys() == RESPONSE_KEYS and isinstance(value["request"], dict) and isinstance(value["response"], dict)


def _is_search(value: dict[str, Any]) -> bool:
    uris = value.get("version_uris")
    texts = isinstance(uris, list) and all(isinstance(uri, str) for uri in uris)
    return value.keys() == SEARCH_KEYS and texts and isinstance(value["name"], str) and isinstance(value["query"], str)


def cut_torn_line(fd: int) -> int:
    """Cut off a last line that a kill left without an end; returns how many bytes it had. fd: open for reading and writing."""
    size = end = os.fstat(fd).st_size
    while end > 0:
        start = max(0, end - BLOCK)
        newline = os.pread(fd, end - start, start).rfind(b"\n")
        if newline >= 0:
            end = start + newline + 1
            break
        end = start
    if end < size:
        os.ftruncate(fd, end)
    return size - end
