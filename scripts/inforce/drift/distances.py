"""How far two texts of a section lie apart: character trigrams (NitiBench+ §6.4, equation 1) and Levenshtein (Table 11).

White space counts as one space, as where texts are compared for drift: a text that is unchanged has the distance 0 from itself.
"""

from __future__ import annotations

from rapidfuzz.distance import Levenshtein


def trigrams(text: str) -> frozenset[str]:
    """T(x): the different sequences of three characters; none in a text of fewer than three."""
    text = one_spaced(text)
    return frozenset(text[place : place + 3] for place in range(len(text) - 2))


def trigram_distance(one: str, other: str) -> float:
    """1 - |T(a) ∩ T(b)| / |T(a) ∪ T(b)|, from 0 to 1.

    Where neither text has a trigram the fraction has no value: 0 for equal texts, 1 for others.
    """
    first, second = trigrams(one), trigrams(other)
    union = len(first | second)
    if not union:
        return float(one_spaced(one) != one_spaced(other))
    return 1 - len(first & second) / union


def levenshtein_distance(one: str, other: str) -> float:
    """Insertions, deletions and replacements of single characters, over the length of the longer text; 0 for two empty texts."""
    return float(Levenshtein.normalized_distance(one_spaced(one), one_spaced(other)))


def one_spaced(text: str) -> str:
    """The text with one space for each run of white space and none at its ends."""
    return " ".join(text.split())
