"""config/jurisdictions/*.yaml: where a jurisdiction's dated law and decisions come from, and how they are read."""

from __future__ import annotations

import datetime as dt
import re
import string
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Discriminator, Field, Tag, field_validator, model_validator

from inforce.config.load import Strict
from inforce.config.sources import GitActs, GitArticles, GitDumps, Release
from inforce.records.decisions import QuestionType
from inforce.records.labels import LabelRules

Calendar = Literal["gregorian", "buddhist", "roc"]

# Dates that tools write where they have none. A corpus that holds a genuine one leaves it out of its own list.
SENTINEL_DATES = ("0001-01-01", "1970-01-01", "2999-01-01", "9999-12-31")


# YAML reads a bare 2999-01-01 as a date; these lists hold spellings
DateText = Annotated[str, BeforeValidator(lambda value: value.isoformat() if isinstance(value, dt.date) else value)]


class LawEntry(Strict):
    """A law named in configuration, where the source has no table of laws."""

    law_code: str = Field(pattern=r"^[^/\s]+$", description="part of every identifier: no white space, no slash")
    name: str
    aliases: list[str] = Field(default=[], description="other names and abbreviations")
    kind: str = "act"
    enacted: dt.date | None = None
    repealed_on: dt.date | None = Field(None, description="first day on which the law is no longer in force")

    @model_validator(mode="after")
    def _ends_after_it_begins(self) -> LawEntry:
        if self.enacted and self.repealed_on and self.repealed_on <= self.enacted:
            raise ValueError(f"law {self.law_code}: repealed_on {self.repealed_on} is not after enacted {self.enacted}")
        return self


SectionColumn = Literal["law_code", "label", "valid_from", "valid_to", "text", "source_key", "component_type"]


QuestionColumn = Literal["question_id", "question", "citations", "law", "label", "text"]


class SectionsTable(Strict):
    """A table of dated section versions, one row a version."""

    type: Literal["table"] = "table"
    file: str = Field(
        description="relative to the jurisdiction's root; .parquet and .jsonl (one object a line) are read as such, all else as CSV"
    )
    columns: dict[SectionColumn, str] = Field(
        description="our column -> the file's column; source_key = the source's own name of the version. "
        "Without valid_to each version ends where the next one starts, and its dates are marked as derived"
    )
    calendar: Calendar = Field("gregorian", description="buddhist: CE = BE - 543; roc: CE = ROC + 1911, year 1 = 1912")
    end_inclusive: bool = Field(False, description="true = the end day is the last day in force; it is converted on reading")
    null_dates: list[DateText] = Field(default=[""], description="spellings of an open end or of an unknown start, e.g. 0000-00-00")
    sentinel_dates: list[DateText] = Field(
        default=list(SENTINEL_DATES),
        description="dates that stand for no date, in the file's own spelling or in ISO: read as unknown, with a row in problems.csv",
    )
    law_codes: dict[str, str] = Field(default={}, description="the file's law code -> ours")

    @field_validator("columns")
    @classmethod
    def _needed_columns(cls, columns: dict[SectionColumn, str]) -> dict[SectionColumn, str]:
        _check_needed(set(columns), ("law_code", "label", "valid_from", "text"))
        return columns


class VerdictRule(Strict):
    """A verdict's wording where every named column has the given value. The first rule that fits is taken."""

    when: dict[str, str] = Field(default={}, description="our column -> the value it must have; empty = always")
    text: str = Field(description="wording; may hold {decision}, {provisions}, {subject}, {category} and any of our columns")


class IssueQuestion(Strict):
    """One sub-question that is asked of each issue. Texts may hold the fields that `VerdictRule.text` may."""

    question: str
    question_type: QuestionType = "ruling"
    depends_on_previous: bool = False
    verdicts: list[VerdictRule] = Field(min_length=1)
    reasoning: str = "{decision}"


class Category(Strict):
    """One of the file's categories: the domain of its items, and its name in the jurisdiction's own language."""

    domain: str
    words: str = Field("", description="put into texts as {category}, and as {subject} where no cited section has a name")


