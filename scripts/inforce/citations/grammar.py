"""A grammar made ready for use: the regular expressions of one jurisdiction, compiled once."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from inforce.citations.law_catalogue import LawCatalogue
from inforce.citations.levels import Levels
from inforce.citations.numerals import SIGNS, number_pattern, read_number
from inforce.citations.section_labels import SectionLabels
from inforce.citations.wording import any_name, any_of, not_after_letter, not_before_letter, unnamed, word
from inforce.config.citations import CitationGrammar, Unit
from inforce.config.load import read_config

_NEVER = re.compile(r"(?!)")
_HYPHENS = "-‐‑‒–—"
_NAME_REACH = 40  # characters that a name found by its last word may have


class Grammar:
    """One jurisdiction's grammar, and the names of its laws, compiled.

    law_names: further names of laws, from a catalogue. `anchor` finds where anything of interest starts; the other expressions are
    matched right there. All group names say which alternative was found.
    """

    def __init__(self, config: CitationGrammar, catalogue: LawCatalogue | None = None) -> None:
        self.config = config
        self.catalogue = catalogue or LawCatalogue([], config)
        self._letters = re.compile(f"[{config.laws.name_letters}]") if config.laws.name_letters else _NEVER
        self._leads = [re.compile(rf"(?:{lead})$") for lead in config.laws.leads]
        self.labels = [SectionLabels(config, tuple(unit.numerals) if unit.numerals else None) for unit in config.units]
        self._number = number_pattern(tuple(config.numerals))
        self.levels = Levels(config)
        units = "|".join(self._unit(unit, index) for index, unit in enumerate(config.units))
        laws = self._laws()
        relative = self._relative()
        false = "|".join(pattern.replace("{number}", self._number) for pattern in config.not_citations)
        self.false = re.compile(false) if false else _NEVER
        self.anchor = self._anchor([*laws, *relative, units], f"(?P<false>{false})" if false else "")
        # right after something else was read, which an abbreviation may then follow: ป.อ.ม.334
        self.unit = re.compile(rf"\s*(?:{'|'.join(self._unit(unit, index, guarded=False) for index, unit in enumerate(config.units))})")
        self.bare = [self._bare(index) for index in range(len(config.units))]
        self.tails = [re.compile(labels.further_tail) for labels in self.labels]
        self.level, self.read_level, self.path = self.levels.level, self.levels.read, self.levels.path
        self.gap = re.compile(self._gap())
        self.range = re.compile(rf"{self._gap()}(?:{any_of(config.ranges, config)})\s*") if config.ranges else _NEVER
        self.separator = self._separator()
        # levels in brackets that are no part of their values: (alinéa 2)
        self.opened = re.compile(rf"\s*[(（](?=\s*(?:{unnamed(self.levels.pattern)}))") if self.levels.pattern else _NEVER
        self.bracket = re.compile(r"\s*[(（]")
        self.closed = re.compile(r"\s*[)）]")
        self.between = re.compile(rf"\s*{any_of([*config.commas, *config.ands, *config.ranges], config)}\s*")
        self.inner = [re.compile(labels.pattern) for labels in self.labels]
        self.of_unit = self._of_unit(units)
        value = self._listed_value()
        self.value = re.compile(value)
        # between two values of one level hyphens are a range in any grammar
        self.to_value = re.compile(rf"{self._gap()}{any_of(dict.fromkeys([*config.ranges, *_HYPHENS]), config)}\s*(?={value})")
        hyphens = "".join(sign for sign in _HYPHENS if sign not in config.ranges)
        self.hyphen = re.compile(rf"\s*[{re.escape(hyphens)}]") if hyphens else _NEVER
        self.ends_of = tuple(_apostrophes(text.lower() for text in config.of))
        self.ends_level = self._level_ends()
        self.before_unit = self._before_unit()
        self.law, self.of_law, self.of_only = self._after_law(laws)
        self.of_other = self._of_other()
        commas = any_of(config.commas, config)
        self.comma = re.compile(rf"{self._gap()}{commas}\s*") if commas else _NEVER
        self._not_after = self._edge(config.laws.not_after, r"(?<!\w){words}\s+\Z" if config.spaced else r"{words}\Z")
        self._not_before = self._edge(config.laws.not_before, r"\s+{words}(?!\w)" if config.spaced else "{words}")
        self._names_by_key = self._index_names()
        self._name_key = self._key_pattern()
        self.pattern = re.compile("|".join(config.laws.patterns)) if config.laws.patterns else _NEVER
        self.year = re.compile(rf"(?:{config.laws.year})\s*$") if config.laws.year else _NEVER
        self.close_to = re.compile(r"[\s,、:：(（「『\"“]*")
        ends = "|".join(map(re.escape, config.sentence_ends))
        self.sentence_end = re.compile(ends) if ends else _NEVER
        self.kinds = {key.lower(): tuple(text.lower() for text in texts) for key, texts in config.laws.kinds.items()}
        self._counts = {key.lower(): value for key, value in config.counts.items()}

    def count(self, text: str | None) -> int:
        """The number in 前二條 or `the two preceding sections`; 1 where none is said."""
        if not text:
            return 1
        if text.lower() in self._counts:
            return self._counts[text.lower()]
        return read_number(text) or 1

    def _anchor(self, parts: list[str], false: str) -> re.Pattern[str]:
        """Where anything of interest starts.

        Where words are parted, nothing starts inside one, and the first letters rule out most of the others at once. What only looks
        like a citation is then looked for at the unit words, otherwise it comes first.
        """
        if not self.config.spaced:
            return re.compile("|".join([*([false] if false else []), *parts]))
        patterns = [part for part in parts if part.startswith("(?P<pattern")]
        others = "|".join(part for part in parts if part not in patterns)
        first = any_name(self._beginnings(), self.config)
        return re.compile(rf"(?<!\w)(?:{'|'.join([*patterns, rf'(?=[0-9]|{first})(?:{others})'])})")

    def _beginnings(self) -> set[str]:
        """The first signs of all words that an anchor may start with: enough to tell `ledit` from `le`."""
        config, laws, relative = self.config, self.config.laws, self.config.relative
        words = [*laws.own, *laws.back, *relative.own, *relative.same, *relative.preceding, *relative.following]
        words += [word for unit in config.units for word in unit.before] + [short for law in laws.names for short in law.short]
        filled = [word.replace("{kind}", kind) for word in words for kind in (laws.kinds or {"": []})]
        filled = [word.replace("{n}", count) for word in filled for count in (config.counts or {"": 0})]
        return {word.strip()[:4].strip() for word in filled if word.strip()}

    def _unit(self, unit: Unit, index: int, guarded: bool = True) -> str:
        labels = self.labels[index]
        before = self._unit_words(unit, guarded)
        if not unit.after:
            return rf"(?P<unit{index}>{before}\s*(?P<label{index}>{labels.pattern}))"
        after = any_of(unit.after, self.config)
        between = any_of([*self.config.commas, *self.config.ands, *self.config.ranges], self.config)
        more = rf"(?:\s*{between}\s*{labels.pattern})*" if between else ""
        return rf"(?P<unit{index}>{before}\s*(?P<label{index}>{labels.pattern}{more})\s*{after}(?P<tail{index}>{labels.tail}))"

    def _unit_words(self, unit: Unit, guarded: bool = True) -> str:
        forms = []
        for text in sorted(unit.before, key=lambda text: (-len(text), text)):
            # An abbreviation is no unit inside a longer one: ซ.ม. is centimetre.
            guard = (
                rf"(?={re.escape(text[0])}){not_after_letter()}(?<!\.)" if guarded and not self.config.spaced and text.endswith(".") else ""
            )
            forms.append(guard + word(text, self.config))
        return f"(?:{'|'.join(forms)})"

    def _bare(self, index: int) -> re.Pattern[str]:
        """A further label of a list, without its unit word: no number that counts something, or that is cut out of a longer one."""
        counted = any_of(self.config.counted, self.config)
        marks = "|".join(re.escape(mark) for level in self.config.levels if not level.before for mark in level.after)
        guard = rf"(?!(?:[.,]\d{{1,3}}){{0,4}}\s*{counted})" if counted else ""
        guard += rf"(?!\s?(?:{marks}))" if marks else ""
        guard += r"(?!,0\d\d)(?!\s?[%‰])"
        label = self.labels[index].pattern
        if self.config.spaced:  # 2,000 is one number, but not in a list without spaces: 101,102,103
            label = rf"(?:(?<=\d,){label}|{label}(?!,\d{{3}}(?!\d)))"
        return re.compile(rf"(?P<label>{label}){guard}")

    def _laws(self) -> list[str]:
        laws, config = self.config.laws, self.config
        start = self._name_start()
        out = []
        for index, text in enumerate(laws.back):
            kinds = f"(?P<kind{index}>{any_of(laws.kinds, config)})" if "{kind}" in text else ""
            halves = [word(part.strip(), config) if part.strip() else "" for part in text.split("{kind}")]
            gap = r"\s+" if config.spaced else r"\s*"
            pattern = kinds.join(half + (gap if half and kinds and place == 0 else "") for place, half in enumerate(halves))
            out.append(f"(?P<back{index}>{pattern})")
        if laws.own:
            out.append(f"(?P<own>{any_of(laws.own, config)})")
        if laws.patterns:
            out.append(f"(?P<pattern>{start if config.spaced else ''}(?:{'|'.join(laws.patterns)}))")
        ahead = rf"(?=\s*(?:{'|'.join(self._unit_words(unit) for unit in config.units)})\s*{self._number})"
        if laws.tails:
            out.append(f"(?P<ending>{any_of(laws.tails, config)}{ahead})")
        short = sorted({text for law in laws.names for text in law.short}, key=len, reverse=True)
        if short:
            first = "".join(sorted({re.escape(text[0]) for text in short}))
            out.append(f"(?P<short>(?=[{first}]){start or not_after_letter()}(?:{'|'.join(map(re.escape, short))}){ahead})")
        return out

    def _name_start(self) -> str:
        """Look-behind: a name starts here. Where words are not parted, a letter may stand before it only as one of the leads."""
        laws = self.config.laws
        if self.config.spaced:
            return r"(?<!\w)"
        if not laws.leads:
            return r"(?<![ก-ฮ]\.)"
        behind = "|".join(f"(?<={lead})" for lead in laws.leads)
        return rf"(?:(?<![^\W\d_])|{behind})"

    def _not_a_longer_name(self) -> str:
        laws = self.config.laws
        if not laws.tails:
            return ""
        return rf"(?![{laws.name_letters}]{{0,12}}{any_of(laws.tails, self.config)}\s*{self._unit_words(self.config.units[0])})"

    def name_before(self, text: str, start: int, end: int) -> int:
        """Where the name starts whose last word ends at `end`, not before `start`: as far back as name letters go, after the last cut."""
        laws = self.config.laws
        first = end
        while first > max(start, end - _NAME_REACH) and self._letters.match(text[first - 1]):
            first -= 1
        for known in range(first, end):  # the longest name of the catalogue that stands by itself
            if self.catalogue.knows(text[known:end]) and (known == first or any(lead.search(text[first:known]) for lead in self._leads)):
                return known
        cut = max(
            (found.end() for lead in laws.cuts for found in re.finditer(lead, text[first:end]) if found.end() < end - first), default=0
        )
        return first + cut

    def _relative(self) -> list[str]:
        relative, config = self.config.relative, self.config
        count = f"(?:{self._number}|{any_of(config.counts, config)})" if config.counts else self._number
        out = []
        for name, texts in (("preceding", relative.preceding), ("following", relative.following)):
            for index, text in enumerate(texts):
                first, marked, last = text.partition("{n}")
                pattern = word(text, config) if not marked else ""
                if marked:
                    lead = word(first.strip(), config) + r"\s*" if first.strip() else ""
                    pattern = rf"{lead}(?P<n{name}{index}>{count})\s*{word(last.strip(), config)}"
                out.append(f"(?P<{name}{index}>{pattern})")
        for name, words in (("same", relative.same), ("itself", relative.own)):
            if words:
                out.append(f"(?P<{name}>{any_of(words, config)})")
        return out

    def _separator(self) -> re.Pattern[str]:
        commas, ands = any_of(self.config.commas, self.config), any_of(self.config.ands, self.config)
        if not commas and not ands:
            return _NEVER
        comma = rf"{commas}\s*" if commas else ""
        conj = rf"(?P<and>{ands})\s*" if ands else ""
        both = "|".join(form for form in (f"{comma}(?:{unnamed(conj)})?" if comma and conj else comma, conj) if form)
        return re.compile(rf"{self._gap()}(?:{both})")

    def _gap(self) -> str:
        """White space, and what is no part of the citation: 276 วรรคหนึ่ง (เดิม), 310; 1134 ancien et 1104; 1240 et suivants."""
        config = self.config
        remarks, ends = any_of(config.remarks, config), any_of(config.open_ends, config)
        passed = [rf"[(（]\s*{remarks}\s*[)）]\s*"] if remarks else []
        if remarks and config.spaced:  # not ancien in `article 5 ancien code pénal`
            after = any_of([*config.commas, *config.ands, *config.of], config)
            passed.append(rf"{remarks}\s*(?={after})")
        passed += [rf"{ends}\s*"] if ends else []
        words = [*config.open_ends, *(config.remarks if config.spaced else [])]
        first = re.escape("".join(sorted({"(", "（", *(sign for word in words for sign in (word[0].lower(), word[0].upper()))})))
        return rf"\s*(?:(?=[{first}])(?:{'|'.join(passed)}))?" if passed else r"\s*"

    def _of_unit(self, units: str) -> re.Pattern[str]:
        of = any_of(self.config.of, self.config)
        return re.compile(rf"\s*{of}\s*(?:{unnamed(units)})") if of else _NEVER

    def _before_unit(self) -> re.Pattern[str]:
        """Levels that stand before their section, up to it: `premier alinéa de l'`, `subsection (2) of`."""
        pattern = self.levels.pattern
        of = any_of(self.config.of, self.config)
        if not pattern or not of:
            return _NEVER
        between = any_of([*self.config.commas, *self.config.ands, *self.config.ranges], self.config)
        one = f"(?:{unnamed(pattern)})"
        more = rf"(?:\s*{between}\s*(?:{of}\s*)?(?:{one}|{self._listed_value()}))*" if between else ""
        words = [*self.config.ordinals, *(text for level in self.config.levels for text in (*level.before, *level.words, *level.alone))]
        digits = "".join(sign for kind in self.config.numerals if kind != "roman" for sign in SIGNS[kind])
        first = any_name({word[:4].strip() for word in words}, self.config) or r"(?!)"
        return re.compile(rf"(?<!\w)(?=[(（{digits}]|{first})(?:{one}{more}\s*{of}\s*)+\Z")

    def _level_ends(self) -> tuple[str, ...]:
        """What a level may end with, in lower case: a cheap test before `before_unit` is searched for."""
        words = [*self.config.ordinals, *(text for level in self.config.levels for text in (*level.after, *level.words, *level.alone))]
        digits = [sign for kind in self.config.numerals if kind != "roman" for sign in SIGNS[kind]]
        return (")", "）", *sorted({word.lower() for word in words} | set(digits)))

    def may_be_before(self, window: str) -> bool:
        """Whether a text that ends where a unit starts can end in a level and `of`."""
        text = window.rstrip().lower()
        if not text.endswith(self.ends_of):
            return False
        return any(text.endswith(of) and text[: -len(of)].rstrip().endswith(self.ends_level) for of in self.ends_of)

    def _listed_value(self) -> str:
        """A value that stands alone after a mark of lists or ranges: 3 in `alinéas 2 et 3`, สาม in วรรคสองและสาม but not in วรรคสองและสามารถ."""
        config = self.config
        words = any_of([*config.ordinals, *(text for level in config.levels for text in level.words)], config)
        if not words:
            return self._number
        ahead = [*config.of, *config.ands, *config.commas, *config.ranges, *(text for unit in config.units for text in unit.before)]
        end = "" if config.spaced else rf"(?:{not_before_letter()}|(?={any_of(ahead, config)}))"
        return f"(?:{words}{end}|{self._number})"

    def _after_law(self, laws: list[str]) -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
        """A law named after the citation other than by a known name, the words that lead up to it, and such words alone."""
        after = [law for law in laws if not law.startswith(("(?P<ending", "(?P<short"))]
        of = any_of(self.config.of, self.config)
        if self.config.laws.after == "never":
            return _NEVER, _NEVER, _NEVER
        only = re.compile(rf"{self._gap()},?\s*{of}\s*") if of else _NEVER
        if not after:
            return _NEVER, _NEVER, only
        ahead = "|".join(unnamed(law) for law in after)
        return re.compile("|".join(after)), re.compile(rf"{self._gap()},?\s*{of}\s*(?={ahead})") if of else _NEVER, only

    def _of_other(self) -> re.Pattern[str]:
        """Another instrument right after a section: `de la Convention`."""
        of, others = any_of(self.config.of, self.config), "|".join(self.config.laws.others)
        return (
            re.compile(rf"{self._gap()},?\s*{of}\s*(?P<other>{others})") if of and others and self.config.laws.after != "never" else _NEVER
        )

    def _edge(self, texts: list[str], pattern: str) -> re.Pattern[str] | None:
        return re.compile(pattern.replace("{words}", any_name(texts, self.config))) if texts else None

    def whole_name(self, text: str, start: int, end: int) -> tuple[int, int]:
        """The span of a known name with the words beside it that make it another's: ร่างประมวลกฎหมายอาญา."""
        before = self._not_after.search(text, max(0, start - _NAME_REACH), start) if self._not_after else None
        after = self._not_before.match(text, end) if self._not_before else None
        return before.start() if before else start, after.end() if after else end

    def names_in(self, text: str) -> list[tuple[int, int]]:
        """Spans of all known names in a text, the longest at each place, none inside another.

        A catalogue may hold thousands of names: only where a text has the first word of one (where words are not parted, its first two
        signs) are the names that start so compared.
        """
        spans, end = [], 0
        for found in self._name_key.finditer(text):
            start = found.start()
            if start < end:
                continue
            key = found[1]
            names = self._names_by_key.get(key.lower() if self.config.ignore_case else key)
            name = names.match(text, start) if names else None
            if name:
                start, end = self.whole_name(text, start, name.end())
                spans.append((start, end))
        return spans

    def _index_names(self) -> dict[str, re.Pattern[str]]:
        by_key: dict[str, list[str]] = {}
        for name in self.catalogue.spellings():
            spelled = name.lower() if self.config.ignore_case else name
            found = re.match(r"\w+", spelled) if self.config.spaced else re.match(r".{1,2}", spelled)
            if found:
                by_key.setdefault(found[0], []).append(name)
        end = r"(?:(?<=\.)|(?!\w))" if self.config.spaced else self._not_a_longer_name()
        start = self._name_start()
        return {key: re.compile(f"{start}{any_name(names, self.config)}{end}") for key, names in by_key.items()}

    def _key_pattern(self) -> re.Pattern[str]:
        if not self._names_by_key:
            return _NEVER
        if self.config.spaced:
            few = len(self._names_by_key) <= 60
            return re.compile(rf"(?<!\w)({any_name(self._names_by_key, self.config)})(?!\w)" if few else r"(\w+)")
        first = "".join(sorted({re.escape(key[0]) for key in self._names_by_key}))
        second = "".join(sorted({re.escape(key[-1]) for key in self._names_by_key}))
        return re.compile(f"(?=([{first}][{second}]))")


def _apostrophes(texts: Iterable[str]) -> list[str]:
    return [form for text in texts for form in dict.fromkeys((text.replace("’", "'"), text.replace("'", "’")))]


def read_grammar(path: Path | str, catalogue_rows: Iterable[dict[str, object]] = ()) -> Grammar:
    """Read one grammar file and compile it with the laws of a corpus (rows of the LAWS table). Raises ConfigError."""
    config = read_config(path, CitationGrammar)
    return Grammar(config, LawCatalogue(catalogue_rows, config))
