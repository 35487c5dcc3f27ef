import pytest

from inforce.audit.stored_lines import check_store, find_lines, find_searches, lines_of, missing_words, usual_file
from inforce.records.files import canonical_json, sha256_json
from inforce.retrieval.search_store import SearchStore


def line(question, answer="yes"):
    request = {"q": question}
    name = sha256_json(request)
    return canonical_json({"name": name, "request": request, "response": {"request_sha256": name, "text": answer}})


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
    assert [one.number for one in lines_of(root / "m")] == [1, 2]


def test_an_untouched_store_has_no_difference(root):
    assert check_store(root, "m", expected(root)).differences == []


@pytest.mark.parametrize("place", [0, 12, 80, 90, len(B) - 12, len(B) - 1, len(B)])
def test_any_flipped_byte_is_found(root, place):
    """Its line is named where it still claims its name."""
    names = expected(root)
    data = bytearray((root / "m/1.jsonl").read_bytes())
    data[len(A) + 1 + place] ^= 1
    (root / "m/1.jsonl").write_bytes(data)
    (wrong,) = check_store(root, "m", names).differences
    assert wrong.name == NAME["b"]
    assert wrong.missing == (place == 12)
    assert ("responses/m/1.jsonl line 2 differs" in wrong.what) != wrong.missing


def test_a_line_that_is_gone_is_missed_and_a_spare_one_is_not(root):
    names = expected(root)
    (root / "m/1.jsonl").write_text(f"{A}\n{line('spare')}\n")
    (wrong,) = check_store(root, "m", names).differences
    assert (wrong.what, wrong.missing) == (f"responses/m holds no line named {NAME['b'][:12]}...", True)


def test_lines_that_are_missing_are_said_in_one_sentence_with_their_file(tmp_path):
    answers, grades = "results/answers/r/m.1/gold/2.jsonl", "results/grades/r/m.1/gold/2/j.jsonl"
    assert usual_file(answers, "m.1") == "m.1/r.gold.2.jsonl"
    assert usual_file(answers, "searches/m.1") == "searches/m.1/r.gold.2.jsonl"
    assert usual_file(grades, "k") == "k/judge.r.m.1.gold.2.j.jsonl"
    measured = usual_file("results/retrieval/r/retrieval_report.csv", "searches/measure_retrieval")
    assert measured == "searches/measure_retrieval/r.jsonl"
    gone = f"responses/m.1/r.gold.2.jsonl is missing, and with it 3 of the 5 lines that {answers} was made from"
    assert missing_words(tmp_path, answers, "m.1", 3, 5) == gone
    (tmp_path / "m.1").mkdir()
    (tmp_path / "m.1/r.gold.2.jsonl").write_text("")
    cut = f"responses/m.1/r.gold.2.jsonl is not whole: it lacks 3 of the 5 lines that {answers} was made from"
    assert missing_words(tmp_path, answers, "m.1", 3, 5) == cut


def found_line(uris):
    return canonical_json({"name": NAME["a"], "query": "wages", "version_uris": uris}).encode() + b"\n"


TURNED = found_line(["u2", "u1"])
SPARE = {
    "whole": TURNED,
    "without its end": TURNED[:-1],
    "with a space before it": b" " + TURNED,
    "with spaces in it": TURNED.replace(b":", b": "),
    "with a carriage return": TURNED[:-1] + b"\r\n",
}


@pytest.mark.parametrize("what", SPARE)
def test_a_search_appended_counts_neither_for_the_audit_nor_for_the_store_and_is_named(tmp_path, what):
    folder = tmp_path / "searches/m"
    folder.mkdir(parents=True)
    (folder / "r.jsonl").write_bytes(found_line(["u1", "u2"]))
    (first,) = lines_of(folder)
    (folder / "r.jsonl").write_bytes(found_line(["u1", "u2"]) + SPARE[what])
    checked = check_store(tmp_path, "searches/m", {NAME["a"]: first.sha256})
    assert checked.differences == []
    assert checked.held[NAME["a"]].trace == ("wages", ("u1", "u2"))
    ((words,),) = checked.spare.values()
    assert words.startswith("responses/searches/m/r.jsonl line 2 differs")
    assert SearchStore(folder, "r", stored_only=True).find(NAME["a"]) == ["u1", "u2"]


def test_a_search_put_before_is_the_difference_and_is_what_the_store_takes(tmp_path):
    folder = tmp_path / "searches/m"
    folder.mkdir(parents=True)
    (folder / "r.jsonl").write_bytes(found_line(["u1", "u2"]))
    (first,) = lines_of(folder)
    (folder / "a.jsonl").write_bytes(TURNED)
    (wrong,) = check_store(tmp_path, "searches/m", {NAME["a"]: first.sha256}).differences
    assert wrong.what == "responses/searches/m/a.jsonl line 1 differs"
    assert SearchStore(folder, "r", stored_only=True).find(NAME["a"]) == ["u2", "u1"]


def test_searches_are_found_by_query_and_result(tmp_path):
    kept = canonical_json({"name": NAME["a"], "query": "wages", "version_uris": ["u1", "u2"]})
    (tmp_path / "s.jsonl").write_text(kept + "\n")
    assert find_searches(tmp_path, {("wages", ("u1", "u2"))}).keys() == {NAME["a"]}
    assert find_searches(tmp_path, {("wages", ("u2", "u1"))}) == {}
