"""Where dated law comes from, when it is not a table: git histories, dated dumps and the NitiBench+ release. Part of a jurisdiction's YAML.

Every pattern is a Python regular expression. In a date form the fields {year}, {month} and {day} stand for a number of any script (Chinese
numerals too), {month} also for a name listed under `months`.
"""

from __future__ import annotations

import datetime as dt
import re
from typing import Annotated, Any, Literal, TypeVar
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from inforce.config.load import Strict

Checked = TypeVar("Checked", bound=Strict)
Era = Literal["gregorian", "buddhist", "roc"]

ISO_FORM = "{year}-{month}-{day}"
# Dates that tools write where they have none. A source that holds a genuine one leaves it out of its own list.
SENTINEL_DATES = ("0001-01-01", "1970-01-01", "1970-01-02", "2999-01-01", "9999-12-31")


def _pattern(text: str) -> str:
    try:
        re.compile(text)
    except re.error as error:
        raise ValueError(f"{text!r} is not a regular expression: {error}") from error
    return text


def _form(text: str) -> str:
    for field in ("{year}", "{month}", "{day}"):
        if text.count(field) != 1:
            raise ValueError(f"{text!r} is not a date form: it needs {{year}}, {{month}} and {{day}} once each")
    _pattern(re.sub(r"\{(?:year|month|day)\}", "x", text))
    return text


def _zone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise ValueError(f"{name!r} is no time zone; names are of the form Europe/Paris") from error
    return name


def _iso(value: Any) -> Any:
    return value.isoformat() if isinstance(value, dt.date) else value


def _needs_groups(model: Checked, key: str, pattern: str | None, *groups: str) -> Checked:
    if pattern is not None:
        missing = [group for group in groups if group not in re.compile(_without_fields(pattern)).groupindex]
        if missing:
            raise ValueError(f"{key} lacks the group (?P<{missing[0]}>...)")
    return model


def _without_fields(pattern: str) -> str:
    return re.sub(r"\{(?:year|month|day)\}", "x", pattern)


Pattern = Annotated[str, AfterValidator(_pattern)]
DateForm = Annotated[str, AfterValidator(_form)]
TimeZone = Annotated[str, AfterValidator(_zone)]
DateText = Annotated[str, BeforeValidator(_iso)]


class TrailerDate(Strict):
    """A `Key: value` line of the commit message."""

    source: Literal["trailer"] = Field(alias="from")
    key: str
    form: DateForm = ISO_FORM


class FrontMatterDate(Strict):
    """A key of the block between `---` lines at the top of the file."""

    source: Literal["front_matter"] = Field(alias="from")
    key: str
    form: DateForm = ISO_FORM


class MessageDate(Strict):
    """A date in the words of the commit message: the first form that occurs, in the last clause."""

    source: Literal["message"] = Field(alias="from")
    part: Literal["subject", "whole"] = "subject"
    clause: Pattern | None = Field(
        None, description="what a clause begins with; only the last clause is read. null = all of it is one clause"
    )
    forms: list[DateForm] = Field(min_length=1, description="tried in this order, e.g. 'en vigueur le {day}(?:er)? {month} {year}'")


class AuthorDate(Strict):
    """The day of the commit's author date."""

    source: Literal["author_date"] = Field(alias="from")
    time_zone: TimeZone | None = Field(
        None, description="where the day is read, e.g. Europe/Berlin; null = the zone that the commit itself names"
    )


DateRule = Annotated[TrailerDate | FrontMatterDate | MessageDate | AuthorDate, Field(discriminator="source")]


class NoDate(Strict):
    """What looks like a date and is none."""

    dates: list[DateText] = Field(default=list(SENTINEL_DATES), description="days that stand for no date, wherever they are found")
    clamped_before: dt.datetime | None = Field(
        None,
        description="author times before this moment are clamped: they are no date, and the true day cannot be a later one, so that a later day "
        "found elsewhere is no date either. With a zone, e.g. 1970-01-01T02:00:00+01:00",
    )

    @model_validator(mode="after")
    def _has_zone(self) -> NoDate:
        if self.clamped_before is not None and self.clamped_before.tzinfo is None:
            raise ValueError("clamped_before needs a zone, e.g. 1970-01-01T02:00:00+01:00")
        return self


