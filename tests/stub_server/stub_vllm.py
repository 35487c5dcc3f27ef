"""A program with vLLM's command line that serves the stub: python stub_vllm.py --model M --served-model-name NAME --port N ...

It asks for the key in VLLM_API_KEY, lists the served model and tells a version. STUB_VLLM holds its orders as JSON:
  {"log": FILE of requests, appended to by every server, "version": "0.32.0", "delay": 0.0, "fail": [rules of stub_server],
   "mode": "ok" | "die_at_start" | "never_healthy" | "slow_start", "seconds": of slow_start, "die_after": N requests, "deaths": N,
   "pids": FILE that gets a line "server's pid, a child's pid" at each start, "stubborn": true = SIGTERM does nothing,
   "eat_mb": main memory to fill at the third request}
`deaths` bounds how many servers die after `die_after` requests or fill memory (absent: one, and all), counted over the lines of `pids`.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

from aiohttp import web
from stub_server import Stub


def authorised(request: web.Request) -> bool:
    return request.headers.get("Authorization") == f"Bearer {os.environ['VLLM_API_KEY']}"


async def serve(args: argparse.Namespace, orders: dict[str, Any], starts: int) -> None:
    stub = Stub(orders["log"], orders.get("delay", 0.0), orders.get("fail", []))
    dies = "die_after" in orders and starts <= orders.get("deaths", 1)

    eaten: list[bytes] = []

    async def chat(request: web.Request) -> web.StreamResponse:
        if "eat_mb" in orders and stub.count == 2 and starts <= orders.get("deaths", starts):
            eaten.append(b"x" * (orders["eat_mb"] << 20))
        if not authorised(request):
            return web.json_response({"error": {"message": "Unauthorized"}}, status=401)
        reply = await stub.chat(request)
        if dies and stub.count >= orders["die_after"]:
            print(f"torch.OutOfMemoryError: CUDA out of memory, after {stub.count} requests", flush=True)
            os._exit(1)
        return reply

    async def models(request: web.Request) -> web.Response:
        return web.json_response({"data": [{"id": args.served_model_name}]}) if authorised(request) else web.Response(status=401)

    async def version(_: web.Request) -> web.Response:
        return web.json_response({"version": orders.get("version", "0.32.0")})

    async def health(_: web.Request) -> web.Response:
        return web.Response(status=503 if orders.get("mode") == "never_healthy" else 200)

    app = web.Application(client_max_size=1 << 28)
    app.add_routes([web.post("/v1/chat/completions", chat), web.get("/v1/models", models)])
    app.add_routes([web.get("/version", version), web.get("/health", health)])
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, args.host, args.port, backlog=1024).start()
    print(f"Uvicorn running on http://{args.host}:{args.port}", flush=True)
    await asyncio.Event().wait()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("--model", "--served-model-name", "--revision", "--host", "--dtype", "--max-model-len", "--tensor-parallel-size"):
        parser.add_argument(name)
    parser.add_argument("--port", type=int, required=True)
    args, others = parser.parse_known_args()
    orders = json.loads(os.environ["STUB_VLLM"])
    print(f"non-default args: {vars(args)} {others}", flush=True)
    starts = 1
    if "pids" in orders:
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        with Path(orders["pids"]).open("a+") as pids:
            pids.write(f"{os.getpid()} {child.pid}\n")
            pids.seek(0)
            starts = len(pids.readlines())
    if orders.get("stubborn"):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if orders.get("mode") == "die_at_start":
        print("ValueError: the checkpoint org/model has no config.json", flush=True)
        sys.exit(1)
    if orders.get("mode") == "slow_start":
        import time

        time.sleep(orders["seconds"])
    asyncio.run(serve(args, orders, starts))


if __name__ == "__main__":
    main()
