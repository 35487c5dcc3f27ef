"""What the graph itself costs at the report's size: a dry run of the full benchmark protocol, and a run in which nothing has changed.

    python benchmarks/dry_run.py

13 models x 5 settings x 3 samples with three judges, on the bundled jurisdiction. First a dry run where nothing was made; then every file
that the graph would make is written with a line of text and Snakemake is told to take it for made (--touch), and a dry run and a run
follow, which must find nothing to do. No model is asked. Prints jobs, seconds by the clock and the largest memory of each.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from full_scale import lay_out

TARGETS = ("results/leaderboard.csv", "results/report.html")


def timed(folder: Path, *arguments: str) -> tuple[str, float]:
    """What Snakemake said and how long it took. Exits with its last words if it fails."""
    command = [str(Path(sys.executable).parent / "snakemake"), *TARGETS, *arguments]
    began = time.perf_counter()
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
    seconds = time.perf_counter() - began
    said = done.stdout + done.stderr
    if done.returncode:
        raise SystemExit(f"{' '.join(command[:4])} ... failed:\n{said[-4000:]}")
    return said, seconds


def jobs(said: str) -> int:
    """Jobs that a dry run lists; 0 where nothing is to be done."""
    total = re.search(r"^total\s+(\d+)", said, re.M)
    return int(total[1]) if total else 0


def pretend(folder: Path) -> int:
    """Write every file that the graph names and has Snakemake take it for made. Returns how many."""
    listed, _ = timed(folder, "--summary")
    names = [line.split("\t")[0] for line in listed.splitlines() if line.startswith("results/")]
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"{name}\n", encoding="utf-8")
    timed(folder, "--touch", "--forceall", "--cores", "2")
    return len(names)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--protocol", default="benchmark", help="config/protocols/NAME.yaml")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="dry_run.") as name:
        folder = Path(name)
        lay_out(folder, args.protocol)
        said, seconds = timed(folder, "-n", "--quiet", "rules")
        print(f"dry run, nothing made:     {jobs(said):>6} jobs {seconds:>7.1f} s", flush=True)
        files = pretend(folder)
        for words, arguments in (("dry run, all made", ("-n",)), ("run, nothing changed", ("--cores", "2"))):
            said, seconds = timed(folder, *arguments)
            if jobs(said) or "Nothing to be done" not in said:
                raise SystemExit(f"{words}: something was to be done:\n{said[-3000:]}")
            print(f"{words + ':':<26} {files:>6} files {seconds:>6.1f} s", flush=True)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    print(f"largest process {peak:.0f} MiB; {platform.machine()}, {os.cpu_count()} cores, load {load}; Python {platform.python_version()}")


if __name__ == "__main__":
    main()
