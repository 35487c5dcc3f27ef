"""Everything behind the scores at the report's size: time, processor time and memory of each step, and of all together.

    python benchmarks/full_scale.py

Makes a folder with the project's files and a generated run of NitiBench+'s size (benchmarks/generate_run.py: 13 models, 5 settings, 3
samples, 1,670 items, 4,071 sub-questions, 3 judges; some 4 GB of answers and grades), and lets Snakemake make every statistic, table and
figure of it with the protocol's 10,000 resamples, the leaderboard and the report page, on two cores. The law is the bundled jurisdiction's. Then compares what comes out with the planted truth, and the
bootstrap with scipy.stats.bootstrap on the same items.

Prints a line a step, slowest first: wall seconds, processor seconds, largest memory in MB; then the whole, with the largest memory of all
processes at one moment. Steps that are not of the rooms stats and report are made before and not counted.
"""

from __future__ import annotations

import argparse
import csv
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np
import pandas as pd
import psutil
import scipy.stats

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "scripts"))
from inforce.records.tables import SCORES  # noqa: E402
from inforce.stats import cells  # noqa: E402
from inforce.stats.bootstrap import mean_interval, seed_of  # noqa: E402
from inforce.stats.frames import read_tables  # noqa: E402

RUN, JURISDICTION = "full", "demo"


def lay_out(folder: Path, protocol: str) -> None:
    """The project's files: linked, but the configuration, which is copied and names the generated run."""
    for path in ROOT.iterdir():
        if path.name not in {"config", "results", "logs", "responses", ".snakemake", ".git", ".venv"}:
            (folder / path.name).symlink_to(path)
    shutil.copytree(ROOT / "config", folder / "config")
    # as in the report, only the validation split's items are on the page
    own = folder / "config" / "jurisdictions" / f"{JURISDICTION}.yaml"
    own.write_text(own.read_text(encoding="utf-8").replace("items_public: true", "items_public: false"), encoding="utf-8")
    text = f"runs:\n  {RUN}:\n    jurisdiction: {JURISDICTION}\n    protocol: {protocol}\n"
    (folder / "config" / "config.yaml").write_text(text, encoding="utf-8")


def snakemake(folder: Path, *arguments: str) -> str:
    """Run Snakemake in the folder, return what it wrote to standard output. Exits with its last words if it fails."""
    command = [str(Path(sys.executable).parent / "snakemake"), *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(command[:6])} ... failed:\n{(done.stdout + done.stderr)[-4000:]}")
    return done.stdout


def rules_of(room: str) -> list[str]:
    """Names of a room's rules."""
    return re.findall(r"^rule (\w+):", (ROOT / "rules" / f"{room}.smk").read_text(encoding="utf-8"), re.M)


def outputs(folder: Path) -> dict[str, list[str]]:
    """Files that each rule makes."""
    found: dict[str, list[str]] = {}
    for line in snakemake(folder, "--summary").splitlines()[1:]:
        name, _, rule, *_ = line.split("\t")
        found.setdefault(rule, []).append(name)
    return found


class Peak(threading.Thread):
    """The largest memory of this process's children at one moment, in bytes."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.bytes, self.done = 0, False

    def run(self) -> None:
        """Look ten times a second until `done`."""
        while not self.done:
            total = 0
            for child in psutil.Process().children(recursive=True):
                try:
                    total += child.memory_info().rss
                except psutil.Error:
                    continue
            self.bytes = max(self.bytes, total)
            time.sleep(0.1)


def step_lines(folder: Path, rules: list[str]) -> list[tuple[float, float, float, str]]:
    """Wall seconds, processor seconds and MB of every job, from Snakemake's benchmark files; slowest first."""
    lines = []
    for rule in rules:
        files = [*(folder / "logs" / rule).glob("*.tsv"), *(folder / "logs").glob(f"{rule}.tsv")]
        for file in files:
            with open(file, encoding="utf-8", newline="") as handle:
                row = next(csv.DictReader(handle, delimiter="\t"))
            values = [float(row[name]) if row.get(name) not in (None, "-", "NA") else 0.0 for name in ("s", "cpu_time", "max_rss")]
            lines.append((*values, rule))
    return sorted(lines, reverse=True)  # type: ignore[arg-type]


def compare_with_truth(folder: Path) -> str:
    """How many of the planted means lie in their interval, and the largest distance."""
    truth = pd.read_csv(folder / "results" / "runs" / RUN / "truth.csv", keep_default_na=False)
    found = pd.read_csv(folder / "results" / "stats" / RUN / "settings.csv")
    both = truth[truth["metric"] != "gain"].merge(found, on=["model", "setting", "domain", "metric"], suffixes=("_true", ""))
    gains = pd.read_csv(folder / "results" / "stats" / RUN / "gain_by_band.csv")
    pairs = truth[truth["metric"] == "gain"].merge(
        gains[gains["contrast"] == "gain"].rename(columns={"access": "setting"}), on=["model", "setting", "band"], suffixes=("_true", "")
    )
    texts = []
    for name, rows in (
        ("macro averages", both[both["domain"] == "all"]),
        ("domain means", both[both["domain"] != "all"]),
        ("gains", pairs),
    ):
        held = rows["value_true"].between(rows["low"], rows["high"])
        worst = (rows["value"] - rows["value_true"]).abs().max()
        texts.append(f"{name}: {held.sum()} of {len(rows)} planted values in their interval, largest distance {worst:.3f}")
    return "\n".join(texts)


