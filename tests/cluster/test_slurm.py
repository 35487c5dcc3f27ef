"""The run on a real SLURM, undisturbed and under every fault that a cluster has: nothing lost, nothing asked twice, the right status."""

import os
import re
import signal
import subprocess
from pathlib import Path

import pytest
from cluster.slurm_fixtures import ITEMS, node_dies, node_returns, scontrol, squeue_node, wait_for

pytestmark = pytest.mark.cluster


def begun(run, model="remote", least=2):
    """A driver that asks one model, and its job once that has asked `least` times."""
    driver = run.start(run.answers(model))
    job = run.job_running("answer_items")
    wait_for(lambda: sum(run.asked().values()) >= least)
    return driver, job


def answered(run, model="remote"):
    lines = (run.checkout.folder / run.answers(model)).read_text(encoding="utf-8").splitlines()
    return len(lines)


def test_a_whole_run_is_submitted_and_ends_well(small):
    driver = small.start("results/leaderboard.csv")
    assert small.finished(driver, 600) == 0, small.said()[-6000:]
    assert (small.checkout.folder / "results/leaderboard.csv").is_file()
    small.nothing_lost_nothing_twice()
    known = small.jobs()
    assert {state for _, state in known.values()} == {"COMPLETED"}
    own = [n for n, (what, _) in known.items() if what.startswith("rule_answer_items") and "own" in what]
    assert len(own) == 2
    for number in own:
        shown = scontrol("show", "job", number)
        assert "Partition=gpu" in shown and "gres:gpu:a100:2" in shown and "NumCPUs=16" in shown and "MinMemoryNode=8000M" in shown
        assert "Requeue=1" in shown and "TimeLimit=1-00:00:00" in shown
    others = [scontrol("show", "job", n) for n, (what, _) in known.items() if "own" not in what]
    assert others and all("Partition=cpu" in shown and "gres" not in shown for shown in others)
    assert any("slurm_logs" in name for name in small.logs()), "logs of jobs that went well are kept"
    assert all(not Path(f"/proc/{pid}").exists() for pid in small.servers())
    assert "Nothing to be done" in again(small, "results/leaderboard.csv")


def again(run, *targets):
    before = len(run.said())
    assert run.finished(run.start(*targets)) == 0
    return run.said()[before:]


def test_scancel_in_the_middle(small):
    driver, job = begun(small)
    subprocess.run(["scancel", job], check=True)
    wait_for(lambda: small.jobs()[job][1] == "CANCELLED")
    assert small.finished(driver) == 0, small.said()[-6000:]
    assert answered(small) == ITEMS
    assert any("SIGTERM: stopping" in text for text in small.logs().values())
    small.nothing_lost_nothing_twice()


def test_requeue_in_the_middle(small):
    driver, job = begun(small)
    scontrol("requeue", job)
    wait_for(lambda: small.jobs()[job][1] == "PENDING")
    scontrol("update", f"JobId={job}", "StartTime=now")
    assert small.finished(driver) == 0, small.said()[-6000:]
    assert answered(small) == ITEMS
    assert "Restarts=1" in scontrol("show", "job", job)
    small.nothing_lost_nothing_twice(in_flight=2)


def test_a_node_drained(small):
    node = squeue_node()
    driver, job = begun(small)
    scontrol("update", f"NodeName={node}", "State=DRAIN", "Reason=test")
    wait_for(lambda: small.jobs()[job][1] == "COMPLETED")
    more = small.start("--nolock", small.answers("remote", "gold_in_force"))
    wait_for(lambda: [n for n, (_, state) in small.jobs().items() if state == "PENDING"])
    scontrol("update", f"NodeName={node}", "State=RESUME")
    assert small.finished(driver) == 0 and small.finished(more) == 0, small.said()[-6000:]
    small.nothing_lost_nothing_twice()


def test_a_node_lost(small):
    node = squeue_node()
    driver, job = begun(small)
    node_dies()
    # the controller would find out by itself after SlurmdTimeout, minutes later
    scontrol("update", f"NodeName={node}", "State=DOWN", "Reason=test")
    wait_for(lambda: small.jobs()[job][1] != "RUNNING")
    node_returns(node)
    wait_for(lambda: small.jobs()[job][1] in ("PENDING", "RUNNING", "COMPLETED"))
    subprocess.run(["scontrol", "update", f"JobId={job}", "StartTime=now"], capture_output=True)
    assert small.finished(driver) == 0, small.said()[-6000:]
    assert answered(small) == ITEMS
    small.nothing_lost_nothing_twice(in_flight=2)


