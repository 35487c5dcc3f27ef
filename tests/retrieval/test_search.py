import datetime as dt
import json

import faiss
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from retrieval.book import CORPUS_DATE, LAWS, SECTIONS, WAGE_1_NEW, WAGE_1_OLD, WAGE_2, WAGE_3, law, version

from inforce.records.dates import covers
from inforce.retrieval import search
from inforce.retrieval.build_index import build_index, save_index
from inforce.retrieval.search import SearchLayer, SearchTool, cut, open_layer
from inforce.retrieval.search_store import MissingSearchError, SearchStore
from inforce.retrieval.vectors import unit

DAY = dt.date(2004, 6, 1)


def layer_of(sections, laws, vectors):
    return SearchLayer(build_index(vectors), vectors, [row["version_uri"] for row in sections], sections, laws)


def book_layer():
    """Row i points i degrees of a right angle away from the x axis, so that a query along x finds row 0 first."""
    angles = np.linspace(0, np.pi / 2, len(SECTIONS))
    return layer_of(SECTIONS, LAWS, unit(np.stack([np.cos(angles), np.sin(angles)], axis=1)))


def tool_of(layer, day=DAY, active_only=False, top_k=10, chars=None, store=None, query=(1, 0)):
    return SearchTool(layer, lambda _: unit([query])[0], store, {"checkpoint": "x"}, day, active_only, top_k, chars)


def found(tool):
    return [result.version_uri for result in tool.search("q")]


def test_what_is_in_force_on_the_day_is_found_best_first():
    assert found(tool_of(book_layer())) == [WAGE_1_OLD, WAGE_2, WAGE_3]
    assert found(tool_of(book_layer(), query=(0, 1))) == [WAGE_3, WAGE_2, WAGE_1_OLD]
    assert found(tool_of(book_layer(), top_k=2)) == [WAGE_1_OLD, WAGE_2]


@pytest.mark.parametrize(
    ("day", "expected"),
    [
        ("1979-12-31", []),
        ("1980-01-01", ["x/law/LEND/section-5/v/1980-01-01"]),
        ("1999-12-31", ["x/law/LEND/section-5/v/1980-01-01", WAGE_1_OLD, WAGE_2, WAGE_3]),
        ("2000-01-01", [WAGE_1_OLD, WAGE_2, WAGE_3]),  # the law ended, though its section's own interval is open
        ("2009-12-31", [WAGE_1_OLD, WAGE_3]),
        ("2010-01-01", [WAGE_1_NEW, WAGE_3]),
        ("2027-01-01", [WAGE_1_NEW, "x/law/WAGE/section-3_bis/v/2027-01-01"]),
    ],
)
def test_intervals_are_half_open_and_end_with_their_law(day, expected):
    assert found(tool_of(book_layer(), dt.date.fromisoformat(day))) == expected


def test_the_current_law_leaves_out_laws_that_are_not_active_even_where_the_day_of_their_end_is_unknown():
    laws = [LAWS[0], {**law("LEND", "Lending Act"), "is_active": False}]
    layer = SearchLayer(None, None, [row["version_uri"] for row in SECTIONS], SECTIONS, laws)
    assert "x/law/LEND/section-5/v/1980-01-01" in {layer.versions[row] for row in layer.in_force(CORPUS_DATE, active_only=False)}
    assert {layer.versions[row] for row in layer.in_force(CORPUS_DATE, active_only=True)} == {WAGE_1_NEW, WAGE_3}


def test_a_text_of_unknown_start_is_found_from_the_day_by_which_it_has_begun():
    sections = [
        version("WAGE", "1", None, None, "no bound"),
        {**version("WAGE", "2", None, None, "bound"), "begun_by": dt.date(1970, 1, 1)},
    ]
    layer = SearchLayer(None, None, [row["version_uri"] for row in sections], sections, LAWS)
    assert [list(layer.in_force(dt.date(*day), True)) for day in ((1969, 12, 31), (1970, 1, 1), (2026, 9, 1))] == [[], [1], [1]]


def test_a_result_shows_law_label_dates_and_a_cut_text():
    first = tool_of(book_layer(), chars=20).search("q")[2]
    assert first == (WAGE_3, "Wage Act", "3 bis", dt.date(1990, 1, 1), dt.date(2027, 1, 1), "A wage is paid in m…")
    assert [cut("abcdef", chars) for chars in (None, 6, 4)] == ["abcdef", "abcdef", "abc…"]
    assert cut("abc def", 5) == "abc…"


