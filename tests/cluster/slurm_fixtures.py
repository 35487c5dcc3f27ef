"""A real SLURM on this machine, and a small run to submit to it: two models, two settings, a judge, all answered by stub servers.

One model is an endpoint that outlives every job, so that it can count what it was asked; the other is served by the job itself.
"""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
import yaml
from conftest_graph import Checkout
from models.serving import COMMAND
from stub_server.fixtures import StubServer

from inforce.records.files import sha256_text

HERE = Path(__file__).parent
ITEMS = 6
# quick answers from a SLURM of one node; everything else as in the profile
QUICK = ["--slurm-init-seconds-before-status-checks", "2", "--seconds-between-status-checks", "1", "--max-status-checks-per-second", "2"]
QUICK += ["--latency-wait", "20", "--jobs", "4"]


def squeue(*arguments):
    """Lines of squeue."""
    done = subprocess.run(["squeue", "--noheader", *arguments], capture_output=True, text=True, check=True, timeout=30)
    return done.stdout.splitlines()


def scontrol(*arguments):
    """Output of scontrol."""
    return subprocess.run(["scontrol", *arguments], capture_output=True, text=True, check=True, timeout=30).stdout


def wait_for(what, within=900.0):
    """What `what()` returns once that is true."""
    deadline = time.monotonic() + within
    while not (found := what()):
        assert time.monotonic() < deadline, f"waited {within:g} s in vain"
        time.sleep(0.1)
    return found


