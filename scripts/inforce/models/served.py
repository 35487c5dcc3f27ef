"""A model that the job serves itself: the first request that is not stored starts a vLLM server, `close` ends it (DESIGN §5.5).

The server's program is `python -m vllm.entrypoints.openai.api_server`; the variable INFORCE_VLLM_COMMAND names another one, e.g. the
interpreter that has vLLM where this one has not. The weights are a folder that was prepared, or the folder INFORCE_MODELS/checkpoint
where a site keeps its models, or the checkpoint's name, which vLLM looks up in the Hugging Face cache (HF_HOME).
"""

from __future__ import annotations

import asyncio
import os
import shlex
from pathlib import Path

from inforce.config.key import Key
from inforce.config.model import Endpoint, Model, Vllm
from inforce.models.endpoint import EndpointModel
from inforce.models.interface import ChatRequest, ChatResponse, ModelUnavailable
from inforce.models.server import Server, ServerError

COMMAND = "python -m vllm.entrypoints.openai.api_server"
LOGS = Path("logs/servers")
NOTICE_S = 1.0  # a stop reaches the server and this process at once: time for this process to notice that it is one
QUIET = {"VLLM_NO_USAGE_STATS": "1", "DO_NOT_TRACK": "1"}  # nothing is reported to anyone
CPU_CACHE = {"VLLM_CPU_KVCACHE_SPACE": "4"}  # GiB; vLLM's own default is most of the machine
# set for every job: OMP_NUM_THREADS by the rule, the others by Snakemake
THREADS = (
    "OMP_NUM_THREADS",
    "MKL_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "GOTO_NUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
)