ISSUE_COLUMNS = ("id", "number", "date", "category", "citations", "facts", "decision")


class DecisionsTable(Strict):
    """Decisions: `jsonl` = records of inforce.records.decisions; `issues_csv` = a table with one decided issue a row;
    `release` = validation_split.jsonl of the NitiBench+ release. Records and issues may be .jsonl, .csv or .parquet, by the file's name."""

    format: Literal["jsonl", "issues_csv", "release"] = "jsonl"
    file: str = Field(description="relative to the jurisdiction's root")
    sentinel_dates: list[DateText] = Field(default=list(SENTINEL_DATES), description="as in sections")
    columns: dict[str, str] = Field(
        default={},
        description="issues_csv: our name -> the file's column. Needed: id, number (of the decision), date (as much as is known), category, "
        "citations (source keys of section versions), facts, decision (the court's words). Any further name may be used in texts and in `when`",
    )
    calendar: Calendar = "gregorian"
    court: str = ""
    source: str = ""
    id_prefix: str = Field("", description="issues_csv: put before the issue's id")
    title: str = Field("{number}", description="issues_csv: title of an item; may hold our columns")
    citation_separator: str = ","
    marks: list[str] = Field(default=[], description="regular expressions of marks to take out of texts, e.g. </?b>")
    broken_marks: list[str] = Field(default=[], description="the same for marks that are misspelt: taking one out is a row in problems.csv")
    categories: dict[str, Category] = Field(default={}, description="issues_csv: the file's category -> domain and its words")
    label_text: str = Field("{label}", description="issues_csv: how one section is written in {provisions}")
    label_join: str = Field(", ", description="issues_csv: what stands between two sections of a law in {provisions}")
    label_names: dict[str, str] = Field(
        default={},
        description="issues_csv: label -> what the section is about, in words; the first named section cited is put into texts as {subject}",
    )
    questions: list[IssueQuestion] = Field(default=[], description="issues_csv: the questions asked of each issue, in order")

    @field_validator("marks", "broken_marks")
    @classmethod
    def _patterns(cls, patterns: list[str]) -> list[str]:
        return _compiled(patterns)

    @model_validator(mode="after")
    def _issues_are_described(self) -> DecisionsTable:
        if self.format != "issues_csv":
            return self
        _check_needed(set(self.columns), ISSUE_COLUMNS)
        if not self.questions:
            raise ValueError("issues_csv needs at least one question")
        known = {*self.columns, "provisions", "subject"}
        for asked in self.questions:
            for text in (asked.question, asked.reasoning, *(rule.text for rule in asked.verdicts)):
                _known_fields(text, known)
            for rule in asked.verdicts:
                _known_names(rule.when, set(self.columns))
        _known_fields(self.title, known)
        _known_fields(self.label_text, {"label"})
        return self


class QuestionSet(Strict):
    """A set of questions whose gold answers carry the text of the statutes they cite, as of the day when they were written (NitiBench+ Table 4).

    `.jsonl`: one question a line with a list of citations; `.csv`: one citation a row, rows of one question share its id.
    """

    title: str
    file: str = Field(pattern=r"\.(jsonl|csv)$", description="relative to the jurisdiction's root")
    snapshot: dt.date | None = Field(None, description="the day whose law the texts were taken from, where it is known")
    columns: dict[QuestionColumn, str] = Field(
        default={},
        description="our name -> the file's key or column, where they differ. law holds a law's code, name or alias; citations is the list in "
        "a line of .jsonl, whose entries have law, label and text",
    )
    noise: list[str] = Field(
        default=[],
        description="regular expressions of what is taken out of both texts before they are compared, e.g. a heading with the section's number",
    )

    @field_validator("noise")
    @classmethod
    def _patterns(cls, patterns: list[str]) -> list[str]:
        return _compiled(patterns)


def _type_of(sections: Any) -> str:
    return str(sections.get("type", "table") if isinstance(sections, dict) else getattr(sections, "type", "table"))