class Dates(Strict):
    """Where a version's first day in force is found."""

    order: list[DateRule] = Field(min_length=1, description="tried in this order; the first usable date is taken")
    no_date: NoDate = NoDate()
    calendar: Era = Field("gregorian", description="of the dates in the text: buddhist CE = BE - 543, roc CE = ROC + 1911")
    months: dict[str, int] = Field(default={}, description="names of months, e.g. janvier: 1; matched without regard to case")

    @model_validator(mode="after")
    def _months_exist(self) -> Dates:
        if wrong := [name for name, number in self.months.items() if not 1 <= number <= 12]:
            raise ValueError(f"{', '.join(wrong)}: a month is a number from 1 to 12")
        return self


class Edit(Strict):
    """A replacement in a label before it is normalised."""

    pattern: Pattern
    replace: str = ""


class LabelReading(Strict):
    """How a label is read, before the jurisdiction's own `labels` rules are applied."""

    edits: list[Edit] = Field(default=[], description="made in this order, e.g. {pattern: '^0+'} takes leading zeros off")
    superscript: Pattern | None = Field(
        None,
        description="what a raised number looks like, with the group `digits`: '<sup>(?P<digits>\\d+)</sup>' makes 27<sup>1</sup> the label 27¹",
    )

    @model_validator(mode="after")
    def _has_digits(self) -> LabelReading:
        return _needs_groups(self, "superscript", self.superscript, "digits")


class Noise(Strict):
    """What differs between two texts without being an amendment."""

    white_space: Literal["all", "lines"] = Field(
        "all", description="all = any white space; lines = only how lines are wrapped, a new paragraph is an amendment"
    )
    strip: list[Pattern] = Field(default=[], description="taken out of the text altogether: footnote marks, editors' notes")
    ignore: list[Pattern] = Field(default=[], description="left in the text, but not compared, e.g. link targets")


class Status(Strict):
    """A front matter key that says that an act has ended. Counted only on the last version of a file: it often means "superseded"."""

    key: str
    values: list[str] = Field(min_length=1)


class Closing(Strict):
    """What ends a section without a text to follow."""

    bodies: list[Pattern] = Field(
        default=[], description="bodies, whole and without regard to case, e.g. '\\(?abrogé\\)?', 'Kehtetu.*', '' (no body)"
    )
    deletion: bool = Field(True, description="true = a section ends when its file, or its heading in the file, is gone")
    status: Status | None = None


class _Git(Strict):
    repository: str = Field(description="folder of a git repository or a .bundle file; relative to the jurisdiction's root")
    branch: str | None = Field(None, description="null = the repository's own branch, where it has one only")
    path: Pattern = Field(
        description="paths of the files that hold law; all others are left alone. The group `label` (git_articles) or `law_code`"
    )
    law_code: str | None = Field(None, description="code of the law, where the path does not hold it (group law_code)")
    law_codes: dict[str, str] = Field(default={}, description="the path's law code -> ours")
    labels: LabelReading = LabelReading()
    noise: Noise = Noise()
    closing: Closing = Closing()

    @property
    def file(self) -> str:
        """The source's file or folder, relative to the jurisdiction's root."""
        return self.repository

    @model_validator(mode="after")
    def _has_law_code(self) -> _Git:
        if self.law_code is None and "law_code" not in re.compile(self.path).groupindex:
            raise ValueError("which law is it? Give law_code, or a group (?P<law_code>...) in path")
        return self


class GitArticles(_Git):
    """One file a section; its versions are the file's history."""

    type: Literal["git_articles"]
    body: Pattern | None = Field(
        None,
        description="what of the file is the section's text, as group `body`; dots match line ends too. null = all after the front matter",
    )
    dates: Dates

    @model_validator(mode="after")
    def _has_groups(self) -> GitArticles:
        _needs_groups(self, "path", self.path, "label")
        return _needs_groups(self, "body", self.body, "body")


class Until(Strict):
    """A front matter key with the end that the source itself declares for a version of the act."""

    key: str
    form: DateForm = ISO_FORM
    inclusive: bool = Field(True, description="true = the last day in force")


