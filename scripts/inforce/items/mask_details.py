"""Personal details masked by rule: names become initials, numbers that name a person or a place become a word in brackets.

One `Masker` a case: the same name gets the same initial wherever it stands in the case's texts, and two names that begin alike get
different ones (`S.`, `S.2`). A name is found after a title; once found it is masked without its title too, alone or in full, but not where
it is an ordinary word (a judge May, and May 1990). What is an initial already stays. Rules find what they describe and nothing else: a
person named without a title anywhere in a case is missed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

import regex

from inforce.config.masking import Masking, NameRules, compiled

_PREFIX = 4  # letters of a name that may show where a longer one ends
_FIRST_LETTERS = 2  # a stop word does not end a name before these
_NEAR = 40  # characters around an ordinary word that decide whether it is a name
_TELLING = 6  # characters from which a number is a detail wherever it stands
_BESIDE = re.compile(r"(?:\s+[^\s,.;]+){1,2}")
_INITIAL = re.compile(r"\w\.?")


class Masker:
    """The masking of one case. `counts`: how many details of which kind were masked; `masks`: what is written for each number."""

    def __init__(self, rules: Masking) -> None:
        self.counts: Counter[str] = Counter()
        self.masks: dict[str, str] = {}
        self._numbers = [(rule.name, compiled(rule.pattern), rule.label) for rule in rules.numbers]
        self._names = rules.names
        self._initials: dict[str, str] = {}
        self._forms: dict[str, str] = {}  # a name as it is written, alone or in full -> its initial
        self._ordinary = {word.casefold() for word in rules.names.ordinary}
        self._known: list[str] = []
        self._titled = _titled(rules.names)
        self._stop = compiled("|".join(rules.names.stops)) if rules.names.stops else None

    def mask(self, texts: Iterable[str]) -> list[str]:
        """The texts of a case, masked. All of them are read before any is changed, so that a name known from one is masked in all."""
        numbered = [self._mask_numbers(text) for text in texts]
        found = [words for text in numbered for _, words, _ in self._names_in(text)]
        # where no space ends a name, a shorter name of the case says where a longer one ran into the next word
        self._known = [] if self._names.spaced else sorted({words[0] for words in found if words and len(words[0]) >= _PREFIX}, key=len)
        titled = [self._mask_titled(text) for text in numbered]
        if self._names.spaced:
            small = {word for text in titled for word in re.findall(r"\w+", text) if word.islower()}
            self._ordinary |= {key for key in self._initials if key in small}
        return [self._mask_bare(text) for text in titled]

    def _mask_numbers(self, text: str) -> str:
        for name, pattern, label in self._numbers:

            def cut(match: regex.Match[str], name: str = name, label: str = label) -> str:
                self.counts[name] += 1
                start, end = match.start("mask") - match.start(), match.end("mask") - match.start()
                masked: str = match[0][:start] + label + match[0][end:]
                if len(match["mask"]) >= _TELLING:
                    self.masks[match["mask"]] = label
                else:  # a house's number is any number, but with the words around it
                    beside = _BESIDE.match(match.string, match.end())
                    self.masks[match[0] + (beside[0] if beside else "")] = masked + (beside[0] if beside else "")
                return masked

            text = pattern.sub(cut, text)
        return text

    def _names_in(self, text: str) -> Iterator[tuple[regex.Match[str], list[str], int]]:
        """Each titled name: the match, the name's words, and where the name ends. What follows a name may hold the next title."""
        place = 0
        while match := self._titled.search(text, place):
            words, length = self._name_of(match["name"])
            place = match.start("name") + length
            if words:
                yield match, words, place

    def _mask_titled(self, text: str) -> str:
        parts, done = [], 0
        for match, words, end in self._names_in(text):
            self.counts["name"] += 1
            initial = self._learn(words, text[match.start("name") : end])
            self.masks[text[match.start() : end]] = text[match.start() : match.start("name")] + initial
            parts += [text[done : match.start("name")], initial]
            done = end
        return "".join([*parts, text[done:]])

    def _learn(self, words: list[str], full: str) -> str:
        """The initial of a name, whose forms are remembered."""
        key = self._key(words)
        initial = self._initial(key)
        alone = {key, key.upper(), key.capitalize()} if self._names.spaced else {key}
        for form in [*alone, " ".join(full.split())]:
            self._forms.setdefault(form, initial)
        return initial

    def details(self) -> dict[str, str]:
        """Everything that was masked, as it was written, and what stands in its place: a name that is an ordinary word with its title only."""
        alone = {form: initial for form, initial in self._forms.items() if len(form) >= self._names.bare_chars}
        return self.masks | {form: initial for form, initial in alone.items() if form.casefold() not in self._ordinary}

    def _mask_bare(self, text: str) -> str:
        for form in sorted(self._forms, key=lambda form: (-len(form), form)):
            if len(form) < self._names.bare_chars:
                continue
            words = r"\s+".join(re.escape(word) for word in form.split())
            pattern = rf"(?<!\w){words}(?!\w)" if self._names.spaced else words
            text = re.sub(pattern, lambda match, form=form: self._bare(match, form), text)  # type: ignore[misc]
        return text

    def _bare(self, match: re.Match[str], form: str) -> str:
        """What is written for a name that stands without a title: its initial, or the word itself where it is an ordinary one."""
        if form.casefold() in self._ordinary and not self._stands_as_a_name(match):
            return match[0]
        self.counts["name"] += 1
        return self._forms[form]

    def _stands_as_a_name(self, match: re.Match[str]) -> bool:
        """Whether an ordinary word is used as a name: within a sentence, in a script with spaces, and between words that allow it."""
        before, after = match.string[max(0, match.start() - _NEAR) : match.start()], match.string[match.end() : match.end() + _NEAR]
        if not self._names.spaced or not re.search(r"[^\s.?!;:]\s+$", before):
            return False
        no_after, no_before = self._names.ordinary_after, self._names.ordinary_before
        return not (no_after and compiled(f"(?:{no_after})$").search(before)) and not (no_before and compiled(no_before).match(after))

    def _name_of(self, run: str) -> tuple[list[str], int]:
        """The words of the name with which a run of words begins, and its length in characters. No words: an initial, or no name."""
        name: list[str] = []
        length = 0
        for part in re.split(r"(\s+)", run):
            if not part or part.isspace():
                continue
            word = self._cut(part, first=not name)
            if word:
                name.append(word)
                length = run.index(part, length) + len(word)
            if word != part:
                break
        spelled = [word for word in name if not _INITIAL.fullmatch(word)]
        return (name, length) if spelled else ([], max(length, 1))

    def _cut(self, word: str, first: bool) -> str:
        """The word up to where the name in it ends."""
        known = next((one for one in self._known if word.startswith(one)), None) if first else None
        if known:
            return known
        stop = self._stop.search(word, _FIRST_LETTERS if first else 0) if self._stop else None
        return word[: stop.start()] if stop else word

    def _key(self, words: list[str]) -> str:
        spelled = [word for word in words if not _INITIAL.fullmatch(word)] or words
        return spelled[0 if self._names.initial_of == "first" else -1]

    def _initial(self, name: str) -> str:
        same = name.casefold()
        if same not in self._initials:
            letter = name.lstrip(self._names.skip_letters)[:1] or name[:1]
            taken, number = set(self._initials.values()), 1
            initial = f"{letter}."
            while initial in taken:
                number += 1
                initial = f"{letter}.{number}"
            self._initials[same] = initial
        return self._initials[same]


def _titled(names: NameRules) -> regex.Pattern[str]:
    before = "".join(f"(?<!{word})" for word in names.not_before)
    after = f"(?!{'|'.join(names.not_names)})" if names.not_names else ""
    if names.not_names_whole:
        ends = "|".join(
            [r"[^\w\u0e31\u0e34-\u0e3a\u0e47-\u0e4e]", "$", *names.stops, *names.after_whole]
        )  # vowels and marks of Thai are no \w
        after += f"(?!(?:{'|'.join(names.not_names_whole)})(?:{ends}))"
    gap = r"\s+" if names.spaced else r"\s?"
    more = rf"(?:\s+{names.word}){{0,{names.max_words - 1}}}" if names.max_words > 1 else ""
    # an initial follows: masked already, in the style of the law reports
    initials = "" if names.spaced else r"(?!\w{1,2}\.)"
    return compiled(rf"{before}(?P<title>{'|'.join(names.titles)})(?P<space>{gap}){after}{initials}(?P<name>{names.word}{more})")
