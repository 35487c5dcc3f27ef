"""From a citation to the version of the law in force on a day: exact law, exact label, half-open intervals."""

from __future__ import annotations

import bisect
import datetime as dt
import re
from collections.abc import Iterable, Sequence
from typing import Any, Literal, NamedTuple

from inforce.citations.extract import Citation
from inforce.citations.levels import Levels
from inforce.citations.section_labels import Label, SectionLabels
from inforce.records.dates import covers

Status = Literal["in_force", "not_in_force", "no_section", "no_law"]
Path = tuple[str, ...]

_SEVERAL = re.compile(r"(.* )(\d+)-(\d+)")  # a path element that means more than one: `item 1-5`


class Found(NamedTuple):
    """One section that a citation means, or one part of it where the corpus holds the section in parts. version_uri is null unless in_force.

    in_force | not_in_force: the section is held, but no version of it covers the day | no_section: the corpus has no such label in that
    law | no_law: the law or the label of the citation is not known.
    """

    label: str | None
    version_uri: str | None
    status: Status


class _Version(NamedTuple):
    valid_from: dt.date | None
    valid_to: dt.date | None
    begun_by: dt.date | None
    uri: str


class _Part:
    """What the corpus holds under one label: a section (empty path) or a part of one."""

    def __init__(self, label: str) -> None:
        self.label = label
        self.versions: list[_Version] = []

    def on(self, day: dt.date) -> Found:
        uri = next((version.uri for version in self.versions if covers(version.valid_from, version.valid_to, day, version.begun_by)), None)
        return Found(self.label, uri, "in_force" if uri else "not_in_force")


class Corpus:
    """Dated sections (rows of the SECTIONS table), found by law code, label and path. Labels are compared whole, in their normal spelling.

    A corpus may hold a section in parts, each under its own label: `289(4)` is part `item 4` of section 289.
    """

    def __init__(self, rows: Iterable[dict[str, Any]], labels: SectionLabels) -> None:
        self._labels, self._levels = labels, Levels(labels.config)
        self._places: dict[str, tuple[Label | None, str, Path]] = {}
        self._held: dict[tuple[str, str], dict[Path, _Part]] = {}
        ordered: dict[str, set[tuple[Label, str]]] = {}
        for row in rows:
            parsed, label, path = self._place(row["label"])
            parts = self._held.setdefault((row["law_code"], label), {})
            part = parts.setdefault(path, _Part(" ".join(row["label"].split()) if path else label))
            part.versions.append(_Version(row["valid_from"], row["valid_to"], row["begun_by"], row["version_uri"]))
            if parsed is not None:
                ordered.setdefault(row["law_code"], set()).add((parsed, label))
        self._order = {law_code: sorted(found) for law_code, found in ordered.items()}

    def find(self, law_code: str, label: str, day: dt.date) -> Found:
        """The version of one section in force on a day; of a section held in parts, the first of them."""
        return self.find_all(law_code, label, (), day)[0]

    def find_all(self, law_code: str, label: str, path: Path, day: dt.date) -> list[Found]:
        """The versions in force on a day of a section or of the place in it that a path names.

        Where the corpus holds the section in parts: the part of that path, else the parts below it, else what it is a part of; of a section
        without a path, all its parts, in the law's order.
        """
        _, base, above = self._place(label)
        wanted = above + path
        best: list[Found] = []
        for parts in self._fitting(self._held.get((law_code, base), {}), wanted):
            found = [part.on(day) for part in parts]
            in_force = [one for one in found if one.status == "in_force"]
            if in_force:
                return in_force
            best = best or (found if len(found) < 2 else [Found(label, None, "not_in_force")])
        return best or [Found(label, None, "no_section")]

    def between(self, law_code: str, first: str, last: str) -> list[str]:
        """Labels of a law from one to another, both included, in the law's order: 335 < 335 ทวิ < 336. Neither end need be held."""
        low, high = self._labels.parse(first), self._labels.parse(last)
        order = self._order.get(law_code, [])
        if low is None or high is None:
            return []
        return [label for _, label in order[bisect.bisect_left(order, (low,)) : bisect.bisect_right(order, (high, "\U0010ffff"))]]

    def beside(self, law_code: str, label: str, offset: int, day: dt.date) -> list[str]:
        """The `offset` sections in force on the day before (negative) or after a section, in the law's order: 前二條 = -2."""
        here = self._place(label)[0]
        if here is None:
            return []
        order = [pair for pair in self._order.get(law_code, []) if self.find(law_code, pair[1], day).version_uri]
        if offset < 0:
            at = bisect.bisect_left(order, (here,))
            return [held for _, held in order[max(0, at + offset) : at]]
        at = bisect.bisect_right(order, (here, "\U0010ffff"))
        return [held for _, held in order[at : at + offset]]

    def _place(self, text: str) -> tuple[Label | None, str, Path]:
        """Where a label stands: its section taken apart (for the order), the section's normal label, and the path below it.

        A label that is not understood to its end keeps its own spelling; it is ordered beside the section that it starts with.
        """
        place = self._places.get(text)
        if place is None:
            split = self._labels.split(text)
            path = self._levels.read_path(split[1]) if split else None
            if split is None or path is None:
                place = (split[0] if split else None, self._labels.normalise(text), ())
            else:
                place = (split[0], self._labels.normal(split[0]), path)
            self._places[text] = place
        return place

    def _fitting(self, parts: dict[Path, _Part], wanted: Path) -> Iterable[list[_Part]]:
        """The held parts that a path may mean, the closest first."""
        if not wanted and () in parts:
            yield [parts[()]]
        if len(parts) > 1 or () not in parts:
            below = sorted((path for path in parts if path and _starts_with(path, wanted)), key=self._levels.order)
            yield [parts[path] for path in below if len(path) == len(wanted)]
            yield [parts[path] for path in below if len(path) > len(wanted)]
            for depth in range(len(wanted) - 1, 0, -1):
                above = sorted(
                    (path for path in parts if len(path) == depth and _starts_with(path, wanted[:depth])), key=self._levels.order
                )
                yield [parts[path] for path in above]
        if wanted and () in parts:
            yield [parts[()]]


def _starts_with(path: Path, wanted: Path) -> bool:
    return len(path) >= len(wanted) and all(map(_is_one_of, path, wanted))


def _is_one_of(element: str, wanted: str) -> bool:
    if element == wanted:
        return True
    several = _SEVERAL.fullmatch(wanted)
    one = re.fullmatch(r"(.* )(\d+)", element) if several else None
    return bool(several and one and several[1] == one[1] and int(several[2]) <= int(one[2]) <= int(several[3]))


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
        found = [one for held in beside for one in corpus.find_all(law_code, held, citation.paragraph, day)]
        return tuple(found) or (Found(None, None, "no_section"),)
    if citation.kind == "range" and citation.to_label is not None:
        named = (label, citation.to_label)
        held = corpus.between(law_code, *named)
        inside = [(one, found) for one in held for found in corpus.find_all(law_code, one, (), day)]
        inner = [found for one, found in inside if found.status == "in_force" or one in named]
        first = [] if label in held else [corpus.find(law_code, label, day)]
        last = [] if citation.to_label in held else [corpus.find(law_code, citation.to_label, day)]
        return tuple(first + inner + last)
    return tuple(corpus.find_all(law_code, label, citation.paragraph, day))