def test_equal_likeness_is_broken_by_the_name_also_at_the_last_place():
    sections = [version("WAGE", label, "1990-01-01", None, "same") for label in ("9", "3", "7", "1", "5")]
    layer = layer_of(sections, LAWS, unit(np.ones((5, 3))))
    assert [uri.split("section-")[1][0] for uri in found(tool_of(layer, top_k=3, query=(1, 1, 1)))] == ["1", "3", "5"]


def test_last_bits_decide_nothing():
    sections = [version("WAGE", label, "1990-01-01", None, label) for label in ("2", "1")]
    vectors = np.array([[1, 0], [1 - 1e-7, 0]], dtype=np.float32)
    assert [uri.split("section-")[1][0] for uri in found(tool_of(layer_of(sections, LAWS, vectors)))] == ["1", "2"]


days = st.dates(dt.date(1990, 1, 1), dt.date(1990, 3, 1))


@st.composite
def books(draw):
    """Any laws and versions over two months; starts may be unknown, ends may lie before starts."""
    laws = [law(code, code, draw(st.none() | days)) for code in ("A", "B", "C")]
    rows = draw(st.lists(st.tuples(st.sampled_from("ABC"), st.none() | days, st.none() | days), min_size=1, max_size=40))
    sections = []
    for number, (code, start, end) in enumerate(rows):
        row = version(code, str(number), None, None, f"text {number}")
        sections.append({**row, "valid_from": start, "valid_to": end})
    seed = draw(st.integers(0, 1000))
    vectors = unit(np.random.Generator(np.random.PCG64(seed)).integers(-2, 3, size=(len(rows), 4)).astype(np.float32) + np.float32(0.01))
    return laws, sections, vectors


@settings(max_examples=60, deadline=None)
@given(books(), days, st.integers(1, 12), st.booleans(), st.sampled_from([0, 10**9]))
def test_a_search_returns_as_many_as_there_are_each_in_force_the_best_first(book, day, top_k, active_only, exact_rows):
    laws, sections, vectors = book
    ends = {row["law_code"]: row for row in laws}
    allowed = {
        row["version_uri"]: vectors[number]
        for number, row in enumerate(sections)
        if covers(row["valid_from"], row["valid_to"], day)
        and (ends[row["law_code"]]["repealed_on"] is None or day < ends[row["law_code"]]["repealed_on"])
        and (not active_only or ends[row["law_code"]]["is_active"])
    }
    query = unit([[1, 0.5, -0.25, 0.1]])[0]
    before, search.EXACT_ROWS = search.EXACT_ROWS, exact_rows
    try:
        got = layer_of(sections, laws, vectors).nearest(query, day, active_only, top_k)
    finally:
        search.EXACT_ROWS = before
    assert len(got) == min(top_k, len(allowed))
    assert got == sorted(allowed, key=lambda uri: (-round(float(allowed[uri].astype(float) @ query.astype(float)), 5), uri))[:top_k]


def test_the_index_under_a_filter_finds_what_exact_search_finds(monkeypatch):
    generator = np.random.Generator(np.random.PCG64(3))
    centres = generator.normal(size=(60, 32))
    vectors = unit(centres[generator.integers(0, 60, 3000)] + 0.3 * generator.normal(size=(3000, 32)))
    sections = []
    for number in range(3000):
        start = "1990-01-01" if number % 3 else "2010-01-01"  # two of three are in force on the day
        sections.append(version("WAGE", str(number), start, None, "t"))
    layer = layer_of(sections, LAWS, vectors)
    queries = unit(centres[:40] + 0.3 * generator.normal(size=(40, 32)))
    exact = [layer.nearest(query, DAY, False, 10) for query in queries]
    monkeypatch.setattr(search, "EXACT_ROWS", 0)
    through = [layer.nearest(query, DAY, False, 10) for query in queries]
    hits = sum(len(set(one) & set(other)) for one, other in zip(exact, through, strict=True))
    assert hits >= 0.99 * 400


def test_a_stored_search_is_neither_embedded_nor_run_again(tmp_path):
    first = SearchStore(tmp_path, "a")
    expected = tool_of(book_layer(), store=first).search("q")
    bare = SearchLayer(None, None, [row["version_uri"] for row in SECTIONS], SECTIONS, LAWS)
    again = SearchTool(
        bare, lambda _: pytest.fail("embedded"), SearchStore(tmp_path, "b", stored_only=True), {"checkpoint": "x"}, DAY, False, 10, None
    )
    assert again.search("q") == expected
    with pytest.raises(MissingSearchError):
        again.search("another")


