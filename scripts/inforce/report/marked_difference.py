"""What changed between two texts of a section, word by word, for showing them side by side."""

from __future__ import annotations

import difflib
import re
from typing import Literal

Kind = Literal["same", "old", "new"]  # in both texts, only in the earlier, only in the later
Part = tuple[Kind, str]

# A word; where the script writes no spaces between words (Thai, Lao, Khmer, Burmese, Han, Kana) one letter with its marks
_SPACELESS = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_MARKS = "\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ecd\u102b-\u103e\u17b4-\u17d3"
_TOKEN = re.compile(rf"\s+|[{_SPACELESS}][{_MARKS}]*|[^\W{_SPACELESS}]+|[^\w\s]", re.UNICODE)
_SHORTEST_SAME = 4  # letters: a shorter match between two changes in a spaceless script is chance, not text that stayed
_LONGEST = 6_000  # tokens; a longer pair is compared by lines, as the work grows with the square


def marked_difference(old: str, new: str) -> list[Part]:
    """Parts in reading order: those same and old make up `old`, those same and new make up `new`, to the last character."""
    before, after = _tokens(old), _tokens(new)
    if max(len(before), len(after)) > _LONGEST:
        before, after = old.splitlines(keepends=True), new.splitlines(keepends=True)
    parts: list[Part] = []
    for name, a0, a1, b0, b1 in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if name == "equal":
            parts.append(("same", "".join(before[a0:a1])))
        else:
            parts += [("old", "".join(before[a0:a1])), ("new", "".join(after[b0:b1]))]
    return _joined(_without_chance_matches([part for part in parts if part[1]]))


def _tokens(text: str) -> list[str]:
    tokens = _TOKEN.findall(text)
    return tokens if "".join(tokens) == text else list(text)  # a sign that no class holds, e.g. a lone combining mark


def _without_chance_matches(parts: list[Part]) -> list[Part]:
    out: list[Part] = []
    for place, (kind, text) in enumerate(parts):
        inside = kind == "same" and 0 < place < len(parts) - 1
        if inside and len(text.strip()) < _SHORTEST_SAME and (not text.strip() or re.search(f"[{_SPACELESS}]", text)):
            out += [("old", text), ("new", text)]
        else:
            out.append((kind, text))
    return out


def _joined(parts: list[Part]) -> list[Part]:
    """Neighbouring changes put together, the earlier text before the later."""
    out: list[Part] = []
    old, new = "", ""
    for kind, text in [*parts, ("same", "")]:
        if kind == "old":
            old += text
        elif kind == "new":
            new += text
        else:
            changed: list[Part] = [("old", old), ("new", new)]
            out += [part for part in changed if part[1]]
            out += [("same", text)] if text else []
            old, new = "", ""
    return out
