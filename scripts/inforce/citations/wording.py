"""Words of a grammar as regular expressions: spacing, apostrophes, case, word boundaries, long lists of names."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from inforce.config.citations import CitationGrammar

# Vowel and tone signs that belong to the letter before them; most of them Python does not count as letters.
_MARKS = "\u0300-\u036f\u0e30-\u0e3a\u0e45\u0e47-\u0e4e"

_LOOSE = "\0"  # in a name: white space that may be missing


def not_before_letter() -> str:
    """Look-ahead: no letter follows."""
    return rf"(?![^\W\d_]|[{_MARKS}])"


def not_before_mark() -> str:
    """Look-ahead: the last letter ends here and takes no vowel or tone sign."""
    return f"(?![{_MARKS}])"


def not_after_letter() -> str:
    """Look-behind: no letter stands before."""
    return rf"(?<![^\W\d_])(?<![{_MARKS}])"


def word(text: str, grammar: CitationGrammar, left: bool = True) -> str:
    """One word or phrase: any white space between its words, any apostrophe, whole words where words are parted.

    An abbreviation of one or two letters, or with full stops, also does not follow an apostrophe or another abbreviation.
    """
    body = _spelled(text, grammar)
    if not grammar.spaced:
        return body
    before = ""
    if left and text[0].isalnum():
        before = r"(?<![\w'’])" if sum(sign.isalpha() for sign in text) <= 2 else r"(?<!\w)"
    after = r"(?![^\W\d_])" if text[-1].isalpha() else ""
    return f"{before}{body}{after}"


def any_of(texts: Iterable[str], grammar: CitationGrammar) -> str:
    """Any of the words, longest first; an empty text where there are none."""
    forms = [word(text, grammar) for text in sorted(texts, key=lambda text: (-len(text), text))]
    return f"(?:{'|'.join(forms)})" if forms else ""


def any_name(names: Iterable[str], grammar: CitationGrammar) -> str:
    """Any of many names, the longest that fits, as one tree of shared beginnings; an empty text where there are none."""
    tree: dict[str, Any] = {}
    for name in names:
        node = tree
        text = " ".join((name.lower() if grammar.ignore_case else name).split())
        for sign in text.replace(". ", f".{_LOOSE}") if grammar.spaced else text:  # C. civ. is also written C.civ.
            node = node.setdefault(sign, {})
        node[""] = {}
    if not tree:
        return ""
    body = _tree_pattern(tree, grammar)
    return f"(?i:{body})" if grammar.ignore_case else body


def unnamed(pattern: str) -> str:
    """The same pattern without names of groups, to use it twice in one expression."""
    return re.sub(r"\(\?P<\w+>", "(?:", pattern)


def _spelled(text: str, grammar: CitationGrammar) -> str:
    body = "".join(_sign(sign, grammar) for sign in " ".join(text.split()))
    return f"(?i:{body})" if grammar.ignore_case else body


def _sign(sign: str, grammar: CitationGrammar) -> str:
    if sign == _LOOSE:
        return r"\s*"
    if sign == " ":
        return r"\s+" if grammar.spaced else r"\s*"
    if sign in "'’":
        return "['’]"
    if sign.isdecimal() and sign.isascii():
        return f"[{sign}{chr(0xE50 + int(sign))}{chr(0xFF10 + int(sign))}]"
    return re.escape(sign)


def _tree_pattern(node: dict[str, Any], grammar: CitationGrammar) -> str:
    out = ""
    while len(node) == 1 and "" not in node:  # one way on: no branch needed
        sign, node = next(iter(node.items()))
        out += _sign(sign, grammar)
    branches = [_sign(sign, grammar) + _tree_pattern(child, grammar) for sign, child in node.items() if sign]
    if not branches:
        return out
    if "" not in node:
        return f"{out}(?:{'|'.join(branches)})"
    return f"{out}(?:{'|'.join(branches)})?"