@pytest.fixture(scope="session")
def slurm_started():
    """SLURM is installed and runs."""
    if os.geteuid() != 0:
        pytest.skip("a test SLURM is started by root")
    done = subprocess.run([str(HERE / "install_slurm.sh")], capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture
def slurm(slurm_started):
    """SLURM; its node is up again afterwards."""
    yield
    node = squeue_node()
    if not scontrol("show", "node", node).split("State=")[1].startswith(("IDLE", "MIXED", "ALLOCATED")) or "DRAIN" in scontrol(
        "show", "node", node
    ):
        scontrol("update", f"NodeName={node}", "State=RESUME")


def squeue_node():
    """The name of the one node."""
    return subprocess.run(["sinfo", "--noheader", "--format", "%N"], capture_output=True, text=True, check=True).stdout.split()[0]


def _children():
    """Process id -> ids of its children."""
    found = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            number, _, rest = stat.read_text().partition(" (")
            found.setdefault(int(rest.rpartition(")")[2].split()[1]), []).append(int(number))
    return found


def node_dies():
    """What a power cut does: the node's daemon, every job's steps and all that they started end with no further word."""
    children = _children()
    ended = [int(pid) for pid in subprocess.run(["pgrep", "-x", "slurmd|slurmstepd"], capture_output=True, text=True).stdout.split()]
    for pid in ended:
        ended += [child for child in children.get(pid, []) if child not in ended]
    for pid in ended:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def node_returns(node):
    """Its daemon starts again, and it takes jobs."""
    subprocess.run(["slurmd"], check=True, timeout=30)
    # it may have come up by itself (ReturnToService), and then there is nothing to resume
    subprocess.run(["scontrol", "update", f"NodeName={node}", "State=RESUME"], capture_output=True, timeout=30)
    wait_for(lambda: scontrol("show", "node", node).split("State=")[1].startswith(("IDLE", "MIXED")), 60)


class Run:
    """The small run in a checkout of its own."""

    def __init__(self, checkout, server, folder):
        self.checkout, self.server, self.folder = checkout, server, folder
        self.stub = {"log": str(folder / "own.jsonl"), "pids": str(folder / "pids"), "delay": 1.0}
        self.path_first = ""
        self.drivers = []

    @classmethod
    def configured(cls, checkout, server, folder):
        """The configuration of the small run, written into the checkout."""
        base = {"access": "open", "revision": "1", "context_window": 8192, "max_output_tokens": 512, "tools": "action_protocol"}
        remote = {"kind": "endpoint", "base_url": server.base_url, "concurrency": 2, "max_attempts": 2}
        own = {"kind": "vllm", "version": "0.32.0", "concurrency": 2, "tensor_parallel": 2, "start_s": 60, "max_attempts": 2}
        made = {
            "models/remote": base | {"name": "Remote", "checkpoint": "stub", "via": remote},
            "models/own": base | {"name": "Own", "checkpoint": "org/own", "via": own},
            "judges/stub": {"name": "Stub", "model": "remote"},
        }
        protocol = yaml.safe_load((checkout.folder / "config/protocols/demo.yaml").read_text(encoding="utf-8"))
        protocol |= {"models": ["remote", "own"], "settings": ["parametric", "gold_in_force"], "panel": ["stub"] * 3}
        made["protocols/small"] = protocol | {"max_items": ITEMS, "resamples": 100}
        for name, values in made.items():
            (checkout.folder / "config" / f"{name}.yaml").write_text(yaml.safe_dump(values), encoding="utf-8")
        top = {"runs": {"small": {"jurisdiction": "demo", "task": "essay", "protocol": "small"}}}
        (checkout.folder / "small.yaml").write_text(yaml.safe_dump(top), encoding="utf-8")
        (checkout.folder / "slurm" / "site.yaml").write_text("gpu_type: a100\nmemory_mb_per_gpu: 4000\n", encoding="utf-8")
        # the images are tested elsewhere
        checkout.edit("slurm/config.yaml", "software-deployment-method: [apptainer]\n", "")
        return cls(checkout, server, folder)

    def answers(self, model="remote", setting="parametric"):
        """The answers file of a cell."""
        return f"results/answers/small/{model}/{setting}/1.jsonl"

    def environment(self):
        """Of the driver, and so of every job."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("SLURM")}
        path = f"{self.path_first}:{os.environ['PATH']}" if self.path_first else os.environ["PATH"]
        return kept | {"INFORCE_VLLM_COMMAND": COMMAND, "STUB_VLLM": json.dumps(self.stub), "PATH": path}

    def jobs(self, state="all"):
        """Number -> (rule and wildcards, state) of this checkout's jobs, as SLURM knows them."""
        rows = [line.split("|") for line in squeue("--states", state, "--format", "%A|%k|%T|%Z")]
        return {number: (comment, now) for number, comment, now, folder in rows if folder == str(self.checkout.folder)}

    def job_running(self, rule):
        """The number of a job of a rule, once it runs."""
        return wait_for(lambda: next((n for n, (what, _) in self.jobs("running").items() if what.startswith(f"rule_{rule}")), None))

    def start(self, *targets):
        """A driver in the background; its output goes to driver.log."""
        # targets last, for an option among them holds in place of the same one before
        command = [str(Path(sys.executable).parent / "snakemake"), "--configfile", "small.yaml", "--profile", "slurm", *QUICK, *targets]
        log = (self.checkout.folder / "driver.log").open("ab")
        driver = subprocess.Popen(
            command,
            cwd=self.checkout.folder,
            env=self.environment(),
            stdout=log,
            stderr=log,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )
        self.drivers.append(driver)
        return driver

    def finished(self, driver, within=1500):
        """The driver's exit status."""
        try:
            return driver.wait(within)
        except subprocess.TimeoutExpired:
            os.killpg(driver.pid, signal.SIGKILL)
            raise AssertionError(f"the driver did not end:\n{self.said()[-6000:]}") from None

    def end(self):
        """No driver and no job of this checkout goes on."""
        for driver in self.drivers:
            if driver.poll() is None:
                os.killpg(driver.pid, signal.SIGKILL)
        subprocess.run(["scancel", *self.jobs("pending,running,suspended")], check=False, capture_output=True)

    def said(self):
        """What the driver printed."""
        return (self.checkout.folder / "driver.log").read_text(encoding="utf-8", errors="replace")

    def logs(self):
        """Name -> text of every job's log, SLURM's and the rules' own."""
        folders = [self.checkout.folder / ".snakemake" / "slurm_logs", self.checkout.folder / "logs"]
        return {str(path): path.read_text(encoding="utf-8", errors="replace") for folder in folders for path in folder.rglob("*.log")}

    def asked(self):
        """Times that each request reached a server, by its content."""
        own = Path(self.stub["log"])
        bodies = self.server.requests() + ([json.loads(line)["body"] for line in own.read_text().splitlines()] if own.exists() else [])
        return Counter(sha256_text(json.dumps(body, sort_keys=True)) for body in bodies)

    def stored(self):
        """Names in the response store, in order."""
        lines = [line for path in (self.checkout.folder / "responses").rglob("*.jsonl") for line in path.read_text().splitlines()]
        return [json.loads(line)["name"] for line in lines]

    def servers(self):
        """Process numbers of the servers that jobs started, in order."""
        pids = Path(self.stub["pids"])
        return [int(line.split()[0]) for line in pids.read_text().splitlines()] if pids.exists() else []

    def nothing_lost_nothing_twice(self, in_flight=0):
        """Every stored response once, as many as were asked for; at most so many requests were asked again that had no response."""
        names, asked = self.stored(), self.asked()
        assert len(names) == len(set(names)) == len(asked)
        assert sum(asked.values()) - len(asked) <= in_flight, {name[:8]: times for name, times in asked.items() if times > 1}


@pytest.fixture(scope="session")
def prepared(tmp_path_factory):
    """A checkout in which everything before the answers is made, here and not on SLURM."""
    if "INFORCE_PREPARED" in os.environ:  # made by an earlier session, for who works on these tests
        return Checkout(Path(os.environ["INFORCE_PREPARED"]))
    checkout = Checkout.fresh(tmp_path_factory.mktemp("small"))
    folder = tmp_path_factory.mktemp("prepared")
    server = StubServer(folder / "stub.jsonl")
    run = Run.configured(checkout, server, folder)
    targets = ["results/runs/small/items.jsonl", "results/retrieval/demo/minilm/index.bin"]
    done = checkout.snakemake(*targets, "--configfile", "small.yaml", **run.environment())
    server.stop()
    assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]
    return checkout


@pytest.fixture
def small(slurm, prepared, tmp_path):
    """The small run in a folder of the test's own, with its endpoint."""
    server = StubServer(tmp_path / "stub.jsonl", delay=1.0)
    copy = prepared.copy(tmp_path / "checkout")
    copy.edit("slurm/config.yaml", "executor: slurm", "software-deployment-method: [apptainer]\nexecutor: slurm")
    run = Run.configured(copy, server, tmp_path)
    yield run
    run.end()
    server.stop()
