"""config/citations/*.yaml: how one jurisdiction writes citations of its law. All words, no code (docs/citations.md)."""

from __future__ import annotations

import re
from typing import Literal

from pydantic import Field, field_validator, model_validator

from inforce.config.load import Strict

NumeralKind = Literal["arabic", "thai", "fullwidth", "chinese", "roman"]


class Unit(Strict):
    """What is numbered: a section or an article. Words stand before the number, after it, or on both sides (第…條)."""

    name: str = Field(description="our name of the unit, e.g. section")
    before: list[str] = Field(default=[], description="words before the number; the first one is used for writing")
    after: list[str] = Field(default=[], description="words after the number")
    numerals: list[NumeralKind] | None = Field(None, description="where they differ from the grammar's, e.g. articles in Roman numerals")

    @model_validator(mode="after")
    def _has_words(self) -> Unit:
        if not self.before:
            raise ValueError("a unit needs words before the number")
        return self


class LabelShape(Strict):
    """What a label may consist of, in this order: prefix, number, then parts, suffix words and letters."""

    prefixes: list[str] = Field(
        default=[], description="letters before the number, e.g. L, R, R*; full stops are dropped, and the mark may stand on either side"
    )
    parts: list[str] = Field(
        default=[], description="marks before a further number, e.g. - or /; the first one is written in normal labels"
    )
    range_parts: list[str] = Field(
        default=[], description="of the parts, those that make a range if both ends have one form and rise: 819–837, but 131–1 is one label"
    )
    tail_parts: list[str] = Field(
        default=[], description="the same for a further number after the unit's after-word, e.g. 之 in 第九十八條之六"
    )
    not_tails: list[str] = Field(default=[], description="words that show that such a tail is none, e.g. 分之 (第三條之二分之一)")
    suffixes: list[list[str]] = Field(
        default=[], description="suffix words in the order of the law, each with its spellings, the normal one first"
    )
    not_suffixes: list[str] = Field(default=[], description="words that only start like a suffix, e.g. ฉบับ")
    letters: Literal["none", "joined", "spaced"] = Field(
        "none", description="capital letters after the number: 14A (joined), 1649 quater B (spaced)"
    )
    max_letters: int = Field(1, ge=1, le=3, description="how many capitals may stand together, 2 for 235 ter ZD")
    max_letters_after: int = Field(
        0,
        ge=0,
        le=4,
        description="the same right after a suffix word or a part 0, where a capital word is less likely, 3 for 46 quater-0 YZA; the names of laws "
        "in `laws` and `not_letters` are none",
    )
    not_letters: list[str] = Field(default=[], description="capitals that are no letters of a label, e.g. CC or II after it")
    endings: list[str] = Field(default=[], description="endings of the number that mean nothing, e.g. er in article 1er")
    words: dict[str, int] = Field(default={}, description="words that stand for a number, e.g. premier: 1")

    @field_validator("suffixes")
    @classmethod
    def _distinct(cls, suffixes: list[list[str]]) -> list[list[str]]:
        seen: set[str] = set()
        for spellings in suffixes:
            if not spellings:
                raise ValueError("a suffix needs at least one spelling")
            for word in spellings:
                if word in seen:
                    raise ValueError(f"the suffix {word!r} stands twice")
                seen.add(word)
        return suffixes


class Level(Strict):
    """One level below the section. The order of the levels in the file is their depth."""

    name: str = Field(description="our name of the level; a path element is this name and a value: paragraph 2")
    before: list[str] = Field(default=[], description="words before the value")
    plural: list[str] = Field(
        default=[], description="of the words before, those that several values follow: in `alinéas 2 et 3` the 3 is no section"
    )
    either: list[str] = Field(
        default=[],
        description="of the words before, those that one or several values follow: `al. 2 et 3`. A small number that goes on from the value and "
        "is below the section's own is a further value, any other a section",
    )
    after: list[str] = Field(default=[], description="words after the value; with words before, both are needed (第…項)")
    words: dict[str, str] = Field(default={}, description="values in words, beside the grammar's ordinals: {last: last}")
    alone: dict[str, str] = Field(default={}, description="words that are level and value in one: {前段: first}")
    brackets: Literal["none", "digits", "latin", "roman", "thai"] = Field(
        "none", description="script of values in round brackets: (3), (a), (ii), (ก)"
    )

    @model_validator(mode="after")
    def _known_words(self) -> Level:
        for word in (*self.plural, *self.either):
            if word not in self.before:
                raise ValueError(f"{word!r} is not one of the words before the value ({', '.join(self.before)})")
        return self


class LawName(Strict):
    """A law that citations name, known without a corpus."""

    name: str
    aliases: list[str] = Field(default=[], description="other names, also abbreviations")
    short: list[str] = Field(default=[], description="abbreviations so short that they count only right before a unit, e.g. 民 in 民§184")


