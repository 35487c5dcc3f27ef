"""Show the versions of one section with what changed between them, or the sections with most versions.

The first version is printed whole, each later one with its changes marked: [-taken out-] and {+put in+}. A word is what white space parts; Chinese
characters are compared one by one. How lines are wrapped is not compared; a new or a lost paragraph is marked as ¶. What a change is decides
the jurisdiction's configuration (`noise`), not this comparison: two versions may differ in nothing but white space, which is said.

With --csv the versions of the sections shown are written, one a row with its text and its marked text; alone it writes those of all sections.
"""

from __future__ import annotations

import argparse
import datetime as dt
import re
import sys
from collections.abc import Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
import pyarrow as pa

from inforce.config.load import nearest
from inforce.records.labels import LabelRules, normalise_label
from inforce.records.tables import SECTIONS, read_rows, write_csv

Row = dict[str, Any]
_PARAGRAPH = "¶"
_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_TOKEN = re.compile(r"\n\s*\n|[㐀-鿿]|[^\s㐀-鿿]+")
_PLAIN = LabelRules()


class SectionNotFoundError(ValueError):
    """The table holds no such law or section; the message names the nearest."""


class _Token(NamedTuple):
    """A word or a paragraph's end, with the white space before it."""

    gap: str
    word: str


def by_section(rows: Sequence[Row]) -> dict[tuple[str, str], list[Row]]:
    """(law_code, label) -> versions, both in the order of the table, which is that of the history."""
    sections: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        sections.setdefault((row["law_code"], row["label"]), []).append(row)
    return sections


def find_section(sections: dict[tuple[str, str], list[Row]], law_code: str, label: str) -> tuple[str, str]:
    """The key of a section, its label as the table has it or as a source may write it. Raises SectionNotFoundError."""
    labels = [held for code, held in sections if code == law_code]
    if not labels:
        codes = list(dict.fromkeys(code for code, _ in sections))
        raise SectionNotFoundError(f"no section of law {law_code!r} is held; the laws are {', '.join(codes)}")
    raised = re.sub(r"\^([0-9]+)", lambda found: found[1].translate(_SUPERSCRIPTS), label)
    for name in (label, normalise_label(raised, _PLAIN)):
        if name in labels:
            return law_code, name
    near = nearest(normalise_label(label, _PLAIN), labels)
    raise SectionNotFoundError(
        f"law {law_code} has no section {label!r}; " + (f"did you mean {near}?" if near else f"it has {len(labels)}")
    )


def most_versions(sections: dict[tuple[str, str], list[Row]], n: int) -> list[tuple[str, str]]:
    """Keys of the n sections with most versions, equal ones in the order of the table."""
    return sorted(sections, key=lambda key: -len(sections[key]))[:n]


def marked(before: str, after: str) -> str:
    """The text `after` with what it lost against `before` as [-words-] and what is new as {+words+}; empty if only white space differs."""
    old, new = _tokens(before), _tokens(after)
    steps = SequenceMatcher(None, [token.word for token in old], [token.word for token in new], autojunk=False).get_opcodes()
    if all(tag == "equal" for tag, *_ in steps):
        return ""
    parts = []
    for tag, old_from, old_to, new_from, new_to in steps:
        if tag == "equal":
            first = new[new_from].gap or old[old_from].gap  # a word that now begins the text is kept apart from the lost one before it
            gaps = [first, *(token.gap for token in new[new_from + 1 : new_to])]
            words = ["\n\n" if token.word == _PARAGRAPH else token.word for token in new[new_from:new_to]]
            parts += [gap + word for gap, word in zip(gaps, words, strict=True)]
            continue
        gone, come = old[old_from:old_to], new[new_from:new_to]
        parts.append((come or gone)[0].gap)
        parts += [f"[-{_joined(gone)}-]"] * bool(gone) + [f"{{+{_joined(come)}+}}"] * bool(come)
    return "".join(parts).strip("\n")


def _tokens(text: str) -> list[_Token]:
    tokens, end = [], 0
    for found in _TOKEN.finditer(text.strip()):
        gap = text.strip()[end : found.start()]
        end = found.end()
        tokens.append(_Token(gap, found.group().strip() or _PARAGRAPH))
    return tokens


def _joined(tokens: list[_Token]) -> str:
    return "".join(("" if place == 0 else token.gap) + token.word for place, token in enumerate(tokens))


