"""From texts seen one after another to dated versions: what is an amendment, where a version ends, and what cannot be known.

    history = SectionHistory("bundle", noise)
    history.see(("code", "12"), "text", day, "path@commit")     # only an amended text becomes a version
    history.close(("code", "12"), day, "path@commit", "the file is gone")
    versions, problems = history.finish(labels)

Rules, all of them noted in problems:

- The order of the history holds. A day that is not after the section's version before it cannot be true: it is unknown (`out_of_order`).
  A text that replaces another on the same day leaves that one no day: it is dropped (`same_day`).
- A text that begins on the day on which the same text ends is no amendment (`unchanged`): a day on which a section was changed and changed back,
  or ended and put back, leaves one version.
- A section that ends and comes back on a later day with the text that it had is a version anew (`returned`): for the days between there was none.
- A version whose successor has no known day ends on the day that the source itself declares, where it does, and later dates do not contradict it.
  Else it ends on an unknown day. Only on its first day is it known to be in force, so that is what its
  interval holds (`unknown_end`); a null end would say that it is in force to this day.
- A version of unknown start whose end is open or known has begun by the day that its source proves: the clamp of its commit's author time, and
  the day before its end. From that day (`begun_by`) on it is in force.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from inforce.config.sources import Closing, LabelReading, Noise
from inforce.corpus.commit_dates import Unmatched
from inforce.corpus.versions import Version, natural_key
from inforce.records.files import sha256_text
from inforce.records.labels import LabelRules, normalise_label
from inforce.records.problems import Problem

Key = tuple[str, str]  # law_code, label
_DAY = dt.timedelta(days=1)
_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(slots=True)
class _Span:
    text: str
    source: str
    start: dt.date | None
    end: dt.date | None = None
    is_open: bool = True
    is_declared: bool = False  # the source itself gives this end
    begun_by: dt.date | None = None  # the source's proof, where the start is unknown
    after: dt.date | None = None  # the last known day of the section's history before it


@dataclass(slots=True)
class _Section:
    spans: list[_Span] = field(default_factory=list)
    compared: str | None = None  # digest of the text last seen; null while the section is closed
    last_compared: str | None = None  # the same, not forgotten when it is closed
    last_day: dt.date | None = None


def read_label(raw: str, reading: LabelReading, labels: LabelRules) -> str:
    """A label as the source writes it, edited, its raised digits raised, and normalised."""
    if reading.superscript:
        raw = re.sub(reading.superscript, lambda found: found["digits"].translate(_SUPERSCRIPTS), raw)
    for edit in reading.edits:
        raw = re.sub(edit.pattern, edit.replace, raw)
    return normalise_label(raw, labels)


def clean_text(text: str, noise: Noise) -> str:
    """The text without what the configuration strips, and without white space that means nothing."""
    for pattern in noise.strip:
        text = re.sub(pattern, "", text)
    text = re.sub(r"[ \t]+$", "", text, flags=re.MULTILINE)
    return re.sub(r"\n{3,}", "\n\n", text).strip()


def is_closing(body: str, closing: Closing) -> bool:
    """Whether the body says that the section is repealed."""
    plain = " ".join(body.split())
    return any(re.fullmatch(pattern, plain, re.IGNORECASE) for pattern in closing.bodies)


class SectionHistory:
    """Builds the versions of all sections of one source; holds the versions themselves and nothing else of the history."""

    def __init__(self, source: str, noise: Noise) -> None:
        self.problems: list[Problem] = []
        self._source, self._noise = source, noise
        self._sections: dict[Key, _Section] = {}

    def open_keys(self, law_code: str) -> list[Key]:
        """Sections of a law that are not closed, in the order in which they were first seen."""
        return [key for key, section in self._sections.items() if key[0] == law_code and section.compared is not None]

    def is_open(self, key: Key) -> bool:
        """Whether the section has a text that has not ended."""
        section = self._sections.get(key)
        return section is not None and section.compared is not None

    def holds(self, key: Key, text: str) -> bool:
        """Whether the section's last text is this one, but for noise."""
        section = self._sections.get(key)
        return section is not None and section.compared == self._digest(text)

    def see(
        self, key: Key, text: str, day: dt.date | None, source: str, until: dt.date | None = None, begun_by: dt.date | None = None
    ) -> bool:
        """A section's text in the history. True if it is a new version.

        `until`: the end that the source declares for the text before it. `begun_by`: latest day on which it can have begun, if `day` is unknown.
        """
        section = self._sections.setdefault(key, _Section())
        digest = self._digest(text)
        if section.compared == digest:
            return False
        is_back = section.compared is None and section.last_compared == digest
        day = self._day_after(section, key, day, source)
        if is_back and not (day and section.spans and section.spans[-1].end == day):  # on the same day it was never gone
            reason = f"back {f'on {day}' if day else 'on an unknown day'} with the text with which it had ended; a version of its own"
            self.note(f"{'/'.join(key)} {source}", "returned", reason, "noted")
        self._end(section, day, until)
        before = [section.last_day, *(span.end - _DAY for span in section.spans if span.end)]
        section.spans.append(_Span(text, source, day, begun_by=begun_by, after=max((known for known in before if known), default=None)))
        section.compared = section.last_compared = digest
        return True

    def correct(self, key: Key, text: str) -> None:
        """Another text of the same version: an editors' correction."""
        section = self._sections[key]
        section.spans[-1].text = text
        section.compared = section.last_compared = self._digest(text)

    def see_pending(self, key: Key, text: str, source: str) -> None:
        """A text that is not in force as far as the source knows: a version of its own with an unknown start; the one before it goes on."""
        section = self._sections.setdefault(key, _Section())
        section.spans.append(_Span(text, source, None, is_open=False))
        section.compared = section.last_compared = self._digest(text)

    def close(self, key: Key, day: dt.date | None, source: str, why: str, until: dt.date | None = None) -> None:
        """A section's end; nothing happens if it is closed already."""
        section = self._sections.get(key)
        if section is None or section.compared is None:
            return
        day = self._day_after(section, key, day, source)
        self._end(section, day, until)
        section.compared = None
        self.note(f"{'/'.join(key)} {source}", "closed", f"{why}; closed on {day or 'an unknown day'}", "noted")

    def note(self, row: str, kind: str, reason: str, action: str) -> None:
        """A row for problems.csv."""
        self.problems.append(Problem(self._source, row, kind, reason, action))  # type: ignore[arg-type]

    def note_unmatched(self, unmatched: Iterable[Unmatched]) -> None:
        """Rows for what the configuration names and the source never has."""
        for entry in unmatched:
            self.note(entry.key, entry.kind, entry.reason, "noted")

    def finish(self, labels: LabelRules) -> list[Version]:
        """All versions: by law, label in natural order, and history."""
        versions = []
        for key in sorted(self._sections, key=lambda key: (key[0], natural_key(key[1], labels), key[1])):
            versions += [self._version(key, span) for span in self._without_repeats(key)]
        return versions

    def _without_repeats(self, key: Key) -> list[_Span]:
        """The spans of a section, one where a text begins on the day on which the same text ends."""
        kept: list[_Span] = []
        for span in self._sections[key].spans:
            before = next((known for known in reversed(kept) if known.end and known.end == span.start), None)
            if before is None or self._digest(before.text) != self._digest(span.text):
                kept.append(span)
                continue
            reason = f"begins on {span.start}, when the same text ({before.source}) ends: no amendment; one version"
            self.note(f"{'/'.join(key)} {span.source}", "unchanged", reason, "repaired")
            days = [day for day in (before.begun_by, span.start - _DAY if span.start else None) if day]
            joined = replace(span, text=before.text, source=before.source, start=before.start, begun_by=min(days), after=before.after)
            kept[kept.index(before)] = joined
        return kept

    def _digest(self, text: str) -> str:
        for pattern in self._noise.ignore:
            text = re.sub(pattern, "", text)
        if self._noise.white_space == "all":
            return sha256_text("".join(text.split()))
        return sha256_text("\n\n".join(" ".join(paragraph.split()) for paragraph in re.split(r"\n\s*\n", text.strip())))

    def _day_after(self, section: _Section, key: Key, day: dt.date | None, source: str) -> dt.date | None:
        """The day if it can be true where it stands in the history, else null."""
        if day is None:
            return None
        last = section.spans[-1] if section.spans else None
        if section.last_day is None or day > section.last_day:
            pass
        elif day < section.last_day or (last and last.start != day and last.end != day):
            reason = f"dated {day}, but the section's version before it begins on {section.last_day}; read as unknown"
            self.note(f"{'/'.join(key)} {source}", "out_of_order", reason, "repaired")
            return None
        elif last and last.start == day:
            self.note(
                f"{'/'.join(key)} {last.source}", "same_day", f"replaced on {day}, the day on which it begins, by {source}", "rejected"
            )
            section.spans.pop()
            if section.spans and section.spans[-1].end == day:
                section.spans[-1].end, section.spans[-1].is_open = None, True
        section.last_day = day
        return day

    def _end(self, section: _Section, day: dt.date | None, until: dt.date | None) -> None:
        for span in section.spans:
            if day and span.end and span.end > day:  # what the source declared where the next text had no day cannot be true
                span.end, span.is_declared = None, False
        open_spans = [span for span in section.spans if span.is_open and span.end is None]
        for span in open_spans:
            span.is_open = False
            declared = until if until and (span.start is None or until > span.start) else None
            span.end = min(day, declared) if day and declared else day or declared
            span.is_declared = declared is not None and (day is None or declared == day)

    def _version(self, key: Key, span: _Span) -> Version:
        end, status = span.end, "derived"
        if span.start is None:
            status = "unknown"
        elif span.end is None and not span.is_open:
            end, status = span.start + _DAY, "unknown"
            reason = f"in force from {span.start} to an unknown day: the next change has no date; held in force on its first day only"
            self.note(f"{'/'.join(key)} {span.source}", "unknown_end", reason, "repaired")
        elif span.is_declared:
            status = "exact"
        row = f"{'/'.join(key)} {span.source}"
        return Version(key[0], key[1], "section", span.start, end, status, span.text, span.source, row, _begun_by(span))  # type: ignore[arg-type]


def _begun_by(span: _Span) -> dt.date | None:
    """The first day on which a text of unknown start is certainly in force; null where its end is unknown too, or its place contradicts the day."""
    if span.start is not None or (span.end is None and not span.is_open):
        return None
    days = [day for day in (span.begun_by, span.end - _DAY if span.end else None) if day]
    day = min(days, default=None)
    return day if day and (span.after is None or span.after < day) else None
