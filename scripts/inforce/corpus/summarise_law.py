"""What a jurisdiction's law holds, in figures to check against what the source says of itself. Needs no decisions.

facts.csv, one fact a row: laws and how many of them are active on the corpus date; sections, versions and the sections with one, two ...
versions; amended sections (with more than one version) and their share of all; pairs of consecutive versions, and those of them without a gap;
the first and the last known start; versions of unknown start; versions that begin after the corpus date; sections
that end after it (the last version has an end, and none follows); sections in force on it.

problem_counts.csv: the rows of law_problems.csv by kind and by what was done.
"""

from __future__ import annotations

import argparse
import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pandas as pd

from inforce.config.jurisdiction import Jurisdiction
from inforce.config.load import ConfigError, read_config
from inforce.records.dates import covers
from inforce.records.problems import Problem, read_problems
from inforce.records.tables import LAWS, SECTIONS, read_rows, write_csv

Row = dict[str, Any]


def law_facts(laws: Sequence[Row], sections: Sequence[Row], corpus_date: dt.date) -> dict[str, str]:
    """The facts in the order of the file; empty where there is none, such as the first start of no version."""
    by_section: dict[str, list[Row]] = defaultdict(list)
    for row in sections:
        by_section[row["section_uri"]].append(row)
    versions = [sorted(rows, key=lambda row: row["valid_from"] or dt.date.min) for rows in by_section.values()]
    pairs = [pair for rows in versions for pair in pairwise(rows)]
    starts = [row["valid_from"] for row in sections if row["valid_from"]]
    ended = {row["law_code"]: row["repealed_on"] for row in laws}
    amended = sum(len(rows) > 1 for rows in versions)
    facts: dict[str, object] = {
        "laws": len(laws),
        "active_laws": sum(row["is_active"] for row in laws),
        "sections": len(versions),
        "versions": len(sections),
        "amended_sections": amended,
        "amended_share": f"{amended / len(versions):.6g}" if versions else "",
        "consecutive_pairs": len(pairs),
        "contiguous_pairs": sum(before["valid_to"] == after["valid_from"] for before, after in pairs),
        "first_start": min(starts, default=""),
        "last_start": max(starts, default=""),
        "unknown_starts": len(sections) - len(starts),
        "future_versions": sum(start > corpus_date for start in starts),
        "future_endings": sum(_ends_after(rows, ended, corpus_date) for rows in versions),
        "sections_in_force": sum(any(_in_force(row, ended, corpus_date) for row in rows) for rows in versions),
    }
    for n, count in sorted(Counter(map(len, versions)).items()):
        facts[f"sections_with_{n}_version{'s' if n > 1 else ''}"] = count
    return {name: str(value) for name, value in facts.items()}


def _ends_after(rows: Sequence[Row], ended: dict[str, dt.date | None], day: dt.date) -> bool:
    """Whether the section's last version, or its law before that, ends after the day."""
    ends = [end for end in (rows[-1]["valid_to"], ended.get(rows[-1]["law_code"])) if end]
    return bool(ends) and min(ends) > day


def _in_force(row: Row, ended: dict[str, dt.date | None], day: dt.date) -> bool:
    end = ended.get(row["law_code"])
    return covers(row["valid_from"], row["valid_to"], day, row["begun_by"]) and (end is None or day < end)


def problem_counts(problems: Iterable[Problem]) -> pd.DataFrame:
    """Kind, action, n; sorted by kind."""
    counts = Counter((problem.kind, problem.action) for problem in problems)
    return pd.DataFrame([(*key, n) for key, n in sorted(counts.items())], columns=["kind", "action", "n"])


def main(argv: list[str] | None = None) -> None:
    """The command; see the module's text."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.corpus.summarise_law --jurisdiction-config config/jurisdictions/demo.yaml "
        "--laws results/corpus/demo/laws.parquet --sections results/corpus/demo/sections.parquet "
        "--problems results/corpus/demo/law_problems.csv --facts facts.csv --counts problem_counts.csv",
    )
    parser.add_argument("--jurisdiction-config", required=True, type=Path, help="config/jurisdictions/NAME.yaml")
    parser.add_argument("--laws", required=True, type=Path, help="laws.parquet")
    parser.add_argument("--sections", required=True, type=Path, help="sections.parquet")
    parser.add_argument("--problems", required=True, type=Path, help="law_problems.csv")
    parser.add_argument("--facts", required=True, type=Path, help="output: facts.csv")
    parser.add_argument("--counts", required=True, type=Path, help="output: problem_counts.csv")
    args = parser.parse_args(argv)
    try:
        config = read_config(args.jurisdiction_config, Jurisdiction)
        facts = law_facts(read_rows(args.laws, LAWS), read_rows(args.sections, SECTIONS), config.corpus_date)
        counts = problem_counts(read_problems(args.problems))
    except (ConfigError, ValueError, OSError) as error:
        raise SystemExit(str(error)) from None
    write_csv(args.facts, pd.DataFrame({"fact": list(facts), "value": list(facts.values())}))
    write_csv(args.counts, counts)
    shown = ("sections", "versions", "amended_sections", "amended_share", "first_start", "last_start")
    print(", ".join(f"{name.replace('_', ' ')} {facts[name]}" for name in shown) + f"; {int(counts['n'].sum())} problems")


if __name__ == "__main__":
    main()
