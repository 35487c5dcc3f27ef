"""Levels below a section under one grammar: paragraphs, items, brackets; read in running text and in labels."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from inforce.citations.numerals import number_pattern, read_number
from inforce.citations.wording import any_of
from inforce.config.citations import CitationGrammar, Level

_NEVER = re.compile(r"(?!)")
_BRACKET_VALUES = {
    "latin": "(?:[a-z]|aa|bb|cc|dd|ee|ff)",
    "roman": "[ivxl]{1,6}",
    "thai": "[ก-ฮ]",
}


class LevelToken(NamedTuple):
    """One level below the section as found: depth in the grammar, value, whether it stood in brackets."""

    depth: int
    value: str
    script: str


class Levels:
    """The levels of one grammar, compiled. `level` matches one of them, white space before it included."""

    def __init__(self, config: CitationGrammar) -> None:
        self._config = config
        self._number = number_pattern(tuple(config.numerals))
        self._tokens: dict[tuple[str, str, LevelToken | None], LevelToken] = {}
        self._depths = list(dict.fromkeys(level.name for level in config.levels))
        self._values = {key.lower(): value for key, value in config.ordinals.items()}
        self.pattern, self._names = self._patterns()
        self.level = re.compile(rf"\s*(?:{self.pattern})") if self.pattern else _NEVER

    def read(self, found: re.Match[str], last: LevelToken | None) -> LevelToken:
        """The level that a match of `level` means, after the one read before it."""
        name = found.lastgroup or ""
        key = (name, found[name], last)
        token = self._tokens.get(key)
        if token is None:
            token = self._tokens[key] = self._read(*key)
        return token

    def path(self, tokens: Iterable[LevelToken]) -> tuple[str, ...]:
        """Path elements as they are written in records: name of the level and value."""
        return tuple(f"{self._depths[token.depth]} {token.value}" for token in tokens)

    def read_path(self, text: str) -> tuple[str, ...] | None:
        """The path that a text spells and nothing else, ` (4)` or `, paragraph 2`; null if it holds anything more."""
        tokens: list[LevelToken] = []
        text = text.strip(" ,")
        while found := self.level.match(text):
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
        return LevelToken(depth, self._level_value(level, text), "bracketed" if name.startswith("named") else "word")

    def _patterns(self) -> tuple[str, dict[str, int]]:
        config = self._config
        out, names = [], {}
        scripts = {level.brackets for level in config.levels} - {"none"}
        for index, level in enumerate(config.levels):
            words = any_of([*config.ordinals, *level.words], config)
            value = f"(?:{words}|{self._number})" if words else self._number
            before, after = any_of(level.before, config), any_of(level.after, config)
            forms = []
            if before and level.brackets != "none":
                forms.append(("named", rf"{before}\s*[(（]\s*", self._script(level.brackets), r"\s*[)）]"))
            if before or after:
                # a word that takes a value must not run on: วรรคสองร้อย
                end = rf"\s*{after}" if after else (r"(?!\w)" if config.spaced else r"(?!\d)")
                forms.append(("valued", rf"{before}\s*" if before else r"(?<!\w)", value, end))
            if level.alone:
                forms.append(("alone", "", any_of(level.alone, config), ""))
            for name, first, inner, last in forms:
                names[f"{name}{index}"] = index
                out.append(f"{first}(?P<{name}{index}>{inner}){last}")
        if scripts:
            inner = "|".join(self._script(script) for script in sorted(scripts))
            out.append(rf"[(（]\s*(?P<bracket>{inner})\s*[)）]")
        return "|".join(out), names

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
        words = {**self._values, **{key.lower(): value for key, value in level.words.items()}}
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
