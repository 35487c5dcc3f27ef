"""Citation precision, recall and F1 of one sub-question (NitiBench+ §5.1, B.3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from inforce.records.status import Status

# The model had its turn and gave no answer that can be read: zero on every citation metric (B.3 for answers that do not parse).
# An endpoint error is not among them: nothing was answered, so nothing is scored.
ZERO_STATUSES: frozenset[Status] = frozenset({"unparsed", "empty_at_limit", "context_overflow", "refused", "tool_call_error"})


class CitationScore(NamedTuple):
    """Shares from 0 to 1, and the number of distinct sections cited that they count."""

    precision: float
    recall: float
    f1: float
    n_cited: int


def cited_sections(rows: Iterable[Mapping[str, Any]]) -> set[str]:
    """The prediction set: distinct sections, without background sections and without what the corpus cannot decide.

    rows: CITATION_SCORES of one sub-question. A citation that names no section of the corpus (nonexistent) stays in the set under its
    own words: leaving it out would make inventing citations free of cost.
    """
    return {
        row["section_key"] or row["cited"]
        for row in rows
        if row["version_class"] != "background" and (row["section_key"] or row["is_checked"])
    }


def score_citations(cited: set[str], gold: set[str]) -> CitationScore:
    """Precision = hits / cited, recall = hits / gold, F1 = their harmonic mean; all 0 if nothing is cited or nothing is hit.

    Raises ValueError for an empty gold set: such a sub-question is scored on the rubric only.
    """
    if not gold:
        raise ValueError("a sub-question without gold sections has no citation score")
    hits = len(cited & gold)
    precision = hits / len(cited) if cited else 0.0
    recall = hits / len(gold)
    return CitationScore(precision, recall, 2 * hits / (len(cited) + len(gold)), len(cited))