class Laws(Strict):
    """How laws are named around a citation."""

    names: list[LawName] = Field(default=[], description="laws that are known without a corpus, and abbreviations of the corpus's")
    patterns: list[str] = Field(default=[], description="regular expressions of names of laws that are not listed")
    others: list[str] = Field(
        default=[],
        description="regular expressions of instruments that count only right after a section (article 6 of the Convention), "
        "so that it does not go to the law named before; their names are never matched by likeness",
    )
    not_after: list[str] = Field(default=[], description="words before a known name that make it another's: ร่าง (draft), ancien")
    not_before: list[str] = Field(default=[], description="the same after it: ทหาร, as ประมวลกฎหมายอาญาทหาร is not ประมวลกฎหมายอาญา")
    tails: list[str] = Field(default=[], description="last words of a name right before a unit, where names have no first mark: 法, 條例")
    leads: list[str] = Field(
        default=[], description="regular expressions of what may stand directly before a name where words are not parted: 依, 違反"
    )
    cuts: list[str] = Field(
        default=[], description="of those, the ones that never stand inside a name: the name of an unlisted law starts after them"
    )
    name_letters: str = Field("", description="with tails: the characters a name may hold, as in a character class")
    after: Literal["never", "with_of", "always"] = Field("with_of", description="whether a law named right after the citation is its law")
    own: list[str] = Field(default=[], description="the law in which the text stands: 本法, this Act")
    back: list[str] = Field(default=[], description="the law last named: 同法, the said {kind}")
    kinds: dict[str, list[str]] = Field(
        default={}, description="words that may stand for {kind} in `back` -> words, one of which the name must hold"
    )
    year: str = Field(
        "", description="regular expression of a year at the end of a name; a name without it means the same law if only one fits"
    )
    no_likeness: list[str] = Field(
        default=[], description="regular expressions of names that are never matched by likeness, e.g. amending acts"
    )
    carry_in_laws: Literal["sentence", "list"] = Field(
        "sentence", description="in the text of a law a named law holds to the end of the sentence, or of its list"
    )


class Relative(Strict):
    """Sections that are pointed at. {n} stands for a number or one of the grammar's counts."""

    same: list[str] = Field(default=[], description="the section last cited: 同條, the said section")
    own: list[str] = Field(default=[], description="the section that the text is, or else the one last cited: 本條, this section")
    preceding: list[str] = Field(default=[], description="sections before this one: 前條, 前{n}條")
    following: list[str] = Field(default=[], description="sections after this one")


class CitationGrammar(Strict):
    """The whole grammar of one jurisdiction."""

    title: str
    spaced: bool = Field(True, description="false = words are not parted by spaces (Thai, Chinese), so that words have no boundaries")
    ignore_case: bool = Field(False, description="true = unit words, suffixes and names are found in any case")
    numerals: list[NumeralKind] = Field(min_length=1)
    units: list[Unit] = Field(min_length=1)
    label: LabelShape
    levels: list[Level] = Field(default=[], description="levels below the section, outermost first")
    ordinals: dict[str, str] = Field(default={}, description="number words of all levels: {second: '2'}")
    counts: dict[str, int] = Field(default={}, description="number words for {n}: {two: 2}")
    ranges: list[str] = Field(default=[], description="what stands between the ends of a range: à, ถึง, –")
    commas: list[str] = Field(default=[], description="marks between members of a list, which may also part a section from its paragraph")
    ands: list[str] = Field(default=[], description="words between members of a list")
    of: list[str] = Field(default=[], description="words between a part and the whole: of, แห่ง, de l'")
    remarks: list[str] = Field(
        default=[],
        description="words that may stand in brackets after a section and are passed over: มาตรา 276 (เดิม), 310; where words are parted also "
        "without brackets before a comma and the like: 1134 ancien et 1104 nouveau",
    )
    open_ends: list[str] = Field(
        default=[],
        description="words after a section for those that follow it, which are passed over: articles 1240 et suivants du code civil",
    )
    laws: Laws
    relative: Relative = Relative()
    sentence_ends: list[str] = Field(default=[], description="marks that end a sentence")
    counted: list[str] = Field(default=[], description="words after a number in a list that show that it counts something: days, บาท")
    not_citations: list[str] = Field(default=[], description="regular expressions of what only looks like a citation; {number} = a number")

    @field_validator("not_citations")
    @classmethod
    def _guards(cls, patterns: list[str]) -> list[str]:
        for pattern in patterns:
            _compiles(pattern.replace("{number}", "1"))
        return patterns

    @model_validator(mode="after")
    def _patterns(self) -> CitationGrammar:
        for pattern in (*self.laws.patterns, *self.laws.others, *self.laws.leads, *self.laws.cuts, *self.laws.no_likeness, self.laws.year):
            _compiles(pattern)
        if self.laws.tails and not self.laws.name_letters:
            raise ValueError("laws.tails needs laws.name_letters")
        for words in (*self.laws.back, *self.relative.preceding, *self.relative.following):
            for field in re.findall(r"\{(\w*)\}", words):
                if field not in ("kind", "n"):
                    raise ValueError(f"{words!r}: {{{field}}} is not known; known are {{kind}} in laws.back and {{n}} in relative")
        if any("{kind}" in words for words in self.laws.back) and not self.laws.kinds:
            raise ValueError("laws.back uses {kind}, but laws.kinds is empty")
        return self


def _compiles(pattern: str) -> None:
    try:
        compiled = re.compile(pattern)
    except re.error as error:
        raise ValueError(f"{pattern!r} is not a regular expression: {error}") from error
    if compiled.groups:
        raise ValueError(f"{pattern!r} holds a group; write (?:…) instead of (…)")
