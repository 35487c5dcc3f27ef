"""The statute book of book.py and two items; vectors are chosen so that each search can be done with a pencil."""

import csv
import datetime as dt
import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from retrieval.book import CORPUS_DATE, LAWS, SECTIONS, WAGE_1_NEW, WAGE_1_OLD, WAGE_2, WAGE_3

from inforce.config.model import Embedding
from inforce.records import tables
from inforce.records.answers import Answer, Search, Usage
from inforce.records.items import Citation, Item, SubQuestion
from inforce.records.lines import write_lines
from inforce.retrieval import measure_retrieval
from inforce.retrieval.build_index import build_index, save_index
from inforce.retrieval.measure_retrieval import Found, Query, Tally, gold_sections, main, report_frame, tally_answers, tally_queries
from inforce.retrieval.search_store import SearchStore
from inforce.retrieval.vectors import unit

LAW_DATE = dt.date(2004, 6, 1)
WAGE_1, WAGE_2_SECTION = WAGE_1_OLD.split("/v/")[0], WAGE_2.split("/v/")[0]
ANGLES = {"pay day": 0.0, "interest": 1.0}  # of a right angle


def citation(version, loadbearing=True):
    empty = dict.fromkeys(("law_name_th", "label", "valid_from", "valid_to", "current_uri", "drift"))
    return Citation(law_code="WAGE", is_loadbearing=loadbearing, version_uri=version, **empty)


def question(text, *citations):
    return SubQuestion(
        question=text, question_type="ruling", depends_on_previous=False, verdict="v", reasoning="r", citations=list(citations)
    )


def item(name, band, *questions):
    return Item(
        id=name,
        domain="labour",
        court="c",
        source="s",
        source_id="1",
        decision_date=LAW_DATE.isoformat(),
        date_precision="day",
        law_date=LAW_DATE,
        applicable_date=None,
        year_be=2547,
        decade="2540s",
        title="t",
        fact_pattern="facts",
        drift_band=band,
        n_sub_questions=len(questions),
        n_cited_laws=1,
        asks_shared_question=[],
        corpus_date=CORPUS_DATE,
        sub_questions=list(questions),
    )


ITEMS = [
    item("a", "amended", question("pay day", citation(WAGE_1_OLD), citation(WAGE_3, loadbearing=False))),
    item("b", "repealed", question("interest", citation(WAGE_2)), question("nothing held", citation(None))),
]


def answer(item_id, setting, *searches):
    return Answer(
        item_id=item_id,
        model="m",
        setting=setting,
        sample=1,
        status="ok",
        detail=None,
        request_sha256=[],
        sub_answers=[],
        raw_text="",
        search_trace=[Search(query="q", version_uris=list(found)) for found in searches],
        n_tool_call_errors=0,
        usage=Usage(),
        finish_reason="stop",
    )


def rates(frame, **where):
    for column, value in where.items():
        frame = frame[frame[column] == value]
    return {row.drift_band: (row.hits, row.n, row.left_out) for row in frame.itertuples()}


def test_only_load_bearing_gold_that_the_corpus_holds_counts():
    assert gold_sections(ITEMS[0].sub_questions) == {WAGE_1}
    assert gold_sections([ITEMS[1].sub_questions[1]]) == frozenset()


