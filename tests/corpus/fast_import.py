"""Tiny git repositories made with `git fast-import`, and where the real bundles lie."""

import datetime as dt
import os
import subprocess
from pathlib import Path

import pytest
import yaml

from inforce.config.jurisdiction import Jurisdiction
from inforce.config.load import check_config
from inforce.corpus.versions import Law

ROOT = Path(__file__).parents[2]


def commit(message, author, files, deleted=()):
    """One commit for `make`: author = `seconds zone` or an ISO moment (with a T and a zone); files = path -> text."""
    if "T" in author:
        moment = dt.datetime.fromisoformat(author)
        author = f"{int(moment.timestamp())} {moment.strftime('%z')}"
    return message, author, files, deleted


def make(folder, commits, branch="main"):
    """A bare repository of these commits in `folder`."""
    subprocess.run(["git", "init", "--quiet", "--bare", "--initial-branch", branch, str(folder)], check=True)
    stream = b""
    for message, author, files, deleted in commits:
        who = f"A <a@example.org> {author}\n".encode()
        data = message.encode()
        stream += b"commit refs/heads/" + branch.encode() + b"\nauthor " + who + b"committer " + who + b"data %d\n%s\n" % (len(data), data)
        for path, text in files.items():
            body = text if isinstance(text, bytes) else text.encode()
            stream += f'M 644 inline "{path}"\n'.encode() + b"data %d\n%s\n" % (len(body), body)
        for path in deleted:
            stream += f'D "{path}"\n'.encode()
    subprocess.run(["git", "-C", str(folder), "fast-import", "--quiet"], input=stream, check=True)
    return folder


def laws(*codes):
    return {code: Law(code, code.upper(), [], "act", None, None) for code in codes}


def bundle(name):
    """Folder of the real bundles; skips the test where they are not."""
    folder = Path(os.environ.get("INFORCE_DATA") or ROOT / "data")
    if not (folder / f"{name}.bundle").is_file():
        pytest.skip(f"{name}.bundle is not in {folder}; set INFORCE_DATA to the folder that holds it")
    return folder


def jurisdiction(name, **changes):
    """A jurisdiction of the project, with other values in its `sections`."""
    path = ROOT / "config" / "jurisdictions" / f"{name}.yaml"
    values = yaml.safe_load(path.read_text(encoding="utf-8"))
    values["sections"].update(changes)
    return check_config(values, Jurisdiction, path)


def spans(versions, label, code=None):
    """(start, end, text) of one section, as text."""
    found = [version for version in versions if version.label == label and code in (None, version.law_code)]
    return [(str(version.valid_from or "?"), str(version.valid_to or ""), version.text) for version in found]


def kinds(problems):
    return sorted({problem.kind for problem in problems})
