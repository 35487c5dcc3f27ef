"""What a long step is doing, how far it is and how long it will take: one line at a time, for a terminal and a log alike."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TextIO


class Progress:
    """Counts steps and prints a line at most every `every` seconds, and always at the first and the last step.

    The remaining time comes from the mean pace of this run; steps known at the start (`done`) do not count in it.
    """

    def __init__(
        self,
        what: str,
        total: int,
        done: int = 0,
        every: float = 5.0,
        out: TextIO | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.what, self.total, self.done = what, total, done
        self._known, self._every, self._out, self._clock = done, every, out or sys.stderr, clock
        self._start = clock()
        self._last = self._start
        self._line()

    def step(self, n: int = 1) -> None:
        """Count `n` more steps."""
        self.done += n
        now = self._clock()
        if self.done >= self.total or now - self._last >= self._every:
            self._last = now
            self._line()

    def _line(self) -> None:
        share = 100 * self.done / self.total if self.total else 100
        text = f"{self.what}: {self.done} of {self.total} ({share:.0f} %)"
        fresh, spent = self.done - self._known, self._clock() - self._start
        if self.done >= self.total:
            text += f", done in {duration(spent)}"
        elif fresh:
            text += f", about {duration(spent / fresh * (self.total - self.done))} left"
        print(text, file=self._out, flush=True)


def duration(seconds: float) -> str:
    """`75` -> `1 min 15 s`; `3720` -> `1 h 2 min`."""
    whole = max(0, round(seconds))
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"
