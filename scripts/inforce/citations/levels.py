"""Levels below a section under one grammar: paragraphs, items, brackets; read in running text and in labels."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal, NamedTuple

from inforce.citations.numerals import SIGNS, number_pattern, read_number
from inforce.citations.wording import any_of
from inforce.config.citations import CitationGrammar, Level

_NEVER = re.compile(r"(?!)")
_BRACKET_VALUES = {
    "latin": "(?:[a-z]|aa|bb|cc|dd|ee|ff)",
    "roman": "[ivxl]{1,6}",
    "thai": "[ก-ฮ]",
}


Takes = Literal["one", "either", "many"]  # how many values may follow a level's word


class LevelToken(NamedTuple):
    """One level below the section as found: depth in the grammar, value, whether it stood in brackets, how many values its word takes."""

    depth: int
    value: str
    script: str
    takes: Takes = "one"


class Member(NamedTuple):
    """One of several values under one level word, 2 in 第1、2項, and where it stands."""

    token: LevelToken
    start: int
    end: int


class Levels:
    """The levels of one grammar, compiled. `level` matches one of them, white space before it included."""

    def __init__(self, config: CitationGrammar) -> None:
        self._config = config
        self._number = number_pattern(tuple(config.numerals))
        self._tokens: dict[tuple[str, str, LevelToken | None], LevelToken] = {}
        self._depths = list(dict.fromkeys(level.name for level in config.levels))
        ordinals = {key.lower(): value for key, value in config.ordinals.items()}
        self._words_of = {level.name: dict(ordinals) for level in config.levels}  # of levels with one name together
        for level in config.levels:
            self._words_of[level.name] |= {key.lower(): value for key, value in level.words.items()}
        marks = any_of([*config.commas, *config.ands, *config.ranges], config)
        self._mark = rf"\s*{marks}\s*" if marks else ""
        self._between = re.compile(self._mark) if marks else _NEVER
        self._range = re.compile(rf"\s*{any_of(config.ranges, config)}\s*") if config.ranges else _NEVER
        self._values_of: dict[int, re.Pattern[str]] = {}
        self.pattern, self._names = self._patterns()
        first = re.escape("".join(sorted(self._beginnings())))  # most of what follows a section is no level at all
        self.level = re.compile(rf"\s*(?=[{first}])(?:{self.pattern})") if self.pattern else _NEVER

    def read(self, found: re.Match[str], last: LevelToken | None) -> LevelToken:
        """The level that a match of `level` means, after the one read before it."""
        name = found.lastgroup or ""
        if name.startswith("listed"):
            return self._members(found)[0].token
        key = (name, found[name], last)
        token = self._tokens.get(key)
        if token is None:
            token = self._tokens[key] = self._read(*key)
        return token

    def members(self, found: re.Match[str]) -> list[Member]:
        """The values of a match of `level` in which several stand under one word, 第1、2項; empty for all others, and for one range, 第1至3項."""
        members = self._members(found) if (found.lastgroup or "").startswith("listed") else []
        return members if len(members) > 1 else []

    def value(self, token: LevelToken, text: str) -> str:
        """A further value, in words or digits, of the level that `token` is of."""
        level = next(level for level in self._config.levels if level.name == self._depths[token.depth])
        return self._level_value(level, text)

    def path(self, tokens: Iterable[LevelToken]) -> tuple[str, ...]:
        """Path elements as they are written in records: name of the level and value."""
        return tuple(f"{self._depths[token.depth]} {token.value}" for token in tokens)

    def read_path(self, text: str) -> tuple[str, ...] | None:
        """The path that a text spells and nothing else, ` (4)` or `, paragraph 2`; null if it holds anything more."""
        tokens: list[LevelToken] = []
        text = text.strip(" ,")
        while found := self.level.match(text):
            if self.members(found):
                return None
            tokens.append(self.read(found, tokens[-1] if tokens else None))
            text = text[found.end() :].lstrip(" ,")
        return None if text else self.path(tokens)

    def order(self, path: tuple[str, ...]) -> tuple[tuple[int, int, str], ...]:
        """A key that sorts paths as a law does: by level, then by number, words such as `last` after the numbers."""
        out = []
        for element in path:
            name, _, value = element.rpartition(" ")
            depth = self._depths.index(name) if name in self._depths else len(self._depths)
            out.append((depth, int(value) if value.isdecimal() else 1_000_000, value))
        return tuple(out)

    def _read(self, name: str, text: str, last: LevelToken | None) -> LevelToken:
        if name.startswith("bracket"):
            return self._bracket(text, last)
        level = self._config.levels[self._names[name]]
        depth = self._depths.index(level.name)
        if name.startswith("alone"):
            return LevelToken(depth, self._alone(level, text), "word")
        takes: Takes = "many" if name.startswith("many") else "either" if name.startswith("either") else "one"
        return LevelToken(depth, self._level_value(level, text), "bracketed" if name.startswith("named") else "word", takes)

    def _members(self, found: re.Match[str]) -> list[Member]:
        """All values of a list under one level word; a range is one value, 1-3."""
        name = found.lastgroup or ""
        level = self._config.levels[self._names[name]]
        token = LevelToken(self._depths.index(level.name), "", "word")
        place, last = found.span(name)
        value, gap = self._values_of[self._names[name]], None
        members: list[Member] = []
        while one := value.match(found.string, place, last):
            text = self._level_value(level, one[0])
            if gap and self._range.fullmatch(gap[0]):
                text = f"{members[-1].token.value}-{text}"
                members[-1] = Member(token._replace(value=text), members[-1].start, one.end())
            else:
                members.append(Member(token._replace(value=text), one.start(), one.end()))
            gap = self._between.match(found.string, one.end(), last)
            if not gap:
                break
            place = gap.end()
        members[-1] = members[-1]._replace(end=found.end())
        return members

    def _patterns(self) -> tuple[str, dict[str, int]]:
        config = self._config
        out, names = [], {}
        scripts = {level.brackets for level in config.levels} - {"none"}
        for index, level in enumerate(config.levels):
            for name, first, inner, last in self._forms(level, index):
                names[f"{name}{index}"] = index
                out.append(f"{first}(?P<{name}{index}>{inner}){last}")
        if scripts:
            inner = "|".join(self._script(script) for script in sorted(scripts))
            out.append(rf"[(（]\s*(?P<bracket>{inner})\s*[)）]")
        return "|".join(out), names

    def _beginnings(self) -> set[str]:
        """All signs that a match of the pattern may begin with."""
        levels = self._config.levels
        words = [word for level in levels for word in (*level.before, *level.alone)]
        if any(level.after and not level.before for level in levels):
            words += [*self._config.ordinals, *(word for level in levels for word in level.words)]
            words += [sign for kind in self._config.numerals for sign in SIGNS[kind]]
        return {form for word in words for form in (word[0], word[0].lower(), word[0].upper()) if len(form) == 1} | set("(（")

    def _forms(self, level: Level, index: int) -> list[tuple[str, str, str, str]]:
        """The forms of one level: a name, what stands before the value, the value, and what stands after it."""
        config = self._config
        words = any_of([*config.ordinals, *level.words], config)
        value = f"(?:{words}|{self._number})" if words else self._number
        self._values_of[index] = re.compile(value)
        before, after = any_of(level.before, config), any_of(level.after, config)
        forms = []
        if before and level.brackets != "none":
            forms.append(("named", rf"{before}\s*[(（]\s*", self._script(level.brackets), r"\s*[)）]"))
        if after:
            lead = rf"{before}\s*" if before else r"(?<!\w)"
            forms.append(("valued", lead, value, rf"\s*{after}"))
            # Without a word before them, of several values only the last may be digits: articles 5, 6 et deuxième alinéa.
            first = value if before else words
            if first and self._mark:
                forms.append(("listed", lead, rf"{first}(?:{self._mark}{first}){{0,20}}?{self._mark}{value}", rf"\s*{after}"))
        elif before:
            # a word that takes a value must not run on: วรรคสองร้อย
            end = r"(?!\w)" if config.spaced else r"(?!\d)"
            one = [word for word in level.before if word not in level.plural and word not in level.either]
            for name, own in (("many", level.plural), ("either", level.either), ("valued", one)):
                if own:
                    forms.append((name, rf"{any_of(own, config)}\s*", value, end))
        if level.alone:
            forms.append(("alone", "", any_of(level.alone, config), ""))
        return forms

    def _script(self, script: str) -> str:
        return self._number if script == "digits" else _BRACKET_VALUES[script]

    def _bracket(self, text: str, last: LevelToken | None) -> LevelToken:
        """(i) is a letter after (h), and a Roman number below (a): of the levels whose script fits, the same one in sequence, else the next."""
        fits = [level for level in self._config.levels if level.brackets != "none" and re.fullmatch(self._script(level.brackets), text)]
        depths = [(self._depths.index(level.name), level) for level in fits]
        below = [pair for pair in depths if last is None or pair[0] > last.depth or last.script == "word"]
        same = [pair for pair in depths if last is not None and pair[0] == last.depth]
        if same and (not below or _follows(last.value if last else "", text) or same[0][1].brackets == "digits"):
            depth, level = same[0]
        else:
            depth, level = (below or depths)[0]
        return LevelToken(depth, self._level_value(level, text), level.brackets)

    def _level_value(self, level: Level, text: str) -> str:
        text = " ".join(text.split())
        words = self._words_of[level.name]
        if text.lower() in words:
            return words[text.lower()]
        if level.brackets in ("latin", "roman", "thai") and re.fullmatch(self._script(level.brackets), text):
            return text
        number = read_number(text)
        return text if number is None else str(number)

    @staticmethod
    def _alone(level: Level, text: str) -> str:
        return next(value for key, value in level.alone.items() if key.lower() == text.lower())


def _follows(last: str, text: str) -> bool:
    return len(last) == len(text) == 1 and ord(text) == ord(last) + 1
