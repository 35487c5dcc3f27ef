import json
import os
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from inforce.citations.extract_citations import main
from inforce.records.tables import LAWS, SECTIONS, write_table

ROOT = Path(__file__).parents[2]
GRAMMAR = str(ROOT / "config" / "citations" / "en_demo.yaml")
DEMO = ROOT / "config" / "jurisdictions" / "demo"


def write_texts(path, *texts):
    path.write_text("".join(json.dumps(text, ensure_ascii=False) + "\n" for text in texts), encoding="utf-8")
    return str(path)


def read(path):
    return [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]


@pytest.fixture
def corpus(tmp_path):
    """The demo's law as tables."""
    laws = pd.read_csv(DEMO / "laws.csv", parse_dates=["enacted", "repealed_on"])
    write_table(
        tmp_path / "laws.parquet",
        [
            {
                "law_code": row.law_code,
                "name": row.name,
                "aliases": row.aliases.split(";"),
                "kind": row.kind,
                "enacted": row.enacted.date(),
                "repealed_on": None if pd.isna(row.repealed_on) else row.repealed_on.date(),
                "is_active": pd.isna(row.repealed_on),
            }
            for row in laws.itertuples(index=False)
        ],
        LAWS,
    )
    sections = pd.read_csv(DEMO / "sections.csv", dtype=str, keep_default_na=False)
    write_table(
        tmp_path / "sections.parquet",
        [
            {
                "version_uri": f"demo/law/{row.law_code}/section-{row.label.replace(' ', '_')}/v/{row.valid_from}",
                "section_uri": f"demo/law/{row.law_code}/section-{row.label.replace(' ', '_')}",
                "law_code": row.law_code,
                "label": row.label,
                "component_type": "section",
                "valid_from": pd.Timestamp(row.valid_from).date(),
                "valid_to": pd.Timestamp(row.valid_to).date() if row.valid_to else None,
                "date_status": "exact",
                "begun_by": None,
                "text": row.text,
                "text_sha256": "",
                "source": "",
            }
            for row in sections.itertuples(index=False)
        ],
        SECTIONS,
    )
    return tmp_path


def test_one_line_a_citation(tmp_path):
    texts = write_texts(
        tmp_path / "in.jsonl", {"id": "a", "text": "Section 16(2) of the Consumer Sales Act.", "more": 1}, {"id": "b", "text": ""}
    )
    main(["--grammar", GRAMMAR, "--texts", texts, "--out", str(tmp_path / "out.jsonl")])
    assert read(tmp_path / "out.jsonl") == [
        {
            "id": "a",
            "start": 0,
            "end": 13,
            "text": "Section 16(2)",
            "kind": "section",
            "unit": "section",
            "law_code": None,
            "law_name": None,
            "law_words": "Consumer Sales Act",
            "law_from": "named",
            "label": "16",
            "to_label": None,
            "offset": None,
            "paragraph": ["subsection 2"],
            "versions": None,
        }
    ]


def run_on(corpus, date, *texts, workers=1):
    out = corpus / "out.jsonl"
    main(
        [
            *("--grammar", GRAMMAR, "--texts", write_texts(corpus / "in.jsonl", *texts), "--out", str(out)),
            *("--laws", str(corpus / "laws.parquet"), "--sections", str(corpus / "sections.parquet"), "--date", date),
            *("--workers", str(workers)),
        ]
    )
    return read(out)


def test_versions_in_force_on_the_day(corpus):
    # SALE 12 changes on 2014-07-01, SALE 11 on 2014-01-01 (demo README)
    text = {"id": "a", "text": "Sections 11 and 12 of the Consumer Sales Act, and section 4 of the Food Premises Hygiene Order 1993."}
    lines = run_on(corpus, "2014-03-01", text)
    uris = [[version["version_uri"] for version in line["versions"]] for line in lines]
    assert uris[0] == ["demo/law/SALE/section-11/v/2014-01-01"]
    assert uris[1] != ["demo/law/SALE/section-12/v/2014-07-01"] and uris[1][0].startswith("demo/law/SALE/section-12/v/")
    assert lines[2]["versions"] == [{"label": "4", "version_uri": None, "status": "no_law"}]


def test_the_demo_s_decisions_cite_what_they_are_said_to_cite(corpus):
    decisions = read(DEMO / "decisions.jsonl")
    texts = [
        {
            "id": decision["decision_id"],
            "text": "\n".join(f"{asked['verdict']} {asked['reasoning']}" for asked in decision["sub_questions"]),
        }
        for decision in decisions
    ]
    found = {(line["id"], line["law_code"], line["label"]) for line in run_on(corpus, "2026-09-01", *texts)}
    gold = {
        (decision["decision_id"], cited["law_code"], cited["label"])
        for decision in decisions
        for asked in decision["sub_questions"]
        for cited in asked["citations"]
        if cited.get("law_code")
    }
    loadbearing = {
        (decision["decision_id"], cited["law_code"], cited["label"])
        for decision in decisions
        for asked in decision["sub_questions"]
        for cited in asked["citations"]
        if cited["is_loadbearing"] and cited.get("law_code")
    }
    assert found - gold == {("demo-1998-0345", None, "4")}  # an order that the corpus does not hold
    assert loadbearing - found == {("demo-1993-0502", "DOOR", "3")}  # relied on, but not named in its words


def test_workers_give_the_same_bytes(corpus):
    texts = [{"id": str(number), "text": f"Section {number % 20 + 1} of the Civil Code"} for number in range(1200)]
    run_on(corpus, "2000-01-01", *texts)
    alone = (corpus / "out.jsonl").read_bytes()
    run_on(corpus, "2000-01-01", *texts, workers=2)
    assert (corpus / "out.jsonl").read_bytes() == alone


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"--grammar": "none.yaml"}, "none.yaml does not exist"),
        ({"--texts": "none.jsonl"}, "none.jsonl"),
        ({"--date": "2000-01-01"}, "--sections, --date and --laws go together"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(tmp_path, change, message):
    texts = write_texts(tmp_path / "in.jsonl", {"id": "a", "text": ""})
    arguments = {"--grammar": GRAMMAR, "--texts": texts, "--out": str(tmp_path / "out.jsonl"), **change}
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "scripts")}
    command = [sys.executable, "-m", "inforce.citations.extract_citations", *(part for pair in arguments.items() for part in pair)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 1
    assert message in done.stderr and "Traceback" not in done.stderr


def test_a_line_that_is_no_text_is_named(tmp_path):
    texts = write_texts(tmp_path / "in.jsonl", {"id": "a"})
    with pytest.raises(SystemExit, match="line 1: not a Text"):
        main(["--grammar", GRAMMAR, "--texts", texts, "--out", str(tmp_path / "out.jsonl")])


def test_a_byte_order_mark_is_passed_over(tmp_path):
    texts = tmp_path / "in.jsonl"
    texts.write_text('{"id": "a", "text": "section 5"}\n', encoding="utf-8-sig")
    main(["--grammar", GRAMMAR, "--texts", str(texts), "--out", str(tmp_path / "out.jsonl")])
    assert [line["label"] for line in read(tmp_path / "out.jsonl")] == ["5"]


def test_a_text_that_is_not_utf_8_is_named(tmp_path):
    texts = tmp_path / "in.jsonl"
    texts.write_bytes(b'{"id": "a", "text": "section 5"}\n{"id": "b", "text": "d\xe9cret"}\n')
    with pytest.raises(SystemExit, match=r"in\.jsonl, line 2: not UTF-8"):
        main(["--grammar", GRAMMAR, "--texts", str(texts), "--out", str(tmp_path / "out.jsonl")])
