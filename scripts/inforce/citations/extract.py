"""Citations found in a text: where each stands, which law and section it names, and how the law came to be known."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from inforce.citations.grammar import Grammar
from inforce.citations.law_catalogue import Law
from inforce.citations.levels import LevelToken, Member, Takes
from inforce.citations.numerals import read_number

Kind = Literal["section", "range", "same", "own", "relative"]
LawFrom = Literal["named", "carried", "back", "own", "none"]

_INVISIBLE = re.compile("[\u00ad\u200b-\u200d\u2060\ufeff]")
_WINDOW = 90  # characters before a unit word that may hold its paragraph: `aux deux premiers alinéas de l'`
_MOST_MORE = 30  # a list of paragraphs does not leap further than this: 96 is no paragraph in `alinéas 2, 3, 96`
_FEW = 10  # where a list may be of paragraphs or of sections, numbers below this one can be paragraphs


class Citation(NamedTuple):
    """One citation. `text[start:end]` holds it: unit word where it has one, label and paragraph, not the law's name.

    kind: section | range (label to to_label, both included) | same (the section last cited) | own (this section) | relative (`offset` sections from `label`:
    -2 = the two before it). law_words: as written where the law was named. law_from: named right there | carried from before | back (同法,
    the said Act) | own (本法, or a bare section in a law's own text) | none. label: normal spelling, null where not known.
    paragraph: path below the section, e.g. ("paragraph 2", "item 3").
    """

    start: int
    end: int
    kind: Kind
    unit: str
    law_code: str | None
    law_name: str | None
    law_words: str | None
    law_from: LawFrom
    label: str | None
    to_label: str | None
    offset: int | None
    paragraph: tuple[str, ...]


class _Item(NamedTuple):
    start: int
    end: int
    kind: Kind
    unit: str
    label: str | None
    to_label: str | None
    offset: int | None
    paragraph: tuple[str, ...]
    run: int  # number of the run of sections that one law named after them belongs to


class _Path(NamedTuple):
    start: int | None
    end: int
    tokens: tuple[LevelToken, ...]


class _Listed(NamedTuple):
    """A paragraph read in a list: where it stands, whether it lies inside the one before it, and all values under its word if there are several."""

    token: LevelToken
    start: int
    end: int
    is_deeper: bool
    members: list[Member]


def extract(text: str, grammar: Grammar, own_law: str | None = None, own_label: str | None = None) -> list[Citation]:
    """All citations of a text, in its order.

    own_law: code or name of the law that the text is a part of; bare sections belong to it. own_label: the section that the text is.
    """
    plain, places = _visible(text)
    found = _Reading(plain, grammar, own_law, own_label).read()
    return found if places is None else [one._replace(start=places[one.start], end=places[one.end - 1] + 1) for one in found]


def _visible(text: str) -> tuple[str, list[int] | None]:
    """The text without signs that show nothing (zero-width space, soft hyphen), and where each sign left stood; null if there are none."""
    if not _INVISIBLE.search(text):
        return text, None
    places = [place for place, sign in enumerate(text) if not _INVISIBLE.match(sign)]
    return "".join(text[place] for place in places), places


class _Reading:
    """One pass over one text: the laws named so far, and the section last cited."""

    def __init__(self, text: str, grammar: Grammar, own_law: str | None, own_label: str | None) -> None:
        self.text, self.grammar = text, grammar
        own = grammar.catalogue.find(own_law) if own_law else None
        self.own = own._replace(words=own.name or own.words) if own else None
        self.own_label = grammar.labels[0].normalise(own_label) if own_label else None
        self.law: Law | None = None
        self.law_end = -1
        self.law_from: LawFrom = "named"
        self.named: list[Law] = [self.own] if self.own else []  # distinct, the last named last
        self.label: str | None = None
        self.names = dict(grammar.names_in(text))  # start -> end
        self.of_next: dict[tuple[int, int], bool] = {}  # answers of `_of_next`, by end and depth of a paragraph
        self.out: list[Citation] = []

    def read(self) -> list[Citation]:
        text, grammar, at, place = self.text, self.grammar, 0, 0
        starts = list(self.names)
        found = grammar.anchor.search(text, 0)
        while True:
            if found is not None and found.start() < at:
                found = grammar.anchor.search(text, at)
            while place < len(starts) and starts[place] < at:
                place += 1
            if place < len(starts) and (found is None or self._name_first(starts[place], found)):
                at = self._known(starts[place])
            elif found is None:
                return self.out
            else:
                at = self._token(found, at)

    def _name_first(self, start: int, found: re.Match[str]) -> bool:
        """Whether a known name comes before what else was found; at the same place, before all but words that point back."""
        here = found.start()
        return start < here or (start == here and (found.lastgroup or "") in ("pattern", "ending", "short"))

    def _known(self, start: int) -> int:
        law, end = self._name_at(start)
        self.law, self.law_from, self.law_end = law, "named", end
        return self._unit_after(end)

    def _token(self, found: re.Match[str], at: int) -> int:
        name = found.lastgroup or ""
        if name == "false":
            return max(found.end(), at + 1)
        if self.grammar.config.spaced and name.startswith("unit"):
            false = self.grammar.false.match(self.text, found.start())
            if false:
                return max(false.end(), at + 1)
        if name.startswith(("unit", "same", "itself", "preceding", "following")):
            return self._group(found, at)
        return self._unit_after(self._mention(found, at))

    def _unit_after(self, at: int) -> int:
        """An abbreviated unit right after an abbreviated law, ป.อ.ม.334, is no part of it."""
        unit = self.grammar.unit.match(self.text, at)
        return self._group(unit, at) if unit else at

    # ---- laws

    def _mention(self, found: re.Match[str], at: int) -> int:
        """A law is named: it holds from here on. Returns where reading goes on."""
        law, source, end = self._named_law(found, at)
        self.law, self.law_from, self.law_end = law, source, end
        return end

    def _named_law(self, found: re.Match[str], at: int) -> tuple[Law | None, LawFrom, int]:
        name = found.lastgroup or ""
        if name == "own":
            if self.own:
                return self.own, "own", found.end()
            return (self.named[-1] if self.named else Law(_clean(found[0]), None, None)), "back", found.end()
        if name.startswith("back"):
            kind = found["kind" + name[4:]] if "{kind}" in self.grammar.config.laws.back[int(name[4:])] else None
            return self._back(kind, found[0]), "back", found.end()
        start, end = found.start(name), found.end()
        if name == "ending":
            start = self.grammar.name_before(self.text, at, end)
        return self._note(start, end), "named", end

    def _note(self, start: int, end: int) -> Law:
        return self._noted(self.grammar.catalogue.find(_clean(self.text[start:end])))

    def _noted(self, law: Law) -> Law:
        if not self.named or self.named[-1] != law:
            self.named = [known for known in self.named if known != law] + [law]
        return law

    def _name_at(self, start: int) -> tuple[Law, int]:
        """The law of a known name that starts here, or of the longer name that starts with it."""
        end = self._longer(start, self.names[start])
        return self._note(start, end), end

    def _longer(self, start: int, end: int) -> int:
        """The end of a longer name that starts with a known one: `Home Lettings Act 2005` is not the act of 2011."""
        found = self.grammar.pattern.match(self.text, start)
        if found and found.end() > end and (self.grammar.config.spaced or self.grammar.year.search(found[0])):
            return found.end()
        return end

    def _back(self, kind: str | None, words: str) -> Law:
        if kind is None:
            return self.named[-1] if self.named else Law(_clean(words), None, None)
        wanted = self.grammar.kinds[" ".join(kind.lower().split())]
        for law in reversed(self.named):
            names = f"{law.words} {law.name or ''}".lower()
            if any(word in names for word in wanted):
                return law
        return Law(_clean(words), None, None)

    def _law_at(self, start: int) -> tuple[Law | None, LawFrom]:
        """The law that a bare section at `start` belongs to."""
        if self.law is not None and self.law_end >= 0:
            close = self.grammar.close_to.match(self.text, self.law_end)
            if close and close.end() >= start:
                return self.law, self.law_from
        if self.own is None:
            return self.law, ("carried" if self.law else "none")
        in_list = self.grammar.config.laws.carry_in_laws == "list"
        if self.law is None or in_list or self.grammar.sentence_end.search(self.text, self.law_end, start):
            return self.own, "own"
        return self.law, ("own" if self.law == self.own else "carried")

    # ---- one citation or list of citations

    def _group(self, found: re.Match[str], at: int) -> int:
        """Read a list of sections that starts at a match, with the law named after it. Returns where reading goes on."""
        law, source = self._law_at(found.start())
        items, end = self._items(found, at)
        unit = _unit_of(found)
        while True:
            after = self._after(end, source)
            if after is not None:
                law_after, source_after, end = after
                last_run = items[-1].run if source == "named" and items else 0
                first = [item for item in items if item.run < last_run]
                self._emit(first, law, source)
                self._emit(items[len(first) :], law_after, source_after)
                self.law, self.law_from, self.law_end = law_after, "named" if source_after == "named" else source_after, end
                more = self._one_more(unit, end)
                if more is None:
                    return end
                items, end, law, source = *more, law_after, "carried"
                continue
            self._emit(items, law, source)
            return end

    def _after(self, at: int, source: LawFrom) -> tuple[Law | None, LawFrom, int] | None:
        """The law named right after a citation, if the language does so."""
        grammar, text = self.grammar, self.text
        is_led = grammar.of_only.match(text, at) is not None  # a cheap test: most sections are followed by something else
        lead = grammar.of_law.match(text, at) if is_led else None
        if lead:
            found = grammar.law.match(text, lead.end())
            if found and not (found.lastgroup == "pattern" and lead.end() in self.names):
                return self._named_law(found, lead.end())
        start = self._name_after(at) if is_led else None
        if start is not None:
            law, end = self._name_at(start)
            return law, "named", end
        other = grammar.of_other.match(text, at) if is_led else None
        if other:
            return self._noted(grammar.catalogue.find_equal(_clean(other["other"]))), "named", other.end()
        if grammar.config.laws.after != "always" or source == "named":
            return None
        comma = grammar.comma.match(text, at)
        return self._beside(self._past_remark(at), False) or (self._beside(comma.end(), True) if comma else None)

    def _beside(self, start: int, after_comma: bool) -> tuple[Law | None, LawFrom, int] | None:
        """A law that stands after a section without a word between; after a comma only by a name: `art. 1384, al. 1er, C. civ.`"""
        grammar, text = self.grammar, self.text
        known = self._longer(start, self.names[start]) if start in self.names else None
        found = None if known else grammar.law.match(text, start)
        if found and after_comma and found.lastgroup != "pattern":
            return None
        end = known or (found.end() if found else 0)
        # a law that a section follows stands before that section, not after this one
        if not end or grammar.unit.match(text, _skip_comma(text, end)):
            return None
        if found:
            return self._named_law(found, start)
        law, end = self._name_at(start)
        return law, "named", end

    def _name_after(self, at: int) -> int | None:
        """Where a known name starts that only words like `of the` part from `at`."""
        lead = self.grammar.of_only.match(self.text, at)
        if not lead:
            return None
        for start in range(lead.end(), at, -1):
            if start in self.names and self.grammar.of_only.fullmatch(self.text, at, start):
                return start
        return None

    def _one_more(self, unit: int, at: int) -> tuple[list[_Item], int] | None:
        """`art. 5 C. civ. et 12 C. com.`: a list that goes on after a law, only if a law stands after the next member too."""
        comma = self.grammar.separator.match(self.text, at)
        label = self.grammar.bare[unit].match(self.text, comma.end()) if comma else None
        if not label:
            return None
        items, end = self._labelled(unit, label.start("label"), label, (), 0)
        direct = self.grammar.config.laws.after == "always"
        start = end + _spaces(self.text, end)
        named = self.grammar.of_law.match(self.text, end) or self._name_after(end) is not None
        return (items, end) if named or (direct and (start in self.names or self.grammar.law.match(self.text, start))) else None

    def _emit(self, items: list[_Item], law: Law | None, source: LawFrom) -> None:
        law = law or Law("", None, None)
        for item in items:
            self.out.append(
                Citation(
                    item.start,
                    item.end,
                    item.kind,
                    item.unit,
                    law.code,
                    law.name,
                    law.words or None,
                    source,
                    item.label,
                    item.to_label,
                    item.offset,
                    item.paragraph,
                )
            )

    def _items(self, found: re.Match[str], at: int) -> tuple[list[_Item], int]:
        text, grammar = self.text, self.grammar
        items, end = self._started(found, at, 0)
        unit = _unit_of(found)
        run = 0
        while True:
            comma = grammar.separator.match(text, end)
            if not comma:
                return items, end
            again = grammar.unit.match(text, comma.end())
            if again:
                unit, run = _unit_of(again), run + 1
                more, end = self._started(again, comma.end(), run)
            else:
                label = None if grammar.config.units[unit].after else grammar.bare[unit].match(text, comma.end())
                tail = self._further_tail(unit, comma.end()) if not label else None
                if tail:
                    more, end = self._from_label(unit, comma.end(), tail[1], tail[0], [], run)
                    items += more
                    continue
                if not label:
                    return items, end
                more, end = self._labelled(unit, label.start("label"), label, (), run, like=self.label)
            items += more

    def _further_tail(self, unit: int, at: int) -> tuple[str, int] | None:
        """Only the last part of a further label, 之2 in 第28條之1、之2: the label, and where it ends."""
        labels = self.grammar.labels[unit]
        found = self.grammar.tails[unit].match(self.text, at)
        number = read_number(found[1]) if found else None
        before = labels.parse(self.label) if self.label else None
        if not found or number is None or before is None or not before.rest or before.rest[-1][1] >= number:
            return None
        return labels.normal(before._replace(rest=(*before.rest[:-1], (before.rest[-1][0], number, "")))), found.end()

    def _started(self, found: re.Match[str], at: int, run: int) -> tuple[list[_Item], int]:
        """Items that start with a unit word or a word that points at a section, with the paragraphs named before it."""
        name = found.lastgroup or ""
        start = found.start(name)
        before, start = self._before(start, at)
        if not name.startswith("unit"):
            return self._pointed(found, start, before, run)
        unit = int(name[4:])
        if self.grammar.config.units[unit].after:
            return self._between(found, unit, start, before, run)
        return self._labelled(unit, start, found, before, run, f"label{unit}")

    def _before(self, start: int, at: int) -> tuple[list[tuple[LevelToken, ...]], int]:
        """Paragraphs before the section, innermost first in the text: `premier alinéa de l'article 5`."""
        grammar = self.grammar
        if not grammar.config.of or not grammar.config.levels:
            return [], start
        floor = max(at, start - _WINDOW)
        window = self.text[floor:start]
        found = grammar.before_unit.search(window) if grammar.may_be_before(window) else None
        if not found:
            return [], start
        paths: list[list[LevelToken]] = [[]]
        place, last, fresh = found.start(), None, True
        while level := grammar.level.search(window, place):
            token = grammar.read_level(level, last)
            gap = window[place : level.start()]
            if last is not None and not fresh and grammar.range.fullmatch(gap) and token.depth == last.depth:
                token = token._replace(value=f"{last.value}-{token.value}")
                paths[-1][0] = token
            elif last is not None and token.depth == last.depth:
                paths.append([token, *paths[-1][1:]])
            else:
                for path in paths:
                    path.insert(0, token)
            place, last, fresh = level.end(), token, False
            for other in grammar.levels.members(level)[1:]:  # deuxième et troisième alinéas
                paths.append([other.token, *paths[-1][1:]])
            while token.script == "word" and (more := self._bare_value(window, place)):
                mark, value = more[0], grammar.levels.value(token, more[1][0])
                if mark.re is grammar.to_value:  # alinéas 2 à 4
                    paths[-1][0] = token._replace(value=f"{paths[-1][0].value}-{value}")
                else:  # alinéas 2 et 3
                    paths.append([token._replace(value=value), *paths[-1][1:]])
                place = more[1].end()
        return [tuple(path) for path in paths], floor + found.start() + _spaces(window, found.start())

    def _bare_value(self, text: str, at: int) -> tuple[re.Match[str], re.Match[str]] | None:
        """A mark of lists or ranges and a value without its level's word."""
        for pattern in (self.grammar.separator, self.grammar.to_value):
            mark = pattern.match(text, at)
            value = self.grammar.value.match(text, mark.end()) if mark else None
            if mark and value:
                return mark, value
        return None

    def _pointed(self, found: re.Match[str], start: int, before: list[tuple[LevelToken, ...]], run: int) -> tuple[list[_Item], int]:
        name = found.lastgroup or ""
        base = self.label if name == "same" else self.own_label or self.label
        kind: Kind = "same" if name == "same" else "own" if name == "itself" else "relative"
        offset = None
        if kind == "relative":
            group = f"n{name}"
            count = self.grammar.count(found[group] if group in self.grammar.anchor.groupindex else None)
            offset = -count if name.startswith("preceding") else count
        unit = self.grammar.config.units[0].name
        paths, end = self._paths(found.end(), before)
        return [
            _Item(
                start if path.start is None else path.start, path.end, kind, unit, base, None, offset, self.grammar.path(path.tokens), run
            )
            for path in paths
        ], end

    def _between(
        self, found: re.Match[str], unit: int, start: int, before: list[tuple[LevelToken, ...]], run: int
    ) -> tuple[list[_Item], int]:
        """A unit with words on both sides, which may hold a list: 第一百八十四、一百八十五條之一."""
        grammar, text = self.grammar, self.text
        first, last = found.span(f"label{unit}")
        tail = found[f"tail{unit}"]
        spans, place = [], first
        while place < last and (inner := grammar.inner[unit].match(text, place, last)):
            spans.append(inner.span())
            gap = grammar.between.match(text, inner.end(), last)
            if not gap:
                break
            place = gap.end()
        if len(spans) == 2 and self._is_one_label(unit, text[first:last], [text[slice(*span)] for span in spans]):
            spans = [(first, last)]
        name = grammar.config.units[unit].name
        labels = [self._normal(unit, text[slice(*span)] + (tail if span is spans[-1] else "")) for span in spans]
        ends = [end for _, end in spans[:-1]] + [found.end()]
        items: list[_Item] = []
        index = 0
        while index < len(spans):
            here = start if index == 0 else spans[index][0]
            following = index + 1
            if following < len(spans) and grammar.range.fullmatch(text, spans[index][1], spans[following][0]):
                items.append(_Item(here, ends[following], "range", name, labels[index], labels[following], None, (), run))
                index += 2
            elif following < len(spans):
                items.append(_Item(here, ends[index], "section", name, labels[index], None, None, (), run))
                index += 1
            else:
                more, end = self._from_label(unit, here, found.end(), labels[index], before, run)
                return [item for item in items + more if item.label], end
        self.label = labels[-1] if labels else self.label
        return [item for item in items if item.label], found.end()

    def _is_one_label(self, unit: int, whole: str, ends: list[str]) -> bool:
        """Whether two numbers with a mark of ranges between are one label, as ranges rise: 第 37 - 1 條, but 第 1 - 5 條."""
        labels = self.grammar.labels[unit]
        if labels.parse(whole) is None:
            return False
        low, high = map(labels.parse, ends)
        return low is not None and high is not None and low >= high

    def _labelled(
        self,
        unit: int,
        start: int,
        found: re.Match[str],
        before: list[tuple[LevelToken, ...]] | tuple[()],
        run: int,
        group: str = "label",
        like: str | None = None,
    ) -> tuple[list[_Item], int]:
        labels, end = self.grammar.labels[unit], found.end(group)
        ends = labels.ends(found[group])
        if ends is None:
            return self._from_label(unit, start, end, self._normal(unit, found[group], like), list(before), run)
        self.label = labels.normal(ends[1])
        name = self.grammar.config.units[unit].name
        return [_Item(start, end, "range", name, labels.normal(ends[0]), self.label, None, (), run)], self._paths(end, [])[1]

    def _from_label(
        self, unit: int, start: int, end: int, label: str | None, before: list[tuple[LevelToken, ...]], run: int
    ) -> tuple[list[_Item], int]:
        """One label, its paragraphs, and the other end of a range if there is one."""
        grammar = self.grammar
        if label is None:
            return [], end
        self.label = label
        paths, end = self._paths(end, before)
        name = grammar.config.units[unit].name
        items = [
            _Item(start if path.start is None else path.start, path.end, "section", name, label, None, None, grammar.path(path.tokens), run)
            for path in paths
        ]
        to = self._range_end(unit, end)
        if to is not None:
            to_label, end = to
            items[-1] = items[-1]._replace(kind="range", to_label=to_label, end=end)
            self.label = to_label
        return items, end

    def _range_end(self, unit: int, at: int) -> tuple[str, int] | None:
        grammar, text = self.grammar, self.text
        dash = grammar.range.match(text, at)
        if not dash:
            return None
        again = grammar.unit.match(text, dash.end())
        if again and again.lastgroup == f"unit{unit}":
            raw = again[f"label{unit}"] + (again[f"tail{unit}"] if grammar.config.units[unit].after else "")
            end = again.end()
        else:
            bare = None if grammar.config.units[unit].after else grammar.bare[unit].match(text, dash.end())
            if not bare:
                return self._further_tail(unit, dash.end())
            raw, end = bare["label"], bare.end("label")
        label = self._normal(unit, raw, None if again else self.label)
        if label is None or self._falls(unit, self.label, label):
            return None
        paths, end = self._paths(end, [])
        return label, max(end, paths[-1].end)

    def _falls(self, unit: int, first: str | None, last: str) -> bool:
        """Whether a range would run backwards, which none does: article 93 à 4."""
        labels = self.grammar.labels[unit]
        low, high = labels.parse(first) if first else None, labels.parse(last)
        return low is not None and high is not None and low.prefix == high.prefix and low > high

    def _normal(self, unit: int, raw: str, like: str | None = None) -> str | None:
        """The normal spelling of a label; `like`: the label before it in its list, of which it may take the prefix."""
        labels = self.grammar.labels[unit]
        label = labels.parse(raw)
        before = labels.parse(like) if like and label and labels.config.label.prefixes else None
        return None if label is None else labels.normal(labels.carry(label, before) if before else label)

    def _paths(self, at: int, before: list[tuple[LevelToken, ...]]) -> tuple[list[_Path], int]:
        """Paragraphs after a label. Brackets side by side, (3) (4), are one place: what follows them belongs to each."""
        grammar, inside = self.grammar, False
        kept: tuple[list[_Path], int] = [], at  # what was read before a bracket opened
        paths = [_Path(None, at, tokens) for tokens in before or [()]]
        inner = len(before[0]) if before else 0
        together = len(paths)  # how many of the last paths what follows belongs to
        last: LevelToken | None = None
        while True:
            level = grammar.level.match(self.text, at)
            if not level and grammar.bracket.match(self.text, at):
                kept = kept if inside else (list(paths), at)
                level, inside = self._in_brackets(at, inside)
            if level:
                members = grammar.levels.members(level)
                token, end = self._to_level(grammar.read_level(level, last), level.end(), inside, bool(members))
                start = level.start() + _spaces(self.text, level.start())
                if last is not None and token.depth == last.depth:
                    paths.append(_Path(start, end, (*paths[-1].tokens[:-1], token)))
                    together += 1
                else:
                    together = self._go_down(paths, together, token, end, inner)
                at, last = end, self._add_members(paths, members) or token
                together = 1 if members else together
                continue
            listed = self._listed_level(at, last, inside)
            closed = grammar.closed.match(self.text, at) if inside and listed is None else None
            if closed:
                at, inside = closed.end(), False
                paths[-1] = paths[-1]._replace(end=at)
                continue
            if listed is None:  # of a bracket that holds more than levels nothing is read
                return kept if inside else (paths, at)
            if listed.is_deeper:
                together = self._go_down(paths, together, listed.token, listed.end, inner)
            else:
                above = tuple(known for known in paths[-1].tokens if known.depth < listed.token.depth)
                paths.append(_Path(listed.start, listed.end, (*above, listed.token)))
                together = 1
            at, last = listed.end, self._add_members(paths, listed.members) or listed.token
            together = 1 if listed.members else together

    @staticmethod
    def _go_down(paths: list[_Path], together: int, token: LevelToken, end: int, inner: int) -> int:
        """Put a level below the last places; it stands at the end of the last of them.

        `inner`: how many levels stood before the section. One after it that is above them contains them: paragraph (b) of section 12(2).
        """
        for number in range(len(paths) - together, len(paths)):
            tokens = paths[number].tokens
            above = inner and all(known.depth > token.depth for known in tokens[-inner:])
            place = len(tokens) - inner if above else len(tokens)
            paths[number] = paths[number]._replace(tokens=(*tokens[:place], token, *tokens[place:]))
        paths[-1] = paths[-1]._replace(end=end)
        return together

    @staticmethod
    def _add_members(paths: list[_Path], members: list[Member]) -> LevelToken | None:
        """Make the last place one of several, 第1、2項: the first is there, the others stand beside it. Returns the last of them."""
        if not members:
            return None
        paths[-1] = paths[-1]._replace(end=members[0].end)
        for token, start, end in members[1:]:
            paths.append(_Path(start, end, (*paths[-1].tokens[:-1], token)))
        return members[-1].token

    def _in_brackets(self, at: int, inside: bool) -> tuple[re.Match[str] | None, bool]:
        """A level in brackets of its own, (alinéa 2), if it is of no next section; or one after a remark, (เดิม) วรรคหนึ่ง."""
        grammar, text = self.grammar, self.text
        opened = None if inside else grammar.opened.match(text, at)
        level = grammar.level.match(text, opened.end()) if opened else None
        if level and not self._of_next(level.end(), grammar.read_level(level, None)):
            return level, True
        past = self._past_remark(at)
        return (grammar.level.match(text, past) if text[at:past].strip() else None), inside

    def _past_remark(self, at: int) -> int:
        gap = self.grammar.gap.match(self.text, at)
        return gap.end() if gap else at

    def _listed_level(self, at: int, last: LevelToken | None, inside: bool) -> _Listed | None:
        """A paragraph after a comma or `and`: a further one, or (after a comma) one inside the place before. Not one of a next section."""
        grammar, text = self.grammar, self.text
        comma = grammar.separator.match(text, at)
        level = grammar.level.match(text, comma.end()) if comma else None
        if not comma or not level:
            return self._listed_value(at, comma, last, inside) if comma and last else None
        token, members = grammar.read_level(level, last), grammar.levels.members(level)
        deeper = last is None or token.depth > last.depth
        has_and = "and" in grammar.separator.groupindex and comma["and"] is not None
        token, end = self._to_level(token, level.end(), inside, bool(members))
        if not inside and (  # in brackets there is no next section that it could belong to
            (deeper and (has_and or self._is_apart(token, last))) or self._of_next(end, token)
        ):
            return None
        return _Listed(token, level.start() + _spaces(text, level.start()), end, deeper, members)

    def _is_apart(self, token: LevelToken, last: LevelToken | None) -> bool:
        """Whether a level after a comma is none of the place before: 第1項、第2款, but `alinéa 2, 3°` is inside the paragraph."""
        return not self.grammar.config.spaced and last is not None and token.script == "word" and last.script == "word"

    def _listed_value(self, at: int, comma: re.Match[str], last: LevelToken, inside: bool) -> _Listed | None:
        """A further value of the level last read, without its word: the 3 in `alinéas 2 et 3`."""
        if last.script != "word" or (last.takes == "one" and not inside):
            return None
        found = self.grammar.value.match(self.text, comma.end())
        value = self._further_value(found, last, at, inside) if found else None
        if not found or value is None:
            return None
        has_and = "and" in comma.re.groupindex and comma["and"] is not None
        # `and` ends the list; what follows may be anything again: alinéas 2 et 3, 95
        token = last._replace(value=value, takes="either" if has_and and last.takes == "many" else last.takes)
        token, end = self._to_level(token, found.end(), inside)
        return None if not inside and self._of_next(end, token) else _Listed(token, found.start(), end, False, [])

    def _further_value(self, found: re.Match[str], last: LevelToken, at: int, inside: bool, is_range: bool = False) -> str | None:
        """The value that a match of a bare value means for the level last read; null if it counts something, or is a section."""
        word, is_number = found[0], found[0].isdecimal()
        if inside:
            return self.grammar.levels.value(last, word)
        after_digits = any(sign.isdecimal() for sign in self.text[at - len("1ère") : at])
        if not after_digits and is_number and last.takes == "either":
            return None  # วรรคสอง, 5
        if is_number:  # a longer label, or a number that counts something: alinéa 2 et 30 jours
            whole = self.grammar.bare[0].match(self.text, found.start())
            if not whole or whole["label"] != word:
                return None
        value = self.grammar.levels.value(last, word)
        if not value.isdecimal():
            return value if last.takes == "many" else None
        if after_digits and not word[0].isdecimal():
            return None  # paragraphs 2 and third parties
        before = last.value.rpartition("-")[2]
        return value if self._goes_on(int(before) if before.isdecimal() else 0, int(value), last.takes, is_range) else None

    def _goes_on(self, before: int, number: int, takes: Takes, is_range: bool) -> bool:
        """Whether a number goes on from a paragraph's as a further paragraph, not as a section of the list."""
        if takes == "many":
            return number <= before + _MOST_MORE and (number > before or not is_range)
        own = self.grammar.labels[0].parse(self.label) if self.label else None
        if number <= before or own is None:
            return False
        if is_range:  # a range of sections would rise: article 93, alinéa 2 à 4
            return number <= own.number or (takes == "either" and number < _FEW)
        return takes == "either" and number < _FEW and number <= own.number

    def _to_level(self, token: LevelToken, at: int, inside: bool, is_list: bool = False) -> tuple[LevelToken, int]:
        """A range of paragraphs: 第一款至第五款, (1)–(3), alinéas 2 à 4."""
        grammar, text = self.grammar, self.text
        dash = None if is_list else grammar.range.match(text, at)
        level = grammar.level.match(text, dash.end()) if dash else None
        if level and not grammar.levels.members(level):
            to = grammar.read_level(level, token)
            return (token._replace(value=f"{token.value}-{to.value}"), level.end()) if to.depth == token.depth else (token, at)
        if token.script != "word" or is_list or level or not (dash or (token.takes != "one" and grammar.hyphen.match(text, at))):
            return token, at
        to_value = grammar.to_value.match(text, at)
        found = grammar.value.match(text, to_value.end()) if to_value else None
        value = self._further_value(found, token, at, inside, is_range=True) if found else None
        return (token, at) if not found or value is None else (token._replace(value=f"{token.value}-{value}"), found.end())

    def _of_next(self, at: int, token: LevelToken) -> bool:
        """Whether the paragraph that ends at `at`, or the list of paragraphs it starts, belongs to a section named after it.

        What is found out holds for all members of the list that were passed: each is asked about in turn.
        """
        grammar, text = self.grammar, self.text
        passed: list[tuple[int, int]] = []
        while (at, token.depth) not in self.of_next:
            passed.append((at, token.depth))
            if grammar.of_unit.match(text, at):
                self.of_next[passed[-1]] = True
                break
            comma = grammar.separator.match(text, at) or grammar.range.match(text, at)
            level = grammar.level.match(text, comma.end()) if comma else None
            value = grammar.value.match(text, comma.end()) if comma and not level and token.takes != "one" else None
            further = value or (level if level and grammar.read_level(level, token).depth == token.depth else None)
            if not further:
                self.of_next[passed[-1]] = False
                break
            at = further.end()
        answer = self.of_next[at, token.depth]
        self.of_next.update(dict.fromkeys(passed, answer))
        return answer


def _unit_of(found: re.Match[str]) -> int:
    """Number of the unit that was found; 0, the grammar's first, for words that point at a section."""
    name = found.lastgroup or ""
    return int(name[4:]) if name.startswith("unit") else 0


def _clean(words: str) -> str:
    return " ".join(words.split())


def _spaces(text: str, at: int) -> int:
    count = 0
    while at + count < len(text) and text[at + count].isspace():
        count += 1
    return count


def _skip_comma(text: str, at: int) -> int:
    while at < len(text) and (text[at].isspace() or text[at] == ","):
        at += 1
    return at