def test_a_search_s_name_changes_with_all_that_decides_its_results():
    layer = book_layer()
    changed = [*SECTIONS[:-1], {**SECTIONS[-1], "text_sha256": "0"}]
    names = {
        tool_of(layer).name("q"),
        tool_of(layer).name("p"),
        tool_of(layer, day=CORPUS_DATE).name("q"),
        tool_of(layer, active_only=True).name("q"),
        tool_of(layer, top_k=9).name("q"),
        tool_of(SearchLayer(None, None, layer.versions, changed, LAWS)).name("q"),
        SearchTool(layer, lambda _: None, None, {"checkpoint": "y"}, DAY, False, 10, None).name("q"),
    }
    assert len(names) == 7
    assert tool_of(layer, chars=5).name("q") in names  # what is shown of a result decides nothing


def test_a_query_that_is_no_vector_is_refused_and_the_zero_vector_finds_by_name(monkeypatch):
    monkeypatch.setattr(search, "EXACT_ROWS", 0)
    layer = book_layer()
    for value in (np.nan, np.inf):
        with pytest.raises(ValueError, match="the vector of a query holds values that are no numbers"):
            layer.nearest(np.array([value, 0], np.float32), DAY, False, 2)
    none = np.zeros(2, np.float32)
    assert (
        layer.nearest(none, DAY, False, 2) == layer.nearest_exactly(none, DAY, False, 2) == sorted(layer.nearest(none, DAY, False, 9))[:2]
    )


def test_versions_named_twice_are_refused():
    versions = [row["version_uri"] for row in SECTIONS]
    with pytest.raises(ValueError, match=rf"versions hold {versions[0]} more than once"):
        SearchLayer(None, None, [*versions, versions[0]], SECTIONS, LAWS)
    with pytest.raises(ValueError, match=rf"{versions[-1]} is only in one of them"):
        SearchLayer(None, None, [*versions[:-1], versions[0]], SECTIONS, LAWS)


def test_files_that_were_not_made_together_are_refused(tmp_path):
    vectors = unit(np.ones((len(SECTIONS), 2)))
    np.save(tmp_path / "v.npy", vectors)
    save_index(build_index(vectors), tmp_path / "i")
    versions = [row["version_uri"] for row in SECTIONS]
    assert len(open_layer(tmp_path / "i", tmp_path / "v.npy", json.loads(json.dumps(versions)), SECTIONS, LAWS).versions) == 7
    with pytest.raises(ValueError, match="x/law/LEND/section-5/v/1980-01-01 is only in one of them"):
        open_layer(tmp_path / "i", tmp_path / "v.npy", versions, SECTIONS[1:], LAWS)
    with pytest.raises(ValueError, match="vectors hold 7 rows, versions 6"):
        open_layer(tmp_path / "i", tmp_path / "v.npy", versions[1:], SECTIONS[1:], LAWS)
    save_index(build_index(unit(np.ones((len(SECTIONS), 3)))), tmp_path / "three")
    with pytest.raises(ValueError, match=r"three is of vectors of 3 numbers, .*v\.npy has 2"):
        open_layer(tmp_path / "three", tmp_path / "v.npy", versions, SECTIONS, LAWS)
    faiss.write_index(faiss.IndexFlatIP(2), str(tmp_path / "flat"))
    with pytest.raises(ValueError, match=r"flat is an index of another kind \(IndexFlatIP\)"):
        open_layer(tmp_path / "flat", tmp_path / "v.npy", versions, SECTIONS, LAWS)
    others = unit(np.eye(len(SECTIONS), 2)[::-1] + np.array([[0.1, -0.2]]))
    np.save(tmp_path / "others.npy", others)
    with pytest.raises(ValueError, match=r"i is of other vectors than .*others\.npy"):
        open_layer(tmp_path / "i", tmp_path / "others.npy", versions, SECTIONS, LAWS)
    np.save(tmp_path / "flat.npy", np.ones(7, np.float32))
    with pytest.raises(ValueError, match=r"flat\.npy holds an array of shape \(7,\), not rows of vectors"):
        open_layer(tmp_path / "i", tmp_path / "flat.npy", versions, SECTIONS, LAWS)
    (tmp_path / "bad").write_bytes(b"no index")
    with pytest.raises(ValueError, match="bad is not an index"):
        open_layer(tmp_path / "bad", tmp_path / "v.npy", versions, SECTIONS, LAWS)
