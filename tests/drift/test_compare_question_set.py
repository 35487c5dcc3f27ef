import csv
import datetime as dt
import json

import pytest
from corpus.small import DEMO, DEMO_CONFIG, TSCC, TSCC_CONFIG, needs_tscc

from inforce.config.jurisdiction import QuestionSet
from inforce.corpus import read_law
from inforce.drift.classify_citations import Corpus, Law, Version
from inforce.drift.compare_question_set import EmbeddedText, compare, laws_by_name, main, read_question_set, summary
from inforce.records.labels import LabelRules
from inforce.records.problems import read_problems

D = dt.date
LABELS = LabelRules(unit_words=("section",), suffix_words=("bis",), sub_paragraph_words=("paragraph",))


def version(label, start, end, text, law="A"):
    section = f"j/law/{law}/section-{label}"
    return Version(f"{section}/v/{start or 'unknown'}", section, law, label, start, end, text, text)


VERSIONS = [
    version("1", D(2000, 1, 1), D(2010, 1, 1), "The fee is 20 crowns."),
    version("1", D(2010, 1, 1), D(2019, 1, 1), "The fee is 30 crowns."),
    version("1", D(2019, 1, 1), D(2025, 1, 1), "The fee is 20 crowns."),  # the first text again
    version("1", D(2025, 1, 1), None, "The fee is 90 crowns."),  # in the future
    version("2", D(2000, 1, 1), None, "Once and for all."),
    version("3", D(2000, 1, 1), D(2010, 1, 1), "Gone."),
    version("4", D(2000, 1, 1), D(2010, 1, 1), "One  space."),
    version("4", D(2010, 1, 1), None, "One space."),
    version("5", D(2000, 1, 1), D(2021, 1, 1), "Before."),
    version("5", D(2021, 1, 1), None, "After."),
    version("1", D(1990, 1, 1), None, "Of a dead act.", law="B"),
    version("6", D(1949, 5, 23), D(1949, 5, 24), "Of old."),
    version("6", None, None, "Of an unknown day."),
    version("7", D(1949, 5, 23), D(1949, 5, 24), "Of old."),
    version("7", None, None, "Begun by 1970.")._replace(begun_by=D(1970, 1, 1)),
]
LAWS = [
    {"law_code": "A", "name": "Act A", "aliases": ["AA", "Code"]},
    {"law_code": "B", "name": "Act B", "aliases": None},
    {"law_code": "C", "name": "Act C", "aliases": ["Code"]},
]
TODAY = D(2020, 1, 1)


def corpus():
    sections = {}
    for found in VERSIONS:
        sections.setdefault((found.law_code, found.label), []).append(found)
    laws = {"A": Law("Act A", None, True), "B": Law("Act B", D(2015, 1, 1), False), "C": Law("Act C", None, True)}
    return Corpus(laws, sections, LABELS, TODAY)


def entry(**values):
    return QuestionSet.model_validate({"title": "Set", "file": "q.jsonl"} | values)


def compared(law, label, text, **values):
    rows, problems = compare([EmbeddedText("q", 1, law, label, text)], corpus(), laws_by_name(LAWS), entry(**values))
    return rows[0], [problem.kind for problem in problems]


@pytest.mark.parametrize(
    ("law", "label", "text", "state", "start", "ever_amended"),
    [
        ("A", "1", "The fee is 20 crowns.", "current", "2019-01-01", True),  # the old text is in force again
        ("act  a", "Section 1", "The fee is ๓๐\n crowns. ", "amended", "2010-01-01", True),
        ("AA", "2", "Once and for all.", "current", "2000-01-01", False),
        ("AA", "2, paragraph 1", "Once and for all.", "current", "2000-01-01", False),
        ("A", "3", "Gone.", "repealed", "2000-01-01", False),
        ("A", "4", "One space.", "current", "2010-01-01", False),
        ("A", "5", "Before.", "current", "2000-01-01", False),  # its amendment is in the future
        ("Act B", "1", "Of a dead act.", "repealed", "1990-01-01", False),
        ("A", "7", "Begun by 1970.", "current", "unknown", True),
        ("A", "7", "Of old.", "amended", "1949-05-23", True),
    ],
)
def test_states_by_text(law, label, text, state, start, ever_amended):
    row, problems = compared(law, label, text)
    assert (row.state, row.version_uri.rsplit("/", 1)[1], row.basis, row.ever_amended) == (state, start, "text", ever_amended)
    assert problems == []
    assert (row.current_uri is None) == (state == "repealed")


