"""A small model in this process, on the CPU: weights prepared by prepare_model, replies held to their JSON Schema, seeds obeyed.

Requests are taken in the order in which they come; up to `via.batch` are under way at once, and a finished one makes room for the next.
The arithmetic runs in a thread of its own. What a request gets does not depend on which others are under way (see decoding).
"""

from __future__ import annotations

import asyncio
import os
import queue
import threading
from dataclasses import dataclass, field
from importlib import util
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inforce.config.model import Local, Model
from inforce.models.interface import ChatRequest, ChatResponse, FinishReason, ModelUnavailable
from inforce.models.replies import failure, split_thinking
from inforce.records.answers import Usage

if TYPE_CHECKING:
    from inforce.models.decoding import Decoder
    from inforce.models.sampling import Chooser, GrammarError, Grammars

QUIET_S = 0.05  # an idle model waits this long for further requests before it begins


class Guesses:
    """What a text may go on with: what followed the last time that its last two tokens stood together. A wrong guess costs nothing."""

    def __init__(self) -> None:
        self._tokens: list[int] = []
        self._after: dict[tuple[int, int], int] = {}

    def add(self, tokens: list[int]) -> None:
        """Go on with these tokens."""
        for token in tokens:
            if len(self._tokens) >= 2:
                self._after[self._tokens[-2], self._tokens[-1]] = len(self._tokens)
            self._tokens.append(token)

    def after(self, most: int) -> list[int]:
        """At most this many tokens, none if the pair is new."""
        at = self._after.get((self._tokens[-2], self._tokens[-1])) if len(self._tokens) >= 2 else None
        return [] if at is None else self._tokens[at : at + most]


@dataclass
class _Job:
    """A request under way: its tokens, what is still to be written into its slot, and who waits for it."""

    request: ChatRequest
    future: asyncio.Future[ChatResponse]
    prompt: list[int] = field(default_factory=list)
    written: list[int] = field(default_factory=list)
    queued: list[int] = field(default_factory=list)  # tokens of `written` whose keys and values are not yet in the slot
    chooser: Chooser | None = None
    guesses: Guesses = field(default_factory=Guesses)

    @property
    def needed(self) -> int:
        """Positions that prompt and reply may take."""
        return len(self.prompt) + self.request.max_output_tokens

    @property
    def filled(self) -> int:
        """Positions of the slot that hold this text."""
        return len(self.prompt) + len(self.written) - len(self.queued)


