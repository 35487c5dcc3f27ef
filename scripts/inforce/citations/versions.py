"""From a citation to the version of the law in force on a day: exact law, exact label, half-open intervals."""

from __future__ import annotations

import bisect
import datetime as dt
from collections.abc import Iterable, Sequence
from typing import Any, Literal, NamedTuple

from inforce.citations.extract import Citation
from inforce.citations.section_labels import Label, SectionLabels
from inforce.records.dates import covers

Status = Literal["in_force", "not_in_force", "no_section", "no_law"]


class Found(NamedTuple):
    """One section that a citation means. version_uri is null unless the status is in_force.

    in_force | not_in_force: the section is held, but no version of it covers the day | no_section: the corpus has no such label in that
    law | no_law: the law or the label of the citation is not known.
    """

    label: str | None
    version_uri: str | None
    status: Status


class _Version(NamedTuple):
    valid_from: dt.date | None
    valid_to: dt.date | None
    uri: str


class Corpus:
    """Dated sections (rows of the SECTIONS table), found by law code and label. Labels are compared whole, in their normal spelling."""

    def __init__(self, rows: Iterable[dict[str, Any]], labels: SectionLabels) -> None:
        self._labels = labels
        self._versions: dict[tuple[str, str], list[_Version]] = {}
        for row in rows:
            key = (row["law_code"], labels.normalise(row["label"]))
            self._versions.setdefault(key, []).append(_Version(row["valid_from"], row["valid_to"], row["version_uri"]))
        ordered: dict[str, list[tuple[Label, str]]] = {}
        for law_code, label in self._versions:
            parsed = labels.parse(label)
            if parsed is not None:
                ordered.setdefault(law_code, []).append((parsed, label))
        self._order = {law_code: sorted(found) for law_code, found in ordered.items()}

    def find(self, law_code: str, label: str, day: dt.date) -> Found:
        """The version of one section in force on a day."""
        versions = self._versions.get((law_code, label))
        if versions is None:
            return Found(label, None, "no_section")
        uri = next((version.uri for version in versions if covers(version.valid_from, version.valid_to, day)), None)
        return Found(label, uri, "in_force" if uri else "not_in_force")

    def between(self, law_code: str, first: str, last: str) -> list[str]:
        """Labels of a law from one to another, both included, in the law's order: 335 < 335 ทวิ < 336. Neither end need be held."""
        low, high = self._labels.parse(first), self._labels.parse(last)
        order = self._order.get(law_code, [])
        if low is None or high is None:
            return []
        return [label for _, label in order[bisect.bisect_left(order, (low,)) : bisect.bisect_right(order, (high, "\U0010ffff"))]]

    def beside(self, law_code: str, label: str, offset: int, day: dt.date) -> list[str]:
        """The `offset` sections in force on the day before (negative) or after a section, in the law's order: 前二條 = -2."""
        here = self._labels.parse(label)
        if here is None:
            return []
        order = [pair for pair in self._order.get(law_code, []) if self.find(law_code, pair[1], day).version_uri]
        if offset < 0:
            at = bisect.bisect_left(order, (here,))
            return [held for _, held in order[max(0, at + offset) : at]]
        at = bisect.bisect_right(order, (here, "\U0010ffff"))
        return [held for _, held in order[at : at + offset]]


class Resolved(NamedTuple):
    """A citation and the sections it means: one, or all of a range or of a relative reference in the law's order."""

    citation: Citation
    found: tuple[Found, ...]


def resolve(citations: Sequence[Citation], corpus: Corpus, day: dt.date) -> list[Resolved]:
    """For each citation the versions in force on the day, in the order given.

    A range holds what the corpus has between its ends on that day; an end that is named but not in force is reported as such.
    """
    return [Resolved(citation, _found(citation, corpus, day)) for citation in citations]


def _found(citation: Citation, corpus: Corpus, day: dt.date) -> tuple[Found, ...]:
    law_code, label = citation.law_code, citation.label
    if law_code is None or label is None:
        return (Found(label, None, "no_law"),)
    if citation.kind == "relative":
        beside = corpus.beside(law_code, label, citation.offset or 0, day)
        return tuple(corpus.find(law_code, one, day) for one in beside) or (Found(None, None, "no_section"),)
    if citation.kind == "range" and citation.to_label is not None:
        named = (label, citation.to_label)
        held = corpus.between(law_code, *named)
        inner = [found for one in held if (found := corpus.find(law_code, one, day)).status == "in_force" or one in named]
        first = [] if label in held else [corpus.find(law_code, label, day)]
        last = [] if citation.to_label in held else [corpus.find(law_code, citation.to_label, day)]
        return tuple(first + inner + last)
    return (corpus.find(law_code, label, day),)
