"""Section labels: one spelling for equal labels, and the section that a label with sub-paragraphs belongs to (NitiBench+ B.3)."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from pydantic import BaseModel, ConfigDict, Field

_DIGITS = str.maketrans(
    {chr(code): str(unicodedata.digit(chr(code))) for code in range(0x660, 0xFF1A) if unicodedata.decimal(chr(code), None) is not None}
)


class LabelRules(BaseModel):
    """What a jurisdiction's labels look like; all words are matched whole and without regard to case."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    unit_words: tuple[str, ...] = Field(default=(), description="words before a label that name the unit, e.g. section, s., มาตรา, ม.")
    suffix_words: tuple[str, ...] = Field(default=(), description="words that belong to the label itself, e.g. bis, ter, ทวิ, ตรี")
    sub_paragraph_words: tuple[str, ...] = Field(
        default=(), description="words that open a sub-paragraph, with all that follows them, e.g. paragraph, วรรค, อนุมาตรา"
    )


def to_ascii_digits(text: str) -> str:
    """Decimal digits of any script as ASCII digits; everything else unchanged."""
    return text.translate(_DIGITS)


def normalise_label(label: str, rules: LabelRules) -> str:
    """One spelling for equal labels: ASCII digits, NFC, lower case, unit word dropped, one space before a suffix word.

    `มาตรา ๓๓๕ทวิ` -> `335 ทวิ`; `Section 14BIS` -> `14 bis`. Sub-paragraphs are kept: see `base_label`.
    """
    text = unicodedata.normalize("NFC", to_ascii_digits(label)).strip().lower()
    unit = _alternatives(rules.unit_words)
    if unit:
        text = re.sub(rf"^(?:{unit})\s*", "", text)
    suffix = _alternatives(rules.suffix_words)
    if suffix:
        text = re.sub(rf"(?<=\d)\s*[-–]?\s*({suffix})(?![^\W\d_])", r" \1", text)
    return re.sub(r"\s+", " ", text).strip(" .,;:")


def base_label(label: str, rules: LabelRules) -> str:
    """The section's own label: `normalise_label` without sub-paragraph markers.

    `335 ทวิ (1) วรรคสอง` -> `335 ทวิ`; `12(3)(a)` -> `12`; `14 bis, paragraph 2` -> `14 bis`.
    """
    text = normalise_label(label, rules)
    words = _alternatives(rules.sub_paragraph_words)
    if words:
        text = re.sub(rf"[\s,]*(?:{words}).*$", "", text)
    text = re.sub(r"[\s,]*[(（].*$", "", text)
    return text.strip(" .,;:")


@lru_cache(maxsize=256)
def _alternatives(words: tuple[str, ...]) -> str:
    return "|".join(re.escape(unicodedata.normalize("NFC", word).lower()) for word in sorted(words, key=len, reverse=True))
