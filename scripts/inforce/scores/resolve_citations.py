"""Resolve every citation of an answers file to a section and a version of the dated corpus, and class it (NitiBench+ B.3, §7.5).

Writes one row a citation. The rules, with the cases on which the paper is silent, are in docs/scoring.md.
"""

from __future__ import annotations

import argparse
import datetime as dt
import re
import unicodedata
from collections.abc import Iterable
from typing import Literal, NamedTuple

from inforce.config.jurisdiction import Jurisdiction
from inforce.config.load import read_config
from inforce.records.answers import Answer, AnswerCitation
from inforce.records.files import canonical_json
from inforce.records.items import Item, SubQuestion
from inforce.records.labels import LabelRules, base_label, normalise_label, to_ascii_digits
from inforce.records.lines import read_lines
from inforce.records.pairing import pair_answers
from inforce.records.tables import CITATION_SCORES, LAWS, read_rows, write_table
from inforce.records.uris import parse_uri
from inforce.scores.dated_sections import DatedSections, Version, full_label, gold_key, read_sections, section_key
from inforce.scores.law_names import LawCatalog, unheld_names

Outcome = Literal["section", "invented_law", "invented_section", "undecidable"]

# "290, 295", "334 and 335", "290 และ 295", "290、295": a list only if each part opens with a number
_LIST = re.compile(r"\s*(?:[,;、，]|\band\b|\bor\b|และ|หรือ|&|及|或)\s*")
_RANGE = re.compile(r"(\d+)\s*([-–—~]|\bto\b|ถึง|至|à)\s*(\d+)")


class Resolved(NamedTuple):
    """What a citation means in the corpus. `starts` orders it in time where `version` is null: the day its identifier names."""

    outcome: Outcome
    law_code: str | None = None
    key: str | None = None
    version: Version | None = None
    starts: dt.date | None = None


class Lookup(NamedTuple):
    """All that a citation is resolved against."""

    jurisdiction: str
    rules: LabelRules
    catalog: LawCatalog
    sections: DatedSections
    holds_whole_laws: bool = True


def resolve(citation: AnswerCitation, lookup: Lookup, day: dt.date, unheld: frozenset[str] = frozenset()) -> list[tuple[str, Resolved]]:
    """Each section that one citation names, with the citation as the model wrote it (canonical JSON).

    One entry, or several where the citation lists several sections of a law. day: the item's `law_date`. The version identifier goes
    first; law and section are read where there is none or it leads to no section.
    """
    whole = canonical_json(citation.model_dump(exclude_none=True))
    by_uri = _by_identifier(citation.version, lookup, day) if _given(citation.version) else None
    if by_uri and by_uri.outcome == "section":
        return [(whole, by_uri)]
    by_name = _by_name(citation, lookup, day, unheld) if _given(citation.law) or _given(citation.section) else []
    if by_name and (by_uri is None or by_uri.outcome == "undecidable" or any(found.outcome == "section" for _, found in by_name)):
        return by_name
    return [(whole, by_uri or Resolved("undecidable"))]


def _given(text: str | None) -> bool:
    return bool(text and text.strip())


def clean_identifier(text: str, jurisdiction: str) -> str:
    """An identifier as the corpus spells it: ASCII digits, no slash before it, the jurisdiction put before it if left out."""
    text = unicodedata.normalize("NFC", to_ascii_digits(text)).strip(" \t\r\n\"'`<>[]").strip("/")
    text = "_".join(text.split())
    return f"{jurisdiction}/{text}" if text.startswith("law/") else text


def _by_identifier(text: str | None, lookup: Lookup, day: dt.date) -> Resolved:
    text = clean_identifier(text or "", lookup.jurisdiction)
    held = lookup.sections.by_uri.get(text)
    if held:
        return Resolved("section", held.key.split("/", 1)[0], held.key, held, held.valid_from)
    head, _, tail = text.partition("/v/")
    parsed = parse_uri(head)  # without its day: a day that no calendar has does not hide the section
    if not parsed or not _has_number(parsed.label):
        return Resolved("undecidable")
    if parsed.jurisdiction != lookup.jurisdiction:
        return Resolved("invented_law")
    codes = [parsed.law_code] if parsed.law_code in lookup.sections.law_codes else lookup.catalog.exact(parsed.law_code)
    named = _iso_day(tail)
    found = _section_of(codes, parsed.label, lookup, named or day)
    return found._replace(starts=found.version.valid_from if found.version else named)


