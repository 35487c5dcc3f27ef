"""A server and its children never outlive whoever holds the keeper's input."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from models.serving import alive

KEEPER = Path(__file__).parents[2] / "scripts" / "inforce" / "models" / "keeper.py"
# writes its own number and its child's, then waits
FAMILY = "import os, subprocess, sys, time; c = subprocess.Popen(['sleep', '600']); print(os.getpid(), c.pid, flush=True); time.sleep(600)"


def kept(*command):
    return subprocess.Popen([sys.executable, str(KEEPER), *command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def family(keeper):
    return [int(word) for word in keeper.stdout.readline().split()]


def gone(pids, within=5.0):
    deadline = time.monotonic() + within
    while any(alive(pid) for pid in pids) and time.monotonic() < deadline:
        time.sleep(0.02)
    return not any(alive(pid) for pid in pids)


def test_the_end_of_input_ends_the_server_and_its_children():
    with kept(sys.executable, "-c", FAMILY) as keeper:
        pids = family(keeper)
        assert all(alive(pid) for pid in pids)
        keeper.stdin.close()
        assert keeper.wait(10) == 128 + signal.SIGTERM
        assert gone(pids)


def test_they_end_when_the_holder_is_killed_with_9():
    code = f"import subprocess, sys; p = subprocess.Popen([sys.executable, {str(KEEPER)!r}, sys.executable, '-c', {FAMILY!r}], stdin=subprocess.PIPE); p.wait()"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as holder:
        pids = family(holder)
        holder.kill()
        assert gone(pids)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_to_the_keeper_alone_changes_nothing(number):
    with kept(sys.executable, "-c", FAMILY) as keeper:
        pids = family(keeper)
        os.kill(keeper.pid, number)
        time.sleep(0.2)
        assert keeper.poll() is None and all(alive(pid) for pid in pids)
        keeper.stdin.close()


def test_a_server_s_own_end_is_passed_on_and_its_children_end_too():
    code = FAMILY.replace("time.sleep(600)", "sys.exit(7)")
    with kept(sys.executable, "-c", code) as keeper:
        pids = family(keeper)
        assert keeper.wait(10) == 7
        assert gone(pids)


def test_a_program_that_does_not_exist():
    with kept("no-such-program") as keeper:
        assert keeper.wait(10) == 127
        assert "no-such-program could not be started: No such file or directory" in keeper.stdout.read()