def test_a_server_killed(small):
    driver, _ = begun(small, "own")
    os.kill(small.servers()[0], signal.SIGKILL)
    assert small.finished(driver) == 0, small.said()[-6000:]
    assert answered(small, "own") == ITEMS and len(small.servers()) == 2
    told = [text for name, text in small.logs().items() if "died (status 137)" in text]
    assert told and "Uvicorn running" in told[0]
    small.nothing_lost_nothing_twice(in_flight=2)


def test_out_of_memory_once_gets_more_the_next_time(small):
    small.stub |= {"eat_mb": 1600, "deaths": 1}
    driver = small.start(small.answers("own"), "--set-resources", "answer_items:mem_mb=1200*attempt")
    assert small.finished(driver) == 0, small.said()[-6000:]
    assert answered(small, "own") == ITEMS and len(small.servers()) == 2
    ended = {number: state for number, (what, state) in small.jobs().items() if what.startswith("rule_answer_items")}
    assert sorted(ended.values())[0] == "COMPLETED" and len(ended) == 2
    assert any(re.search(r"exceeded memory limit|oom", text, re.I) for text in small.logs().values())
    small.nothing_lost_nothing_twice(in_flight=2)


def test_out_of_memory_every_time_is_an_error(small):
    small.stub |= {"eat_mb": 1600}
    driver = small.start(small.answers("own"), "--set-resources", "answer_items:mem_mb=1200", "--retries", "1")
    assert small.finished(driver) == 1
    assert not (small.checkout.folder / small.answers("own")).exists() and len(small.servers()) == 2
    assert all(not Path(f"/proc/{pid}").exists() for pid in small.servers())


def test_squeue_fails_for_a_while(small, tmp_path):
    down, bin_ = tmp_path / "down", tmp_path / "bin"
    bin_.mkdir()
    real = subprocess.run(["which", "squeue"], capture_output=True, text=True, check=True).stdout.strip()
    (bin_ / "squeue").write_text(
        f'#!/bin/sh\n[ -e {down} ] && {{ echo x >>{down}; echo "squeue: error: Unable to contact slurm controller" >&2; exit 1; }}\nexec {real} "$@"\n'
    )
    (bin_ / "squeue").chmod(0o755)
    small.path_first = str(bin_)
    driver, job = begun(small)
    down.touch()
    wait_for(lambda: len(down.read_text()) >= 20, 90)
    wait_for(lambda: "JobState=COMPLETED" in scontrol("show", "job", job))  # and the driver cannot see it
    assert driver.poll() is None
    down.unlink()
    assert small.finished(driver) == 0, small.said()[-6000:]
    small.nothing_lost_nothing_twice()


def test_the_driver_killed_and_started_again(small):
    driver, job = begun(small)
    os.killpg(driver.pid, signal.SIGKILL)
    driver.wait()
    assert small.jobs()[job][1] == "RUNNING"
    scontrol("suspend", job)  # or it might be done before the second one begins
    assert small.finished(small.start("--unlock")) == 0
    second = small.start(small.answers())
    wait_for(lambda: set(small.jobs("running")) - {job})
    scontrol("resume", job)
    assert small.finished(second) == 0, small.said()[-6000:]
    assert answered(small) == ITEMS
    wait_for(lambda: not small.jobs("pending,running,completing"))
    small.nothing_lost_nothing_twice()


def test_the_driver_stopped_takes_its_jobs_along(small):
    driver, job = begun(small)
    os.kill(driver.pid, signal.SIGINT)
    assert small.finished(driver) != 0
    wait_for(lambda: small.jobs()[job][1] == "CANCELLED")
    assert small.finished(small.start(small.answers())) == 0, small.said()[-6000:]
    assert answered(small) == ITEMS
    small.nothing_lost_nothing_twice()


def test_a_model_that_does_not_load_fails_with_its_last_words(small):
    small.stub |= {"mode": "die_at_start"}
    driver = small.start(small.answers("own"), "--retries", "0")
    assert small.finished(driver) == 1
    assert any("| ValueError: the checkpoint org/model has no config.json" in text for text in small.logs().values())
    assert "has no config.json" in small.said(), "the driver shows it as well"
