"""The grammars of config/citations, compiled once for all tests."""

from functools import lru_cache
from pathlib import Path

from inforce.citations.extract import extract
from inforce.citations.grammar import read_grammar

FOLDER = Path(__file__).parents[2] / "config" / "citations"
NAMES = ("en_demo", "fr", "th", "tw")


@lru_cache
def grammar(name):
    return read_grammar(FOLDER / f"{name}.yaml")


def found(name, text, **context):
    """Citations as short rows: words, kind, label (with the end of a range, or an offset), paragraph path, law, how the law is known."""
    rows = []
    for one in extract(text, grammar(name), **context):
        label = f"{one.label}..{one.to_label}" if one.to_label else one.label
        if one.offset is not None:
            label = f"{one.label}{one.offset:+d}"
        law = one.law_name or one.law_words
        rows.append((text[one.start : one.end], one.kind, label, " > ".join(one.paragraph), law, one.law_from))
    return rows