SectionsSource = Annotated[
    Annotated[SectionsTable, Tag("table")]
    | Annotated[GitArticles, Tag("git_articles")]
    | Annotated[GitActs, Tag("git_acts")]
    | Annotated[GitDumps, Tag("git_dumps")]
    | Annotated[Release, Tag("release")],
    Discriminator(_type_of),
]


class Splits(Strict):
    """How the items are cut into test split, validation split and reserve (NitiBench+ §7.1)."""

    test: int = Field(500, ge=0, description="items of the test split, alike over the domains")
    validation: int = Field(
        500, ge=0, description="items of the validation split, alike over the domains, as far as the test split leaves them"
    )
    largest_share: float = Field(
        0.3, gt=0, le=0.5, description="of all items, the most that one of the two splits takes: smaller corpora get smaller splits"
    )
    draw: str = Field("1", description="another word draws other splits, e.g. after the test split has leaked")


class Jurisdiction(Strict):
    """One jurisdiction."""

    title: str
    language: str = Field(description="BCP 47 tag; chooses the prompt set config/prompts/TASK.LANGUAGE/")
    corpus_date: dt.date = Field(description="the day that is 'today' for the current law")
    root: str = Field(description="folder of the data; relative to the project, or to the data root where outside_data is true")
    outside_data: bool = Field(False, description="true = the data does not come with the project, see data/README.md")
    terms: str = Field("", description="whose data it is, under which terms; printed where the data is missing")
    items_public: bool = Field(
        False,
        description="true = the items of every split may be shown on the report page, since they are published with the project anyway",
    )
    laws_file: str | None = Field(
        None, description="table of laws (CSV, .parquet or .jsonl): law_code,name,aliases,kind,enacted,repealed_on; aliases parted by ;"
    )
    laws: list[LawEntry] = Field(default=[], description="laws named here; they go before those of the file")
    sections: SectionsSource
    decisions: DecisionsTable
    question_set: QuestionSet | None = Field(
        None, description="questions with embedded statute texts, to be checked against the current law"
    )
    court_names: dict[str, str] = Field(
        default={}, description="a court as the decisions name it -> its name in tables and figures, whose fonts may lack a script"
    )
    labels: LabelRules
    holds_whole_laws: bool = Field(
        True, description="false = of each law only some sections are held, so that a section not found cannot be called invented"
    )
    name_guards: bool = Field(
        False,
        description="true = names that share only a common word or a short abbreviation are not alike, beyond B.3; false = B.3 to the letter",
    )
    splits: Splits = Splits()
    unheld_kinds: list[str] = Field(
        default=[],
        description="regular expressions of names of instruments that this corpus cannot decide on (§7.5), e.g. ministerial regulation, amending act",
    )

    @field_validator("unheld_kinds")
    @classmethod
    def _patterns(cls, patterns: list[str]) -> list[str]:
        return _compiled(patterns)

    @model_validator(mode="after")
    def _has_laws(self) -> Jurisdiction:
        if self.laws_file is None and not self.laws and self.sections.type != "release":
            raise ValueError("name the laws: either laws_file or laws")
        codes = [law.law_code for law in self.laws]
        if doubled := sorted({code for code in codes if codes.count(code) > 1}):
            raise ValueError(f"laws names {', '.join(doubled)} more than once; put other names of a law into its aliases")
        return self


def _check_needed(columns: set[str], needed: tuple[str, ...]) -> None:
    missing = [name for name in needed if name not in columns]
    if missing:
        raise ValueError(f"columns lacks {', '.join(missing)}; needed are {', '.join(needed)}")


def _compiled(patterns: list[str]) -> list[str]:
    for pattern in patterns:
        try:
            re.compile(pattern)
        except re.error as error:
            raise ValueError(f"{pattern!r} is not a regular expression: {error}") from error
    return patterns


def _known_fields(text: str, known: set[str]) -> None:
    _known_names([field for _, field, _, _ in string.Formatter().parse(text) if field is not None], known)


def _known_names(names: list[str] | dict[str, str], known: set[str]) -> None:
    for name in names:
        if name not in known:
            raise ValueError(f"{name!r} is not one of {', '.join(sorted(known))}")