def against_scipy(folder: Path, n_resamples: int) -> str:
    """One model in one setting: the macro average's interval by both, and the ratio of the times."""
    here = sorted((folder / "results" / "scores" / RUN).iterdir())[0]
    files = sorted((here / "rag_in_force").glob("*/scores.parquet"))
    table = cells.item_cells(read_tables(files, SCORES, [*cells.COLUMNS, "score"], RUN), "score", RUN)
    items, values = table.items, table.values
    began = time.perf_counter()
    value, ours = mean_interval(values, items.clusters, items.domains, len(items.domain_names), n_resamples, seed_of(RUN, "full_scale"))
    own = time.perf_counter() - began
    known = np.isfinite(values[:, 0])
    n_clusters, n_domains = int(items.clusters.max()) + 1, len(items.domain_names)
    above, below = np.zeros((n_clusters, n_domains)), np.zeros((n_clusters, n_domains))
    np.add.at(above, (items.clusters[known], items.domains[known]), values[known, 0])
    np.add.at(below, (items.clusters[known], items.domains[known]), 1)

    def macro(clusters: np.ndarray, axis: int = -1) -> np.ndarray:
        chosen = np.moveaxis(clusters, axis, -1)
        return (above[chosen].sum(axis=-2) / below[chosen].sum(axis=-2)).mean(axis=-1)

    began = time.perf_counter()
    theirs = scipy.stats.bootstrap(
        (np.arange(n_clusters),),
        macro,
        n_resamples=n_resamples,
        batch=50,
        method="percentile",
        vectorized=True,
        rng=np.random.default_rng(1),
    ).confidence_interval
    other = time.perf_counter() - began
    return (
        f"bootstrap of one macro average, {n_resamples} resamples of {n_clusters} clusters: {value[0]:.3f} "
        f"[{ours.low[0]:.4f}, {ours.high[0]:.4f}] in {own:.2f} s; scipy.stats.bootstrap [{theirs.low:.4f}, {theirs.high:.4f}] in {other:.2f} s; "
        f"ratio {other / own:.1f}"
    )


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--protocol", default="benchmark", help="config/protocols/NAME.yaml")
    parser.add_argument("--keep", type=Path, help="work in this folder (empty or absent) and leave it there")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="full_scale.") as name:
        folder = args.keep or Path(name)
        folder.mkdir(parents=True, exist_ok=True)
        lay_out(folder, args.protocol)
        made = outputs(folder)
        before = [file for room in ("corpus", "drift", "items") for rule in rules_of(room) for file in made.get(rule, [])]
        snakemake(folder, "--cores", str(args.cores), *before)
        templates = folder / "templates.jsonl"
        items = folder / "results" / "items" / JURISDICTION / "items.jsonl"
        shutil.copy(items, templates)
        command = [sys.executable, str(ROOT / "benchmarks" / "generate_run.py"), "--run", RUN, "--templates", str(templates)]
        command += ["--protocol-config", str(folder / "config" / "protocols" / f"{args.protocol}.yaml")]
        command += ["--folder", str(folder / "results"), "--items", str(items), "--with-answers"]
        subprocess.run(command, check=True, env={**os.environ, "PYTHONPATH": str(ROOT / "scripts")})
        measured = [rule for room in ("stats", "report") for rule in rules_of(room)]
        targets = [file for rule in measured for file in made.get(rule, [])]
        splits = made.get("make_splits", [f"results/items/{JURISDICTION}/splits.csv"])
        snakemake(folder, "--cores", str(args.cores), "--allowed-rules", "make_splits", "--force", *splits)
        peak = Peak()
        peak.start()
        began, spent = time.perf_counter(), os.times()
        snakemake(folder, "--cores", str(args.cores), "--allowed-rules", *measured, "--", *targets)
        wall, after = time.perf_counter() - began, os.times()
        peak.done = True
        peak.join()
        cpu = after.children_user + after.children_system - spent.children_user - spent.children_system
        print(f"{'step':<28}{'wall s':>9}{'cpu s':>9}{'MB':>9}")
        for seconds, used, memory, rule in step_lines(folder, measured):
            print(f"{rule:<28}{seconds:>9.1f}{used:>9.1f}{memory:>9.0f}")
        print(f"{'all':<28}{wall:>9.1f}{cpu:>9.1f}{peak.bytes / 1e6:>9.0f}   (files: {len(targets)})")
        print(compare_with_truth(folder))
        print(against_scipy(folder, 10_000))
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    print(f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores, load {load}; Python {platform.python_version()}")


if __name__ == "__main__":
    main()