def test_a_text_of_no_version_needs_the_day():
    row, problems = compared("A", "1", "The fee is thirty crowns.")
    assert (row.state, row.version_uri, row.basis, problems) == ("unmatched", None, None, ["text_of_no_version"])
    assert row.distance_to_current == pytest.approx(1 - 15 / 27)  # 19 and 23 trigrams, 15 shared
    row, problems = compared("A", "1", "The fee is thirty crowns.", snapshot="2015-01-01")
    assert (row.state, row.basis, row.version_uri[-10:], problems) == ("amended", "snapshot", "2010-01-01", ["text_of_no_version"])
    row, _ = compared("A", "1", "The fee is twenty crowns.", snapshot="2005-01-01")
    assert row.state == "current"  # another version, and the same text as today
    row, _ = compared("A", "1", "The fee is ten crowns.", snapshot="1995-01-01")
    assert row.state == "unmatched"  # nothing was in force on that day


def test_noise_is_taken_out_of_both_texts():
    assert compared("A", "2", "Section 2. Once and for all.")[0].state == "unmatched"
    assert compared("A", "2", "Section 2. Once and for all.", noise=[r"^Section \S+ "])[0].state == "current"


@pytest.mark.parametrize(
    ("law", "label", "kind"), [("Act D", "1", "unknown_law"), ("code", "1", "ambiguous_law"), ("A", "99", "unknown_section")]
)
def test_what_cannot_be_found_is_counted_apart(law, label, kind):
    row, problems = compared(law, label, "text")
    assert (row.state, row.section_uri, row.ever_amended, problems) == ("unresolved", None, None, [kind])


@pytest.mark.parametrize("text", ["Of old.", "Of an unknown day.", "Of no version."])
def test_nothing_is_said_where_the_start_of_the_last_text_is_unknown(text):
    row, problems = compared("A", "6", text)
    assert (row.state, row.version_uri, row.current_uri, problems) == ("unresolved", None, None, ["unknown_start"])


def test_the_row_of_the_table():
    given = [
        ("A", "1", "The fee is 30 crowns."),
        ("A", "1", "The fee is 20 crowns."),
        ("A", "2", "?"),
        ("A", "3", "Gone."),
        ("D", "1", "x"),
    ]
    texts = [EmbeddedText("q", place, *fields) for place, fields in enumerate(given, start=1)]
    rows, _ = compare(texts, corpus(), laws_by_name(LAWS), entry())
    row = summary("Set", None, 3, rows)
    assert {key: row[key] for key in ("questions", "citations", "compared", "stale", "amended", "repealed", "unmatched", "unresolved")} == {
        "questions": 3,
        "citations": 5,
        "compared": 3,
        "stale": 2,
        "amended": 1,
        "repealed": 1,
        "unmatched": 1,
        "unresolved": 1,
    }
    assert row["stale_pct"] == pytest.approx(200 / 3)
    assert (row["sections"], row["ever_amended"], row["ever_amended_pct"]) == (3, 1, pytest.approx(100 / 3))
    empty = summary("Set", None, 0, [])
    assert (empty["stale_pct"], empty["ever_amended_pct"]) == (None, None)


