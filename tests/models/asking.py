"""What the tests of this room ask, and a process that asks it, to be killed: python tests/models/asking.py --help."""

import argparse
import asyncio
import json
import os
from pathlib import Path

from inforce.config.load import read_config
from inforce.config.model import Model
from inforce.models.interface import ChatRequest, ChatResponse
from inforce.models.open import open_model
from inforce.records.answers import Usage

ROOT = Path(__file__).parents[2]
LOCAL = ROOT / "config" / "models" / "smollm2-135m.yaml"


def endpoint(base_url, *, via=None, **changes):
    """A model file's content for an endpoint; `via` holds changes to the way there."""
    way = {"kind": "endpoint", "base_url": base_url, "concurrency": 16, "timeout_s": 20, "max_attempts": 4} | (via or {})
    base = {"name": "Stub", "checkpoint": "stub", "revision": "1", "via": way, "context_window": 8192, "max_output_tokens": 64}
    return Model.model_validate(base | {"sampling": {"temperature": 0.5}} | changes)


def local_model(*, batch=4, **changes):
    """The bundled model's file with few slots."""
    model = read_config(LOCAL, Model)
    return model.model_copy(update={"via": model.via.model_copy(update={"batch": batch})} | changes)


def request(text="item-1", **changes):
    """A request with one user message."""
    fields = {"checkpoint": "stub", "revision": "1", "engine": "e 1", "engine_args": [], "tools": None, "response_schema": None}
    fields |= {"messages": [{"role": "user", "content": text}], "sampling": {"temperature": 0}, "extra_body": {}, "max_output_tokens": 64}
    return ChatRequest.model_validate(fields | {"seed": 1, "sample": 1} | changes)


def response(asked, text="an answer"):
    """A plain response to a request."""
    return ChatResponse(
        request_sha256=asked.sha256,
        text=text,
        reasoning=None,
        tool_calls=[],
        finish_reason="stop",
        usage=Usage(input_tokens=3, output_tokens=2),
        error_class=None,
        error=None,
        raw={"text": text},
    )


def message(number, changed=()):
    """Item messages are unique and of some length; a changed one has another last word."""
    return f"<item-{number}> " + "word " * 40 + ("changed" if number in changed else "end")


def number_in(body):
    """The item number of a request's body, as the stub server logged it."""
    return int(body["messages"][0]["content"].split(">")[0].removeprefix("<item-"))


async def ask_all(model, texts, *, sample=1):
    """Ask all at once through a StoredModel and close it; responses in order."""
    try:
        requests = [model.build_request([{"role": "user", "content": text}], seed_name=f"seed/{text}", sample=sample) for text in texts]
        return await asyncio.gather(*(model.complete(one) for one in requests))
    finally:
        await model.close()


def stored(folder):
    """Names in the whole lines of a store's files, in order, read without the store's code."""
    lines = [line for path in sorted(folder.glob("*.jsonl")) for line in path.read_bytes().split(b"\n")[:-1]]
    return [json.loads(line)["name"] for line in lines]


async def work(args):
    """Ask `--requests` items, at most `--in-flight` at once; each name goes to `--seen` when its response has come back."""
    model = open_model(
        endpoint(args.base_url, via={"concurrency": args.in_flight}),
        model_name="stub",
        weights=None,
        responses=args.responses,
        writer=args.writer,
        stored_only=False,
    )
    seen = os.open(args.seen, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    numbers = list(range(args.requests))
    if args.reverse:
        numbers.reverse()
    slots = asyncio.Semaphore(args.in_flight if args.few_tasks else args.requests)
    if args.go:
        Path(f"{args.go}.{os.getpid()}").touch()
        while not args.go.exists():
            await asyncio.sleep(0.005)

    async def one(number):
        async with slots:
            asked = model.build_request([{"role": "user", "content": message(number)}], seed_name=f"seed/{number}", sample=1)
            answer = await model.complete(asked)
            os.write(seen, f"{answer.request_sha256} {answer.error_class}\n".encode())

    await asyncio.gather(*(one(number) for number in numbers))
    await model.close()
    print(json.dumps({"asked": model.asked, "found": model.found}))


def main():
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base-url", required=True)
    parser.add_argument("--responses", type=Path, required=True)
    parser.add_argument("--writer", default="job")
    parser.add_argument("--requests", type=int, default=200)
    parser.add_argument("--in-flight", type=int, default=16)
    parser.add_argument("--few-tasks", action="store_true", help="no more tasks than requests in flight")
    parser.add_argument("--reverse", action="store_true")
    parser.add_argument("--go", type=Path, help="wait until this file exists")
    parser.add_argument("--seen", type=Path, required=True)
    asyncio.run(work(parser.parse_args()))


if __name__ == "__main__":
    main()
