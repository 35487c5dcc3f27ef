"""The arithmetic of local generation: a transformers model with slots for the texts under way, each text independent of the others.

Three things make it fast on a CPU. Prompts are read in chunks of `CHUNK` tokens, which stay in the processor's cache; a chunk that an
earlier prompt began with as well is copied instead of read. Every step of writing takes up to `WIDTH` tokens a slot, which costs hardly
more than one, so that tokens which the reply's form forces need no step of their own. Keys and values are written in place, and attention
runs on grouped heads without copying them.

A text's numbers do not depend on its neighbours: chunks begin at fixed places, reused or not, and matrix products in writing have
`slots x WIDTH` rows, whichever slots are taken, or a number of rows that was seen to give the same bits. So a run that was killed and resumed writes what an unbroken one would have.
Works for decoders with full attention and rotary positions (Llama and its kin).
"""

from __future__ import annotations

import math
import os
import time
from collections import OrderedDict
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
import transformers
from transformers import AttentionInterface, AutoModelForCausalLM
from transformers.cache_utils import Cache

CHUNK = 128
PART = 32  # the last chunk of a prompt is filled up to a multiple of this, so that few numbers of rows occur, and all are tried at loading
WIDTH = 4
FEW = (10, 16)  # numbers of texts for which fewer rows than `slots` are tried
KEPT_CHUNKS = 48  # about 3 MB each for a model of 135M parameters
APART = 0.6  # rows that would attend over more padding than this share leaves are attended one by one
MEMORY = 1_500_000_000  # bytes that keys and values of the texts under way may take
ROUND = 128  # attention spans a multiple of this, so that its blocks do not move with every token


