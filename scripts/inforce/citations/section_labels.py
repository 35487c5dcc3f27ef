"""Labels of sections under one grammar: read, written in one normal form, ordered as the law orders them."""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

from inforce.citations.numerals import Numeral, number_pattern, read_number, write_number
from inforce.citations.wording import any_name, any_of, not_before_letter, not_before_mark, word
from inforce.config.citations import CitationGrammar

Piece = tuple[int, int, str]  # rank (part zero, letter, suffix, part), number, letters


class Label(NamedTuple):
    """One label taken apart. Tuples compare as the law orders sections: 335 < 335 ทวิ < 336, 14 < 14-1 < 15."""

    prefix: str
    number: int
    rest: tuple[Piece, ...]


_ZERO, _LETTER, _SUFFIX, _PART = -1, 0, 1, 2  # 208-0 bis was put in before 208 bis


class SectionLabels:
    """The label rules of one grammar.

    `pattern`: a regular expression, without groups, of one label in running text. It takes the whole token or nothing: not 14 of 14x,
    not 27 of 27¹. `tail`: what may go on after a unit's after-word (之一);
    `further_tail`: the same of a further label, its number as a group: 之2 in 第28條之1、之2.
    """

    def __init__(self, grammar: CitationGrammar, numerals: tuple[Numeral, ...] | None = None) -> None:
        shape = grammar.label
        self._grammar = grammar
        self._numerals = numerals or tuple(grammar.numerals)
        self._suffix_of = {spelling.lower(): index for index, spellings in enumerate(shape.suffixes) for spelling in spellings}
        self._words = {key.lower(): value for key, value in shape.words.items()}
        number = number_pattern(self._numerals)
        self._number = number
        first = f"(?:{number}{self._endings()}|{any_of(shape.words, grammar)})" if shape.words else f"{number}{self._endings()}"
        prefix = self._prefix()
        parts = any_of([*shape.parts, *shape.tail_parts], grammar)
        long = self._long_letters()
        suffix = self._suffix()
        before_suffix = f"{long}(?={suffix})" if suffix and long else ""
        words = [piece for piece in (f"{suffix}{long}?" if suffix and long else suffix, before_suffix, self._letter()) if piece]
        zero = rf"0(?:{long}|(?={'|'.join(words)}))" if long else f"0(?={'|'.join(words)})"
        part = f"(?:{number}|{zero})" if words else number  # 150-0 is no label without its A
        pieces = [f"{parts}{part}", *words] if parts else words
        rest = f"(?>(?:{'|'.join(pieces)})*)" if pieces else ""
        after = r"(?![^\W_])" if grammar.spaced else r"(?!\d|[⁰¹²³⁴-⁹])"
        # a part that is not understood is not cut off
        whole = rf"(?!{parts}\d)" if parts else ""
        self.pattern = rf"{prefix}{first}{rest}{after}(?!\.\d){whole}"
        tail = any_of(shape.tail_parts, grammar)
        stop = f"(?!{any_of(shape.not_tails, grammar)})" if shape.not_tails else ""
        self.tail = rf"(?:\s*{tail}\s*{number}{stop})*" if tail else ""
        self.further_tail = rf"\s*{any_of(shape.tail_parts[:1], grammar)}\s*({number}){stop}" if tail else r"((?!))"
        befores = [text for unit in grammar.units for text in unit.before]
        afters = [text for unit in grammar.units for text in unit.after]
        self._units = re.compile(rf"^\s*(?:{'|'.join(map(re.escape, sorted(befores, key=len, reverse=True)))})\s*", re.IGNORECASE)
        self._afters = re.compile(rf"\s*(?:{'|'.join(map(re.escape, afters))})\s*") if afters else None
        self._piece = self._piece_pattern()
        self._cache: dict[str, Label | None] = {}

    @property
    def config(self) -> CitationGrammar:
        """The grammar whose labels these are."""
        return self._grammar

    def parse(self, text: str) -> Label | None:
        """Take a label apart, with or without its unit words; null if the text is not one label of this grammar."""
        if text not in self._cache:
            if len(self._cache) > 200_000:
                self._cache.clear()
            self._cache[text] = self._parse(text)
        return self._cache[text]

    def split(self, text: str) -> tuple[Label, str] | None:
        """The label that a text starts with, and what follows it: `289(4)` -> 289, `(4)`; null if it starts with none."""
        return self._read(self._bare(text))

    def ends(self, text: str) -> tuple[Label, Label] | None:
        """Both ends of a range whose mark may also stand inside a label, 819–837; null where the text is one label, 131–1 or L131–135."""
        for mark in self._grammar.label.range_parts:
            if text.count(mark) == 1:
                first, last = map(self.parse, text.split(mark))
                if first and last and (first.rest or not first.prefix) and _form(first) == _form(last):
                    last = last._replace(prefix=last.prefix or first.prefix)
                    return (first, last) if first < last and first.prefix == last.prefix else None
        return None

    def carry(self, label: Label, before: Label) -> Label:
        """A further label of a list with the prefix of the one before it, if it has none and the same form: L. 511-1, 511-2."""
        return label._replace(prefix=before.prefix) if before.prefix and not label.prefix and _form(label) == _form(before) else label

    def normal(self, label: Label) -> str:
        """The one spelling of a label: ASCII digits, prefix joined to the number, one space before a suffix word."""
        shape = self._grammar.label
        out = f"{label.prefix}{label.number}"
        for rank, number, letters in label.rest:
            if rank == _LETTER:
                out += (" " if shape.letters == "spaced" else "") + letters
            elif rank == _SUFFIX:
                out += f" {shape.suffixes[number][0]}"
            else:
                out += f"{(shape.parts or shape.tail_parts)[0]}{number}"
        return out

    def normalise(self, text: str) -> str:
        """The normal spelling of a label; of what is not a label, the text in one case with single spaces."""
        label = self.parse(text)
        if label is None:
            text = _plain(text)
            label = self.parse(text)
        return text if label is None else self.normal(label)

    def write(self, label: Label, numeral: Numeral | None = None, unit: int = 0) -> str:
        """The label as a text of this jurisdiction writes it, unit words included, in one of its numerals."""
        shape, words = self._grammar.label, self._grammar.units[unit]
        kind = numeral or self._numerals[0]
        inner, tail = f"{label.prefix}{'. ' if label.prefix else ''}{write_number(label.number, kind)}", ""
        for rank, number, letters in label.rest:
            if rank == _LETTER:
                inner += (" " if shape.letters == "spaced" else "") + letters
            elif rank == _SUFFIX:
                inner += f" {shape.suffixes[number][0]}"
            elif words.after and shape.tail_parts:
                tail += f"{shape.tail_parts[0]}{write_number(number, kind)}"
            else:
                inner += f"{shape.parts[0]}{write_number(number, kind)}"
        gap = " " if self._grammar.spaced or not words.after else ""
        return f"{words.before[0]}{gap}{inner}{words.after[0] if words.after else ''}{tail}"

    def _parse(self, text: str) -> Label | None:
        found = self._read(self._bare(text))
        return found[0] if found and not found[1] else None

    def _bare(self, text: str) -> str:
        text = self._units.sub("", unicodedata.normalize("NFC", text)).strip()
        return text if self._afters is None else self._afters.sub("", text, count=1)

    def _read(self, text: str) -> tuple[Label, str] | None:
        found = self._piece["first"].match(text)
        number = self._value(found["number"]) if found else None
        if not found or number is None:
            return None
        rest: list[Piece] = []
        at = found.end()
        while at < len(text):
            piece = self._piece["rest"].match(text, at)
            if not piece:
                piece = self._piece["long" if rest and rest[-1][0] in (_SUFFIX, _ZERO) else "long before"].match(text, at)
            if not piece or piece.end() == at:
                break
            if piece["part"]:
                value = read_number(piece["part"]) or (0 if piece["part"] == "0" else None)
                if value is None:
                    break
                rest.append((_PART if value else _ZERO, value, ""))
            elif piece["suffix"]:
                rest.append((_SUFFIX, self._suffix_of[piece["suffix"].lower()], ""))
            else:
                rest.append((_LETTER, 0, piece["letter"].upper()))
            at = piece.end()
        return Label(_prefix_of(found["prefix"] or ""), number, tuple(rest)), text[at:]

    def _value(self, text: str) -> int | None:
        return self._words.get(text.lower()) or read_number(text)

    def _piece_pattern(self) -> dict[str, re.Pattern[str]]:
        """The same shapes in any case, for a text that is a label and nothing else."""
        shape = self._grammar.label
        marks = "|".join(map(re.escape, sorted([*shape.parts, *shape.tail_parts], key=len, reverse=True))) or r"(?!)"
        suffixes = "|".join(map(re.escape, sorted(self._suffix_of, key=len, reverse=True))) or r"(?!)"
        prefixes = self._prefixes() or r"(?!)"
        words = "|".join(map(re.escape, shape.words)) or r"(?!)"
        letter = "(?P<letter>(?!))" if shape.letters == "none" else f"(?P<letter>{self._capitals()})"
        letter = rf"\s*{letter}" if shape.letters == "spaced" else letter
        long = self._capitals(shape.max_letters + 1, shape.max_letters_after) if self._long_letters() else r"(?!)"
        none = "(?P<part>(?!))?(?P<suffix>(?!))?"
        return {
            "long": re.compile(rf"\s*(?P<letter>{long})(?![A-Z]){none}", re.IGNORECASE),
            "long before": re.compile(rf"\s*(?P<letter>{long})(?=[\s-]*(?:{suffixes})(?:{not_before_letter()})){none}", re.IGNORECASE),
            "first": re.compile(rf"(?:(?P<prefix>{prefixes}))?(?P<number>{self._number}|{words}){self._endings()}", re.IGNORECASE),
            "rest": re.compile(
                rf"\s*(?:{marks})\s*(?P<part>{self._number}|0(?!\d))|[\s-]*(?P<suffix>{suffixes})(?:{not_before_letter()})|{letter}(?![A-Z])",
                re.IGNORECASE,
            ),
        }

    def _prefix(self) -> str:
        prefixes = self._prefixes()
        first = "".join(sorted({re.escape(form[0]) for prefix in self._grammar.label.prefixes for form in (prefix, _turned(prefix))}))
        return rf"(?:(?=[{first}])(?-i:{prefixes})(?=\d))?" if prefixes else ""

    def _prefixes(self) -> str:
        """Prefixes with the stops and spaces that may stand in and after them: R* as in `R.* 442` and `*R. 442`, LO as in `L.O. 141` and `Lo 141`."""
        ordered = sorted(self._grammar.label.prefixes, key=len, reverse=True)
        return "|".join(
            "".join(rf"{sign}\.?\s*" for sign in _signs(form)) for prefix in ordered for form in dict.fromkeys((prefix, _turned(prefix)))
        )

    def _endings(self) -> str:
        endings = [word(text, self._grammar, left=False) for text in self._grammar.label.endings]
        return f"(?:{'|'.join(endings)})?" if endings else ""

    def _suffix(self) -> str:
        shape, grammar = self._grammar.label, self._grammar
        if not shape.suffixes:
            return ""
        spellings = sorted((spelling for group in shape.suffixes for spelling in group), key=len, reverse=True)
        # One sign alone is a suffix only where no letter follows; a longer one is longest first, and not the start of a known word.
        whole, part = not_before_letter(), not_before_mark()
        stop = f"(?!{any_of(shape.not_suffixes, grammar)})" if shape.not_suffixes else ""
        if grammar.spaced:
            return rf"[\s-]*{stop}{any_name(spellings, grammar)}{whole}"
        forms = [word(text, grammar, left=False) + (whole if len(text) == 1 else part) for text in spellings]
        return rf"\s*{stop}(?:{'|'.join(forms)})"

    def _letter(self) -> str:
        kind = self._grammar.label.letters
        if kind == "none":
            return ""
        if kind == "joined":
            return rf"(?-i:{self._capitals()})(?![^\W_])"
        # A line may break after a suffix, quater B; after a bare number a capital on the next line starts something else.
        gap = r"(?:(?<=[^\W\d_])\s+|[^\S\r\n]*)"
        # `C. assur.` after a number is a code and no letter of the label; `B.` at the end of a sentence is.
        return rf"{gap}(?-i:{self._capitals()})(?![\w'’]|\.\s*(?-i:[a-zà-ÿ]))"

    def _long_letters(self) -> str:
        """More capitals than a label else has, beside a suffix word or after a part 0: 46 quater-0 YZA, 46 AZA octies, but 235 ter CGI."""
        shape = self._grammar.label
        if shape.max_letters_after <= shape.max_letters or shape.letters != "spaced":
            return ""
        return rf"(?:[^\S\r\n]*(?-i:{self._capitals(shape.max_letters + 1, shape.max_letters_after)})(?![\w'’]|\.\s*(?-i:[a-zà-ÿ])))"

    def _capitals(self, least: int = 1, most: int = 0) -> str:
        """Capitals that may be letters of a label; no abbreviation of a law, or what the grammar says is none."""
        shape = self._grammar.label
        levels = [text for level in self._grammar.levels for text in (*level.before, *level.after) if text[0].isalpha()]
        laws = [
            text for law in self._grammar.laws.names for text in (law.name, *law.aliases, *law.short) if text.isupper() and text.isalpha()
        ]
        stop = "|".join(map(re.escape, [*shape.not_letters, *levels, *laws]))
        return (rf"(?!(?:{stop})(?![^\W_]))" if stop else "") + f"[A-Z]{{{least},{most or shape.max_letters}}}(?![A-Z])"


def _form(label: Label) -> tuple[int, ...]:
    return tuple(rank for rank, _, _ in label.rest)


def _signs(prefix: str) -> list[str]:
    """Patterns of a prefix's signs: its first letter as it is, those after it in either case."""
    return [f"[{sign}{sign.lower()}]" if place and sign.isalpha() else re.escape(sign) for place, sign in enumerate(prefix)]


def _turned(prefix: str) -> str:
    """A prefix with its mark in front: *R of R*."""
    letters = "".join(sign for sign in prefix if sign.isalpha())
    return "".join(sign for sign in prefix if not sign.isalpha()) + letters


def _prefix_of(text: str) -> str:
    """A prefix in one spelling: no stops and spaces, capitals, the asterisk after them wherever it stands: *R. and R.* are R*."""
    signs = [sign for sign in text.upper() if sign != "." and not sign.isspace()]
    return "".join(sorted(signs, key=lambda sign: not sign.isalnum()))


def _plain(text: str) -> str:
    for _ in range(2):
        text = unicodedata.normalize("NFC", unicodedata.normalize("NFD", text).casefold())
    return " ".join(text.split())
