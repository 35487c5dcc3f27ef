"""Requests a second through `open_model` with every response stored and fsynced, beside a bare aiohttp client that stores nothing.

    PYTHONPATH=scripts python benchmarks/store_throughput.py

A stub server in a process of its own answers each request in 50 ms; 32 requests are in flight. Both clients send the same bodies to the
same server, in turns (ours, bare, ours, bare, ...), so that whatever else the machine does hits both. The server's bound is
in flight / delay = 640 requests a second. Prints a line a turn, the medians, their ratio and the machine.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import aiohttp

from inforce.config.model import Model
from inforce.models.endpoint import request_body
from inforce.models.interface import ChatRequest
from inforce.models.open import StoredModel, open_model

SERVER = Path(__file__).parents[1] / "tests" / "stub_server" / "stub_server.py"
SCHEMA = {"type": "object", "properties": {"verdict": {"type": "string"}, "reasoning": {"type": "string"}}, "additionalProperties": False}


def made_model(base_url: str, in_flight: int) -> Model:
    """A model file's content for the stub server."""
    via = {"kind": "endpoint", "base_url": base_url, "concurrency": in_flight}
    sizes = {"context_window": 8192, "max_output_tokens": 512}
    return Model.model_validate({"name": "Stub", "checkpoint": "stub", "revision": "1", "via": via, **sizes})


def made_requests(door: StoredModel, turn: int, n: int, words: int) -> list[ChatRequest]:
    """`n` requests of a turn with some `words` words each, no two alike."""
    text = "the section in force on that day governs this claim " * (words // 10)
    messages = [
        [{"role": "system", "content": "Answer in JSON."}, {"role": "user", "content": f"turn {turn} item {k}: {text}"}] for k in range(n)
    ]
    return [door.build_request(some, response_schema=SCHEMA, seed_name=f"{turn}/{k}", sample=1) for k, some in enumerate(messages)]


async def ours(model: Model, folder: Path, turn: int, n: int, words: int) -> float:
    """Requests a second of one turn through the store."""
    door = open_model(model, model_name="stub", weights=None, responses=folder, writer=f"turn-{turn}", stored_only=False)
    requests = made_requests(door, turn, n, words)
    began = time.perf_counter()
    responses = await asyncio.gather(*(door.complete(request) for request in requests))
    seconds = time.perf_counter() - began
    await door.close()
    assert all(response.error_class is None and response.text for response in responses) and door.asked == n
    assert (folder / "stub" / f"turn-{turn}.jsonl").read_bytes().count(b"\n") == n
    return n / seconds


async def bare(model: Model, base_url: str, folder: Path, turn: int, n: int, words: int) -> float:
    """Requests a second of one turn with aiohttp alone: post, read, parse."""
    door = open_model(model, model_name="bare", weights=None, responses=folder, writer="none", stored_only=True)
    bodies = [json.dumps(request_body(request)).encode() for request in made_requests(door, turn, n, words)]
    slots = asyncio.Semaphore(model.via.concurrency)  # type: ignore[union-attr]
    headers = {"Content-Type": "application/json"}
    connector = aiohttp.TCPConnector(limit=model.via.concurrency)  # type: ignore[union-attr]

    async with aiohttp.ClientSession(headers=headers, connector=connector) as session:

        async def one(body: bytes) -> str:
            async with slots, session.post(f"{base_url}/chat/completions", data=body) as reply:
                text: str = json.loads(await reply.read())["choices"][0]["message"]["content"]
                return text

        began = time.perf_counter()
        texts = await asyncio.gather(*(one(body) for body in bodies))
        seconds = time.perf_counter() - began
    assert all(texts)
    return n / seconds


def processor() -> str:
    """The processor's name, where the system tells it."""
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines() if Path("/proc/cpuinfo").exists() else []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=int, default=2000, help="of each client, over all turns")
    parser.add_argument("--turns", type=int, default=4, help="turns of each client")
    parser.add_argument("--in-flight", type=int, default=32)
    parser.add_argument("--delay", type=float, default=0.05, help="seconds before the server answers")
    parser.add_argument("--words", type=int, default=500, help="words of a prompt")
    args = parser.parse_args()
    each = args.requests // args.turns
    with tempfile.TemporaryDirectory(prefix="store_throughput.") as name:
        folder = Path(name)
        command = [sys.executable, str(SERVER), "--log", str(folder / "log.jsonl"), "--delay", str(args.delay)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            try:
                assert server.stdout is not None
                base_url = f"http://127.0.0.1:{int(server.stdout.readline().split()[1])}/v1"
                model = made_model(base_url, args.in_flight)
                rates: dict[str, list[float]] = {"stored": [], "bare": []}
                for turn in range(args.turns):
                    rates["stored"].append(asyncio.run(ours(model, folder, turn, each, args.words)))
                    rates["bare"].append(asyncio.run(bare(model, base_url, folder, turn, each, args.words)))
                    print(f"turn {turn + 1}: stored {rates['stored'][-1]:.0f}/s, bare {rates['bare'][-1]:.0f}/s", flush=True)
            finally:
                server.kill()
    stored, alone = (statistics.median(rates[kind]) for kind in ("stored", "bare"))
    print(
        f"{args.requests} requests each, {args.in_flight} in flight, {1000 * args.delay:.0f} ms a reply: "
        f"stored {stored:.0f}/s, bare {alone:.0f}/s, ratio {stored / alone:.2f} (medians)"
    )
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    print(f"{processor()}, {os.cpu_count()} cores, load {load}; Python {platform.python_version()}, aiohttp {aiohttp.__version__}")


if __name__ == "__main__":
    main()
