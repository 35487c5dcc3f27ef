"""config/masking/*.yaml: by which rules personal details are masked in one language.

Patterns are regular expressions of the library regex, which knows all of Python's and classes of letters too: `\\p{Lu}` and `\\p{Ll}` are a
large and a small letter of any script, with or without accents.
"""

from __future__ import annotations

import functools

import regex
from pydantic import Field, field_validator

from inforce.config.load import Strict


@functools.cache
def compiled(pattern: str) -> regex.Pattern[str]:
    """The pattern, compiled. Raises regex.error."""
    return regex.compile(pattern)


class NameRules(Strict):
    """How a person's name is found: it follows a title. Words are regular expressions, tried in the order given."""

    titles: list[str] = Field(min_length=1, description="titles before a name, longer ones first")
    not_before: list[str] = Field(
        default=[], description="what may not stand directly before a title: the title is then part of another word"
    )
    not_names: list[str] = Field(default=[], description="what follows a title and makes it another word, e.g. an office")
    not_names_whole: list[str] = Field(
        default=[], description="the same, where the word ends there: before a space, a mark, a stop word or one of `after_whole`"
    )
    after_whole: list[str] = Field(default=[], description="words that may follow one of `not_names_whole` without a space")
    word: str = Field(description="one word of a name")
    max_words: int = Field(2, ge=1, description="words of one name, given name and surname")
    stops: list[str] = Field(
        default=[], description="where words are not parted by spaces: words that end a name. Never at its first two letters"
    )
    initial_of: str = Field(
        "first", pattern="^(first|last)$", description="whose letter the initial is: of the first or the last word of the name"
    )
    skip_letters: str = Field("", description="letters that are written first and not spoken first: an initial is the next letter")
    bare_chars: int = Field(3, ge=2, description="a name of at least so many letters, once known, is masked without a title too")
    ordinary: list[str] = Field(
        default=[],
        description="names that are also ordinary words, months or words of the law: without a title they are masked only where they stand as "
        "a name, and where `spaced` is false only as part of the full name. Where it is true, a name whose small spelling the case has is one too",
    )
    ordinary_after: str | None = Field(None, description="what makes an ordinary word no name if it stands before it")
    ordinary_before: str | None = Field(None, description="what makes an ordinary word no name if it follows it")
    spaced: bool = Field(True, description="false = the script has no spaces between words, so that a bare name may stand anywhere")


class NumberRule(Strict):
    """A number that names a person or a place: what the group `mask` of the pattern finds is replaced by the label."""

    name: str
    pattern: str = Field(description="regular expression with a group named mask")
    label: str = Field(description="what is written in its place")

    @field_validator("pattern")
    @classmethod
    def _has_the_group(cls, pattern: str) -> str:
        try:
            groups = compiled(pattern).groupindex
        except regex.error as error:
            raise ValueError(f"{pattern!r} is not a regular expression: {error}") from error
        if "mask" not in groups:
            raise ValueError(f"{pattern!r} has no group (?P<mask>...)")
        return pattern


class Masking(Strict):
    """The rules of one language, in the order in which they are applied: numbers first, then names."""

    numbers: list[NumberRule]
    names: NameRules
