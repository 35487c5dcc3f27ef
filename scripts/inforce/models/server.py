"""A vLLM server for one job: a free local port, a random key, health with a deadline, and its last words when something goes wrong.

    server = Server(command_for, environment, log, checkpoint="org/model", start_s=600)
    await server.start()     # ServerError: it did not come up; the message ends with the log's last lines
    ...                      # server.base_url, server.key, server.version; await server.ended() returns when it has died
    await server.stop()

The key reaches the server in its environment (VLLM_API_KEY) and stands in no argument or message; if the server itself writes it into its
log, it is struck out when the server has ended. So is the Hugging Face token, which the server finds in its environment too.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import secrets
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import aiohttp

from inforce.config.key import Key, without_user_info

PORT_TRIES = 5
POLL_S = 0.25
SAY_EVERY_S = 30.0
LAST_LINES = 30
ERROR_BYTES = 1_000_000  # so much of its end is searched for errors
ERROR_NAMED = re.compile(r"\b[A-Z]\w*(?:Error|Exception): \S.{0,300}")
FIRST_ERRORS = 3
STOP_S = 20.0
PORT_TAKEN = re.compile(r"address already in use|errno 98", re.IGNORECASE)
TAIL_BYTES = 64 * 1024  # bytes of the log's end that are looked at
TOKENS = ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN")
CUT_BYTES = 1024  # read before them, so that a key is not cut in two at their beginning


class ServerError(RuntimeError):
    """The server did not come up, or died. The message names the log and ends with its last lines."""


class Server:
    """One server process, kept by `keeper` so that it never outlives this process.

    command_for: the command line for a port. environment: added to this process's (null = taken out of it). log: written anew; the server's whole output.
    checkpoint: the name under which the server must list its model, asked with the key: another program on the port does not pass.
    """

    def __init__(
        self, command_for: Callable[[int], list[str]], environment: Mapping[str, str | None], log: Path, *, checkpoint: str, start_s: float
    ) -> None:
        self.log, self.version = log, ""
        self.base_url = ""
        self.key = secrets.token_urlsafe(32)
        self._secrets = [Key(self.key), *(Key(token) for name in TOKENS if (token := os.environ.get(name, "").strip()))]
        self._command_for, self._environment, self._checkpoint, self._start_s = command_for, dict(environment), checkpoint, start_s
        self._process: subprocess.Popen[bytes] | None = None

    async def start(self) -> None:
        """Start, and return when the server answers. A taken port is tried again on another one. Raises ServerError."""
        for attempt in range(1, PORT_TRIES + 1):
            port = free_port()
            self._launch(port)
            try:
                await self._wait_until_healthy(port)
                return
            except ServerError:
                taken = self._process is None or (self._process.poll() is not None and PORT_TAKEN.search(self._tail()))
                await self.stop()
                if not taken or attempt == PORT_TRIES:
                    raise
                print(f"port {port} was taken before the server had it; trying another", file=sys.stderr, flush=True)

    async def ended(self) -> int:
        """Wait until the server has died; its exit status. For a server that was never started: for ever."""
        while self._process is None or (status := self._process.poll()) is None:
            await asyncio.sleep(POLL_S)
        return status

    def error(self, what: str) -> ServerError:
        """`what` happened, with the log's name and last lines."""
        lines = self._tail().splitlines()[-LAST_LINES:]
        said = "\n".join(f"  | {line}" for line in lines) if lines else "  | (it said nothing)"
        # an engine's process that ends leaves many lines behind its error, which is then not among the last
        errors = [error for error in self._errors() if error not in said]
        first = "".join(f"\n  {error}" for error in errors)
        named = f" Errors in its log:{first}\n" if first else " "
        return ServerError(f"the server of {self._checkpoint} {what}.{named}The last lines of {self.log}:\n{said}")

    async def stop(self) -> None:
        """End the server and all that it started. Safe to call twice, and before `start`."""
        process, self._process = self._process, None
        if process is None:
            return
        assert process.stdin is not None
        process.stdin.close()  # the keeper ends it
        deadline = time.monotonic() + STOP_S
        while process.poll() is None and time.monotonic() < deadline:
            await asyncio.sleep(0.02)
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        self._clean_log()

    def _launch(self, port: int) -> None:
        self.log.parent.mkdir(parents=True, exist_ok=True)
        given = {**os.environ, **self._environment, "VLLM_API_KEY": self.key}
        environment = {name: value for name, value in given.items() if value is not None}
        with self.log.open("wb") as out:
            self._process = subprocess.Popen(
                [sys.executable, str(Path(__file__).with_name("keeper.py")), *self._command_for(port)],
                stdin=subprocess.PIPE,
                stdout=out,
                stderr=subprocess.STDOUT,
                env=environment,
                start_new_session=True,
            )
        self.base_url = f"http://127.0.0.1:{port}/v1"

    async def _wait_until_healthy(self, port: int) -> None:
        began = said = time.monotonic()
        print(f"starting the server of {self._checkpoint} on port {port}, log {self.log}", file=sys.stderr, flush=True)
        timeout = aiohttp.ClientTimeout(total=5)
        async with aiohttp.ClientSession(headers={"Authorization": f"Bearer {self.key}"}, timeout=timeout) as session:
            while True:
                assert self._process is not None
                if (status := self._process.poll()) is not None:
                    raise self.error(f"ended with status {status} before it answered")
                if await self._answers(session, f"http://127.0.0.1:{port}"):
                    print(f"the server of {self._checkpoint} is up after {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
                    return
                now = time.monotonic()
                if now - began > self._start_s:
                    raise self.error(f"did not answer within {self._start_s:g} s (start_s in the model file)")
                if now - said > SAY_EVERY_S:
                    said = now
                    print(f"still loading after {now - began:.0f} s", file=sys.stderr, flush=True)
                await asyncio.sleep(POLL_S)

    async def _answers(self, session: aiohttp.ClientSession, root: str) -> bool:
        """True once the server is healthy and lists the model; its version is then known."""
        try:
            async with session.get(f"{root}/health") as reply:
                if reply.status != 200:
                    return False
            async with session.get(f"{root}/v1/models") as reply:
                listed = await reply.json(content_type=None) if reply.status == 200 else {}
            if self._checkpoint not in [entry.get("id") for entry in listed.get("data", [])]:
                return False
            async with session.get(f"{root}/version") as reply:
                self.version = self._struck(str((await reply.json(content_type=None)).get("version", "")))
        except (aiohttp.ClientError, TimeoutError, OSError, ValueError, AttributeError):
            return False
        return True

    def _errors(self) -> list[str]:
        """The first errors that the server's output names, each once."""
        found = dict.fromkeys(match[0].strip() for match in ERROR_NAMED.finditer(self._tail(ERROR_BYTES)))
        return list(found)[:FIRST_ERRORS]

    def _tail(self, size: int = TAIL_BYTES) -> str:
        """The end of the server's output, without secrets."""
        if not self.log.exists():
            return ""
        with self.log.open("rb") as handle:
            handle.seek(max(0, self.log.stat().st_size - size - CUT_BYTES))
            return self._struck(handle.read().decode("utf-8", errors="replace"))[-size:]

    def _clean_log(self) -> None:
        """Strike secrets out of the whole log, line by line, if the server wrote one there."""
        with contextlib.suppress(OSError):  # no such file, or a full disk
            text = self.log.read_text(encoding="utf-8", errors="replace")
            cleaned = "".join(map(self._struck, text.splitlines(keepends=True)))
            if cleaned != text:
                beside = self.log.with_suffix(".struck")
                beside.write_text(cleaned, encoding="utf-8")
                beside.replace(self.log)

    def _struck(self, text: str) -> str:
        """The server's words without its key, the Hugging Face token and passwords in addresses."""
        for key in self._secrets:
            text = key.struck(text)
        return without_user_info(text)


def free_port() -> int:
    """A local port that nobody listens on at this moment."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
