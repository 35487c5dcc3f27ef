import pytest

from inforce.records.files import canonical_json
from inforce.retrieval.search_store import MissingSearchError, SearchStore


def test_what_one_writer_kept_another_finds(tmp_path):
    first = SearchStore(tmp_path, "a")
    assert first.find("n1") is None
    first.add("n1", "wage", ["v1", "v2"])
    second = SearchStore(tmp_path, "b")
    assert second.find("n1") == ["v1", "v2"]
    assert (first.asked, first.found, second.asked, second.found) == (1, 0, 0, 1)


def test_a_line_cut_short_loses_nothing_else(tmp_path):
    store = SearchStore(tmp_path, "a")
    store.add("n1", "ค่าจ้าง", ["v1"])
    store.add("n2", "loan", ["v2"])
    whole = (tmp_path / "a.jsonl").read_bytes()
    for length in range(len(whole)):
        (tmp_path / "a.jsonl").write_bytes(whole[:length])
        again = SearchStore(tmp_path, "a")
        kept = whole[:length].count(b"\n")
        assert (again.find("n1") is not None) == (kept >= 1)
        again.add("n3", "rent", ["v3"])
        last = SearchStore(tmp_path, "b")
        assert last.find("n3") == ["v3"]
        assert (last.find("n1") is not None) == (again.find("n1") is not None)


def test_a_stored_only_run_fails_on_the_first_that_is_missing(tmp_path):
    with pytest.raises(MissingSearchError, match=r"holds no search named n1, which a.jsonl should hold"):
        SearchStore(tmp_path, "a", stored_only=True).find("n1")


def test_results_of_no_version_are_results(tmp_path):
    SearchStore(tmp_path, "a").add("n", "q", [])
    assert SearchStore(tmp_path, "a", stored_only=True).find("n") == []


def line(name, uris, query="q"):
    return canonical_json({"name": name, "query": query, "version_uris": uris}).encode() + b"\n"


@pytest.mark.parametrize(
    "spare",
    [
        line("n", ["v2", "v1"]),  # of two whole lines the first counts
        line("n", ["v2", "v1"])[:-1],
        b" " + line("n", ["v2", "v1"]),
        line("n", ["v2", "v1"]).replace(b'"n"', b'"\\u006e"'),
        line("n", ["v2", "v1"]).replace(b"\n", b"\r\n"),
        b'{"name":"n","version_uris":["v2","v1"]}\n',
    ],
)
def test_a_line_behind_the_first_or_spelt_otherwise_changes_nothing(tmp_path, spare):
    (tmp_path / "a.jsonl").write_bytes(line("n", ["v1", "v2"]) + spare)
    assert SearchStore(tmp_path, "a", stored_only=True).find("n") == ["v1", "v2"]
