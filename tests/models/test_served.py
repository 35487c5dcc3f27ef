"""A model that the job serves itself: started by the first request, named by its version, ended always; its death loses nothing."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from models.asking import ask_all, message, number_in, stored
from models.serving import all_gone, asked, orders, served, starts

from inforce.models.interface import ModelUnavailable
from inforce.models.open import open_model
from inforce.models.served import arguments, deciding_arguments, server_environment, weights_of

ROOT = Path(__file__).parents[2]


@pytest.fixture
def told(tmp_path, monkeypatch):
    """Give the stub its orders; the server's log is written below the working directory."""
    monkeypatch.chdir(tmp_path)

    def give(**changes):
        for name, value in orders(tmp_path, **changes).items():
            monkeypatch.setenv(name, value)

    return give


def opened(folder, model, *, stored_only=False):
    return open_model(model, model_name="own", weights=None, responses=folder / "responses", writer="job", stored_only=stored_only)


def numbers(folder):
    return Counter(number_in(body) for body in asked(folder))


def test_one_server_answers_all_and_is_ended(tmp_path, told):
    told(delay=0.01)
    answers = asyncio.run(ask_all(opened(tmp_path, served()), [message(n) for n in range(20)]))
    assert all(answer.text and answer.error_class is None for answer in answers)
    assert numbers(tmp_path) == Counter(range(20))
    assert {body["model"] for body in asked(tmp_path)} == {"org/served"}
    assert len(starts(tmp_path)) == 1 and all_gone(tmp_path)
    assert (tmp_path / "logs" / "servers" / "own.job.log").is_file()


def test_what_is_stored_starts_no_server(tmp_path, told):
    told()
    texts = [message(n) for n in range(3)]
    first = asyncio.run(ask_all(opened(tmp_path, served()), texts))
    again = asyncio.run(ask_all(opened(tmp_path, served()), texts))
    audited = asyncio.run(ask_all(opened(tmp_path, served(), stored_only=True), texts))
    assert first == again == audited and len(starts(tmp_path)) == 1


def test_a_server_that_dies_in_the_middle_is_named_and_the_next_job_asks_only_the_rest(tmp_path, told):
    told(die_after=8, delay=0.02)
    texts = [message(n) for n in range(30)]
    with pytest.raises(ModelUnavailable, match=r"died \(status 1\)") as caught:
        asyncio.run(ask_all(opened(tmp_path, served(via={"concurrency": 4})), texts))
    assert "| torch.OutOfMemoryError: CUDA out of memory" in str(caught.value)
    assert "config/models/own.yaml" in str(caught.value) and "run again to resume" in str(caught.value)
    assert all_gone(tmp_path)
    names = stored(tmp_path / "responses" / "own")
    before = {number_in(json.loads(line)["request"]) for line in (tmp_path / "responses/own/job.jsonl").read_text().splitlines()}
    assert 1 <= len(names) < 30
    answers = asyncio.run(ask_all(opened(tmp_path, served(via={"concurrency": 4})), texts))
    assert all(answer.error_class is None for answer in answers)
    assert len(set(stored(tmp_path / "responses" / "own"))) == len(stored(tmp_path / "responses" / "own")) == 30
    assert {number: numbers(tmp_path)[number] for number in before} == dict.fromkeys(before, 1), "what was stored is not asked again"


def test_a_model_that_does_not_load(tmp_path, told):
    told(mode="die_at_start")
    with pytest.raises(ModelUnavailable, match=r"has no config\.json") as caught:
        asyncio.run(ask_all(opened(tmp_path, served()), [message(n) for n in range(5)]))
    assert str(caught.value).startswith("config/models/own.yaml: the server of org/served ended with status 1")
    assert len(starts(tmp_path)) == 1 and all_gone(tmp_path)


def test_another_version_than_the_model_file_s_is_refused_before_anything_is_asked(tmp_path, told):
    told(version="0.33.1")
    with pytest.raises(ModelUnavailable, match=r"names vLLM 0.32.0, and the server is 0.33.1"):
        asyncio.run(ask_all(opened(tmp_path, served()), [message(1)]))
    assert asked(tmp_path) == [] and all_gone(tmp_path)
    told(version="0.32.0+cpu")
    asyncio.run(ask_all(opened(tmp_path, served()), [message(1)]))


def test_closing_while_it_starts_ends_it(tmp_path, told):
    told(mode="slow_start", seconds=30)

    async def whole():
        model = opened(tmp_path, served())
        request = model.build_request([{"role": "user", "content": message(1)}], seed_name="s", sample=1)
        task = asyncio.create_task(model.complete(request))
        while not starts(tmp_path):
            await asyncio.sleep(0.02)
        task.cancel()
        await model.close()

    asyncio.run(whole())
    assert all_gone(tmp_path)