class Slots(Cache):  # type: ignore[misc]
    """Keys and values of all slots, one pair of tensors (slots, heads, positions, size) a layer."""

    def __init__(self, config: Any, slots: int, dtype: torch.dtype) -> None:
        super().__init__(layers=[])
        self._config, self._slots, self._dtype = config, slots, dtype
        self.keys: list[torch.Tensor] = []
        self.values: list[torch.Tensor] = []
        self.rows = torch.zeros(0, dtype=torch.long)  # slots under way in this step
        self.positions = torch.zeros(0, 0, dtype=torch.long)  # (rows, width)
        self.mask = torch.zeros(0)  # (rows, 1, groups * width, span), added to the scores
        self.spans, self.span = [0], 0  # how far each row sees, and the farthest
        self.apart = False  # rows of very different lengths: each attends over its own, not over the longest

    def reserve(self, positions: int) -> None:
        """Make room for texts of this length; what is there stays. Zeros, for masked garbage could still be not-a-number."""
        have = self.keys[0].shape[2] if self.keys else 0
        if positions <= have:
            return
        config = self._config
        size = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
        shape = (self._slots, config.num_key_value_heads, -(-positions // 512) * 512, size)
        for tensors in (self.keys, self.values):
            for layer in range(config.num_hidden_layers):
                fresh = _untouched_zeros(shape, self._dtype)
                if have:
                    fresh[:, :, :have] = tensors[layer]
                    tensors[layer] = fresh
                else:
                    tensors.append(fresh)

    @property
    def bytes_per_position(self) -> int:
        """Memory of one token's keys and values in all layers."""
        config = self._config
        size = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
        bytes_each = torch.empty(0, dtype=self._dtype).element_size()
        return int(2 * config.num_hidden_layers * config.num_key_value_heads * size * bytes_each)

    def aim(self, rows: torch.Tensor, positions: torch.Tensor) -> None:
        """Set where the next pass writes: token j of rows[i] at positions[i, j], which sees all positions up to its own."""
        self.rows, self.positions = rows, positions
        self.spans = [min(-(-(last + 1) // ROUND) * ROUND, self.keys[0].shape[2]) for last in positions[:, -1].tolist()]
        self.span = max(self.spans)
        self.apart = sum(self.spans) < APART * self.span * len(rows)
        unseen = torch.arange(self.span)[None, None, :] > positions[:, :, None]
        mask = torch.zeros(unseen.shape, dtype=self._dtype).masked_fill_(unseen, float("-inf"))
        groups = self._config.num_attention_heads // self._config.num_key_value_heads
        self.mask = mask.repeat(1, groups, 1)[:, None].contiguous()

    def update(self, keys: torch.Tensor, values: torch.Tensor, layer: int, *args: Any, **more: Any) -> tuple[torch.Tensor, torch.Tensor]:
        """Called by the model in each layer: store what is new, return what can be seen. Rows beyond the slots under way are padding."""
        n = len(self.rows)
        for tensors, fresh in ((self.keys, keys), (self.values, values)):
            tensors[layer][self.rows[:, None], :, self.positions] = fresh[:n].transpose(1, 2)
        if n == 1:
            row = int(self.rows[0])
            return self.keys[layer][row : row + 1, :, : self.span], self.values[layer][row : row + 1, :, : self.span]
        return self.keys[layer][:n, :, : self.span], self.values[layer][:n, :, : self.span]

    def get_seq_length(self, layer_idx: int = 0) -> int:
        """Unused: positions and masks are given."""
        return 0

    def copy_slot(self, source: int, target: int, length: int) -> None:
        """Copy the first `length` positions of a slot to another."""
        for tensor in (*self.keys, *self.values):
            tensor[target, :, :length] = tensor[source, :, :length]


def _untouched_zeros(shape: tuple[int, ...], dtype: torch.dtype) -> torch.Tensor:
    """Zeros whose memory is taken page by page as they are written: most slots never hold the longest text."""
    size = torch.empty(0, dtype=dtype).element_size()
    return torch.from_numpy(np.zeros(math.prod(shape) * size, dtype=np.uint8)).view(dtype).view(shape)


def attend(module: Any, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, mask: Any, **more: Any) -> tuple[torch.Tensor, None]:
    """Attention over the slots: the heads that share keys count as further queries of one head. Padding rows come back as zeros."""
    slots: Slots = more["slots"]
    n, kv_heads, size = len(slots.rows), key.shape[1], query.shape[3]
    total, heads, width, _ = query.shape
    grouped = query[:n].reshape(n, kv_heads, heads // kv_heads * width, size)
    scale = more.get("scaling")
    if slots.apart:
        parts = [
            F.scaled_dot_product_attention(
                grouped[row : row + 1],
                key[row : row + 1, :, :span],
                value[row : row + 1, :, :span],
                attn_mask=slots.mask[row : row + 1, :, :, :span],
                scale=scale,
            )
            for row, span in enumerate(slots.spans)
        ]
        out = torch.cat(parts)
    else:
        out = F.scaled_dot_product_attention(grouped, key, value, attn_mask=slots.mask, scale=scale)
    out = out.reshape(n, heads, width, size).transpose(1, 2)
    if n < total:
        out = torch.cat((out, out.new_zeros(total - n, width, heads, size)))
    return out, None


AttentionInterface.register("inforce_slots", attend)


def pack(model: torch.nn.Module, counts: list[int], threads: int) -> bool:
    """Lay the weights of matrix products out as the processor's kernels read them, once instead of at every call: a quarter faster.

    Done where a trial with the numbers of rows in use shows that it changes no bit, with one thread and with all. These are the operators
    that torch's own compiler emits; where they are missing nothing is done. Returns whether the number of threads changes no bit.
    """
    operators = torch.ops.mkldnn
    able = hasattr(operators, "_linear_pointwise") and torch.backends.mkldnn.is_available() and operators._is_mkldnn_bf16_supported()
    verdicts: dict[tuple[int, ...], tuple[bool, bool]] = {}
    for product in [module for module in model.modules() if isinstance(module, torch.nn.Linear)]:
        shape = tuple(product.weight.shape)
        packed = None
        if able and product.weight.dtype == torch.bfloat16 and verdicts.get(shape, (True, True))[1]:
            packed = partial(_packed_product, operators._reorder_linear_weight(product.weight, max(counts)), product.bias)
        if shape not in verdicts:
            verdicts[shape] = _trial(product, packed, counts, threads)
        if packed is not None and verdicts[shape][1]:
            product.forward = packed
    return all(steady for steady, _ in verdicts.values())


def _trial(product: torch.nn.Linear, packed: Any, counts: list[int], threads: int) -> tuple[bool, bool]:
    """Whether the plain product gives the same bits with one thread and with all, and whether the packed one gives these too."""
    generator = torch.Generator().manual_seed(0)
    steady, equal, before = True, packed is not None, torch.get_num_threads()
    for rows in counts * (1 if product.out_features > 4096 else 3):
        given = torch.randn(rows, product.in_features, generator=generator).to(product.weight.dtype)
        results = []
        for used in {1, threads}:
            torch.set_num_threads(used)
            results.append((product(given), packed(given) if packed is not None else None))
        steady = steady and all(torch.equal(results[0][0], plain) for plain, _ in results)
        equal = equal and all(torch.equal(results[0][0], other) for _, other in results)
    torch.set_num_threads(before)
    return steady, steady and equal


def _packed_product(weight: torch.Tensor, bias: torch.Tensor | None, given: torch.Tensor) -> torch.Tensor:
    product: torch.Tensor = torch.ops.mkldnn._linear_pointwise(given, weight, bias, "none", [], "")
    return product


class Pace:
    """How many threads pay at the moment: one, where other processes hold the cores and threads wait for each other; else all.

    Tried out again every `AGAIN` passes of one kind. The number of threads changes no result.
    """

    AGAIN = 64

    def __init__(self, most: int, *, fixed: bool = False) -> None:
        self._most = self._best = most
        self._fixed, self._passes, self._alone = fixed, 0, 0.0

    def threads(self) -> int:
        """Threads for the next pass: first one, then all, then what was faster. Always all if `fixed`."""
        turn = self._passes % self.AGAIN
        return 1 if turn == 0 and not self._fixed else self._most if turn == 1 else self._best

    def note(self, seconds: float) -> None:
        """What that pass took. Passes that follow each other do about the same work."""
        turn = self._passes % self.AGAIN
        self._passes += 1
        if turn == 0:
            self._alone = seconds
        elif turn == 1 and not self._fixed:
            self._best = 1 if self._alone < seconds else self._most


class Decoder:
    """Weights, and as many texts under way as there are slots. Slots 0 to k-1 are the ones in use; `copy` closes gaps."""

    def __init__(self, directory: Path, dtype: str, slots: int) -> None:
        threads = int(os.environ.get("OMP_NUM_THREADS") or min(2, os.cpu_count() or 1))
        transformers.utils.logging.disable_progress_bar()
        self._model = AutoModelForCausalLM.from_pretrained(directory, dtype=getattr(torch, dtype), local_files_only=True).eval()
        self._model.requires_grad_(False)
        self._model.config._attn_implementation = "inforce_slots"
        counts = sorted({*range(PART, CHUNK + 1, PART), *(rows * WIDTH for rows in (*FEW, slots) if rows <= slots)})
        steady = pack(self._model, counts, threads)
        self._reading, self._writing = Pace(threads, fixed=not steady), Pace(threads, fixed=not steady)
        self._body, self._head = self._model.base_model, self._model.get_output_embeddings()
        self.slots = slots
        self._cache = Slots(self._model.config, slots, getattr(torch, dtype))
        self.room = MEMORY // self._cache.bytes_per_position  # tokens that the texts under way may have together, replies included
        self._chunks: OrderedDict[bytes, list[torch.Tensor]] = OrderedDict()
        self.vocabulary = int(self._head.weight.shape[0])
        self._rows = [rows for rows in FEW if rows < slots and self._same_bits(rows)] + [slots]
        ends = self._model.generation_config.eos_token_id
        self.stops: list[int] = [] if ends is None else [ends] if isinstance(ends, int) else list(ends)
        self.read = self.reused = self.steps = 0  # prompt tokens read, prompt tokens copied, steps of writing

    def reserve(self, positions: int) -> None:
        """Make room for texts of this many tokens, prompt and reply."""
        self._cache.reserve(positions + PART)

    def prefill(self, slot: int, tokens: list[int]) -> torch.Tensor:
        """Read a prompt into a slot. Returns the scores (vocabulary,) of the token after it."""
        hidden = torch.zeros(0)
        for start in range(0, len(tokens), CHUNK):
            chunk, last = tokens[start : start + CHUNK], start + CHUNK >= len(tokens)
            name = torch.tensor(tokens[: start + CHUNK]).numpy().tobytes()
            if not last and (kept := self._chunks.get(name)) is not None:
                self._chunks.move_to_end(name)
                for tensor, part in zip((*self._cache.keys, *self._cache.values), kept, strict=True):
                    tensor[slot, :, start : start + CHUNK] = part
                self.reused += CHUNK
                continue
            filled = chunk + [0] * (-len(chunk) % PART)  # what is written behind the prompt is overwritten by the reply
            positions = torch.arange(start, start + len(filled))[None]
            hidden = self._pass(torch.tensor([filled]), torch.tensor([slot]), positions, self._reading if len(chunk) == CHUNK else None)
            hidden = hidden[:, : len(chunk)]
            self.read += len(chunk)
            if len(chunk) == CHUNK:
                self._keep(name, [t[slot, :, start : start + CHUNK].clone() for t in (*self._cache.keys, *self._cache.values)])
        scores: torch.Tensor = self._head(hidden[:, -1]).float()[0]
        return scores

    def step(self, tokens: list[list[int]], starts: list[int]) -> torch.Tensor:
        """Write 1 to WIDTH tokens into each of the slots 0..k-1, the first of slot i at position starts[i].

        Returns scores (k, WIDTH, vocabulary): [i, j] are those of the token after tokens[i][j]. A later call may write over tokens that
        turned out wrong.
        """
        n = len(tokens)
        rows = next(rows for rows in self._rows if rows >= n)
        padded = torch.zeros(rows, WIDTH, dtype=torch.long)
        for row, some in enumerate(tokens):
            padded[row, : len(some)] = torch.tensor(some)
        positions = torch.zeros(rows, WIDTH, dtype=torch.long)
        positions[:n] = torch.tensor(starts)[:, None] + torch.arange(WIDTH)  # padding is overwritten by the tokens that come next
        hidden = self._pass(padded, torch.arange(n), positions, self._writing)
        scores: torch.Tensor = self._head(hidden)[:n].float()
        self.steps += 1
        return scores

    def _same_bits(self, rows: int) -> bool:
        """True if every matrix product gives the same bits with so many rows as with all: then few texts need not wait for padding."""
        generator = torch.Generator().manual_seed(0)
        products = {module.weight.shape: module for module in self._model.modules() if isinstance(module, torch.nn.Linear)}
        for product in products.values():
            given = torch.randn(self.slots * WIDTH, product.in_features, generator=generator).to(product.weight.dtype)
            if not torch.equal(product(given[: rows * WIDTH]), product(given)[: rows * WIDTH]):
                return False
        return True

    def copy(self, source: int, target: int, length: int) -> None:
        """Move a text of `length` tokens to another slot."""
        self._cache.copy_slot(source, target, length)

    def _pass(self, tokens: torch.Tensor, rows: torch.Tensor, positions: torch.Tensor, pace: Pace | None) -> torch.Tensor:
        """Hidden states (rows, width, size) after the last layer. pace: of this kind of pass, null for an odd one."""
        if pace is not None:
            torch.set_num_threads(pace.threads())
        else:
            torch.set_num_threads(self._reading.threads())
        began = time.perf_counter()
        self._cache.aim(rows, positions[: len(rows)])
        out = self._body(
            input_ids=tokens, position_ids=positions, attention_mask=self._cache.mask, cache=self._cache, use_cache=True, slots=self._cache
        )
        hidden: torch.Tensor = out.last_hidden_state
        if pace is not None:
            pace.note(time.perf_counter() - began)
        return hidden

    def _keep(self, name: bytes, parts: list[torch.Tensor]) -> None:
        self._chunks[name] = parts
        if len(self._chunks) > KEPT_CHUNKS:
            self._chunks.popitem(last=False)