class Notes(Strict):
    """Editors' notes that date a section apart from its act. Each form has the group `label`: the section that the note is about."""

    commences: list[DateForm] = Field(default=[], description="note that says when a section comes into force")
    replaced_from: list[DateForm] = Field(
        default=[], description="note that of two sections with one label the second is in force from that day, the first until then"
    )

    @model_validator(mode="after")
    def _have_labels(self) -> Notes:
        for form in (*self.commences, *self.replaced_from):
            _needs_groups(self, "a note", form, "label")
        return self


class GitActs(_Git):
    """One file an act; sections are found by their headings, their versions are the file's history."""

    type: Literal["git_acts"]
    heading: Pattern = Field(description="line that begins a section, whole, with the group `label` and, where it has one, `title`")
    container: Pattern | None = Field(
        None, description="line that ends a section and begins a part (chapter, annex), whole; the group `name` tells equal labels apart"
    )
    dates: Dates
    until: Until | None = None
    notes: Notes = Notes()

    @model_validator(mode="after")
    def _has_groups(self) -> GitActs:
        return _needs_groups(self, "heading", self.heading, "label")


class Commencement(Strict):
    """One way in which an amendment says when it comes into force."""

    pattern: Pattern = Field(description="words of the record; may hold {year}, {month} and {day}, or the group `months` or `years`")
    means: Literal["date", "after_promulgation", "from_promulgation", "set_later"] = Field(
        description="date = the day named; after_promulgation = so many months or years after it; from_promulgation = the day of promulgation, see "
        "`promulgation_day`; set_later = left to an order, unknown until one is recorded"
    )


class AmendmentHistory(Strict):
    """The record's own list of amendments: true dates, a section at a time."""

    field: str = Field(description="key of the record that holds the list, as text")
    calendar: Era = "gregorian"
    entry: DateForm = Field(description="words that begin an entry, with its date of promulgation")
    strip: list[Pattern] = Field(
        default=[], description="words taken out of the list before it is read, e.g. names of chapters between numbers"
    )
    sections: Pattern = Field(description="section numbers of an entry, as group `list`")
    number: Pattern = Field(r"\d+(?:-\d+)?", description="one number in that list")
    range_marks: str = Field("～~–", description="characters that stand between the ends of a range")
    whole: list[Pattern] = Field(default=[], description="words for the whole law; the group `count` is its number of sections")
    noise: list[Pattern] = Field(default=[], description="entries with these words amend nothing")
    order: Pattern | None = Field(None, description="words of an entry that is no amendment but sets the commencement of the one before it")
    part: Pattern | None = Field(None, description="words after a number that name a part of the section, e.g. a paragraph")
    commencement: list[Commencement] = Field(min_length=1, description="tried in this order on each clause")
    clauses: Pattern = Field("[;；]", description="what parts the clauses of an entry")
    exception: Pattern | None = Field(
        None,
        description="clause with exceptions, with the groups `except` and `rest`: sections named in the first have the day named there",
    )
    promulgation_day: int = Field(
        1,
        ge=1,
        description="`from the day of promulgation` means in force on this day, the day of promulgation being the first (Taiwan: 3)",
    )
    default: Literal["from_promulgation", "unknown"] = Field(
        "unknown", description="where an entry says nothing on its commencement; noted in problems.csv"
    )

    @model_validator(mode="after")
    def _has_groups(self) -> AmendmentHistory:
        _needs_groups(self, "exception", self.exception, "except", "rest")
        return _needs_groups(self, "sections", self.sections, "list")


class GitDumps(_Git):
    """One JSON file a law, dumped now and then: a section's versions are what changed between two dumps."""

    type: Literal["git_dumps"]
    sections: str = Field(description="key of the list of sections")
    label: str = Field(description="key of a section's label; an entry without it is a heading")
    text: str = Field(description="key of a section's text")
    history: AmendmentHistory | None = Field(
        None,
        description="with it, a change that no amendment names is an editors' correction and no version; without it, versions begin on the dump's day",
    )
    dates: Dates = Field(description="the day of the dump itself")


class Release(Strict):
    """The NitiBench+ release (Appendix A.1): the texts of its gold sections, each in two versions. Its cases are `decisions: {format: release}`."""

    type: Literal["release"]
    file: str = Field("gold_sections.jsonl", description="relative to the jurisdiction's root")