class ServedModel:
    """A `ChatModel` with a server of its own."""

    def __init__(self, model: Model, model_name: str, weights: Path | None, writer: str) -> None:
        assert isinstance(model.via, Vllm)
        self._model, self._via, self._name, self._weights = model, model.via, model_name, weights
        self._log = LOGS / f"{model_name}.{writer}.log"
        self._server: Server | None = None
        self._client: EndpointModel | None = None
        self._starting: asyncio.Task[EndpointModel] | None = None
        self._death: asyncio.Task[int] | None = None

    async def complete(self, request: ChatRequest) -> ChatResponse:
        """Ask the server. Raises ModelUnavailable, with its last lines, if it does not come up or dies."""
        if self._starting is None:
            self._starting = asyncio.create_task(self._start())
        client = await asyncio.shield(self._starting)
        assert self._death is not None
        asking = asyncio.create_task(client.complete(request))
        try:
            await asyncio.wait({asking, self._death}, return_when=asyncio.FIRST_COMPLETED)
            if asking.done() and (asking.exception() is not None or asking.result().error_class != "transient"):
                return asking.result()
            if not self._death.done():
                await asyncio.wait({self._death}, timeout=NOTICE_S)  # a failed connection may be the first sign of it
            if not self._death.done():
                return asking.result()
        finally:
            asking.cancel()
        await asyncio.sleep(NOTICE_S)
        assert self._server is not None
        died = self._server.error(f"died (status {self._death.result()})")
        raise ModelUnavailable(f"{self._file}: {died}\nWhat was answered is stored: run again to resume")

    def drain(self) -> None:
        """Begin no further request; those under way may come back."""
        if self._client is not None:
            self._client.drain()
        elif self._starting is not None:
            self._starting.cancel()

    async def close(self) -> None:
        """End the server. Safe to call twice, and while it is starting."""
        tasks = [task for task in (self._starting, self._death) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._client is not None:
            await self._client.close()
        if self._server is not None:
            await self._server.stop()

    @property
    def key(self) -> Key | None:
        """The server's key, once there is a server: what the store must not hold."""
        return self._client.key if self._client is not None else None

    @property
    def _file(self) -> str:
        return f"config/models/{self._name}.yaml"

    async def _start(self) -> EndpointModel:
        source = weights_of(self._model, self._weights, self._file)
        program = shlex.split(os.environ.get("INFORCE_VLLM_COMMAND") or COMMAND)
        environment = server_environment(self._via.device)
        self._server = Server(
            lambda port: [*program, *arguments(self._model, source), "--host", "127.0.0.1", "--port", str(port)],
            environment,
            self._log,
            checkpoint=self._model.checkpoint,
            start_s=self._via.start_s,
        )
        try:
            await self._server.start()
        except ServerError as error:
            raise ModelUnavailable(f"{self._file}: {error}") from error
        served = self._server.version.split("+")[0]
        if served != self._via.version:
            raise ModelUnavailable(
                f"{self._file} names vLLM {self._via.version}, and the server is {self._server.version or 'of no known version'}; "
                "the version is part of every request's name: use the image of that version, or state the new one and ask everything anew"
            )
        self._death = asyncio.create_task(self._server.ended())
        self._client = EndpointModel(self._as_endpoint(), self._name, key=Key(self._server.key))
        return self._client

    def _as_endpoint(self) -> Model:
        assert self._server is not None
        shared = self._via.model_dump(include={"concurrency", "timeout_s", "max_attempts", "extra_body"})
        return self._model.model_copy(update={"via": Endpoint(kind="endpoint", base_url=self._server.base_url, **shared)})


def server_environment(device: str) -> dict[str, str | None]:
    """What a server finds in its environment beside this process's own; null = not there."""
    if device == "gpu":
        return dict(QUIET)
    # the engine binds itself to cores and counts its threads by them: with more, which the job has in these variables for its own
    # process, they wait for each other, and a token took seconds
    return {**QUIET, **({} if os.environ.keys() & CPU_CACHE.keys() else CPU_CACHE), **dict.fromkeys(THREADS)}


def weights_of(model: Model, weights: Path | None, file: str) -> str:
    """What the server loads: prepared weights, a site's folder of the checkpoint, or the checkpoint's own name.

    Raises ModelUnavailable if weights should have been prepared and were not.
    """
    assert isinstance(model.via, Vllm)
    if model.via.package is not None:
        if weights is None or not (weights / "config.json").is_file():
            raise ModelUnavailable(f"{file}: its weights are not prepared: run `python -m inforce.models.prepare_model` and name --weights")
        return str(weights)
    folder = os.environ.get("INFORCE_MODELS", "")
    if folder and (Path(folder) / model.checkpoint / "config.json").is_file():
        return str(Path(folder) / model.checkpoint)
    return model.checkpoint


def arguments(model: Model, source: str) -> list[str]:
    """The server's arguments but for its address. source: see `weights_of`."""
    assert isinstance(model.via, Vllm)
    named = ["--model", source, "--served-model-name", model.checkpoint]
    if source == model.checkpoint:
        named += ["--revision", model.revision]
    return [*named, *deciding_arguments(model)]


def deciding_arguments(model: Model) -> list[str]:
    """The serving arguments that decide answers; they are part of a request's name."""
    via = model.via
    assert isinstance(via, Vllm)
    words = ["--dtype", via.dtype, "--tensor-parallel-size", str(via.tensor_parallel)]
    window = str(via.max_model_len or model.context_window)
    words += ["--max-model-len", window]
    if via.device == "cpu":
        # vLLM's sampler on a CPU dies at a prompt read in parts if the request has a seed, as each of ours does (vLLM 0.32.0)
        words += ["--no-enable-chunked-prefill", "--max-num-batched-tokens", window]
    if via.reasoning_parser:
        words += ["--reasoning-parser", via.reasoning_parser]
    if via.tool_call_parser:
        words += ["--enable-auto-tool-choice", "--tool-call-parser", via.tool_call_parser]
    if via.device == "cpu" and model.structured_output == "json_schema":
        # a small model loses itself in the white space that a schema leaves free, until its tokens are used up
        words += ["--structured-outputs-config", '{"backend":"guidance","disable_any_whitespace":true}']
    return [*words, *via.args]
