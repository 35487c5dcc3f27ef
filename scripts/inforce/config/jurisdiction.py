"""config/jurisdictions/*.yaml: where a jurisdiction's dated law and decisions come from, and how they are read."""

from __future__ import annotations

import datetime as dt
from typing import Literal

from pydantic import Field

from inforce.config.load import Strict
from inforce.records.labels import LabelRules

Calendar = Literal["gregorian", "buddhist"]


class LawEntry(Strict):
    """A law named in configuration, where the source has no table of laws."""

    law_code: str
    name: str
    aliases: list[str] = []
    kind: str = "act"
    enacted: dt.date | None = None
    repealed_on: dt.date | None = None


class SectionsTable(Strict):
    """A table of dated section versions, one row a version."""

    file: str = Field(description="CSV file; relative to the jurisdiction's root")
    columns: dict[Literal["law_code", "label", "valid_from", "valid_to", "text", "source_key", "component_type", "section_key"], str] = Field(
        description="our column -> the file's column; source_key = the source's own name of the version"
    )
    calendar: Calendar = "gregorian"
    end_inclusive: bool = Field(False, description="true = the end day is the last day in force; it is converted on reading")
    null_dates: list[str] = Field(default=[""], description="spellings of an open or unknown date, e.g. 0000-00-00")
    law_codes: dict[str, str] = Field(default={}, description="the file's law code -> ours")


class DecisionsTable(Strict):
    """Decisions: `jsonl` = records of our own schema (inforce.records.decisions); `tscc` = the TSCC judgement table."""

    format: Literal["jsonl", "issues_csv"] = "jsonl"
    file: str
    columns: dict[str, str] = Field(default={}, description="issues_csv: our name -> the file's column")
    calendar: Calendar = "gregorian"
    court: str = ""
    source: str = ""
    marks: list[str] = Field(default=[], description="regular expressions of marks to take out of texts, e.g. </?discr>")
    domains: dict[str, str] = Field(default={}, description="the file's category -> domain; empty = as given")
    questions: list[str] = Field(default=[], description="issues_csv: the questions asked of each issue, in order (see docs)")
    verdicts: dict[str, str] = Field(default={}, description="issues_csv: value of the verdict column -> verdict text")


class Jurisdiction(Strict):
    """One jurisdiction."""

    title: str
    language: str = Field(description="BCP 47 tag; chooses the prompt set config/prompts/TASK.LANGUAGE/")
    corpus_date: dt.date = Field(description="the day that is 'today' for the current law")
    root: str = Field(description="folder of the data; relative to the project, or to the data root where outside_data is true")
    outside_data: bool = False
    terms: str = Field("", description="whose data it is, under which terms; printed where the data is missing")
    laws_file: str | None = Field(None, description="CSV of laws: law_code,name,aliases,kind,enacted,repealed_on")
    laws: list[LawEntry] = []
    sections: SectionsTable
    decisions: DecisionsTable
    labels: LabelRules
    unheld_kinds: list[str] = Field(
        default=[],
        description="regular expressions of names of instruments that this corpus cannot decide on (§7.5), e.g. ministerial regulation, amending act",
    )
