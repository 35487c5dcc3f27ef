"""A checkout in a folder of its own, and the whole demo run in it once with the real model."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


class Checkout:
    """A copy of the project's files in another folder, with the tests' own interpreter."""

    def __init__(self, folder):
        self.folder = folder

    @classmethod
    def fresh(cls, folder):
        names = subprocess.run(
            ["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True
        ).stdout
        for name in names.splitlines():
            if (ROOT / name).is_file():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, folder / name)
        return cls(folder)

    def copy(self, folder):
        """The same with results, records of what was run, and file times."""
        subprocess.run(["cp", "-a", f"{self.folder}/.", str(folder)], check=True)
        return Checkout(folder)

    def snakemake(self, *arguments, timeout=1500, **environment):
        command = [str(Path(sys.executable).parent / "snakemake"), *arguments]
        return subprocess.run(
            command,
            cwd=self.folder,
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            timeout=timeout,
            stdin=subprocess.DEVNULL,
        )

    def would_run(self, *targets):
        """Number of jobs by rule that Snakemake would start; empty when nothing is to be done."""
        done = self.snakemake("-n", *(targets or ("results/leaderboard.csv", "results/report.html")))
        assert done.returncode == 0, done.stdout + done.stderr
        table = re.search(r"^job\s+count\n-+\s+-+\n(.*?)^total", done.stdout + done.stderr, re.M | re.S)
        return {row.split()[0]: int(row.split()[1]) for row in table[1].splitlines() if row.strip()} if table else {}

    def edit(self, name, old, new):
        path = self.folder / name
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new, 1), encoding="utf-8")


@pytest.fixture(scope="session")
def demo(tmp_path_factory):
    """The default run, made once by the real model on this machine."""
    checkout = Checkout.fresh(tmp_path_factory.mktemp("demo"))
    done = checkout.snakemake("results/leaderboard.csv", "results/report.html")
    assert done.returncode == 0, (done.stdout + done.stderr)[-6000:]
    checkout.log = done.stdout + done.stderr
    return checkout


@pytest.fixture
def copy_of_demo(demo, tmp_path):
    """The finished demo in a folder that the test may change."""
    return demo.copy(tmp_path / "copy")
