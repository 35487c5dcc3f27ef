import pytest

from inforce.config.code import code_digest, code_files


@pytest.fixture
def package(tmp_path):
    files = {
        "inforce/__init__.py": "",
        "inforce/records/__init__.py": "",
        "inforce/records/files.py": "X = 1\n",
        "inforce/stats/__init__.py": "",
        "inforce/stats/a.py": "from inforce.stats import b\n",
        "inforce/stats/b.py": "import json\nfrom inforce.records.files import X\n",
        "inforce/stats/c.py": "Y = 2\n",
        "inforce/stats/templates/page.j2": "hello\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    code_digest.cache_clear()
    return tmp_path


def names(package, module):
    return {str(path.relative_to(package / "inforce")) for path in code_files(package, module)}


def test_imports_are_followed_and_a_neighbour_is_left_out(package):
    assert names(package, "stats.a") >= {"stats/a.py", "stats/b.py", "records/files.py", "stats/templates/page.j2"}
    assert "stats/c.py" not in names(package, "stats.a")


def test_a_module_that_is_not_there_has_no_files(package):
    assert names(package, "nowhere.at_all") == set()


@pytest.mark.parametrize(("file", "changes"), [("stats/b.py", True), ("records/files.py", True), ("stats/c.py", False)])
def test_the_digest_changes_when_code_that_runs_changed(package, file, changes):
    before = code_digest(package, "stats.a")
    with open(package / "inforce" / file, "a") as handle:
        handle.write("# a comment\n")
    code_digest.cache_clear()
    code_digest.cache_clear()
    assert (code_digest(package, "stats.a") != before) == changes


def test_the_digest_does_not_know_where_the_package_lies(package, tmp_path_factory):
    other = tmp_path_factory.mktemp("another place")
    (package / "inforce").rename(other / "inforce")
    moved = code_digest(other, "stats.a")
    (other / "inforce").rename(package / "inforce")
    assert moved == code_digest(package, "stats.a")
