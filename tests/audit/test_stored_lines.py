import pytest

from inforce.audit.stored_lines import check_store, find_lines, find_searches, lines_of
from inforce.records.files import canonical_json, sha256_json


def line(question, answer="yes"):
    request = {"q": question}
    return canonical_json({"name": sha256_json(request), "request": request, "response": {"text": answer}})


A, B = line("a"), line("b")
NAME = {question: sha256_json({"q": question}) for question in "abc"}


@pytest.fixture
def root(tmp_path):
    (tmp_path / "m").mkdir()
    (tmp_path / "m/1.jsonl").write_text(f"{A}\n{B}\n")
    (tmp_path / "m/2.jsonl").write_text(f"{line('a', 'asked again')}\n" + line("c")[:30])  # the last one was cut short by a kill
    return tmp_path


def expected(root):
    return {name: found.sha256 for name, found in find_lines(root / "m", set(NAME.values())).items()}


def test_the_first_whole_line_of_a_name_counts(root):
    found = find_lines(root / "m", set(NAME.values()))
    assert found.keys() == {NAME["a"], NAME["b"]}
    assert found[NAME["a"]].data.decode() == A
    assert [one.number for one in lines_of(root / "m")] == [1, 2, 1]


def test_an_untouched_store_has_no_difference(root):
    assert check_store(root, "m", expected(root)) == []


@pytest.mark.parametrize("place", [0, 12, 80, 90, len(B) - 12, len(B) - 1])
def test_any_flipped_byte_is_found_and_its_line_named(root, place):
    names = expected(root)
    data = bytearray((root / "m/1.jsonl").read_bytes())
    data[len(A) + 1 + place] ^= 1
    (root / "m/1.jsonl").write_bytes(data)
    (wrong,) = check_store(root, "m", names)
    assert wrong.name == NAME["b"]
    assert "responses/m/1.jsonl line 2" in wrong.what


def test_a_line_that_is_gone_is_missed_and_a_spare_one_is_not(root):
    names = expected(root)
    (root / "m/1.jsonl").write_text(f"{A}\n{line('spare')}\n")
    (wrong,) = check_store(root, "m", names)
    assert wrong.what == f"responses/m holds no line named {NAME['b'][:12]}..."


def test_searches_are_found_by_query_and_result(tmp_path):
    kept = canonical_json({"name": NAME["a"], "query": "wages", "version_uris": ["u1", "u2"]})
    (tmp_path / "s.jsonl").write_text(kept + "\n")
    assert find_searches(tmp_path, {("wages", ("u1", "u2"))}).keys() == {NAME["a"]}
    assert find_searches(tmp_path, {("wages", ("u2", "u1"))}) == {}
