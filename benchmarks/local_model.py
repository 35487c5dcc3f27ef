"""How fast the local model reads and writes: answers and judge calls of the demo's shape, through the same code as the pipeline.

    python -m inforce.models.prepare_model --model-config config/models/smollm2-135m.yaml --out results/models/smollm2-135m
    PYTHONPATH=scripts python benchmarks/local_model.py --weights results/models/smollm2-135m

An answer: a prompt of some 1,000 tokens, 200 of them shared by all, and a reply held to a JSON Schema. A judge call: 1,000 tokens, 600 of
them shared, and a short reply at temperature 0. Prints one line a kind and batch; run it on an idle machine.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import time
from pathlib import Path
from typing import Any

from inforce.config.load import read_config
from inforce.config.model import Model
from inforce.models.interface import ChatRequest
from inforce.models.local import LocalModel
from inforce.models.open import engine_of, seed_from

WORDS = [
    "the",
    "tenant",
    "landlord",
    "shall",
    "pay",
    "rent",
    "deposit",
    "within",
    "thirty",
    "days",
    "of",
    "notice",
    "court",
    "held",
    "that",
    "section",
    "applies",
    "where",
    "a",
    "lease",
    "was",
    "terminated",
    "before",
    "its",
    "term",
    "and",
    "party",
    "may",
    "claim",
    "damages",
    "for",
    "breach",
    "unless",
    "repaired",
    "in",
    "writing",
    "signed",
    "by",
    "owner",
    "under",
    "this",
    "act",
    "any",
    "person",
    "who",
    "fails",
    "to",
    "deliver",
    "goods",
    "sold",
    "is",
    "liable",
    "buyer",
    "seller",
    "contract",
    "price",
    "loss",
    "reasonable",
    "time",
    "amended",
    "version",
    "force",
    "decision",
    "date",
    "appeal",
    "dismissed",
]
STRING = {"type": "string", "minLength": 1}
CITATION = {
    "type": "object",
    "properties": {"law": STRING | {"maxLength": 60}, "section": STRING | {"maxLength": 12}},
    "required": ["law", "section"],
    "additionalProperties": False,
}
ANSWER = {
    "type": "object",
    "properties": {
        "sub_question": {"type": "integer", "minimum": 1, "maximum": 2},
        "verdict": STRING | {"maxLength": 160},
        "reasoning": STRING | {"maxLength": 500},
        "citations": {"type": "array", "items": CITATION, "maxItems": 3},
    },
    "required": ["sub_question", "verdict", "reasoning", "citations"],
    "additionalProperties": False,
}
GRADE = {
    "type": "object",
    "properties": {
        "sub_question": {"type": "integer", "minimum": 1, "maximum": 2},
        "tier": {"type": "string", "enum": [f"T{n}" for n in range(1, 9)]},
        "score": {"type": "integer", "minimum": 0, "maximum": 100},
        "justification": STRING | {"maxLength": 60},
    },
    "required": ["sub_question", "tier", "score", "justification"],
    "additionalProperties": False,
}


def words(name: str, n: int) -> str:
    """`n` words drawn from a name."""
    drawn = hashlib.shake_256(name.encode()).digest(n)
    return " ".join(WORDS[byte % len(WORDS)] for byte in drawn)


def request(model: Model, kind: str, number: int) -> ChatRequest:
    """Request `number` of a kind: answer or judge."""
    shared, own = (190, 760) if kind == "answer" else (570, 380)
    part = ANSWER if kind == "answer" else GRADE
    key = "answers" if kind == "answer" else "grades"
    schema: dict[str, Any] = {"type": "object", "properties": {key: {"type": "array", "items": part, "minItems": 2, "maxItems": 2}}}
    engine, engine_args, extra_body = engine_of(model)
    return ChatRequest(
        checkpoint=model.checkpoint,
        revision=model.revision,
        engine=engine,
        engine_args=engine_args,
        messages=[
            {"role": "system", "content": words(kind, shared)},
            {"role": "user", "content": words(f"{kind} {number}", own + number % 200)},
        ],
        tools=None,
        response_schema=schema | {"required": [key], "additionalProperties": False},
        sampling={"temperature": 0.2, "top_p": 0.9} if kind == "answer" else {"temperature": 0},
        extra_body=extra_body,
        max_output_tokens=512 if kind == "answer" else 384,
        seed=seed_from(f"{kind}/{number}"),
        sample=1,
    )


async def measure(model: Model, weights: Path, kind: str, n: int) -> None:
    """Ask `n` requests at once and print the figures."""
    local = LocalModel(model, "benchmark", weights)
    began = time.perf_counter()
    await local.complete(request(model, kind, 10_000))
    loaded = time.perf_counter()
    decoder = local._decoder
    assert decoder is not None
    decoder.read = decoder.reused = decoder.steps = 0
    used = time.process_time()
    responses = await asyncio.gather(*(local.complete(request(model, kind, number)) for number in range(n)))
    seconds, used = time.perf_counter() - loaded, time.process_time() - used
    read = sum(response.usage.input_tokens or 0 for response in responses)
    written = sum(response.usage.output_tokens or 0 for response in responses)
    stopped = sum(response.finish_reason == "stop" for response in responses)
    print(
        f"{kind:7} batch {local._via.batch:3}: {n} requests in {seconds:.1f} s ({used:.1f} s of processor), {stopped} complete; "
        f"prompts {read} tokens ({decoder.reused} reused), replies {written} tokens in {decoder.steps} steps; "
        f"{(read + written) / seconds:.0f} tokens/s in all, {written / seconds:.0f} written; first reply after {loaded - began:.1f} s",
        flush=True,
    )
    await local.close()


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model-config", type=Path, default=Path("config/models/smollm2-135m.yaml"))
    parser.add_argument("--weights", type=Path, default=Path("results/models/smollm2-135m"))
    parser.add_argument("--requests", type=int, default=25, help="requests of each kind: a job of the demo has about 25")
    parser.add_argument("--batches", type=int, nargs="+", default=[16, 24, 32, 48])
    args = parser.parse_args()
    model = read_config(args.model_config, Model)
    for batch in args.batches:
        for kind in ("answer", "judge"):
            fitted = model.model_copy(update={"via": model.via.model_copy(update={"batch": batch})})
            asyncio.run(measure(fitted, args.weights, kind, args.requests))


if __name__ == "__main__":
    main()
