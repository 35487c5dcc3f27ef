"""The dated corpus as the scorer looks things up in it: versions by identifier, sections by key, versions by day (NitiBench+ B.3)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from inforce.records.dates import covers
from inforce.records.items import Citation
from inforce.records.labels import LabelRules, base_label, normalise_label
from inforce.records.tables import SECTIONS
from inforce.records.uris import parse_uri

_COLUMNS = ["version_uri", "law_code", "label", "valid_from", "valid_to", "begun_by"]


class Version(NamedTuple):
    """One dated version of a section; `key` is the section's, `label` the corpus's own, which may name a sub-paragraph."""

    uri: str
    key: str
    label: str
    valid_from: dt.date | None
    valid_to: dt.date | None
    begun_by: dt.date | None = None


@lru_cache(maxsize=1 << 16)
def _base(label: str, rules: LabelRules) -> str:
    return base_label(label, rules)


def section_key(law_code: str, label: str, rules: LabelRules) -> str:
    """Identity of a section for matching: `{law_code}/{base label}`. Keys are compared whole: 1 is not in 10."""
    return f"{law_code}/{_base(label, rules)}"


@lru_cache(maxsize=1 << 16)
def full_label(label: str, rules: LabelRules) -> str:
    """A label with its sub-paragraphs, without white space: `มาตรา 289 (4)` -> `289(4)`."""
    return "".join(normalise_label(label, rules).split())


def gold_key(citation: Citation, rules: LabelRules) -> str | None:
    """The section of a gold citation, by its version identifier, else by law and label; null for an instrument not held."""
    parsed = parse_uri(citation.version_uri) if citation.version_uri else None
    if parsed:
        return section_key(parsed.law_code, parsed.label, rules)
    if citation.law_code and citation.label:
        return section_key(citation.law_code, citation.label, rules)
    return None


class DatedSections:
    """Versions of the sections that a scoring run can meet."""

    def __init__(self, rows: Iterable[dict[str, Any]], rules: LabelRules, law_codes: Collection[str] | None = None) -> None:
        """rows: the columns version_uri, law_code, label, valid_from, valid_to, begun_by of SECTIONS.

        law_codes: laws of which the whole corpus holds text; null = those of the rows.
        """
        self.by_uri: dict[str, Version] = {}
        self.by_key: dict[str, list[Version]] = {}
        held = set()
        for row in rows:
            held.add(row["law_code"])
            key = section_key(row["law_code"], row["label"], rules)
            days = row["valid_from"], row["valid_to"], row["begun_by"]
            version = Version(row["version_uri"], key, full_label(row["label"], rules), *days)
            self.by_uri[version.uri] = version
            self.by_key.setdefault(key, []).append(version)
        self.law_codes = held if law_codes is None else set(law_codes)

    def on(self, key: str, day: dt.date, label: str = "") -> Version | None:
        """The section's version in force on a day, null if none was.

        Of several (a corpus that splits a section into sub-paragraphs) the one with this `full_label`, then that with the latest start,
        then by identifier.
        """
        found = [version for version in self.by_key.get(key, []) if covers(version.valid_from, version.valid_to, day, version.begun_by)]
        return max(found, key=lambda version: (version.label == label, version.valid_from or dt.date.min, version.uri), default=None)


def read_sections(path: Path | str, rules: LabelRules, of_laws: Collection[str]) -> DatedSections:
    """The versions of some laws, without their texts: a full corpus is read in a fraction of a second.

    Raises ValueError if the columns are not those of SECTIONS.
    """
    names = pq.read_schema(path).names
    if names != SECTIONS.names:
        raise ValueError(f"{path}: columns are {names}, expected {SECTIONS.names}; make it with read_law")
    table = pq.read_table(path, columns=_COLUMNS)
    codes = pc.unique(table["law_code"]).to_pylist()
    rows = table.filter(pc.is_in(table["law_code"], value_set=pa.array(sorted(of_laws), type=pa.string()))).to_pylist()
    return DatedSections(rows, rules, codes)
