"""The one door to a model: a stored response if there is one, else the model itself, its response stored at once (DESIGN §4).

    model = open_model(config, model_name="m", weights=None, responses=Path("responses"), writer="demo-parametric-1", stored_only=False)
    request = model.build_request(messages, response_schema=schema, seed_name="demo/m/parametric/1/item-7", sample=1)
    response = await model.complete(request)
    await model.close()

Expected failures are `MissingResponse` (stored-only run, response not held) and `ModelUnavailable` (no key, address or weights): both
carry one clear sentence, for `raise SystemExit(str(error))`.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import hashlib
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any

from inforce.config.model import Endpoint, Local, Model, Vllm
from inforce.models.interface import ChatModel, ChatRequest, ChatResponse, MissingResponse, ModelUnavailable
from inforce.models.store import ResponseStore
from inforce.records.files import sha256_text

CLAIM_WAIT_S = 0.02  # how often a claim held by another process is tried again
DRAIN_S = 8.0  # for requests under way when a job is stopped: schedulers leave 30 s between SIGTERM and SIGKILL


def open_model(model: Model, *, model_name: str, weights: Path | None, responses: Path, writer: str, stored_only: bool) -> StoredModel:
    """A `ChatModel` that answers from the store of `responses/<model_name>/` first and asks only what is not there.

    model_name: stem of the model's configuration file. weights: directory made by prepare_model (local models only).
    writer: file-name-safe name of the job; what it asks is appended to `responses/<model_name>/<writer>.jsonl`.
    stored_only: never touch the model; a response that is not held raises MissingResponse.
    """

    if isinstance(model.via, Local):
        from inforce.models.local import calm_threads

        calm_threads()  # now, for an embedding model may load torch before the first request does
    store = ResponseStore(responses / model_name, writer, read_only=stored_only)

    def connect() -> ChatModel:
        if not model.is_filled:
            raise ModelUnavailable(
                f"config/models/{model_name}.yaml: the revision of {model.name} is still {model.revision!r}. Fill in which revision is asked"
                f", and see that checkpoint {model.checkpoint!r} is what it is called there: both are part of every request's name"
            )
        if isinstance(model.via, Endpoint):
            from inforce.models.endpoint import EndpointModel

            return EndpointModel(model, model_name)
        if isinstance(model.via, Vllm):
            from inforce.models.served import ServedModel

            return ServedModel(model, model_name, weights, writer)
        from inforce.models.local import LocalModel

        return LocalModel(model, model_name, weights)

    return StoredModel(model, model_name, store, None if stored_only else connect)


class StoredModel:
    """The store before the model. `asked` and `found` count requests that went to the model and that did not need to.

    A request is asked once even when several tasks or processes want it at the same time: the first one claims it, the others
    wait for its response. Responses with the error class `transient` are returned but not stored, so that a later run asks again.
    """

    def __init__(self, model: Model, model_name: str, store: ResponseStore, connect: Callable[[], ChatModel] | None) -> None:
        self.model, self.model_name, self.store = model, model_name, store
        self.asked = self.found = 0
        self._connect = connect
        self._backend: ChatModel | None = None
        self._flights: dict[str, asyncio.Task[ChatResponse]] = {}
        self._engine: tuple[str, list[str], dict[str, Any]] | None = None
        # held until a response is on the disk: a kill at any moment loses no more responses than may be in flight
        in_flight = getattr(model.via, "concurrency", None)
        self._slots = asyncio.Semaphore(in_flight) if in_flight else contextlib.nullcontext()

    def build_request(
        self,
        messages: list[dict[str, Any]],
        *,
        tools: list[dict[str, Any]] | None = None,
        response_schema: dict[str, Any] | None = None,
        sampling: dict[str, float | int] | None = None,
        max_output_tokens: int | None = None,
        seed_name: str,
        sample: int,
    ) -> ChatRequest:
        """Everything that decides the answer, filled in from the model's configuration; needs neither weights nor network.

        messages: OpenAI chat form. tools: OpenAI form. sampling: null = the model file's block; {"temperature": 0} for judges.
        response_schema: dropped where the model file says `structured_output: none`. max_output_tokens: null = the model file's.
        seed_name: names what is drawn, e.g. "run/model/setting/sample/item"; the seed is derived from it if the model takes one.
        """
        if self._engine is None:
            self._engine = engine_of(self.model)
        engine, engine_args, extra_body = self._engine
        return ChatRequest(
            checkpoint=self.model.checkpoint,
            revision=self.model.revision,
            engine=engine,
            engine_args=engine_args,
            messages=messages,
            tools=tools or None,
            response_schema=response_schema if self.model.structured_output == "json_schema" else None,
            sampling=self.model.sampling.model_dump(exclude_none=True) if sampling is None else sampling,
            extra_body=extra_body,
            max_output_tokens=self.model.max_output_tokens if max_output_tokens is None else max_output_tokens,
            seed=seed_from(seed_name) if self.model.seeded else None,
            sample=sample,
        )

    async def complete(self, request: ChatRequest) -> ChatResponse:
        """The stored response, or the model's, stored before it is returned.

        Raises MissingResponse in a stored-only run, ModelUnavailable if nothing can be asked.
        """
        name = request.sha256
        if (stored := self.store.find(name)) is not None:
            self.found += 1
            return stored
        if self._connect is None:
            raise MissingResponse(
                f"{self.store.folder} holds no response named {name}, which {self.store.own.name} should hold"
                f"{self.store.damage()}; nothing is asked in a stored-only run: run without --stored-only, or bring the file that holds it"
            )
        if (flight := self._flights.get(name)) is not None:
            self.found += 1
        else:
            flight = self._flights[name] = asyncio.create_task(self._ask(name, request))
            flight.add_done_callback(lambda _: self._flights.pop(name, None))
        return await asyncio.shield(flight)

    async def close(self) -> None:
        """Release the model and the store. Safe to call twice. What is being asked at this moment has some seconds to come back."""
        drain = getattr(self._backend, "drain", None)
        if drain is not None and self._flights:
            drain()
            await asyncio.wait(self._flights.values(), timeout=DRAIN_S)
        for flight in list(self._flights.values()):
            flight.cancel()
        await asyncio.gather(*self._flights.values(), return_exceptions=True)
        if self._backend is not None:
            await self._backend.close()
        self.store.close()

    async def _ask(self, name: str, request: ChatRequest) -> ChatResponse:
        """Claim, look again (another process may have stored it since), ask, store."""
        waited = False
        while not self.store.claim(name):
            waited = True
            await asyncio.sleep(CLAIM_WAIT_S)
        try:
            self.store.refresh(thorough=waited)
            if (stored := self.store.find(name)) is not None:
                self.found += 1
                return stored
            async with self._slots:
                backend = self._model()
                response = await backend.complete(request)
                self.asked += 1
                if response.error_class != "transient":
                    await self.store.append(name, request, response, key=getattr(backend, "key", None))
            return response
        finally:
            self.store.release(name)

    def _model(self) -> ChatModel:
        if self._backend is None:
            assert self._connect is not None
            self._backend = self._connect()
        return self._backend


def engine_of(model: Model) -> tuple[str, list[str], dict[str, Any]]:
    """Engine with version, its arguments that decide answers, and further request fields.

    Raises ModelUnavailable if a local engine is not installed: without its version no request can be named.
    """
    if isinstance(model.via, Local):
        try:
            versions = [f"{package} {metadata.version(package).split('+')[0]}" for package in ("transformers", "torch")]
        except metadata.PackageNotFoundError as error:
            raise ModelUnavailable(
                f"the Python package {error.name} is not installed, and {model.name} runs with it: pip install -r envs/cpu.txt"
            ) from error
        # the number of slots is the number of rows in the engine's matrix products, and their kernels round differently;
        # another decoder can write another text, so its code is part of the request's name
        arguments = [f"weights={model.via.package}/{model.via.file}", f"slots={model.via.batch}", f"decoder={_decoder_digest()}"]
        return f"{' '.join(versions)} {model.via.dtype}", arguments, {}
    if isinstance(model.via, Vllm):
        from inforce.models.served import deciding_arguments

        # the version as the model file states it: the server's own is compared with it before the first request
        weights = [f"weights={model.via.package}/{model.via.file}"] if model.via.package else []
        device = ["device=cpu"] if model.via.device == "cpu" else []
        return f"vllm {model.via.version}", [*weights, *device, *deciding_arguments(model)], dict(model.via.extra_body)
    return model.via.engine, list(model.via.engine_args), dict(model.via.extra_body)


@functools.cache
def _decoder_digest() -> str:
    """First 12 digits of the sha256 of the code that writes local replies."""
    folder = Path(__file__).parent
    return sha256_text("".join((folder / name).read_text(encoding="utf-8") for name in ("decoding.py", "sampling.py", "local.py")))[:12]


def seed_from(name: str) -> int:
    """A seed of 31 bits from a name, never from time: the last bits of the name's sha256."""
    return int.from_bytes(hashlib.sha256(name.encode("utf-8")).digest()[-4:], "big") & 0x7FFFFFFF