class LocalModel:
    """A `ChatModel` that runs prepared weights. The first request loads them."""

    def __init__(self, model: Model, model_name: str, weights: Path | None) -> None:
        assert isinstance(model.via, Local)
        self._model, self._via, self._name = model, model.via, model_name
        self._weights = _prepared(weights, model_name)
        self._inbox: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._problem: BaseException | None = None
        self._tokenizer: Any = None
        self._stops: frozenset[int] = frozenset()
        self._decoder: Decoder | None = None
        self._grammars: Grammars | None = None

    async def complete(self, request: ChatRequest) -> ChatResponse:
        """Generate the reply. Raises ModelUnavailable for tool definitions, which this engine does not take."""
        if request.tools:
            raise ModelUnavailable(f"config/models/{self._name}.yaml: a local model takes no tool definitions; set tools: action_protocol")
        if self._problem is not None:
            raise self._problem
        job = _Job(request, asyncio.get_running_loop().create_future())
        self._inbox.put(job)
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name=f"model {self._name}", daemon=True)
            self._thread.start()
        elif self._problem is not None:
            raise self._problem  # the thread died after the look above, perhaps without seeing this request
        return await job.future

    async def close(self) -> None:
        """Stop the thread after the step it is in. Requests still under way are not answered. Safe to call twice."""
        if self._thread is not None:
            self._inbox.put(None)
            await asyncio.to_thread(self._thread.join)
            self._thread = None

    def _run(self) -> None:
        import torch

        active: list[_Job] = []
        waiting: list[_Job] = []
        try:
            torch.inference_mode().__enter__()  # for this thread, to its end
            self._load()
            while self._collect(waiting, idle=not active and not waiting):
                waiting = [job for job in waiting if not job.future.cancelled()]
                while waiting and len(active) < self._via.batch and self._admit(waiting[0], active):
                    del waiting[0]
                if active:
                    self._advance(active)
        except Exception as error:
            self._problem = error
            for job in (*active, *waiting):
                _tell(job, error)
            while not self._inbox.empty():
                if (left := self._inbox.get()) is not None:
                    _tell(left, error)

    def _collect(self, waiting: list[_Job], *, idle: bool) -> bool:
        """Move what has come in to `waiting`. An idle model blocks for the first, then until it is quiet. False = close."""
        timeout = None if idle else 0.0
        while True:
            try:
                job = self._inbox.get(timeout=timeout) if timeout != 0.0 else self._inbox.get_nowait()
            except queue.Empty:
                return True
            if job is None:
                return False
            waiting.append(job)
            timeout = QUIET_S if idle else 0.0

    def _load(self) -> None:
        from transformers import AutoTokenizer

        from inforce.models.decoding import Decoder
        from inforce.models.sampling import Grammars

        self._tokenizer = AutoTokenizer.from_pretrained(self._weights, local_files_only=True)
        self._decoder = Decoder(self._weights, self._via.dtype, self._via.batch)
        self._stops = frozenset({self._tokenizer.eos_token_id, *self._decoder.stops})
        self._grammars = Grammars(self._tokenizer, self._decoder.vocabulary, sorted(self._stops))

    def _admit(self, job: _Job, active: list[_Job]) -> bool:
        """Read a request's prompt into the next slot, or answer at once that it cannot be taken; false if memory must be freed first."""
        from inforce.models.sampling import Chooser, GrammarError

        assert self._decoder is not None and self._grammars is not None
        request = job.request
        if not job.prompt:
            text = self._tokenizer.apply_chat_template(request.messages, tokenize=False, add_generation_prompt=True)
            job.prompt = self._tokenizer(text, add_special_tokens=False)["input_ids"]
        needed, window = job.needed, self._model.context_window
        if needed > window:
            read = len(job.prompt)
            said = f"the prompt has {read} tokens, with {request.max_output_tokens} for the reply {needed}; the window holds {window}"
            _tell(job, failure(request.sha256, "context_overflow", said, {"prompt_tokens": read}, Usage(input_tokens=read)))
            return True
        if active and needed + sum(other.needed for other in active) > self._decoder.room:
            return False
        try:
            matcher = None if request.response_schema is None else self._grammars.matcher(request.response_schema)
        except GrammarError as error:
            self._finish(job, error)
            return True
        job.guesses.add(job.prompt)
        job.chooser = Chooser(request, job.prompt, matcher, self._stops, self._decoder.vocabulary)
        self._decoder.reserve(needed)
        scores = self._decoder.prefill(len(active), job.prompt).numpy()
        if (finish := self._extend(job, scores)) is None:
            active.append(job)
        else:
            self._finish(job, finish)
        return True

    def _advance(self, active: list[_Job]) -> None:
        """One step: write up to WIDTH tokens of each text, queued ones and then guessed ones, and choose what follows."""
        from inforce.models.decoding import WIDTH

        assert self._decoder is not None
        parts: list[list[int]] = []
        for job in active:
            known = job.queued[:WIDTH]
            parts.append(known + (job.guesses.after(WIDTH - len(known)) if len(known) == len(job.queued) else []))
        scores = self._decoder.step(parts, [job.filled for job in active]).numpy()
        done: list[tuple[int, FinishReason | GrammarError]] = []
        for slot, (job, part) in enumerate(zip(active, parts, strict=True)):
            if (finish := self._settle(job, part, scores[slot])) is not None:
                done.append((slot, finish))
        for slot, finish in reversed(done):
            self._finish(active[slot], finish)
            last = active.pop()
            if slot < len(active):
                self._decoder.copy(len(active), slot, last.filled)
                active[slot] = last

    def _settle(self, job: _Job, part: list[int], scores: Any) -> FinishReason | GrammarError | None:
        """Choose tokens as long as those already written turn out right; a reason if the reply ends here."""
        done = min(len(part), len(job.queued))
        del job.queued[:done]
        while not job.queued:
            if (finish := self._extend(job, scores[done - 1])) is not None:
                return finish
            while job.queued and done < len(part) and job.queued[0] == part[done]:
                del job.queued[0]
                done += 1
        return None

    def _extend(self, job: _Job, scores: Any) -> FinishReason | GrammarError | None:
        """Choose the next token and take the forced ones after it; a reason if the reply ends here."""
        from inforce.models.sampling import GrammarError

        assert job.chooser is not None
        try:
            fresh = [] if job.written else job.chooser.forced()
            if not fresh:
                token = job.chooser.choose(scores)
                if token in self._stops:
                    return "stop"
                fresh = [token, *job.chooser.forced()]
        except GrammarError as error:
            return error
        room = job.request.max_output_tokens - len(job.written)
        job.written += fresh[:room]
        job.queued += fresh[:room]
        job.guesses.add(fresh[:room])
        if job.chooser.complete and len(fresh) <= room:
            return "stop"
        return "length" if len(job.written) >= job.request.max_output_tokens else None

    def _finish(self, job: _Job, finish: FinishReason | GrammarError) -> None:
        if isinstance(finish, Exception):
            said = f"the reply's schema cannot be enforced: {finish}"
            _tell(job, failure(job.request.sha256, "permanent", said, {}))
            return
        text, reasoning = self._tokenizer.decode(job.written, skip_special_tokens=True), None
        raw = {"text": text, "tokens": job.written, "finish_reason": finish}
        if self._model.reasoning == "think_tags":
            text, reasoning = split_thinking(text)
        response = ChatResponse(
            request_sha256=job.request.sha256,
            text=text,
            reasoning=reasoning,
            tool_calls=[],
            finish_reason=finish,
            usage=Usage(input_tokens=len(job.prompt), output_tokens=len(job.written)),
            error_class=None,
            error=None,
            raw=raw,
        )
        _tell(job, response)


def calm_threads() -> None:
    """Threads that wait for a core which others hold must not burn the one they have. Read when torch is loaded: call it before."""
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")


def _prepared(weights: Path | None, name: str) -> Path:
    """The directory of prepared weights. Raises ModelUnavailable with the command that makes it."""
    missing = [package for package in ("torch", "transformers", "llguidance") if util.find_spec(package) is None]
    if missing:
        raise ModelUnavailable(f"a local model needs the Python packages {', '.join(missing)}: pip install -r envs/cpu.txt")
    if weights is None or not (weights / "config.json").is_file():
        command = f"python -m inforce.models.prepare_model --model-config config/models/{name}.yaml --out results/models/{name}"
        where = "no weights were given" if weights is None else f"{weights} holds no prepared weights"
        raise ModelUnavailable(f"config/models/{name}.yaml is a local model and {where}; make them with: {command}")
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    calm_threads()
    return weights


def _tell(job: _Job, result: ChatResponse | BaseException) -> None:
    """Hand a result to the waiting task, from the model's thread."""

    def deliver() -> None:
        if job.future.done():
            return
        if isinstance(result, BaseException):
            job.future.set_exception(result)
        else:
            job.future.set_result(result)

    job.future.get_loop().call_soon_threadsafe(deliver)
