"""Responses on disk, found by the name of their request: append only, one JSON line each, safe to kill at any moment (DESIGN §4).

`responses/<model>/<writer>.jsonl` holds lines `{"name": sha256, "request": {...}, "response": {...}}` in canonical JSON. Each process
appends to a file of its own and reads all files of the folder. Lines that wait together are written and fsynced together, and only
then are their awaiters told: what a caller has seen is on disk. A line cut short by a kill has no end of line; it is cut off when its
file is next written to. `claims` is an empty file whose byte ranges are locked, one byte a request: a lock says that a process is
asking for that request now, and vanishes with the process.

Only an index is kept in memory (name to file and place). Every line is checked when it is read, by the rules of `records.stored` that
the audit reads by too: a damaged line is named on stderr and counts as absent, and nothing else is lost.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import fcntl
import os
import queue
import sys
import threading
from pathlib import Path
from typing import ClassVar

from pydantic import ValidationError

from inforce.config.key import Key
from inforce.models.interface import ChatRequest, ChatResponse, ModelUnavailable
from inforce.records.files import canonical_json
from inforce.records.stored import LineError, cut_torn_line, read_line

HEAD = b'{"name":"'
NAME_END = len(HEAD) + 64
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
        self._bad: set[tuple[int, int]] = set()
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
            value = read_line(line)
            if value["name"] == name:
                return ChatResponse.model_validate(value["response"])
            reason = "its request does not have the name that it is stored under"
        except LineError as error:
            reason = str(error)
        except ValidationError as error:
            reason = f"it is not a stored response ({type(error).__name__})"
        self._forget(key, number, offset, reason)
        return self.find(name)

    def refresh(self, *, thorough: bool = False) -> None:
        """Index what has been appended since. thorough: open every file, in case the file system caches sizes."""
        try:
            with os.scandir(self.folder) as entries:
                found = sorted((entry.name, entry.stat().st_size) for entry in entries if entry.name.endswith(".jsonl") and entry.is_file())
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

    async def append(self, name: str, request: ChatRequest, response: ChatResponse, *, key: Key | None = None) -> None:
        """Store a response; returns when it is on disk. Raises OSError (disk full) with the file left whole.

        key: what was sent with the request. A response that still holds it is not stored: ModelUnavailable. (The client strikes it, and
        sends no request that holds it; what is stored is packed and passed on, so nothing is left to one place.)
        """
        written = canonical_json(response.model_dump(mode="json"))
        if key is not None and key.held_by(written):
            raise ModelUnavailable(f"the response to request {name} holds the endpoint's key and is not stored in {self.own}")
        # the canonical JSON of {"name", "request", "response"}, of parts
        line = f'{{"name":"{name}","request":{request.canonical},"response":{written}}}'
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
                offset = self._read_to[number]
                if not line.endswith(b"\n"):
                    if self._read_only:
                        self._warn(number, offset, "it was cut short")
                    break
                self._read_to[number] += len(line)
                if (key := _key_of(line)) is None:
                    self._warn(number, offset, "it is not a stored response")
                elif (number, offset) not in self._bad:
                    self._index.setdefault(key, (number, offset))

    def _forget(self, key: bytes, number: int, offset: int, reason: str) -> None:
        """Leave a damaged line out, and look whether another whole line has the same name (asked again in an earlier run)."""
        del self._index[key]
        self._bad.add((number, offset))
        self._warn(number, offset, reason)
        for other, path in enumerate(self._files):
            at = 0
            with path.open("rb") as handle:
                for line in handle:
                    if _key_of(line) == key and (other, at) not in self._bad:
                        self._index.setdefault(key, (other, at))
                    at += len(line)

    def _warn(self, number: int, offset: int, reason: str) -> None:
        self.damaged += 1
        print(f"{self._files[number]}, line at byte {offset}: left out, {reason}", file=sys.stderr)


def _key_of(line: bytes) -> bytes | None:
    """The name in a line's head as 32 bytes, or null if the line does not look like a stored response."""
    if not line.startswith(HEAD) or line[NAME_END : NAME_END + 1] != b'"' or not line.endswith(b"}}\n"):
        return None
    try:
        return bytes.fromhex(line[len(HEAD) : NAME_END].decode("ascii"))
    except ValueError:
        return None


def _place(name: str) -> int:
    return int(name[: 2 * CLAIM_BYTES], 16)


