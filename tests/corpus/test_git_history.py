import subprocess

import pytest
from corpus.fast_import import commit, make

from inforce.config.load import ConfigError
from inforce.corpus.git_history import Repository


@pytest.fixture
def folder(tmp_path):
    first = commit("One\n\nSource-Date: 2001-02-03", "1 +0100", {"a b/é.md": "x\r\ny", "z.md": "z"})
    return make(tmp_path / "r.git", [first, commit("Two", "86400 -0330", {"a b/é.md": "w"}, ["z.md"]), commit("Empty", "86401 +0000", {})])


def read(path, branch=None):
    with Repository(path, branch) as repository:
        return [
            (found.message, found.author_time, [(change.path, change.blob and repository.text(change.blob)) for change in found.changes])
            for found in repository.commits()
        ]


EXPECTED = [
    ("One\n\nSource-Date: 2001-02-03", 1, [("a b/é.md", "x\ny"), ("z.md", "z")]),
    ("Two", 86400, [("a b/é.md", "w"), ("z.md", None)]),
    ("Empty", 86401, []),
]


def test_commits_oldest_first_with_contents(folder):
    assert read(folder) == EXPECTED
    with Repository(folder) as repository:
        assert [str(found.author_zone) for found in repository.commits()] == ["UTC+01:00", "UTC-03:30", "UTC"]


def test_a_bundle_reads_like_its_repository(folder, tmp_path):
    subprocess.run(["git", "-C", str(folder), "bundle", "create", "--quiet", str(tmp_path / "r.bundle"), "--all"], check=True)
    assert read(tmp_path / "r.bundle") == EXPECTED


def test_a_merge_counts_once_on_the_main_line(folder):
    git = ["git", "-C", str(folder)]
    main = subprocess.run([*git, "rev-parse", "main"], capture_output=True, text=True, check=True).stdout.strip()
    who = "A <a@example.org> 90000 +0000"
    stream = f"commit refs/heads/side\nauthor {who}\ncommitter {who}\ndata 4\nside\nfrom {main}\nM 644 inline s.md\ndata 1\ns\n"
    stream += f"commit refs/heads/main\nauthor {who}\ncommitter {who}\ndata 5\nmerge\nfrom {main}\nmerge refs/heads/side\nM 644 inline s.md\ndata 1\ns\n"
    subprocess.run([*git, "fast-import", "--quiet"], input=stream, text=True, check=True)
    assert read(folder, "main")[3:] == [("merge", 90000, [("s.md", "s")])]


def test_what_is_wrong_is_said_with_a_remedy(folder, tmp_path):
    with pytest.raises(ConfigError, match="has no branch 'gone'; it has main"):
        Repository(folder, "gone")
    with pytest.raises(ConfigError, match="does not exist"):
        Repository(tmp_path / "nothing")
    (tmp_path / "bad.bundle").write_text("no bundle")
    with pytest.raises(ConfigError, match="cannot be read by git"):
        Repository(tmp_path / "bad.bundle")
    make(tmp_path / "two.git", [commit("m", "1 +0000", {"a": "b"})], "one")
    subprocess.run(["git", "-C", str(tmp_path / "two.git"), "branch", "two", "one"], check=True)
    with pytest.raises(ConfigError, match="2 branches"):
        Repository(tmp_path / "two.git")


def test_a_file_that_is_not_text_is_refused(tmp_path):
    make(tmp_path / "r.git", [commit("m", "1 +0000", {"a": b"\xff\xfe"})])
    with Repository(tmp_path / "r.git") as repository, pytest.raises(ValueError, match="not UTF-8"):
        [repository.text(change.blob) for found in repository.commits() for change in found.changes]


def test_a_folder_inside_another_repository_is_none_of_its_own(tmp_path):
    subprocess.run(["git", "init", "--quiet", "--initial-branch", "main", str(tmp_path / "outer")], check=True)
    who = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    subprocess.run(["git", "-C", str(tmp_path / "outer"), *who, "commit", "--quiet", "--allow-empty", "-m", "m"], check=True)
    (tmp_path / "outer" / "data").mkdir()
    with pytest.raises(ConfigError, match="no git repository of its own, but a folder inside"):
        Repository(tmp_path / "outer" / "data")
    make(tmp_path / "outer" / "own.git", [commit("m", "1 +0000", {"a": "b"})])
    (tmp_path / "link").symlink_to(tmp_path / "outer")
    for folder in ("outer", "outer/.git", "outer/own.git", "link"):
        with Repository(tmp_path / folder) as repository:
            assert len(list(repository.commits())) == 1
