"""Small jurisdictions for tests, and the real Thai data where it is at hand."""

from __future__ import annotations

import csv
import io
import os
from pathlib import Path
from typing import Any

import pytest

from inforce.config.jurisdiction import Jurisdiction
from inforce.config.load import read_config

ROOT = Path(__file__).parents[2]
TSCC = Path(os.environ.get("INFORCE_DATA") or ROOT / "data") / "thai_tscc"
needs_tscc = pytest.mark.skipif(
    not TSCC.is_dir(), reason=f"the Thai data is not in {TSCC}; set INFORCE_DATA to the folder that holds thai_tscc/ (see data/README.md)"
)
TSCC_CONFIG = ROOT / "config" / "jurisdictions" / "th_tscc.yaml"
DEMO_CONFIG = ROOT / "config" / "jurisdictions" / "demo.yaml"
DEMO = ROOT / "config" / "jurisdictions" / "demo"

COLUMNS = ("law_code", "label", "valid_from", "valid_to", "text")


def jurisdiction(sections: dict[str, Any] | None = None, **values: Any) -> Jurisdiction:
    """One law `A`, sections.csv with our own column names, decisions.jsonl; whatever is given goes before that."""
    table = {"file": "sections.csv", "columns": {name: name for name in COLUMNS}} | (sections or {})
    plain = {
        "title": "Test",
        "language": "en",
        "corpus_date": "2020-01-01",
        "root": "data",
        "laws": [{"law_code": "A", "name": "Act A"}],
        "sections": table,
        "decisions": {"file": "decisions.jsonl"},
        "labels": {"unit_words": ["section", "มาตรา"], "suffix_words": ["bis", "ter"], "sub_paragraph_words": ["paragraph", "วรรค"]},
    }
    return Jurisdiction.model_validate(plain | values)


def write_rows(path: Path, rows: list[tuple[str, ...]], header: tuple[str, ...] = COLUMNS) -> None:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([header, *rows])
    path.write_text(out.getvalue(), encoding="utf-8")


def tscc_config() -> Jurisdiction:
    return read_config(TSCC_CONFIG, Jurisdiction)
