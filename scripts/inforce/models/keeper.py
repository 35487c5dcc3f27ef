"""Runs a server and ends it, with all that it started, as soon as this process's standard input is closed: whoever holds the other end
may have been killed with -9.

    python -m inforce.models.keeper COMMAND [ARGUMENT ...]

The command runs in a process group of its own. At the end of input the group gets SIGTERM, and SIGKILL ten seconds later. SIGTERM and
SIGINT to this process do nothing: the end of input follows them. Exit status: the command's, or 128 + the signal that ended it.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading

GRACE_S = 10.0


def main(command: list[str]) -> int:
    """Run the command to its end, or until standard input is closed."""
    if not command:
        raise SystemExit(__doc__)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_DFL)  # the server inherits this, whatever the job's shell ignores
    try:
        server = subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True)
    except OSError as error:
        print(f"{command[0]} could not be started: {error.strerror}", flush=True)
        return 127
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    threading.Thread(target=_end_with_input, args=(server,), daemon=True).start()
    status = server.wait()
    _signal(server.pid, signal.SIGKILL)  # what the server left behind
    return status if status >= 0 else 128 - status


def _end_with_input(server: subprocess.Popen[bytes]) -> None:
    while os.read(sys.stdin.fileno(), 4096):
        pass
    _signal(server.pid, signal.SIGTERM)
    try:
        server.wait(GRACE_S)
    except subprocess.TimeoutExpired:
        _signal(server.pid, signal.SIGKILL)


def _signal(group: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(group, number)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
