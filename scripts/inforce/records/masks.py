"""What was masked in an item, and by what: so that texts made of it, as answers, are masked alike. Holds the details themselves."""

from __future__ import annotations

import re
from collections.abc import Callable

from pydantic import BaseModel, ConfigDict


class ItemMasks(BaseModel):
    """The details found in one item, each as it was written, with what stands in its place."""

    model_config = ConfigDict(extra="forbid")

    item_id: str
    masks: dict[str, str]


def masker_of(masks: dict[str, str]) -> Callable[[str], str]:
    """What puts these masks into a text: longer details first, each where no letter or digit of ASCII continues it, any white space alike."""
    if not masks:
        return lambda text: text
    by_words = {" ".join(detail.split()): mask for detail, mask in masks.items()}
    found = re.compile("|".join(_pattern(words) for words in sorted(by_words, key=lambda words: (-len(words), words))))
    return lambda text: found.sub(lambda match: by_words[" ".join(match[0].split())], text)


def _pattern(words: str) -> str:
    before = "(?<![A-Za-z0-9])" if words[0].isascii() and words[0].isalnum() else ""
    after = "(?![A-Za-z0-9])" if words[-1].isascii() and words[-1].isalnum() else ""
    return before + r"\s+".join(map(re.escape, words.split())) + after
