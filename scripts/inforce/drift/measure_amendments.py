"""How large amendments are: the distance between versions of a section (NitiBench+ §6.4, equation 1 and Table 11).

amendments.csv has two kinds of rows. `consecutive`: a version and the next one of its section, in the order of their starts, whether or
not days lie between them. `gold`: a version that a court applied and the version in force on the corpus date, once a pair, with the
number of decision records that cite it; a citation whose section is no longer in force has no text to compare with and no row.

A future version (start after the corpus date) has its row among the consecutive ones. Distances run from 0 (equal, white space aside)
to 1; the trigram distance can be 0 for texts that repeat the same trigrams another number of times.
"""

from __future__ import annotations

import argparse
import csv
import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import groupby, pairwise
from pathlib import Path
from typing import NamedTuple

import pandas as pd
import pyarrow.parquet as pq

from inforce.drift.distances import levenshtein_distance, trigram_distance
from inforce.records.tables import SECTIONS, write_csv

COLUMNS = (
    "kind",
    "section_uri",
    "before_uri",
    "after_uri",
    "drift",
    "decisions",
    "characters_before",
    "characters_after",
    "trigram_distance",
    "levenshtein_distance",
)


class Version(NamedTuple):
    """A version's name, section, start and text."""

    version_uri: str
    section_uri: str
    valid_from: dt.date | None
    text: str


class Gold(NamedTuple):
    """A version that courts applied, the current one, the drift between them, and how many decision records cite the first."""

    version_uri: str
    current_uri: str
    drift: str
    decisions: int


def measured(kind: str, before: Version, after: Version, drift: str = "", decisions: int | None = None) -> tuple[object, ...]:
    """One row, in the order of COLUMNS."""
    return (
        kind,
        before.section_uri,
        before.version_uri,
        after.version_uri,
        drift,
        decisions,
        len(before.text),
        len(after.text),
        trigram_distance(before.text, after.text),
        levenshtein_distance(before.text, after.text),
    )


def consecutive_rows(versions: Iterable[Version]) -> Iterator[tuple[object, ...]]:
    """Each version with the next of its section. Sections by name; a version with an unknown start goes before all others."""
    ordered = sorted(versions, key=lambda version: (version.section_uri, version.valid_from or dt.date.min, version.version_uri))
    for _, section in groupby(ordered, key=lambda version: version.section_uri):
        for before, after in pairwise(section):
            yield measured("consecutive", before, after)


def gold_rows(pairs: Iterable[Gold], versions: dict[str, Version]) -> Iterator[tuple[object, ...]]:
    """Each pair of versions, by name. Raises ValueError for a version that the sections do not hold."""
    for pair in sorted(pairs):
        for uri in (pair.version_uri, pair.current_uri):
            if uri not in versions:
                raise ValueError(f"{uri} is among the citations and not among the sections: the files are not of one run; make them again")
        yield measured("gold", versions[pair.version_uri], versions[pair.current_uri], pair.drift, pair.decisions)


def read_gold(path: Path) -> list[Gold]:
    """Pairs of citations.csv with both versions. A pair's drift can be `repealed` where the law had ended before the decision."""
    citing: dict[tuple[str, str], set[str]] = defaultdict(set)
    drifts: dict[tuple[str, str], str] = {}
    with open(path, encoding="utf-8", newline="") as handle:
        for row in csv.DictReader(handle):
            pair = row["version_uri"], row["current_uri"]
            if all(pair):
                citing[pair].add(row["decision_id"])
                drifts[pair] = row["drift"]
    return [Gold(*pair, drifts[pair], len(found)) for pair, found in citing.items()]


def read_versions(path: Path) -> dict[str, Version]:
    """All versions of sections.parquet by name. Raises ValueError if the file is another."""
    if pq.read_schema(path).names != SECTIONS.names:
        raise ValueError(f"{path} is not a sections.parquet of this version; make it again with read_law")
    table = pq.read_table(path, columns=list(Version._fields))
    return {row["version_uri"]: Version(**row) for batch in table.to_batches(max_chunksize=10_000) for row in batch.to_pylist()}


def main(argv: list[str] | None = None) -> None:
    """Command line."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.drift.measure_amendments --sections results/corpus/demo/sections.parquet "
        "--citations results/drift/demo/citations.csv --out results/drift/demo/amendments.csv",
    )
    parser.add_argument("--sections", required=True, type=Path, help="sections.parquet")
    parser.add_argument("--citations", required=True, type=Path, help="citations.csv of classify_citations")
    parser.add_argument("--out", required=True, type=Path, help="output: amendments.csv")
    args = parser.parse_args(argv)
    try:
        versions = read_versions(args.sections)
        consecutive = list(consecutive_rows(versions.values()))
        gold = list(gold_rows(read_gold(args.citations), versions))
    except (ValueError, FileNotFoundError) as error:
        raise SystemExit(str(error)) from None
    table = pd.DataFrame([*consecutive, *gold], columns=list(COLUMNS)).astype({"decisions": "Int64"})
    write_csv(args.out, table)
    print(f"{len(consecutive)} pairs of consecutive versions, {len(gold)} pairs of a version applied and the current one")


if __name__ == "__main__":
    main()
