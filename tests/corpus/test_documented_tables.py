"""The examples of docs/new-jurisdiction.md on tables and decisions, read as they stand there."""

import re

import pytest
import yaml
from corpus.small import ROOT

from inforce.config.jurisdiction import Jurisdiction
from inforce.config.load import check_config
from inforce.corpus.read_decisions import read_decisions
from inforce.corpus.read_law import read_law

DOC = (ROOT / "docs" / "new-jurisdiction.md").read_text(encoding="utf-8")


def blocks(kind, word):
    return next(text for text in re.findall(rf"```{kind}\n(.*?)```", DOC, re.DOTALL) if word in text)


@pytest.fixture
def folder(tmp_path):
    more = "".join(f"{key},CODE,{label},2500-01-01,0000-00-00,x\n" for key, label in (("A-334-00", 334), ("A-083-00", 83)))
    (tmp_path / "sections.csv").write_text(blocks("csv", "A-1-00") + more, encoding="utf-8")
    (tmp_path / "issues.csv").write_text(blocks("csv", "12/2528"), encoding="utf-8")
    (tmp_path / "decisions.jsonl").write_text(blocks("json", "sub_questions").replace("\n", "") + "\n", encoding="utf-8")
    return tmp_path


def config(word):
    plain = {"title": "T", "language": "en", "corpus_date": "2026-01-01", "root": ".", "laws": [{"law_code": "CC", "name": "Code"}]}
    parts = yaml.safe_load(blocks("yaml", "type: table")) | yaml.safe_load(blocks("yaml", word))
    return check_config(plain | {"labels": {}} | parts, Jurisdiction, "doc.yaml")


def test_the_table(folder):
    law = read_law(folder, config("format: jsonl\n"))
    assert [(v.law_code, v.label, str(v.valid_from), str(v.valid_to)) for v in law.versions][:2] == [
        ("CC", "1", "1957-01-01", "2017-01-01"),
        ("CC", "1", "2017-01-01", "None"),
    ]
    assert law.problems == []


def test_the_record(folder):
    read = read_decisions(folder, config("format: jsonl\n"))
    assert [found.decision_id for found in read.decisions] == ["qm-2014-0203"]
    assert read.problems == []


def test_the_issue(folder):
    read = read_decisions(folder, config("format: issues_csv\n"))
    (found,) = read.decisions
    assert (found.decision_id, found.decision_date, found.fact_pattern) == ("x-7", "1985", "He took the ox.")
    assert [question.verdict for question in found.sub_questions] == ["Guilty of theft.", "Code section 334, section 83"]
    assert read.problems == []