def _by_name(citation: AnswerCitation, lookup: Lookup, day: dt.date, unheld: frozenset[str]) -> list[tuple[str, Resolved]]:
    whole = citation.model_dump(exclude_none=True)
    label = citation.section or ""
    if not _given(citation.law) or not _given(label):
        return [(canonical_json(whole), Resolved("undecidable"))]
    codes = lookup.catalog.find(citation.law or "", unheld)
    parts = split_labels(label, lookup.rules)
    if codes and len(parts) > 1 and _section_of(codes, label, lookup, day).outcome == "section":
        parts = [label]
    if len(parts) == 1:
        return [(canonical_json(whole), _named_section(codes, label, lookup, day))]
    return [(canonical_json({**whole, "section": part}), _named_section(codes, part, lookup, day)) for part in parts]


def split_labels(label: str, rules: LabelRules) -> list[str]:
    """`290, 295` -> `290`, `295`; `335 (1), (7)`, `12, paragraph 2` and `14 bis` stay whole."""
    parts = [normalise_label(part, rules) for part in _LIST.split(label)]
    if len(parts) > 1 and all(part and _opens_with_number(part) for part in parts):
        return parts
    return [label]


def is_range(label: str) -> bool:
    """`140-143` and `281 to 288` are ranges; `37-1` is one label, as a range does not run backwards."""
    found = _RANGE.search(label)
    return bool(found and (found[2] not in "-–—~" or int(found[1]) < int(found[3])))


def _opens_with_number(text: str) -> bool:
    return unicodedata.numeric(text[0], None) is not None


def _has_number(label: str) -> bool:
    return any(unicodedata.numeric(letter, None) is not None for letter in label)


def _named_section(codes: list[str] | None, label: str, lookup: Lookup, day: dt.date) -> Resolved:
    found = _section_of(codes or [], label, lookup, day)
    if found.outcome == "section":
        return found
    base = base_label(label, lookup.rules)
    if codes is None or not _has_number(base) or is_range(normalise_label(label, lookup.rules)):
        return Resolved("undecidable", codes[0] if codes else None)
    return found


def _section_of(codes: list[str], label: str, lookup: Lookup, day: dt.date) -> Resolved:
    """The section of one of the laws that a name can mean: one in force on the day goes first, then one held at all."""
    if not codes:
        return Resolved("invented_law")
    keys = [(code, section_key(code, label, lookup.rules)) for code in codes]
    for code, key in keys:
        if version := lookup.sections.on(key, day, full_label(label, lookup.rules)):
            return Resolved("section", code, key, version, version.valid_from)
    for code, key in keys:
        if key in lookup.sections.by_key:
            return Resolved("section", code, key)
    if not lookup.holds_whole_laws or any(code not in lookup.sections.law_codes for code in codes):
        return Resolved("undecidable", codes[0])  # a law whose text, or whose other sections, the corpus does not hold (§7.5)
    return Resolved("invented_section", codes[0])


def _iso_day(text: str) -> dt.date | None:
    try:
        return dt.date.fromisoformat(text)
    except ValueError:
        return None


class Gold(NamedTuple):
    """The sections of one sub-question: load-bearing versions by key, and the sections that are left out of the prediction."""

    versions: dict[str, list[tuple[str, dt.date | None]]]
    background: frozenset[str]


def gold_of(question: SubQuestion, rules: LabelRules) -> Gold:
    """Load-bearing sections with a version are gold; every other section that the sub-question names is left out on both sides."""
    versions: dict[str, list[tuple[str, dt.date | None]]] = {}
    others = set()
    for citation in question.citations:
        key = gold_key(citation, rules)
        if key is None:
            continue
        if citation.is_scored and citation.version_uri:
            versions.setdefault(key, []).append((citation.version_uri, citation.valid_from))
        else:
            others.add(key)
    return Gold(versions, frozenset(others - versions.keys()))


def class_of(found: Resolved, gold: Gold) -> str | None:
    """exact, stale, future, wrong_section, nonexistent, undecidable or background; null where the sub-question has no gold."""
    if not gold.versions:
        return None
    if found.outcome in ("invented_law", "invented_section"):
        return "nonexistent"
    if found.outcome == "undecidable" or found.key is None:
        return "undecidable"
    if found.key in gold.background:
        return "background"
    if found.key not in gold.versions:
        return "wrong_section"
    wanted = gold.versions[found.key]
    starts = [start for _, start in wanted if start]
    # another sub-paragraph's text of the same days is the same version of the section
    if found.version and (found.version.uri in {uri for uri, _ in wanted} or found.version.valid_from in starts):
        return "exact"
    if found.starts is None or not starts:
        return "undecidable"
    return "future" if found.starts > max(starts) else "stale"


