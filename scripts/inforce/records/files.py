"""Bytes on disk: files written whole or not at all, and one spelling for equal content (DESIGN §2, §5.6)."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any


def canonical_json(value: Any) -> str:
    """One spelling for equal content: sorted keys, no spare space, no ASCII escapes, no NaN.

    Raises ValueError for NaN and infinities, which have no JSON spelling.
    """
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def sha256_text(text: str) -> str:
    """Lower-case hex sha256 of the text's UTF-8 bytes."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def sha256_json(value: Any) -> str:
    """The name of a JSON value: sha256 of its canonical spelling."""
    return sha256_text(canonical_json(value))


def sha256_file(path: Path | str) -> str:
    """Lower-case hex sha256 of a file's bytes, read in blocks."""
    digest = hashlib.sha256()
    with open(path, "rb") as handle:
        while block := handle.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def write_bytes(path: Path | str, data: bytes) -> None:
    """Write beside the name, fsync, rename: a reader sees the old file or the new one, never half of one."""
    path = Path(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, beside = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    except OSError as error:
        raise SystemExit(f"{path} cannot be written: {error.strerror or error}") from error
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        Path(beside).chmod(0o666 & ~_umask())
        Path(beside).replace(path)
    except BaseException:
        Path(beside).unlink(missing_ok=True)
        raise


def write_text(path: Path | str, text: str) -> None:
    """`write_bytes` of the text as UTF-8."""
    write_bytes(path, text.encode("utf-8"))


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current


def braced(paths: Sequence[str]) -> str:
    """Paths as one word that bash expands to them in this order, each folder named once: `a/{b,c/{d,e}}`.

    A command may have 128 KiB, and the names of a full run's files have more. Paths of one folder stand together; no path has a brace.
    """
    tree: dict[str, Any] = {}
    for path in paths:
        node = tree
        for part in path.split("/"):
            node = node.setdefault(part, {})
    return _word(tree)


def _word(node: dict[str, Any]) -> str:
    parts = [name + ("/" + _word(below) if below else "") for name, below in node.items()]
    return parts[0] if len(parts) == 1 else "{" + ",".join(parts) + "}"
