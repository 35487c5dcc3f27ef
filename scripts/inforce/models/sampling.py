"""Which token comes next: the reply's form (a JSON Schema) first, then the request's sampling parameters, then its seed.

Draws are taken from a generator of the request's own, one number a token, so that a reply does not depend on what else is under way.
"""

from __future__ import annotations

from typing import Any

import llguidance
import llguidance.hf
import numpy as np
from llguidance import LLMatcher

from inforce.models.interface import ChatRequest

FAINT = 25.0  # a token e^25 times less likely than the likeliest is never drawn, so that the rest need not be sorted


class GrammarError(ValueError):
    """A JSON Schema that cannot constrain a reply."""


class Grammars:
    """Compiles JSON Schemas for one tokenizer; a schema is compiled once."""

    def __init__(self, tokenizer: Any, vocabulary: int, stops: list[int]) -> None:
        self._tokenizer = llguidance.hf.from_tokenizer(tokenizer, n_vocab=vocabulary, eos_token=stops)
        self._known: dict[str, LLMatcher] = {}

    def matcher(self, schema: dict[str, Any]) -> LLMatcher:
        """A fresh matcher. Raises GrammarError with the library's words."""
        grammar = LLMatcher.grammar_from_json_schema(schema, overrides={"whitespace_flexible": False})
        if grammar not in self._known:
            matcher = LLMatcher(self._tokenizer, grammar)
            if matcher.is_error():
                raise GrammarError(matcher.get_error())
            self._known[grammar] = matcher
        return self._known[grammar].deep_copy()


class Chooser:
    """The choices of one reply. `forced` tokens follow from the form alone and need no scores."""

    def __init__(self, request: ChatRequest, prompt: list[int], matcher: LLMatcher | None, stops: frozenset[int], vocabulary: int) -> None:
        sampling = dict(request.sampling)
        self.temperature = float(sampling.get("temperature", 1.0))
        self._top_p, self._min_p = float(sampling.get("top_p", 1.0)), float(sampling.get("min_p", 0.0))
        self._top_k, self._penalty = int(sampling.get("top_k", 0)), float(sampling.get("repetition_penalty", 1.0))
        self._matcher, self._stops = matcher, stops
        seed = int(request.sha256[:15], 16) if request.seed is None else request.seed
        self._random = np.random.Generator(np.random.PCG64(seed))
        self._seen = np.unique(prompt) if self._penalty != 1.0 else None
        self._bits = np.zeros((1, (vocabulary + 31) // 32), dtype=np.int32)

    def forced(self) -> list[int]:
        """Tokens that are the only way on, already taken into account; empty without a form."""
        tokens: list[int] = self._matcher.compute_ff_tokens() if self._matcher is not None and not self._matcher.is_stopped() else []
        if tokens and not self._matcher.consume_tokens(tokens):  # type: ignore[union-attr]
            raise GrammarError(self._matcher.get_error())  # type: ignore[union-attr]
        self._note(tokens)
        return [token for token in tokens if token not in self._stops]

    @property
    def complete(self) -> bool:
        """True if the form allows nothing more."""
        return self._matcher is not None and self._matcher.is_stopped()

    def choose(self, scores: np.ndarray[Any, np.dtype[np.float32]]) -> int:
        """The next token by its scores (vocabulary,), which are changed in place. Raises GrammarError if the form has broken down."""
        if self._seen is not None:
            seen = scores[self._seen]
            scores[self._seen] = np.where(seen > 0, seen / self._penalty, seen * self._penalty)
        if self._matcher is not None:
            self._matcher.unsafe_compute_mask_ptr(self._bits.ctypes.data, self._bits.nbytes)
            allowed = np.unpackbits(self._bits.view(np.uint8)[0], bitorder="little")[: len(scores)]
            np.copyto(scores, -np.inf, where=allowed == 0)
        token = int(scores.argmax()) if self.temperature == 0 else self._draw(scores)
        if self._matcher is not None and not self._matcher.consume_token(token):
            raise GrammarError(self._matcher.get_error())
        self._note([token])
        return token

    def _draw(self, scores: np.ndarray[Any, np.dtype[np.float32]]) -> int:
        """Inverse of the cumulative distribution over the candidates, likeliest first, ties by token."""
        tokens = np.flatnonzero(scores >= scores.max() - FAINT * self.temperature)
        weights = np.exp((scores[tokens].astype(np.float64) - scores.max()) / self.temperature)
        order = np.argsort(-weights, kind="stable")
        tokens, weights = tokens[order], weights[order]
        if self._top_k:
            tokens, weights = tokens[: self._top_k], weights[: self._top_k]
        likelier = np.cumsum(weights) - weights
        weights = weights[(likelier < self._top_p * weights.sum()) & (weights >= self._min_p)]
        cumulative = np.cumsum(weights)
        drawn = int(np.searchsorted(cumulative, self._random.random() * cumulative[-1], side="right"))
        return int(tokens[min(drawn, len(weights) - 1)])

    def _note(self, tokens: list[int]) -> None:
        if self._seen is not None and tokens:
            self._seen = np.union1d(self._seen, tokens)