def citation_rows(run: str, item: Item, answer: Answer, lookup: Lookup) -> list[dict[str, object]]:
    """Rows of CITATION_SCORES of one answer, in the answer's own order. Raises ValueError for a sub-question that the item lacks."""
    unheld = unheld_names(item)
    rows: list[dict[str, object]] = []
    for sub in answer.sub_answers:
        if not 1 <= sub.sub_question <= len(item.sub_questions):
            raise ValueError(f"item {item.id} has {len(item.sub_questions)} sub-questions; its answer names number {sub.sub_question}")
        gold = gold_of(item.sub_questions[sub.sub_question - 1], lookup.rules)
        for position, citation in enumerate(sub.citations, start=1):
            for cited, found in resolve(citation, lookup, item.law_date, unheld):
                rows.append(
                    {
                        "run": run,
                        "model": answer.model,
                        "setting": answer.setting,
                        "sample": answer.sample,
                        "item_id": item.id,
                        "sub_question": sub.sub_question,
                        "position": position,
                        "cited": cited,
                        "law_code": found.law_code,
                        "section_key": found.key,
                        "version_uri": found.version.uri if found.version else None,
                        "version_class": class_of(found, gold),
                        "is_hit": found.key is not None and found.key in gold.versions,
                        "is_checked": found.outcome != "undecidable",
                        "invented": {"invented_law": "law", "invented_section": "section"}.get(found.outcome),
                    }
                )
    return rows


def laws_named(answers: Iterable[Answer], items: dict[str, Item], catalog: LawCatalog, jurisdiction: str) -> set[str]:
    """Codes of all laws that the answers can mean: no other law's sections need to be read."""
    codes: set[str] = set()
    for answer in answers:
        unheld = unheld_names(items[answer.item_id])
        for citation in (citation for sub in answer.sub_answers for citation in sub.citations):
            parsed = parse_uri(clean_identifier(citation.version or "", jurisdiction).partition("/v/")[0])
            if parsed:
                codes |= {parsed.law_code, *catalog.exact(parsed.law_code)}
            if _given(citation.law):
                codes.update(catalog.find(citation.law or "", unheld) or [])
    return codes


def main(argv: list[str] | None = None) -> None:
    """Read the files, resolve, write. Exit status 1 with one sentence for input that cannot be used."""
    parser = argparse.ArgumentParser(
        prog="python -m inforce.scores.resolve_citations",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.scores.resolve_citations --run demo --jurisdiction demo "
        "--jurisdiction-config config/jurisdictions/demo.yaml --items results/items/demo.jsonl "
        "--answers results/answers/demo/M/parametric/1.jsonl --laws results/corpus/demo/laws.parquet "
        "--sections results/corpus/demo/sections.parquet --out results/scores/demo/M/parametric/1/citations.parquet",
    )
    parser.add_argument("--run", required=True, help="name of the run, written into every row")
    parser.add_argument("--jurisdiction", required=True, help="name that opens the corpus's identifiers")
    parser.add_argument("--jurisdiction-config", required=True, help="label rules and kinds of instruments that cannot be decided")
    parser.add_argument("--items", required=True, help="items.jsonl of the run")
    parser.add_argument("--answers", required=True, help="answers of one model, setting and sample")
    parser.add_argument("--laws", required=True, help="laws.parquet")
    parser.add_argument("--sections", required=True, help="sections.parquet")
    parser.add_argument("--out", required=True, help="citations.parquet to write")
    args = parser.parse_args(argv)
    try:
        config = read_config(args.jurisdiction_config, Jurisdiction)
        pairs = pair_answers(read_lines(args.items, Item), read_lines(args.answers, Answer), args.items, args.answers)
        catalog = LawCatalog(read_rows(args.laws, LAWS), config.unheld_kinds, guarded=config.name_guards)
        laws = laws_named([answer for _, answer in pairs], {item.id: item for item, _ in pairs}, catalog, args.jurisdiction)
        sections = read_sections(args.sections, config.labels, laws)
        lookup = Lookup(args.jurisdiction, config.labels, catalog, sections, config.holds_whole_laws)
        rows = [row for item, answer in pairs for row in citation_rows(args.run, item, answer, lookup)]
    except (OSError, ValueError) as error:
        raise SystemExit(f"resolve_citations: {error}") from error
    write_table(args.out, rows, CITATION_SCORES)


if __name__ == "__main__":
    main()
