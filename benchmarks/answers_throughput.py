"""The answers stage with a real vLLM server, beside a bare aiohttp client that sends the same requests to the same server, in turns.

    INFORCE_VLLM_COMMAND=".cache/tests/vllm/bin/python -m vllm.entrypoints.openai.api_server" \\
        PYTHONPATH=scripts python benchmarks/answers_throughput.py

Needs the demo's items and prepared weights (`snakemake results/runs/demo/items.jsonl results/models/smollm2-135m/model.safetensors`).
The stage is the command itself, run in this process: items and law read, prompts rendered, requests sent, every response stored and
fsynced, replies parsed, the answers file written. The bare client posts and reads, all requests at once, with the same limit. Prefix
caching is off, so that who comes second has no advantage. Compared are tokens read and written a second, as the server counts them.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import shlex
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import aiohttp
import yaml

from inforce.answers.answer_items import main as answer_items
from inforce.config.model import Model
from inforce.models.endpoint import request_body
from inforce.models.interface import ChatRequest
from inforce.models.served import COMMAND, arguments, server_environment
from inforce.models.server import Server


def model_values(max_tokens: int) -> dict[str, Any]:
    """A model file's values but for `via`: the same for the server and for the client that asks it."""
    model = {"name": "Engine", "checkpoint": "engine", "revision": "1", "context_window": 8192, "max_output_tokens": max_tokens}
    return model | {"sampling": {"temperature": 0.2}, "tools": "action_protocol"}


def model_file(folder: Path, base_url: str, in_flight: int, max_tokens: int) -> Path:
    """A model file for the running server. Written as engine.yaml below `folder`."""
    via = {"kind": "endpoint", "base_url": base_url, "api_key_env": "BENCHMARK_KEY", "concurrency": in_flight, "timeout_s": 1800}
    path = folder / "engine.yaml"
    path.write_text(yaml.safe_dump(model_values(max_tokens) | {"via": via}), encoding="utf-8")
    return path


def stage(args: argparse.Namespace, folder: Path, model: Path, sample: int) -> tuple[float, list[dict[str, Any]]]:
    """Seconds of one sample through the answers stage, and what it stored."""
    law = args.results / "corpus" / "demo"
    words = ["--run", "demo", "--model-name", "engine", "--setting", args.setting, "--sample", str(sample)]
    words += ["--items", str(folder / "items.jsonl"), "--laws", str(law / "laws.parquet"), "--sections", str(law / "sections.parquet")]
    words += ["--prompts", "config/prompts/essay.en", "--protocol-config", "config/protocols/demo.yaml", "--model-config", str(model)]
    words += ["--responses", str(folder / "responses"), "--out", str(folder / f"{sample}.jsonl")]
    began = time.perf_counter()
    answer_items(words)
    seconds = time.perf_counter() - began
    stored = (folder / "responses" / "engine" / f"demo.{args.setting}.{sample}.jsonl").read_text(encoding="utf-8")
    return seconds, [json.loads(line) for line in stored.splitlines()]


async def bare(url: str, key: str, bodies: list[bytes], in_flight: int) -> tuple[float, int]:
    """Seconds and tokens of the same requests with aiohttp alone."""
    slots, headers = asyncio.Semaphore(in_flight), {"Content-Type": "application/json", "Authorization": f"Bearer {key}"}
    timeout, connector = aiohttp.ClientTimeout(total=1800), aiohttp.TCPConnector(limit=in_flight)
    async with aiohttp.ClientSession(headers=headers, connector=connector, timeout=timeout) as session:

        async def one(body: bytes) -> int:
            async with slots, session.post(f"{url}/chat/completions", data=body) as reply:
                total: int = json.loads(await reply.read())["usage"]["total_tokens"]
                return total

        began = time.perf_counter()
        tokens = await asyncio.gather(*(one(body) for body in bodies))
        return time.perf_counter() - began, sum(tokens)


async def begun(args: argparse.Namespace, log: Path) -> Server:
    """A server of the prepared weights."""
    program = shlex.split(os.environ.get("INFORCE_VLLM_COMMAND") or COMMAND)
    via = {"kind": "vllm", "version": "any", "device": "cpu", "dtype": "bfloat16", "args": ["--no-enable-prefix-caching"]}
    engine = arguments(Model.model_validate(model_values(args.max_tokens) | {"via": via}), str(args.weights))
    environment = server_environment("cpu") | {"HF_HUB_OFFLINE": "1"}
    server = Server(
        lambda port: [*program, *engine, "--host", "127.0.0.1", "--port", str(port)], environment, log, checkpoint="engine", start_s=1200
    )
    await server.start()
    return server


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--results", type=Path, default=Path("results"))
    parser.add_argument("--weights", type=Path, default=Path("results/models/smollm2-135m"))
    parser.add_argument("--setting", default="gold_in_force", choices=["parametric", "gold_current", "gold_in_force"])
    parser.add_argument("--items", type=int, default=26)
    parser.add_argument("--turns", type=int, default=4, help="turns of each client, after one that is not counted")
    parser.add_argument("--in-flight", type=int, default=32)
    parser.add_argument("--max-tokens", type=int, default=256)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="answers_throughput.") as name:
        folder = Path(name)
        lines = (args.results / "runs/demo/items.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)[: args.items]
        (folder / "items.jsonl").write_text("".join(lines), encoding="utf-8")
        server = asyncio.run(begun(args, folder / "server.log"))
        try:
            os.environ["BENCHMARK_KEY"] = server.key
            model = model_file(folder, server.base_url, args.in_flight, args.max_tokens)
            rates: dict[str, list[float]] = {"stage": [], "bare": []}

            def ours(turn: int) -> list[bytes]:
                seconds, stored = stage(args, folder, model, turn)
                tokens = sum(line["response"]["raw"]["usage"]["total_tokens"] for line in stored)
                rates["stage"].append(tokens / seconds)
                return [json.dumps(request_body(ChatRequest.model_validate(line["request"]))).encode() for line in stored]

            def alone(bodies: list[bytes]) -> None:
                seconds, tokens = asyncio.run(bare(server.base_url, server.key, bodies, args.in_flight))
                rates["bare"].append(tokens / seconds)

            bodies = ours(1)
            alone(bodies)
            rates = {"stage": [], "bare": []}
            for turn in range(2, args.turns + 2):
                for do in (lambda turn=turn: ours(turn), lambda: alone(bodies))[:: 1 if turn % 2 else -1]:  # type: ignore[misc]
                    do()
                print(f"turn {turn - 1}: stage {rates['stage'][-1]:.0f} tokens/s, bare {rates['bare'][-1]:.0f} tokens/s", flush=True)
        finally:
            asyncio.run(server.stop())
    ours_, alone_ = (statistics.median(rates[kind]) for kind in ("stage", "bare"))
    print(
        f"vLLM {server.version}, {len(bodies)} requests a turn, {args.in_flight} in flight: stage {ours_:.0f} tokens/s, bare {alone_:.0f} tokens/s"
    )
    print(
        f"ratio of the medians {ours_ / alone_:.3f}; {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; Python {sys.version.split()[0]}"
    )


if __name__ == "__main__":
    main()
