"""pytest fixture `stub_server`: start real stub servers, each in a process of its own. Use: `from stub_server.fixtures import stub_server`."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

SERVER = Path(__file__).with_name("stub_server.py")


class StubServer:
    """A running server: `base_url` for a model file, `requests()` for what was asked so far."""

    def __init__(self, log: Path, delay: float = 0.0, fail: list[dict[str, Any]] | None = None) -> None:
        self.log = log
        command = [sys.executable, str(SERVER), "--log", str(log), "--delay", str(delay), "--fail-script", json.dumps(fail or [])]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        first = self.process.stdout.readline().split()
        assert first[:1] == ["port"], f"the stub server did not start: {first}"
        self.port = int(first[1])
        self.base_url = f"http://127.0.0.1:{self.port}/v1"

    def lines(self) -> list[dict[str, Any]]:
        """The log: {"n", "body", "did"} a request, in the order received."""
        return [json.loads(line) for line in self.log.read_text(encoding="utf-8").splitlines()] if self.log.exists() else []

    def requests(self) -> list[dict[str, Any]]:
        """The bodies of all requests, in the order received."""
        return [line["body"] for line in self.lines()]

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()


@pytest.fixture
def stub_server(tmp_path: Path) -> Iterator[Callable[..., StubServer]]:
    """`server = stub_server(delay=0.05, fail=[{"match": "item-3", "do": "500", "first": 2}])`; stopped at the end of the test."""
    started: list[StubServer] = []

    def start(delay: float = 0.0, fail: list[dict[str, Any]] | None = None) -> StubServer:
        started.append(StubServer(tmp_path / f"stub-{len(started)}.jsonl", delay, fail))
        return started[-1]

    yield start
    for server in started:
        server.stop()