class _Claims:
    """Byte-range locks on one file. POSIX locks belong to the process, so a process has one object a file, shared by its stores."""

    _open: ClassVar[dict[str, _Claims]] = {}
    _guard: ClassVar[threading.Lock] = threading.Lock()

    @classmethod
    def of(cls, path: Path) -> _Claims:
        key = os.path.realpath(path)
        with cls._guard:
            claims = cls._open.get(key)
            if claims is None:
                claims = cls._open[key] = cls(key)
            claims._users += 1
            return claims

    def __init__(self, path: str) -> None:
        self._path, self._users, self._held, self._locks = path, 0, set[int](), True
        self._fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)

    def take(self, place: int) -> bool:
        if place in self._held:
            return False
        if self._locks:
            try:
                fcntl.lockf(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, place)
            except OSError as error:
                if error.errno in (errno.EACCES, errno.EAGAIN):
                    return False
                self._locks = False  # a file system without locks: jobs of one model may then ask the same request at once
                print(
                    f"{self._path}: this file system has no locks ({error.strerror}); two jobs may ask one request twice", file=sys.stderr
                )
        self._held.add(place)
        return True

    def give(self, place: int) -> None:
        self._held.discard(place)
        if self._locks:
            fcntl.lockf(self._fd, fcntl.LOCK_UN, 1, place)

    def drop(self) -> None:
        with self._guard:
            self._users -= 1
            if self._users == 0:
                del self._open[self._path]
                os.close(self._fd)


class _Writer:
    """A thread that appends what waits, fsyncs once, and then tells everyone who waited: (line, future) in, offset of the line out."""

    def __init__(self, path: Path) -> None:
        self.path, self._fd = _own_file(path)
        self._end = _cut_torn_line(self._fd, self.path)
        self._queue: queue.SimpleQueue[tuple[bytes, asyncio.Future[int]] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name=f"store {path.name}", daemon=True)
        self._thread.start()

    def put(self, line: bytes, done: asyncio.Future[int]) -> None:
        self._queue.put((line, done))

    def close(self) -> None:
        if self._thread.is_alive():
            self._queue.put(None)
            self._thread.join()
            os.close(self._fd)

    def _run(self) -> None:
        while True:
            group, last = self._next_group()
            if group:
                self._commit(group)
            if last:
                return

    def _next_group(self) -> tuple[list[tuple[bytes, asyncio.Future[int]]], bool]:
        """All that waits now, at least one; true if the store is being closed."""
        entry = self._queue.get()
        group: list[tuple[bytes, asyncio.Future[int]]] = []
        while entry is not None:
            group.append(entry)
            try:
                entry = self._queue.get_nowait()
            except queue.Empty:
                return group, False
        return group, True

    def _commit(self, group: list[tuple[bytes, asyncio.Future[int]]]) -> None:
        problem: OSError | None = None
        start = self._end
        try:
            _write_all(self._fd, b"".join(line for line, _ in group))
            os.fsync(self._fd)
            self._end += sum(len(line) for line, _ in group)
        except OSError as error:
            problem = OSError(error.errno, f"the response could not be stored in {self.path}: {error.strerror}")
            with contextlib.suppress(OSError):
                os.ftruncate(self._fd, start)
        results: list[tuple[asyncio.Future[int], int]] = []
        for line, done in group:
            results.append((done, start))
            start += len(line)
        with contextlib.suppress(RuntimeError):  # the loop is gone: what was written stays written
            results[0][0].get_loop().call_soon_threadsafe(_tell, results, problem)


def _tell(results: list[tuple[asyncio.Future[int], int]], problem: OSError | None) -> None:
    for done, offset in results:
        if done.done():
            continue
        if problem is not None:
            done.set_exception(problem)
        else:
            done.set_result(offset)


def _own_file(path: Path) -> tuple[Path, int]:
    """Open for appending a file that no other process appends to: `x.jsonl`, or `x.2.jsonl` while a dying job still holds the first."""
    path.parent.mkdir(parents=True, exist_ok=True)
    number = 1
    while True:
        mine = path if number == 1 else path.with_suffix(f".{number}{path.suffix}")
        fd = os.open(mine, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o666)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(fd)
            number += 1
            continue
        except OSError:
            pass  # a file system without locks; the pipeline runs each job once
        return mine, fd


def _cut_torn_line(fd: int, path: Path) -> int:
    """Cut off a last line that a kill left without an end; returns the file's length."""
    if torn := cut_torn_line(fd):
        print(
            f"{path}: cut off a last line of {torn} bytes that was not written to its end; its request is asked again",
            file=sys.stderr,
        )
    return os.fstat(fd).st_size


def _write_all(fd: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]
