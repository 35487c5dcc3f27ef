"""Prepared weights of the bundled model, made once a checkout and kept in .cache/tests, and a process that asks."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # before torch comes in: halves the processor time of these tests
PREPARED = ROOT / ".cache" / "tests" / "smollm2-135m"


@pytest.fixture(scope="session")
def weights():
    """The directory of prepared weights; making them takes half a minute, so they are kept."""
    if not (PREPARED / "config.json").is_file():
        command = [sys.executable, "-m", "inforce.models.prepare_model", "--model-config", str(ROOT / "config/models/smollm2-135m.yaml")]
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "scripts")}
        done = subprocess.run([*command, "--out", str(PREPARED)], env=environment, capture_output=True, text=True, timeout=900)
        assert done.returncode == 0, done.stderr
    return PREPARED


@pytest.fixture
def asking():
    """Start processes of asking.py; those still running at the end of the test are killed."""
    started = []

    def start(**arguments):
        command = [sys.executable, str(Path(__file__).with_name("asking.py"))]
        for name, value in arguments.items():
            command += [f"--{name.replace('_', '-')}"] + ([] if value is True else [str(value)])
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "scripts")}
        started.append(subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True))
        return started[-1]

    yield start
    for process in started:
        if process.poll() is None:
            process.kill()
        process.communicate()
