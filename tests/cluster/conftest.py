"""Apptainer, and the CPU image built once for all tests that run in it."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from check_images import read_lock

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
# Kept from one test run to the next (git ignores .cache); built anew only when the definition or a requirement lock has changed.
WORKSHOP = ROOT / ".cache" / "images"


@pytest.fixture(scope="session")
def apptainer():
    """Apptainer, set up if this machine has none. Without root and without Apptainer there is nothing to test."""
    if not shutil.which("apptainer") and os.geteuid() != 0:
        pytest.skip("apptainer is not in PATH, and only root can set it up")
    done = subprocess.run([str(HERE / "install_apptainer.sh")], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    if os.geteuid() == 0:
        # root of a sandbox may lack a capability, and then starts an image only in a user namespace
        os.environ.setdefault("APPTAINER_USERNS", "1")
    return shutil.which("apptainer")


def need_minutes(minutes):
    """INFORCE_TESTS_UNTIL (seconds since 1970): where time is limited, what would not end by then is skipped and named."""
    until = os.environ.get("INFORCE_TESTS_UNTIL")
    if until and time.time() + 60 * minutes > float(until):
        needed = f"needs {minutes} minutes" if minutes else "not begun"
        pytest.skip(f"{needed}: the time is over (INFORCE_TESTS_UNTIL); make test-cluster runs it")


def pytest_runtest_setup(item):
    """No test begins when the time is over."""
    if HERE in item.path.parents:
        need_minutes(0)


@pytest.fixture(scope="session", name="need_minutes")
def need_minutes_():
    """need_minutes(n): for what takes long, and is made once for many tests."""
    return need_minutes


class Image:
    """A built image and the lock that names it."""

    def __init__(self, name, workshop):
        self.name, self.workshop, self.entry = name, workshop, read_lock(workshop)[name]
        self.path = workshop / self.entry["file"]

    def put_in(self, project):
        """Make a copy of the project use this image: its lock, and the file under its name there."""
        shutil.copy2(self.workshop / "containers" / "images.lock", project / "containers" / "images.lock")
        target = project / self.entry["file"]
        target.unlink(missing_ok=True)
        target.symlink_to(self.path)

    def run(self, *command, cwd, home=None, **environment):
        """Run a command inside as Snakemake does: the working directory is the home."""
        return subprocess.run(
            ["apptainer", "exec", "--home", str(home or cwd), str(self.path), *command],
            cwd=cwd,
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            timeout=300,
        )


def built(name):
    """Build an image in the workshop, where the project's own images.lock is not touched."""
    for folder in ("containers", "envs"):
        (WORKSHOP / folder).mkdir(parents=True, exist_ok=True)
        for file in (ROOT / folder).iterdir():
            if file.is_file() and file.suffix not in {".sif", ".lock"}:
                shutil.copy2(file, WORKSHOP / folder / file.name)
    command = [sys.executable, str(ROOT / "containers" / "build_images.py"), name, "--root", str(WORKSHOP)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1800)
    assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]
    return Image(name, WORKSHOP)


@pytest.fixture(scope="session")
def cpu_image(apptainer):
    """The image of every CPU stage, built once a test run. `cpu_image.put_in(folder)` makes a copy of the project use it."""
    return built("cpu")


@pytest.fixture(scope="session")
def engine_image(apptainer):
    """The image of the serving engine on a CPU, built once a test run."""
    return built("vllm-cpu")
