"""Vectors from any OpenAI-compatible embeddings endpoint: a vLLM server or a provider.

Texts go out in requests of `batch`, `concurrency` of them in flight. Attempts are bounded and errors classed: 408, 409, 425, 429, 5xx,
broken connections, timeouts and replies that hold no vectors are tried again with back-off; all other refusals (400, 401, 403, 404, 413, 422) are
not. The key comes from the environment variable that the configuration names and goes into a header, nowhere else: it is struck out of
the endpoint's words about an error, in every spelling (`config.key`); of other replies only numbers are kept.
"""

from __future__ import annotations

import asyncio
import json
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import aiohttp
import numpy as np
from tenacity import AsyncRetrying, RetryCallState, retry_if_exception_type, stop_after_attempt, wait_random_exponential

from inforce.config.key import AccessError, public_address, read_address, read_key
from inforce.config.model import Embedding
from inforce.retrieval.vectors import EmbeddingUnavailableError, Vectors, shortened

RETRIED = {408, 409, 425, 429}  # and all from 500
FIRST_WAIT_S, LONGEST_WAIT_S = 0.5, 60.0
CONNECT_TIMEOUT_S = 30.0


class _TransientError(Exception):
    """An attempt that may be made again; `retry_after` in seconds where the endpoint asks for it."""

    def __init__(self, what: str, retry_after: float = 0.0) -> None:
        super().__init__(what)
        self.retry_after = retry_after


class EndpointEmbedder:
    """An `Embedder` over HTTP."""

    def __init__(self, config: Embedding) -> None:
        """Raises EmbeddingUnavailableError if the address or the key is not in the environment, or cannot be used."""
        self._config = config
        try:
            self._url = f"{read_address(config.base_url, config.base_url_env)}/embeddings"
            self._key = read_key(config.api_key_env)
        except AccessError as error:
            raise EmbeddingUnavailableError(f"embedding model {config.checkpoint}: {error}") from None

    def passages(self, texts: list[str]) -> Vectors:
        """Vectors of texts that are searched, shape (len(texts), d)."""
        return self._embed([self._config.passage_prefix + text for text in texts])

    def queries(self, texts: list[str]) -> Vectors:
        """Vectors of what is looked for, shape (len(texts), d)."""
        return self._embed([self._config.query_prefix + text for text in texts])

    def _embed(self, texts: list[str]) -> Vectors:
        if not texts:
            return self._embed([""])[:0]
        return shortened(asyncio.run(self._all(texts)), self._config.dimensions)

    async def _all(self, texts: list[str]) -> Vectors:
        size = self._config.batch
        batches = [texts[start : start + size] for start in range(0, len(texts), size)]
        headers = {"Authorization": f"Bearer {self._key.text}"} if self._key else {}
        timeout = aiohttp.ClientTimeout(total=self._config.timeout_s, sock_connect=min(CONNECT_TIMEOUT_S, self._config.timeout_s))
        slots = asyncio.Semaphore(self._config.concurrency)
        async with aiohttp.ClientSession(headers=headers, timeout=timeout) as session:

            async def one(batch: list[str]) -> Vectors:
                async with slots:
                    return await self._request(session, batch)

            tasks = [asyncio.ensure_future(one(batch)) for batch in batches]
            try:
                parts = await asyncio.gather(*tasks)
            finally:
                for task in tasks:  # the first refusal ends all
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
        widths = {part.shape[1] for part in parts}
        if len(widths) != 1:
            raise EmbeddingUnavailableError(f"{public_address(self._url)} gave vectors of different lengths: {sorted(widths)}")
        return np.concatenate(parts)

    async def _request(self, session: aiohttp.ClientSession, texts: list[str]) -> Vectors:
        """One request, at most `max_attempts` times."""
        attempts = AsyncRetrying(
            retry=retry_if_exception_type(_TransientError), stop=stop_after_attempt(self._config.max_attempts), wait=_wait, reraise=True
        )
        try:
            vectors: Vectors = await attempts(self._attempt, session, texts)
        except _TransientError as error:
            raise EmbeddingUnavailableError(
                f"{public_address(self._url)} gave no vectors in {self._config.max_attempts} attempts: {error}; run again when it is well"
            ) from error
        return vectors

    async def _attempt(self, session: aiohttp.ClientSession, texts: list[str]) -> Vectors:
        # an empty text is refused by some endpoints
        body: dict[str, Any] = {
            "model": self._config.checkpoint,
            "input": [text or " " for text in texts],
            "encoding_format": "float",
        }
        if self._config.send_dimensions:
            body["dimensions"] = self._config.dimensions
        try:
            async with session.post(self._url, json=body, allow_redirects=False, proxy=_proxy(self._url)) as reply:
                status, text = reply.status, (await reply.read()).decode("utf-8", errors="replace")
                retry_after = reply.headers.get("Retry-After")
        except TimeoutError as error:
            raise _TransientError(f"no reply within {self._config.timeout_s:g} s") from error
        except (aiohttp.ClientError, OSError) as error:
            raise _TransientError(f"the connection failed ({type(error).__name__})") from error
        except ValueError as error:  # its words may hold the address or a header
            raise EmbeddingUnavailableError(
                f"a request cannot be sent to {public_address(self._url)} ({type(error).__name__}); check the address, and the proxy in the "
                "environment"
            ) from None
        if status in RETRIED or status >= 500:
            raise _TransientError(f"HTTP {status}", _seconds(retry_after))
        if status != 200:
            raise EmbeddingUnavailableError(self._refused(status, text))
        return _vectors(text, len(texts))

    def _refused(self, status: int, text: str) -> str:
        said = " ".join(str(self._key.struck_of_error(text) if self._key else text).split())[:300]
        remedy = "check base_url, checkpoint and the length of the texts"
        if status in (401, 403):
            remedy = (
                f"set the right key in {self._config.api_key_env}" if self._config.api_key_env else "name the key's variable as api_key_env"
            )
        return f"{public_address(self._url)} answered {status} for model {self._config.checkpoint} ({said}): {remedy}"


def _wait(state: RetryCallState) -> float:
    """Doubling from half a second with jitter; a Retry-After is a lower bound; neither goes over a minute."""
    doubling: float = wait_random_exponential(FIRST_WAIT_S, LONGEST_WAIT_S)(state)
    error = state.outcome.exception() if state.outcome else None
    return min(max(doubling, error.retry_after if isinstance(error, _TransientError) else 0.0), LONGEST_WAIT_S)


def _vectors(text: str, wanted: int) -> Vectors:
    """The vectors of a reply in the order of the texts."""
    try:
        rows = sorted(json.loads(text)["data"], key=lambda row: int(row["index"]))
        vectors: Vectors = np.array([row["embedding"] for row in rows], dtype=np.float32)
        numbers = [int(row["index"]) for row in rows]
    except (ValueError, KeyError, TypeError) as error:
        raise _TransientError(f"a reply that is no list of embeddings ({type(error).__name__})") from error
    if numbers != list(range(wanted)) or vectors.ndim != 2:
        raise _TransientError(f"a reply with {len(numbers)} vectors for {wanted} texts")
    return vectors


def _seconds(retry_after: str | None) -> float:
    try:
        return max(0.0, float(retry_after or 0))
    except ValueError:
        return 0.0  # a date; the doubling wait does as well


def _proxy(url: str) -> str | None:
    """The environment's proxy, never for this machine (aiohttp's `trust_env` would also send passwords from ~/.netrc)."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    if host in ("localhost", "::1") or host.startswith("127.") or proxy_bypass(host):
        return None
    return getproxies().get(parts.scheme)