def test_a_section_is_found_in_whatever_version_and_recall_is_of_the_exact_results():
    queries = [
        Query("question", "amended", "q", frozenset([WAGE_1]), CORPUS_DATE, "current"),
        Query("question", "repealed", "q", frozenset([WAGE_1, WAGE_2_SECTION]), CORPUS_DATE, "current"),
        Query("question", "repealed", "q", frozenset(), CORPUS_DATE, "current"),
    ]
    tally = Tally()
    tally_queries(tally, queries, [Found([WAGE_1_NEW], [WAGE_1_NEW, WAGE_3]), Found([WAGE_1_NEW], [WAGE_1_NEW]), Found([], [WAGE_3])])
    frame = report_frame(tally, 10)
    assert rates(frame, measure="recall") == {"all": (2, 4, 0), "no_drift": (0, 0, 0), "amended": (1, 2, 0), "repealed": (1, 2, 0)}
    assert rates(frame, measure="gold_sections") == {"all": (2, 3, 0), "no_drift": (0, 0, 0), "amended": (1, 1, 0), "repealed": (1, 2, 0)}
    assert rates(frame, measure="searches_with_gold") == {
        "all": (2, 2, 1),
        "no_drift": (0, 0, 0),
        "amended": (1, 1, 0),
        "repealed": (1, 1, 1),
    }
    assert frame[frame.drift_band == "no_drift"].rate.isna().all()


def test_the_models_own_searches():
    tally = Tally()
    answers = [
        answer("a", "rag_in_force", [WAGE_3], [WAGE_1_OLD, WAGE_2]),
        answer("b", "rag_in_force"),
        answer("a", "gold_in_force", [WAGE_1_OLD]),
    ]
    tally_answers(tally, ITEMS, answers)
    frame = report_frame(tally, 10)
    assert set(frame["queries"]) == {"agent"}
    assert rates(frame, measure="gold_sections", setting="rag_in_force") == {
        "all": (1, 1, 1),
        "no_drift": (0, 0, 0),
        "amended": (1, 1, 0),
        "repealed": (0, 0, 1),  # the model did not search for that item
    }
    assert rates(frame, measure="searches_with_gold")["all"] == (1, 2, 0)
    with pytest.raises(ValueError, match="item z, which the run's items do not hold"):
        tally_answers(tally, ITEMS, [answer("z", "rag_current")])


versions = st.lists(st.sampled_from([WAGE_1_OLD, WAGE_1_NEW, WAGE_2, WAGE_3]), unique=True)


@settings(deadline=None, max_examples=30)
@given(st.lists(st.tuples(versions, versions), min_size=1, max_size=6))
def test_hits_never_exceed_n_and_bands_sum_to_all(results):
    tally = Tally()
    bands = ["no_drift", "amended", "repealed"]
    queries = [
        Query("question", bands[place % 3], str(place), frozenset([WAGE_1]), CORPUS_DATE, "current") for place, _ in enumerate(results)
    ]
    tally_queries(tally, queries, [Found(*result) for result in results])
    for _, rows in report_frame(tally, 10).groupby("measure"):
        assert (rows.hits <= rows.n).all()
        whole, parts = rows[rows.drift_band == "all"], rows[rows.drift_band != "all"]
        assert [whole[name].sum() for name in ("hits", "n", "left_out")] == [parts[name].sum() for name in ("hits", "n", "left_out")]


class Pencil:
    """Stands for a model: a query points to the angle of its last line."""

    def queries(self, texts):
        angles = [np.pi / 2 * ANGLES.get(text.split("\n")[-1], 0.5) for text in texts]
        return unit([[np.cos(angle), np.sin(angle)] for angle in angles])


@pytest.fixture
def files(tmp_path, monkeypatch):
    """A book whose rows lie evenly from pay day to interest; only the nearest one is returned."""
    monkeypatch.setattr(measure_retrieval, "open_embedding", lambda config, threads: Pencil())
    tables.write_table(tmp_path / "laws.parquet", LAWS, tables.LAWS)
    tables.write_table(tmp_path / "sections.parquet", SECTIONS, tables.SECTIONS)
    # pay day: both versions of WAGE 1; interest: WAGE 2; all else between
    angles = np.array([0.5, 0.5, 0.0, 0.0, 1.0, 0.5, 0.5]) * np.pi / 2
    vectors = unit(np.stack([np.cos(angles), np.sin(angles)], axis=1))
    np.save(tmp_path / "vectors.npy", vectors)
    save_index(build_index(vectors), tmp_path / "index.bin")
    (tmp_path / "versions.json").write_text(json.dumps([row["version_uri"] for row in SECTIONS]))
    write_lines(tmp_path / "items.jsonl", ITEMS)
    write_lines(tmp_path / "answers.jsonl", [answer("a", "rag_current", [WAGE_1_NEW])])
    (tmp_path / "protocol.yaml").write_text("models: [m]\npanel: [j]\nsearch: {embedding: e, top_k: 1}\n")
    (tmp_path / "embedding.yaml").write_text("checkpoint: pencil\nrevision: '1'\n")
    return tmp_path


