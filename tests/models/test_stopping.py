"""A signal ends a job in order, with the status that tells it."""

import asyncio
import os
import signal

import pytest

from inforce.models.stopping import Stopped, run, say


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_cancels_the_work_lets_it_end_and_names_the_signal(number, capsys):
    ended = []

    async def work():
        asyncio.get_running_loop().call_later(0.05, os.kill, os.getpid(), number)
        asyncio.get_running_loop().call_later(0.06, os.kill, os.getpid(), number)
        try:
            await asyncio.sleep(30)
        finally:
            await asyncio.sleep(0.1)  # a second signal does not disturb this
            ended.append(True)

    with pytest.raises(Stopped) as caught:
        run(work())
    assert caught.value.code == 128 + number and ended == [True]
    assert f"{number.name}: stopping" in capsys.readouterr().err


def test_without_a_signal_the_result_or_the_error_comes_back():
    async def works():
        return 3

    async def fails():
        raise ValueError("x")

    assert run(works()) == 3
    with pytest.raises(ValueError, match="x"):
        run(fails())


def test_a_signal_that_the_shell_ignores_is_heard_all_the_same():
    before = signal.signal(signal.SIGTERM, signal.SIG_IGN)
    try:

        async def work():
            os.kill(os.getpid(), signal.SIGTERM)
            await asyncio.sleep(30)

        with pytest.raises(Stopped):
            run(work())
    finally:
        signal.signal(signal.SIGTERM, before)


def test_nobody_reads_any_more(monkeypatch):
    class Closed:
        def write(self, text):
            raise BrokenPipeError

        def flush(self):
            raise BrokenPipeError

    monkeypatch.setattr("sys.stderr", Closed())
    say("a line")
