"""How long a long git history takes to read, and how much memory: a made repository of 10,000 commits, read as one file a section.

Prints commits, versions, seconds and the peak memory of reading, for two lengths, so that growth shows. The versions themselves are held, as
they are the result; half of the commits here change nothing but white space, as tools do.

example: PYTHONPATH=scripts python benchmarks/git_history.py --commits 10000
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from inforce.config.sources import GitArticles
from inforce.corpus.git_articles import read_articles
from inforce.corpus.versions import Law
from inforce.records.labels import LabelRules

SECTIONS, PER_COMMIT = 2_000, 5
CONFIG = {
    "type": "git_articles",
    "repository": "long.git",
    "path": r"law/(?P<label>\d+)\.md",
    "law_code": "law",
    "dates": {"order": [{"from": "trailer", "key": "Day"}, {"from": "author_date", "time_zone": "Europe/Paris"}]},
}


def stream(commits: int) -> Iterator[bytes]:
    """The commits for git fast-import: one a day; every second one only wraps the texts anew."""
    for number in range(commits):
        seconds = 86_400 * (366 + number)
        who = f"A <a@example.org> {seconds} +0000\n"
        message = f"Change {number}\n\nDay: {time.strftime('%Y-%m-%d', time.gmtime(seconds))}\n"
        yield f"commit refs/heads/main\nauthor {who}committer {who}data {len(message)}\n{message}".encode()
        for place in range(PER_COMMIT):
            section = (number // 2 * PER_COMMIT + place) % SECTIONS
            words = f"Section {section} as changed by {number // 2}. " + "The holder of a right may use it as the law allows. " * 12
            text = words if number % 2 == 0 else words.replace(" as ", "\nas ")
            yield f"M 644 inline law/{section}.md\ndata {len(text)}\n{text}\n".encode()


def measure(commits: int) -> None:
    """Make and read one repository; prints one line."""
    with tempfile.TemporaryDirectory(prefix="history-") as folder:
        path = Path(folder) / "long.git"
        subprocess.run(["git", "init", "--quiet", "--bare", "--initial-branch", "main", str(path)], check=True)
        with subprocess.Popen(["git", "-C", str(path), "fast-import", "--quiet"], stdin=subprocess.PIPE) as process:
            assert process.stdin is not None
            process.stdin.writelines(stream(commits))
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        start = time.perf_counter()
        laws = {"law": Law("law", "Law", [], "act", None, None)}
        versions, problems = read_articles(Path(folder), GitArticles.model_validate(CONFIG), LabelRules(), laws)
        seconds = time.perf_counter() - start
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        texts = sum(len(version.text) for version in versions)
        print(
            f"{commits} commits, {commits * PER_COMMIT} file changes: {len(versions)} versions ({texts / 2**20:.0f} MiB of text), {len(problems)} problems, "
            f"{seconds:.1f} s, peak {peak / 1024:.0f} MiB (before: {before / 1024:.0f} MiB)"
        )


def main(argv: list[str] | None = None) -> None:
    """Measure a tenth of the commits, then all of them, each in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--commits", type=int, default=10_000)
    parser.add_argument("--once", action="store_true", help="only this number, in this process")
    args = parser.parse_args(argv)
    if args.once:
        measure(args.commits)
        return
    for commits in (args.commits // 10, args.commits):
        subprocess.run([sys.executable, __file__, "--once", "--commits", str(commits)], check=True)


if __name__ == "__main__":
    main()
