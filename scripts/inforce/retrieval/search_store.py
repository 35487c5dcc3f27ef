"""Results of searches, kept beside the responses of models and found again by name.

An embedding model is a model too: an auditor need not have it, and another processor may give other last bits. So what a search
returned is stored under the sha256 of everything that decided it, like a response. Lines go to a file that only this writer appends to,
are synced at once, and are read back from every file of the folder by the rules of `records.stored`: only whole lines count, and of two
with one name the first.
"""

from __future__ import annotations

import os
from pathlib import Path

from inforce.records.files import canonical_json
from inforce.records.stored import LineError, cut_torn_line, lines_of, read_line


class MissingSearchError(RuntimeError):
    """A stored-only run met a search whose results the store does not hold. The message is one sentence with the remedy."""


class SearchStore:
    """The searches in `folder`; new ones go to `folder/writer.jsonl`. `asked` and `found` count searches made anew and found."""

    def __init__(self, folder: Path, writer: str, stored_only: bool = False) -> None:
        self._folder, self._own, self.stored_only = folder, folder / f"{writer}.jsonl", stored_only
        self.asked = self.found = 0
        self._held: dict[str, list[str]] = {}
        for _, _, data in lines_of(folder):
            self._read(data)

    def find(self, name: str) -> list[str] | None:
        """Versions returned, best first; null if the store does not hold the search.

        Raises MissingSearchError instead of null in a stored-only run.
        """
        held = self._held.get(name)
        if held is not None:
            self.found += 1
        elif self.stored_only:
            raise MissingSearchError(
                f"{self._folder} holds no search named {name}, which {self._own.name} should hold; nothing is searched in a stored-only run: "
                "run without --stored-only, or bring the file that holds it"
            )
        return held

    def add(self, name: str, query: str, version_uris: list[str]) -> None:
        """Keep a search's results at once: one line in one write, synced."""
        self.asked += 1
        self._held[name] = version_uris
        line = canonical_json({"name": name, "query": query, "version_uris": version_uris}) + "\n"
        self._folder.mkdir(parents=True, exist_ok=True)
        with open(self._own, "ab+") as handle:
            cut_torn_line(handle.fileno())  # left by a kill: do not write on behind it
            handle.write(line.encode("utf-8"))
            handle.flush()
            os.fsync(handle.fileno())

    def _read(self, data: bytes) -> None:
        try:
            kept = read_line(data)
        except LineError:
            return
        if "version_uris" in kept:
            self._held.setdefault(kept["name"], kept["version_uris"])
