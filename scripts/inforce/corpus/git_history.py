"""The history of a git repository or bundle as a stream: one commit after another, oldest first, with the files that each changed.

    with Repository(path, branch=None) as repository:
        for commit in repository.commits():
            for change in commit.changes:
                text = repository.text(change.blob)

One `git log` and one `git cat-file --batch` process serve the whole reading; neither history nor contents are held in memory. Of a merge the
changes against its first parent are given: what entered the main line with it. Nothing is written to the repository, and none of its hooks runs.
"""

from __future__ import annotations

import datetime as dt
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import IO, NamedTuple

from inforce.config.load import ConfigError

# Read-only commands, so a repository of another owner is safe to read; paths and dates must not depend on the user's settings.
_GIT = ("git", "-c", "safe.directory=*", "-c", "core.quotePath=false", "-c", "log.showRoot=true", "-c", "log.showSignature=false")
_FORMAT = "%x01%H%x00%at%x00%ai%x00%B"
_BLOCK = 1 << 16


class FileChange(NamedTuple):
    """One file as a commit left it; `blob` is null where the commit deleted it."""

    path: str
    blob: str | None


class Commit(NamedTuple):
    """One commit. `author_time` in seconds since 1970; `author_zone` is the commit's own."""

    sha: str
    author_time: int
    author_zone: dt.timezone
    message: str
    changes: list[FileChange]


class Repository:
    """A repository open for reading: a folder (with or without work tree) or a bundle file, which is cloned to a temporary folder."""

    def __init__(self, path: Path, branch: str | None = None) -> None:
        """Raises ConfigError for a path that is no repository and for a branch that it does not have."""
        self.path = path
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._git_folder = path
        if path.is_file():
            self._folder = tempfile.TemporaryDirectory(prefix="bundle-")
            self._git_folder = Path(self._folder.name) / "repository.git"
            self._run("clone", "--quiet", "--mirror", str(path), str(self._git_folder), at=None)
        elif not path.is_dir():
            raise ConfigError(
                f"{path} does not exist; it must be a folder of a git repository or a bundle file (git bundle create FILE --all)"
            )
        if not path.is_file():
            self._refuse_inner_folder()
        self._branch = self._find_branch(branch)
        self._blobs: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Repository:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._blobs is not None:
            assert self._blobs.stdin is not None and self._blobs.stdout is not None
            self._blobs.stdin.close()
            self._blobs.stdout.close()
            self._blobs.wait()
        if self._folder is not None:
            self._folder.cleanup()

    def commits(self) -> Iterator[Commit]:
        """Commits of the branch, oldest first, merges against their first parent. Raises ConfigError if git fails on the way."""
        command = ["log", "--reverse", "--first-parent", "-m", "--raw", "-z", "--no-abbrev", "--no-renames", "--no-color"]
        command += [f"--format={_FORMAT}", self._branch, "--"]
        with subprocess.Popen([*_GIT, "-C", str(self._git_folder), *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            assert process.stdout is not None and process.stderr is not None
            yield from _parse(_fields(process.stdout))
            problem = process.stderr.read().decode("utf-8", "replace").strip()
        if process.returncode:
            raise ConfigError(f"{self.path}: git log failed: {problem}")

    def text(self, blob: str) -> str:
        """The contents of a file version as text with LF line ends. Raises ValueError if it is missing, not UTF-8 or holds a NUL."""
        data = self._contents(blob)
        if b"\0" in data:
            raise ValueError("it holds a NUL, so it is no text")
        try:
            return data.decode("utf-8-sig").replace("\r\n", "\n")
        except UnicodeDecodeError as error:
            raise ValueError(f"not UTF-8: {error}") from error

    def _contents(self, blob: str) -> bytes:
        if self._blobs is None:
            command = [*_GIT, "-C", str(self._git_folder), "cat-file", "--batch"]
            self._blobs = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self._blobs.stdin is not None and self._blobs.stdout is not None
        self._blobs.stdin.write(f"{blob}\n".encode())
        self._blobs.stdin.flush()
        header = self._blobs.stdout.readline().split()
        if len(header) != 3 or header[1] != b"blob":
            raise ValueError(f"{blob} is not a file that the repository holds")
        data = self._blobs.stdout.read(int(header[2]))
        self._blobs.stdout.read(1)
        return data

    def _refuse_inner_folder(self) -> None:
        """Git looks upwards for a repository: a folder without one of its own must not be read as the repository that it lies in."""
        here = self.path.resolve()
        inside, git_folder = self._run("rev-parse", "--is-inside-work-tree", "--absolute-git-dir").rstrip("\n").split("\n")
        top = self._run("rev-parse", "--show-toplevel").rstrip("\n") if inside == "true" else git_folder
        if here not in (Path(top).resolve(), Path(git_folder).resolve()):
            raise ConfigError(f"{self.path} is no git repository of its own, but a folder inside {top}")

    def _find_branch(self, branch: str | None) -> str:
        names = self._run("for-each-ref", "--format=%(refname:short)", "refs/heads", "refs/remotes").split()
        if branch is not None:
            for name in (branch, f"origin/{branch}"):
                if name in names:
                    return name
            raise ConfigError(f"{self.path} has no branch {branch!r}; it has {', '.join(names) or 'none'}")
        heads = [name for name in names if not name.startswith("origin/")] or names
        if len(heads) != 1:
            raise ConfigError(f"{self.path} has {len(heads)} branches ({', '.join(heads) or 'none'}); name one as `branch`")
        return heads[0]

    def _run(self, *command: str, at: str | None = "here") -> str:
        where = ["-C", str(self._git_folder)] if at else []
        done = subprocess.run([*_GIT, *where, *command], capture_output=True, check=False)
        if done.returncode:
            if self._folder is not None:
                self._folder.cleanup()
            raise ConfigError(f"{self.path} cannot be read by git: {done.stderr.decode('utf-8', 'replace').strip()}")
        return done.stdout.decode("utf-8", "replace")


def _fields(stream: IO[bytes]) -> Iterator[str]:
    """The NUL-ended fields of a stream."""
    rest = b""
    while block := stream.read(_BLOCK):
        *whole, rest = (rest + block).split(b"\0")
        for field in whole:
            yield field.decode("utf-8", "surrogateescape")
    if rest:
        yield rest.decode("utf-8", "surrogateescape")


def _parse(fields: Iterator[str]) -> Iterator[Commit]:
    """Commits from the fields of `git log --raw -z`: four of the commit, then two for each file."""
    commit: Commit | None = None
    for field in fields:
        start = field.lstrip("\n")
        if start.startswith("\x01"):
            if commit is not None:
                yield commit
            seconds, local, message = next(fields), next(fields), next(fields)
            commit = Commit(start[1:], int(seconds), _zone(local), message.strip(), [])
        elif start.startswith(":") and commit is not None:
            blob, kind = start.split()[3:5]
            commit.changes.append(FileChange(next(fields), None if kind.startswith("D") else blob))
    if commit is not None:
        yield commit


def _zone(local: str) -> dt.timezone:
    offset = local.rsplit(" ", 1)[1]
    minutes = int(offset[1:3]) * 60 + int(offset[3:5])
    return dt.timezone(dt.timedelta(minutes=-minutes if offset[0] == "-" else minutes))