def shown(key: tuple[str, str], versions: Sequence[Row]) -> str:
    """A section's versions as plain text, each under a line with its days."""
    parts = [f"{key[0]} {key[1]}: {len(versions)} version{'s' if len(versions) > 1 else ''}"]
    for number, row in enumerate(versions):
        head = f"== {number + 1}. {_days(row)} ({row['date_status']}) {row['source']}"
        parts.append(f"{head}\n{_text_of(versions, number) or '(differs from the version before in white space only)'}")
    return "\n\n".join(parts)


def _text_of(versions: Sequence[Row], number: int) -> str:
    return str(versions[0]["text"]) if number == 0 else marked(versions[number - 1]["text"], versions[number]["text"])


def _days(row: Row) -> str:
    start: dt.date | None = row["valid_from"]
    end: dt.date | None = row["valid_to"]
    unknown = f"from an unknown day, {row['begun_by']} at the latest," if row["begun_by"] else "from an unknown day"
    return f"{f'from {start}' if start else unknown}{f' until before {end}' if end else ', no end'}"


def version_frame(sections: dict[tuple[str, str], list[Row]], keys: Sequence[tuple[str, str]]) -> pd.DataFrame:
    """One row a version of these sections: its days, text, and `change` (marked text; empty for the first)."""
    columns = ["law_code", "label", "version", "versions", "valid_from", "valid_to", "date_status", "source", "text", "change"]
    rows = []
    for key in keys:
        versions = sections[key]
        for number, row in enumerate(versions):
            change = _text_of(versions, number) if number else ""
            days = (row["valid_from"], row["valid_to"], row["date_status"])
            rows.append((*key, number + 1, len(versions), *days, row["source"], row["text"], change))
    return pd.DataFrame(rows, columns=columns)


def main(argv: list[str] | None = None) -> None:
    """The command; see the module's text."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="examples:\n  python -m inforce.corpus.show_section --sections results/corpus/demo/sections.parquet --most 10\n"
        "  python -m inforce.corpus.show_section --sections results/corpus/demo/sections.parquet LAW LABEL --csv versions.csv",
    )
    parser.add_argument("--sections", required=True, type=Path, help="sections.parquet")
    parser.add_argument("law_code", nargs="?", metavar="LAW", help="code of the law")
    parser.add_argument("label", nargs="?", metavar="LABEL", help="label of the section, e.g. 12, or 27^1 for 27¹")
    parser.add_argument("--most", type=int, metavar="N", help="in place of LAW and LABEL: a table of the N sections with most versions")
    parser.add_argument("--csv", type=Path, help="output: the versions as CSV")
    args = parser.parse_args(argv)
    if (args.label is None) != (args.law_code is None) or (args.label is not None) + (args.most is not None) > 1:
        parser.error("give LAW and LABEL, or --most N")
    if args.label is None and args.most is None and args.csv is None:
        parser.error("give LAW and LABEL, --most N, or --csv for all versions of all sections")
    if args.most is not None and args.most < 1:
        parser.error("--most needs a number of at least 1")
    try:
        sections = by_section(read_rows(args.sections, SECTIONS))
        keys = list(sections)
        if args.most is not None:
            keys = most_versions(sections, args.most)
        elif args.label is not None:
            keys = [find_section(sections, args.law_code, args.label)]
    except FileNotFoundError:
        raise SystemExit(f"{args.sections} does not exist; read_law writes it") from None
    except pa.ArrowInvalid:
        raise SystemExit(f"{args.sections} is not a Parquet file; give the sections.parquet that read_law writes") from None
    except (ValueError, OSError) as error:
        raise SystemExit(str(error)) from None
    if args.csv is not None:
        write_csv(args.csv, version_frame(sections, keys))
    if args.most is not None:
        print(_table(sections, keys))
    elif args.label is not None:
        print(shown(keys[0], sections[keys[0]]))
    else:
        print(f"{sum(map(len, sections.values()))} versions of {len(keys)} sections in {args.csv}", file=sys.stderr)


def _table(sections: dict[tuple[str, str], list[Row]], keys: Sequence[tuple[str, str]]) -> str:
    lines = [("law_code", "label", "versions", "first_start", "last_start")]
    for key in keys:
        starts = [row["valid_from"] for row in sections[key] if row["valid_from"]]
        lines.append((*key, str(len(sections[key])), str(min(starts, default="")), str(max(starts, default=""))))
    widths = [max(len(line[place]) for line in lines) for place in range(len(lines[0]))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines)


if __name__ == "__main__":
    main()