def arguments(folder, out, *more):
    names = {
        "items": "items.jsonl",
        "laws": "laws.parquet",
        "sections": "sections.parquet",
        "protocol-config": "protocol.yaml",
        "embedding-config": "embedding.yaml",
        "answers": "answers.jsonl",
        "responses": "responses",
        "latency": f"{out}.json",
        "out": f"{out}.csv",
    }
    return ["--run", "r", *(part for name, file in names.items() for part in (f"--{name}", str(folder / file))), *more]


def index_arguments(folder):
    names = {"vectors": "vectors.npy", "versions": "versions.json", "index": "index.bin"}
    return [part for name, file in names.items() for part in (f"--{name}", str(folder / file))]


def test_the_command_by_pencil_and_an_auditor_without_a_model_gets_the_same_bytes(files, monkeypatch):
    main(arguments(files, "first", *index_arguments(files)))
    rows = {
        (row["queries"], row["index"], row["measure"], row["drift_band"]): (row["hits"], row["n"], row["left_out"], row["rate"])
        for row in csv.DictReader((files / "first.csv").read_text(encoding="utf-8").splitlines())
    }
    for kind in ("question", "facts_and_question"):
        # interest is repealed: the index of the day finds it, the current one cannot
        assert rows[kind, "current", "gold_sections", "all"] == ("1", "2", "0", "0.5")
        assert rows[kind, "in_force", "gold_sections", "all"] == ("2", "2", "0", "1")
        assert rows[kind, "current", "gold_sections", "repealed"] == ("0", "1", "0", "0")
        assert rows[kind, "in_force", "searches_with_gold", "repealed"] == ("1", "1", "1", "1")
        assert rows[kind, "in_force", "recall", "all"] == ("3", "3", "0", "1")
        assert rows[kind, "current", "recall", "no_drift"] == ("0", "0", "0", "")
    assert rows["agent", "current", "gold_sections", "amended"] == ("1", "1", "0", "1")
    assert json.loads((files / "first.json").read_text())["index"]["n"] == 12
    monkeypatch.setattr(measure_retrieval, "open_embedding", lambda *_, **__: pytest.fail("embedded"))
    main(arguments(files, "again", "--stored-only"))
    assert (files / "again.csv").read_bytes() == (files / "first.csv").read_bytes()
    assert json.loads((files / "again.json").read_text())["index"] == {"n": 0, "median_ms": None, "p95_ms": None}


def test_what_is_missing_is_one_sentence(files):
    with pytest.raises(SystemExit, match="holds no search named"):
        main(arguments(files, "x", "--stored-only"))
    with pytest.raises(SystemExit, match="needs --vectors, --versions and --index"):
        main(arguments(files, "x"))


def test_a_search_of_the_report_has_the_name_that_the_search_tool_gives_it(files):
    layer = measure_retrieval.open_layer(None, None, [row["version_uri"] for row in SECTIONS], SECTIONS, LAWS)
    config = Embedding(checkpoint="pencil", revision="1")
    searcher = measure_retrieval.Searcher(layer, config, SearchStore(files / "s", "w"), 1)
    tool = measure_retrieval.SearchTool(layer, None, None, config.identity(), LAW_DATE, False, 1, None)
    assert searcher._names(Query("question", "amended", "pay day", frozenset(), LAW_DATE, "in_force"))[0] == tool.name("pay day")
