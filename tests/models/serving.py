"""A model file that serves itself with the stub in place of vLLM, and what is left of it afterwards."""

import json
import shlex
import sys
import time
from pathlib import Path

from inforce.config.model import Model

STUB = Path(__file__).parents[1] / "stub_server" / "stub_vllm.py"
COMMAND = shlex.join([sys.executable, str(STUB)])


def served(*, via=None, **changes):
    """A model file's content for a server of its own; `via` holds changes to how it is served."""
    way = {"kind": "vllm", "version": "0.32.0", "device": "cpu", "concurrency": 8, "timeout_s": 20, "start_s": 20} | (via or {})
    base = {"name": "Served", "checkpoint": "org/served", "revision": "abc", "via": way, "context_window": 4096, "max_output_tokens": 64}
    return Model.model_validate(base | {"sampling": {"temperature": 0.5}} | changes)


def orders(folder, **changes):
    """The environment that tells the stub what to do."""
    told = {"log": str(folder / "requests.jsonl"), "pids": str(folder / "pids")} | changes
    return {"INFORCE_VLLM_COMMAND": COMMAND, "STUB_VLLM": json.dumps(told)}


def asked(folder):
    """The bodies of all requests that any server got, in order."""
    log = folder / "requests.jsonl"
    return [json.loads(line)["body"] for line in log.read_text(encoding="utf-8").splitlines()] if log.exists() else []


def starts(folder):
    """(server, child) process numbers of every server started."""
    pids = folder / "pids"
    return [tuple(map(int, line.split())) for line in pids.read_text().splitlines()] if pids.exists() else []


def alive(pid):
    """True for a process that runs; a zombie does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def all_gone(folder, within=5.0):
    """True once no server and no child of one runs any more."""
    deadline = time.monotonic() + within
    while any(alive(pid) for pair in starts(folder) for pid in pair):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True
