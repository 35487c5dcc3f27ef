"""The full benchmark protocol, 13 models x 5 settings x 3 samples with three judges: what SLURM is asked for, job by job."""

import os
import re
import signal
import subprocess

import pytest
import yaml
from cluster.slurm_fixtures import Run, scontrol, wait_for

from inforce.config.load import read_config
from inforce.config.model import Model

pytestmark = pytest.mark.cluster
CELLS, JUDGES = 13 * 5 * 3, 3
SITE = "account: null\ngpu_type: a100\ncpus_per_gpu: 4\nmemory_mb_per_gpu: 64000\ngpu_runtime: 720\n"


@pytest.fixture
def bench(slurm, prepared, tmp_path):
    """The protocol on the bundled jurisdiction; every job is submitted for real, and held."""
    copy = prepared.copy(tmp_path / "checkout")
    protocol = yaml.safe_load((copy.folder / "config/protocols/benchmark.yaml").read_text(encoding="utf-8"))
    protocol["search"]["embedding"] = "minilm"  # made already
    (copy.folder / "config/protocols/bench.yaml").write_text(yaml.safe_dump(protocol), encoding="utf-8")
    for path in (copy.folder / "config/models").glob("*.yaml"):  # nothing is asked: any revision will do
        path.write_text(
            re.sub(r"^revision: .*to be filled.*$", "revision: none", path.read_text(encoding="utf-8"), flags=re.M), encoding="utf-8"
        )
    top = {"runs": {"bench": {"jurisdiction": "demo", "task": "essay", "protocol": "bench"}}}
    (copy.folder / "small.yaml").write_text(yaml.safe_dump(top), encoding="utf-8")
    (copy.folder / "slurm/site.yaml").write_text(SITE, encoding="utf-8")
    done = copy.snakemake("results/runs/bench/items.jsonl", "--configfile", "small.yaml")
    assert done.returncode == 0, done.stderr[-3000:]
    real = subprocess.run(["which", "sbatch"], capture_output=True, text=True, check=True).stdout.strip()
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/sbatch").write_text(f'#!/bin/sh\nexec {real} --hold "$@"\n')
    (tmp_path / "bin/sbatch").chmod(0o755)
    run = Run(copy, None, tmp_path)
    run.path_first = str(tmp_path / "bin")
    yield run
    run.end()


def field(shown, name):
    return re.search(rf"\b{name}=(\S+)", shown)[1]


def megabytes(shown):
    """Of 64000M or 62.50G, as SLURM shows memory."""
    return float(shown[:-1]) * {"M": 1, "G": 1024}[shown[-1]]


def test_the_benchmark_protocol_asks_for_what_its_models_need(bench):
    planned = bench.checkout.would_run("results/leaderboard.csv", "--configfile", "small.yaml", "--profile", "slurm")
    assert (planned["answer_items"], planned["grade_answers"]) == (CELLS, CELLS * JUDGES)

    driver = bench.start("results/leaderboard.csv", "--jobs", "300")

    def submitted():
        assert driver.poll() is None, bench.said()[-4000:]
        return {n: what for n, (what, _) in bench.jobs("pending").items() if what.startswith("rule_answer_items")}

    wait_for(lambda: len(submitted()) == CELLS, 900)
    protocol = yaml.safe_load((bench.checkout.folder / "config/protocols/bench.yaml").read_text(encoding="utf-8"))
    models = {name: read_config(bench.checkout.folder / f"config/models/{name}.yaml", Model).via for name in protocol["models"]}
    seen = []
    for number, what in submitted().items():
        model = next(name for name in sorted(models, key=len, reverse=True) if f"bench_{name}_" in what)
        shown, gpus = scontrol("show", "job", number), models[model].tensor_parallel
        assert field(shown, "Partition") == "gpu" and field(shown, "TresPerNode") == f"gres:gpu:a100:{gpus}"
        assert field(shown, "NumCPUs") == str(4 * gpus) and megabytes(field(shown, "MinMemoryNode")) == 64000 * gpus
        assert field(shown, "TimeLimit") == "12:00:00" and field(shown, "Requeue") == "1"
        seen.append((model, gpus))
    assert len(seen) == CELLS and {gpus for _, gpus in seen} == {1, 2, 4}
    assert all(sum(model == name for name, _ in seen) == 15 for model in models)

    os.kill(driver.pid, signal.SIGINT)
    assert bench.finished(driver) != 0
    wait_for(lambda: not bench.jobs("pending"), 300)
