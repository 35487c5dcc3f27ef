"""The whole demo with its real model on a real SLURM, every job in the CPU image; then the audit of that run, in the image."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from cluster.slurm_fixtures import QUICK, scontrol, squeue
from conftest_graph import Checkout

pytestmark = [pytest.mark.cluster, pytest.mark.slow]
TARGETS = ("results/leaderboard.csv", "results/report.html", "results/manifest.json")


@pytest.fixture(scope="module")
def finished(slurm_started, cpu_image, need_minutes, tmp_path_factory):
    """The demo in a fresh checkout, submitted with the profile as it is."""
    need_minutes(35)
    checkout = Checkout.fresh(tmp_path_factory.mktemp("whole_demo"))
    cpu_image.put_in(checkout.folder)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("SLURM")}
    command = [str(Path(sys.executable).parent / "snakemake"), *TARGETS, "--profile", "slurm", *QUICK]
    done = subprocess.run(
        command, cwd=checkout.folder, env=environment, capture_output=True, text=True, timeout=2400, stdin=subprocess.DEVNULL
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-6000:]
    checkout.log = done.stdout + done.stderr
    return checkout


def jobs_of(checkout):
    rows = [line.split("|") for line in squeue("--states", "all", "--format", "%A|%k|%T|%Z")]
    return {number: (comment, state) for number, comment, state, folder in rows if folder == str(checkout.folder)}


def test_every_job_was_submitted_and_ended_well(finished):
    jobs = jobs_of(finished)
    assert len(jobs) > 90
    assert {state for _, state in jobs.values()} == {"COMPLETED"}
    asked = [number for number, (what, _) in jobs.items() if what.startswith("rule_answer_items")]
    assert len(asked) == 5
    assert all("Partition=cpu" in scontrol("show", "job", number) for number in asked)


def test_the_answers_are_those_of_a_model_and_are_graded(finished):
    answers = [json.loads(line) for path in (finished.folder / "results/answers").rglob("*.jsonl") for line in path.open(encoding="utf-8")]
    assert len(answers) == 130
    assert sum(answer["status"] == "ok" for answer in answers) >= 125
    assert (finished.folder / "results/report.html").stat().st_size > 100_000


def test_the_manifest_names_the_image(finished, cpu_image):
    manifest = json.loads((finished.folder / "results/manifest.json").read_text(encoding="utf-8"))
    assert manifest["images"]["cpu"]["sha256"] == cpu_image.entry["sha256"]


def test_a_second_run_submits_nothing(finished):
    done = finished.snakemake(*TARGETS, "--profile", "slurm", *QUICK)
    assert done.returncode == 0 and "Nothing to be done" in done.stdout + done.stderr


def audit(finished, cpu_image, work, responses="responses"):
    command = [sys.executable, "-m", "inforce.audit.audit_run", "--manifest", "results/manifest.json", "--responses", str(responses)]
    command += ["--work", str(work), "--images", str(cpu_image.path.parent)]
    environment = {**os.environ, "PYTHONPATH": str(finished.folder / "scripts")}
    return subprocess.run(command, cwd=finished.folder, env=environment, capture_output=True, text=True, timeout=1500)


def test_the_audit_in_the_image_finds_every_byte_equal(finished, cpu_image, tmp_path):
    done = audit(finished, cpu_image, tmp_path / "audit")
    assert done.returncode == 0, (done.stdout + done.stderr)[-6000:]
    assert "EQUAL: every file made again has the same bytes" in done.stdout


def test_the_audit_in_the_image_follows_a_changed_grade_to_the_leaderboard(finished, cpu_image, tmp_path):
    """One stored reply of a judge becomes another judge's word: its grades differ, and all that counts them."""
    store = shutil.copytree(finished.folder / "responses", tmp_path / "responses")
    tampered, number = one_tier_changed(store)
    done = audit(finished, cpu_image, tmp_path / "audit", store)
    assert done.returncode == 1, (done.stdout + done.stderr)[-6000:]
    first = f"responses/{tampered.relative_to(store)} line {number} differs"
    (grades,) = [line for line in done.stdout.splitlines() if line.strip().startswith("results/grades/") and line.endswith(first)]
    assert "differs because" in grades
    (board,) = [line for line in done.stdout.splitlines() if line.strip().startswith("results/leaderboard.csv ")]
    assert board.endswith(first)


def one_tier_changed(store):
    """In the first stored reply of a judge that gives T1, which is no points, it becomes T2, one point. Its file and line number."""
    given, wanted = (rf"\"tier\":\"{tier}\",\"score\":{points}," for tier, points in (("T1", 0), ("T2", 1)))
    for path in sorted(store.rglob("judge.*.jsonl")):
        lines = path.read_text(encoding="utf-8").split("\n")
        for place, line in enumerate(lines):
            head, found, reply = line.partition('"response":')  # the request before it may hold the same words
            if found and given in reply:
                lines[place] = head + found + reply.replace(given, wanted)
                path.write_text("\n".join(lines), encoding="utf-8")
                return path, place + 1
    raise AssertionError("no stored grade gives T1")