def test_both_forms_of_a_question_set(tmp_path):
    lines = [
        {"id": 7, "laws": [{"law_name": "A", "section": 1, "content": "x"}, {"law_name": "B", "section": "2", "content": "y"}]},
        {"id": 8, "laws": []},
    ]
    (tmp_path / "q.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    columns = {"question_id": "id", "citations": "laws", "law": "law_name", "label": "section", "text": "content"}
    expected = [EmbeddedText("7", 1, "A", "1", "x"), EmbeddedText("7", 2, "B", "2", "y")]
    asked = read_question_set(tmp_path / "q.jsonl", entry(columns=columns))
    assert (asked.question_ids, asked.texts) == (["7", "8"], expected)
    (tmp_path / "q.csv").write_text("id,law_name,section,content\n7,A,1,x\n7,B,2,y\n", encoding="utf-8")
    asked = read_question_set(tmp_path / "q.csv", entry(columns=columns, file="q.csv"))
    assert (asked.question_ids, asked.texts) == (["7"], expected)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "line 2: not JSON"),
        ('{"citations": []}', "line 2: no question_id; name the file's own key under question_set.columns"),
        ('{"question_id": "r", "citations": {}}', "line 2: citations is not a list"),
        ('{"question_id": "r", "citations": [{"law": "A", "label": "1"}]}', "line 2: no text"),
        ('{"question_id": "q", "citations": []}', "line 2: question 'q' is there twice"),
    ],
)
def test_a_faulty_line_is_named(tmp_path, line, message):
    (tmp_path / "q.jsonl").write_text('{"question_id": "q", "citations": []}\n' + line + "\n", encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        read_question_set(tmp_path / "q.jsonl", entry())


def test_a_row_with_more_fields_than_the_header_is_a_problem(tmp_path):
    (tmp_path / "q.csv").write_text("question_id,law,label,text\n7,A,1,Of fines, and fees\n7,A,2,Once.\n", encoding="utf-8")
    asked = read_question_set(tmp_path / "q.csv", entry(file="q.csv"))
    assert asked.texts == [EmbeddedText("7", 1, "A", "2", "Once.")]
    assert [(problem.row, problem.kind, problem.action) for problem in asked.problems] == [("line 2", "ragged_row", "rejected")]


def make(config, root, out):
    common = ["--jurisdiction-config", str(config), "--root", str(root)]
    files = {name: name for name in ("out", "summary", "problems")} | {"laws": "laws.parquet", "sections": "sections.parquet"}
    path = {name: [f"--{name}", str(out / file)] for name, file in files.items()}
    read_law.main([*common, "--jurisdiction", config.stem, *path["laws"], *path["sections"], *path["problems"]])
    main([*common, *(part for name in path for part in path[name])])
    rows, table = (list(csv.DictReader((out / name).open(encoding="utf-8", newline=""))) for name in ("out", "summary"))
    return rows, table, read_problems(out / "problems")


def test_the_bundled_question_set(tmp_path):
    rows, (row,), problems = make(DEMO_CONFIG, DEMO, tmp_path)
    # the counts of config/jurisdictions/demo/README.md
    assert {key: value for key, value in row.items() if not key.endswith("_pct")} == {
        "question_set": "Quellmark short questions",
        "snapshot": "2016-06-30",
        "questions": "12",
        "citations": "16",
        "compared": "15",
        "stale": "10",
        "amended": "8",
        "repealed": "2",
        "unmatched": "0",
        "unresolved": "1",
        "sections": "15",
        "ever_amended": "12",
    }
    assert [(problem.row, problem.kind) for problem in problems] == [
        ("q11 citation 1", "text_of_no_version"),
        ("q12 citation 2", "unknown_law"),
    ]
    assert [row["basis"] for row in rows].count("snapshot") == 1
    before = {name: (tmp_path / name).read_bytes() for name in ("out", "summary", "problems")}
    make(DEMO_CONFIG, DEMO, tmp_path)
    assert before == {name: (tmp_path / name).read_bytes() for name in before}


@needs_tscc
def test_a_jurisdiction_without_a_question_set(tmp_path):
    assert make(TSCC_CONFIG, TSCC, tmp_path) == ([], [], [])


def test_a_missing_file_is_one_sentence(tmp_path):
    arguments = [part for name in ("laws", "sections", "out", "summary", "problems") for part in (f"--{name}", str(tmp_path / name))]
    with pytest.raises(SystemExit, match=r"question_set\.jsonl"):
        main(["--jurisdiction-config", str(DEMO_CONFIG), "--root", str(tmp_path), *arguments])