def test_the_key_stands_in_no_file_and_no_argument(tmp_path, told):
    told()
    model = opened(tmp_path, served())
    keys = []

    async def whole():
        request = model.build_request([{"role": "user", "content": message(1)}], seed_name="s", sample=1)
        await model.complete(request)
        server = model._backend._server
        keys.append(server.key)
        (pid, _), *_ = starts(tmp_path)
        keys.append(Path(f"/proc/{pid}/cmdline").read_text())
        await model.close()

    asyncio.run(whole())
    key, command = keys
    assert key not in command
    assert not [path for path in tmp_path.rglob("*") if path.is_file() and key in path.read_text(errors="replace")]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_a_signal_to_the_job_ends_the_server_and_nothing_is_lost_or_asked_twice(number, tmp_path, told):
    told(delay=0.15)
    code = f"""
import asyncio, sys
sys.path[:0] = [{str(ROOT / "tests")!r}]
from pathlib import Path
from inforce.models.open import open_model
from inforce.models.stopping import run
from models.asking import ask_all, message
from models.serving import served
model = open_model(served(via={{"concurrency": 2}}), model_name="own", weights=None, responses=Path("responses"), writer="job", stored_only=False)
run(ask_all(model, [message(n) for n in range(20)]))
"""
    command = [sys.executable, "-c", code]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "scripts")}

    def begun():
        return subprocess.Popen(command, cwd=tmp_path, env=environment, stderr=subprocess.PIPE, text=True)

    with begun() as job:
        while len(asked(tmp_path)) < 6:
            assert job.poll() is None, job.stderr.read()
        job.send_signal(number)
        _, said = job.communicate(timeout=20)
    assert job.returncode == {signal.SIGTERM: 143, signal.SIGINT: 130, signal.SIGKILL: -9}[number]
    assert all_gone(tmp_path, within=12)
    if number != signal.SIGKILL:
        assert f"{number.name}: stopping" in said
    in_flight = 2 if number == signal.SIGKILL else 0
    with begun() as job:
        assert job.wait(60) == 0
    times = numbers(tmp_path)
    assert set(times) == set(range(20)) and len(set(stored(tmp_path / "responses" / "own"))) == 20
    assert sum(times.values()) - 20 <= in_flight, "asked by the first job and on its way at the stop: it has some seconds to come back"


def test_the_server_s_arguments_come_from_the_model_file():
    model = served(
        via={
            "device": "gpu",
            "tensor_parallel": 4,
            "max_model_len": 2048,
            "reasoning_parser": "qwen3",
            "tool_call_parser": "hermes",
            "args": ["--enable-prefix-caching"],
        }
    )
    deciding = "--dtype auto --tensor-parallel-size 4 --max-model-len 2048 --reasoning-parser qwen3"
    deciding += " --enable-auto-tool-choice --tool-call-parser hermes --enable-prefix-caching"
    assert deciding_arguments(model) == deciding.split()
    assert " ".join(arguments(model, "org/served")) == f"--model org/served --served-model-name org/served --revision abc {deciding}"
    assert " ".join(arguments(model, "/models/x")) == f"--model /models/x --served-model-name org/served {deciding}"
    assert "--max-model-len 4096" in " ".join(deciding_arguments(served()))


def test_on_a_cpu_no_prompt_is_read_in_parts():
    words = " ".join(deciding_arguments(served(via={"device": "cpu", "max_model_len": 2048}, structured_output="none")))
    assert words == "--dtype auto --tensor-parallel-size 1 --max-model-len 2048 --no-enable-chunked-prefill --max-num-batched-tokens 2048"


def test_on_a_cpu_a_schema_leaves_no_white_space_free():
    assert "disable_any_whitespace" in deciding_arguments(served(via={"device": "cpu"}))[-1]
    assert "disable_any_whitespace" not in " ".join(deciding_arguments(served(via={"device": "gpu"})))


def test_where_the_weights_are(tmp_path, monkeypatch):
    monkeypatch.delenv("INFORCE_MODELS", raising=False)
    assert weights_of(served(), None, "f") == "org/served"
    (tmp_path / "org" / "served").mkdir(parents=True)
    monkeypatch.setenv("INFORCE_MODELS", str(tmp_path))
    assert weights_of(served(), None, "f") == "org/served", "an empty folder is no model"
    (tmp_path / "org" / "served" / "config.json").touch()
    assert weights_of(served(), None, "f") == str(tmp_path / "org" / "served")
    packaged = served(via={"package": "p", "file": "f.gguf"})
    with pytest.raises(ModelUnavailable, match="its weights are not prepared"):
        weights_of(packaged, None, "config/models/own.yaml")
    assert weights_of(packaged, tmp_path / "org" / "served", "f") == str(tmp_path / "org" / "served")


def test_the_version_and_the_arguments_are_part_of_a_request_s_name(tmp_path):
    def name(**via):
        door = opened(tmp_path, served(via=via))
        return door.build_request([], seed_name="s", sample=1).sha256

    door = opened(tmp_path, served())
    request = door.build_request([], seed_name="s", sample=1)
    assert request.engine == "vllm 0.32.0" and request.engine_args[0] == "device=cpu"
    same = name(concurrency=4, timeout_s=3, max_attempts=1, start_s=9)
    others = [name(version="0.33.0"), name(dtype="float32"), name(tensor_parallel=2), name(args=["--seed=1"]), name(device="gpu")]
    assert same == request.sha256 and len({same, *others}) == 6


def test_a_server_on_a_cpu_counts_its_threads_itself(monkeypatch):
    monkeypatch.delenv("VLLM_CPU_KVCACHE_SPACE", raising=False)
    given = server_environment("cpu")
    assert given["OMP_NUM_THREADS"] is None and given["MKL_NUM_THREADS"] is None and given["VLLM_CPU_KVCACHE_SPACE"] == "4"
    assert "OMP_NUM_THREADS" not in server_environment("gpu")
    monkeypatch.setenv("VLLM_CPU_KVCACHE_SPACE", "9")
    assert "VLLM_CPU_KVCACHE_SPACE" not in server_environment("cpu")
