"""SIGTERM and SIGINT end a job in order: what has come back is stored, the server is ended, and the exit status says why.

A scheduler sends SIGTERM before it takes a node away or when the time is up; whoever starts the job again finds all that is stored.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
from collections.abc import Coroutine
from typing import Any, TypeVar

Result = TypeVar("Result")
SIGNALS = (signal.SIGTERM, signal.SIGINT)


class Stopped(SystemExit):
    """A signal ended the job; the exit status is 128 + its number, as a shell reports it (143 for SIGTERM)."""


def run(work: Coroutine[Any, Any, Result]) -> Result:
    """`asyncio.run` that cancels `work` at the first signal, lets its `finally` clauses end, and raises Stopped. Further signals wait."""
    caught: list[signal.Signals] = []

    async def guarded() -> Result:
        loop = asyncio.get_running_loop()
        task = asyncio.ensure_future(work)

        def stop(number: signal.Signals) -> None:
            if not caught:
                caught.append(number)
                say(f"{number.name}: stopping; what has come back is stored, run again to resume")
                task.cancel()

        for number in SIGNALS:
            loop.add_signal_handler(number, stop, number)
        return await task

    try:
        return asyncio.run(guarded())
    except asyncio.CancelledError:
        if not caught:
            raise
        raise Stopped(128 + caught[0]) from None


def say(text: str) -> None:
    """A line on stderr, where there is still someone to read it."""
    with contextlib.suppress(OSError):
        print(text, file=sys.stderr, flush=True)
