"""Real law and judgments: no citation of a plain form is missed, and the sections cited exist.

The data does not come with the project: set INFORCE_DATA to the folder that holds thai_tscc/, tw_six_acts.bundle and fr_code_civil.bundle.
"""

import csv
import json
import os
import re
import subprocess
from pathlib import Path

import pytest
from citations.grammars import grammar

from inforce.citations.extract import extract

DATA = Path(os.environ.get("INFORCE_DATA", "."))


def needs(name):
    return pytest.mark.skipif(not (DATA / name).exists(), reason=f"INFORCE_DATA does not name a folder with {name}, see the data's README")


def clone(bundle, folder):
    subprocess.run(["git", "clone", "--quiet", "--no-checkout", str(DATA / bundle), str(folder)], check=True)
    branch = subprocess.run(["git", "branch", "-r"], cwd=folder, check=True, capture_output=True, text=True).stdout.split()[-1]
    subprocess.run(["git", "checkout", "--quiet", "--detach", branch], cwd=folder, check=True)


def counts(texts, name, law, held, plain):
    """How many plain forms of a citation were found of how many, and how many sections cited of `law` (name -> labels) are held."""
    forms = covered = known = cited = 0
    for text, own, label in texts:
        citations = extract(text, grammar(name), own, label)
        for hit in re.finditer(plain, text):
            forms += 1
            covered += any(one.start <= hit.start() < one.end for one in citations)
        for one in citations:
            if one.kind in ("section", "range") and one.law_name in law:
                ends = [end for end in (one.label, one.to_label) if end]
                cited += len(ends)
                known += sum(end in held[one.law_name] for end in ends)
    return covered, forms, known, cited


@needs("thai_tscc/tscc_v0.1-judgement.csv")
def test_thai_judgments():
    with open(DATA / "thai_tscc/tscc_v0.1-judgement.csv", encoding="utf-8") as handle:
        rows = list(csv.DictReader(handle))
    texts = [(f"{row['fact']}\n{row['decision']}", None, None) for row in rows]
    covered, forms, _, _ = counts(texts, "th", (), {}, r"(?<!อนุ)(?<!องค์ประกอบ)มาตรา\s*(?=[0-9๐-๙])")
    assert covered == forms == 849
    agree = found = 0
    for row, (text, _, _) in zip(rows, texts, strict=True):
        applied = {f"{int(hit[1])}" for hit in re.finditer(r"CC-(\d+)-", row["lawids"])}
        penal = {one.label for one in extract(text, grammar("th")) if one.law_name == "ประมวลกฎหมายอาญา"}
        found += bool(penal)
        agree += bool(penal & applied)
    # of the decisions whose words name sections of the Penal Code, most name one that was applied
    assert found > 400 and agree / found > 0.8


@needs("tw_six_acts.bundle")
def test_taiwan_acts(tmp_path):
    clone("tw_six_acts.bundle", tmp_path / "tw")
    labels = grammar("tw").labels[0]
    texts, held = [], {}
    for path in sorted((tmp_path / "tw").rglob("*.json")):
        act = json.loads(path.read_text(encoding="utf-8-sig"))
        sections = [(one["條號"], one["條文內容"]) for one in act["法規內容"] if "條文內容" in one]
        held[act["法規名稱"]] = {labels.normalise(label) for label, _ in sections}
        texts += [(text, act["法規名稱"], label) for label, text in sections]
    covered, forms, known, cited = counts(texts, "tw", held, held, r"第\s*[0-9〇零一二兩三四五六七八九十百千-]+\s*條")
    assert covered == forms > 1400
    assert cited > 1500 and known / cited > 0.99


@needs("fr_code_civil.bundle")
def test_french_civil_code(tmp_path):
    clone("fr_code_civil.bundle", tmp_path / "fr")
    labels = grammar("fr").labels[0]
    texts = [
        (path.read_text(encoding="utf-8").split("----", 1)[1], "code civil", path.stem.removeprefix("Article "))
        for path in sorted((tmp_path / "fr").rglob("Article *.md"))
    ]
    held = {"code civil": {labels.normalise(label) for _, _, label in texts}}
    covered, forms, known, cited = counts(texts, "fr", held, held, r"\b[Aa]rticles?\s+(?=[LRD]\.|\d)")
    assert covered == forms > 800
    # the rest: articles that were repealed while others still name them, and other codes named only at the start of a long list
    assert cited > 1000 and known / cited > 0.97
