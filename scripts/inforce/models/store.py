"""Responses on disk, found by the name of their request: append only, one JSON line each, safe to kill at any moment (DESIGN §4).

`responses/<model>/<writer>.jsonl` holds lines `{"name": sha256, "request": {...}, "response": {...}}` in canonical JSON. Each process
appends to a file of its own and reads all files of the folder. Lines that wait together are written and fsynced together, and only
then are their awaiters told: what a caller has seen is on disk. A line cut short by a kill has no end of line; it is cut off when its
file is next written to. `claims` is an empty file whose byte ranges are locked, one byte a request: a lock says that a process is
asking for that request now, and vanishes with the process.

Only an index is kept in memory (name to file and place). Every line is checked against its name when it is read: a damaged line is
named on stderr and counts as absent, and nothing else is lost.
"""

from __future__ import annotations

import asyncio
import fcntl
import json
import os
import queue
import sys
import threading
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from inforce.models.interface import ChatRequest, ChatResponse
from inforce.records.files import canonical_json, sha256_json

HEAD = b'{"name":"'
NAME_END = len(HEAD) + 64
BLOCK = 1 << 20
CLAIM_BYTES = 7  # a claim's place in the lock space: the first 56 bits of the request's name


class ResponseStore:
    """The responses of one model. Use from one event loop; `close` when done (what was returned is durable without it).

    read_only: an auditor's run; no file is made, changed or locked, and the folder need not be writable.
    """

    def __init__(self, folder: Path, writer: str, *, read_only: bool = False) -> None:
        self.folder, self.own = folder, folder / f"{writer}.jsonl"
        self.damaged = 0  # lines that do not fit their name, or are no response at all
        self._index: dict[bytes, tuple[int, int]] = {}
        self._files: list[Path] = []
        self._numbers: dict[str, int] = {}
        self._read_to: list[int] = []
        self._claims: _Claims | None = None
        self._writer: _Writer | None = None
        self._read_only = read_only
        if not read_only:
            folder.mkdir(parents=True, exist_ok=True)
            self._claims = _Claims.of(folder / "claims")
        self.refresh()

    def __len__(self) -> int:
        return len(self._index)

    def find(self, name: str) -> ChatResponse | None:
        """The response stored under a request's sha256, or null. A damaged line is reported and forgotten."""
        key = bytes.fromhex(name)
        if (place := self._index.get(key)) is None:
            return None
        number, offset = place
        with self._files[number].open("rb") as handle:
            handle.seek(offset)
            line = handle.readline()
        try:
            value = json.loads(line)
            if value["name"] == name == sha256_json(value["request"]) == value["response"]["request_sha256"]:
                return ChatResponse.model_validate(value["response"])
            reason = "its request does not have the name that it is stored under"
        except (ValueError, KeyError, TypeError, ValidationError) as error:
            reason = f"it is not a stored response ({type(error).__name__})"
        del self._index[key]
        self._warn(number, offset, reason)
        return None

    def refresh(self, *, thorough: bool = False) -> None:
        """Index what has been appended since. thorough: open every file, in case the file system caches sizes."""
        try:
            with os.scandir(self.folder) as entries:
                found = sorted((entry.name, entry.stat().st_size) for entry in entries if entry.name.endswith(".jsonl"))
        except FileNotFoundError:
            return
        for name, size in found:
            number = self._numbers.get(name)
            if number is None:
                number = self._numbers[name] = len(self._files)
                self._files.append(self.folder / name)
                self._read_to.append(0)
            if self._writer is not None and name == self._writer.path.name:
                continue  # the writer indexes its own lines
            if size > self._read_to[number] or thorough:
                self._read_tail(number)

    async def append(self, name: str, request: ChatRequest, response: ChatResponse) -> None:
        """Store a response; returns when it is on disk. Raises OSError (disk full) with the file left whole."""
        line = canonical_json({"name": name, "request": request.model_dump(mode="json"), "response": response.model_dump(mode="json")})
        loop = asyncio.get_running_loop()
        done: asyncio.Future[int] = loop.create_future()
        self._open_writer().put(line.encode("utf-8") + b"\n", done)
        offset = await done
        assert self._writer is not None
        self._index[bytes.fromhex(name)] = (self._numbers[self._writer.path.name], offset)

    def claim(self, name: str) -> bool:
        """True if this process now holds the right to ask for this request; false if another asks for it at the moment."""
        assert self._claims is not None
        return self._claims.take(_place(name))

    def release(self, name: str) -> None:
        """Give the claim back."""
        assert self._claims is not None
        self._claims.give(_place(name))

    def damage(self) -> str:
        """A clause for messages: how many damaged lines were left out, or nothing."""
        return f" ({self.damaged} damaged lines were left out)" if self.damaged else ""

    def close(self) -> None:
        """Finish writing and release the files. Safe to call twice."""
        if self._writer is not None:
            self._writer.close()
        if self._claims is not None:
            self._claims.drop()
            self._claims = None

    def _open_writer(self) -> _Writer:
        """Open this job's file at the first response, so that a run that asks nothing leaves no file."""
        if self._writer is None:
            self._writer = _Writer(self.own)
            name = self._writer.path.name
            if name not in self._numbers:
                self._numbers[name] = len(self._files)
                self._files.append(self._writer.path)
                self._read_to.append(0)
            self._read_tail(self._numbers[name])
        return self._writer

    def _read_tail(self, number: int) -> None:
        """Index the whole lines from where reading stopped; a line without an end is left for later."""
        with self._files[number].open("rb") as handle:
            handle.seek(self._read_to[number])
            for line in handle:
                if not line.endswith(b"\n"):
                    if not self._alive(number):
                        self._note_torn(number)
                    break
                offset, self._read_to[number] = self._read_to[number], self._read_to[number] + len(line)
                if line.startswith(HEAD) and line[NAME_END : NAME_END + 1] == b'"' and line.endswith(b"}}\n"):
                    try:
                        self._index.setdefault(bytes.fromhex(line[len(HEAD) : NAME_END].decode("ascii")), (number, offset))
                        continue
                    except ValueError:
                        pass
                self._warn(number, offset, "it is not a stored response")
