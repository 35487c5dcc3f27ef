"""Find citations in texts, and the version of the law in force on a date for each.

Texts are JSON Lines with id and text, and where a text is itself a part of a law, law_code and label. The output holds one line a citation in
the order of the texts: id, start, end, text, kind, unit, law_code, law_name, law_words, law_from, label, to_label, offset, paragraph, and
versions (null without --sections): label, version_uri and status of each section that it means.
"""

from __future__ import annotations

import argparse
import datetime as dt
import itertools
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from inforce.citations.extract import Citation, extract
from inforce.citations.grammar import Grammar
from inforce.citations.law_catalogue import LawCatalogue
from inforce.citations.versions import Corpus, Found, resolve
from inforce.config.citations import CitationGrammar
from inforce.config.load import ConfigError, read_config
from inforce.records.files import canonical_json, write_text
from inforce.records.lines import iter_lines
from inforce.records.tables import LAWS, SECTIONS, read_rows

_BLOCK = 500  # texts a task


class Text(BaseModel):
    """One text to read. law_code and label say what it is a part of; other keys are left alone."""

    model_config = ConfigDict(extra="ignore")

    id: str
    text: str
    law_code: str | None = None
    label: str | None = None


class Job:
    """What every process needs: the grammar with the laws of the corpus, and the dated sections and the day, or neither."""

    def __init__(self, grammar: Path, laws: Path | None, sections: Path | None, day: dt.date | None) -> None:
        config = read_config(grammar, CitationGrammar)
        self.grammar = Grammar(config, LawCatalogue(read_rows(laws, LAWS) if laws else [], config))
        self.day = day
        self.corpus = Corpus(read_rows(sections, SECTIONS), self.grammar.labels[0]) if sections else None

    def lines(self, text: Text) -> list[str]:
        """The output lines of one text."""
        citations = extract(text.text, self.grammar, text.law_code, text.label)
        if self.corpus is None or self.day is None:
            return [_line(text, citation, None) for citation in citations]
        return [_line(text, done.citation, done.found) for done in resolve(citations, self.corpus, self.day)]


def extract_texts(texts: Iterable[Text], job: tuple[Path, Path | None, Path | None, dt.date | None], workers: int) -> Iterator[str]:
    """Output lines of all texts in order. Several workers give the same lines as one."""
    if workers <= 1:
        alone = Job(*job)
        for text in texts:
            yield from alone.lines(text)
        return
    with ProcessPoolExecutor(workers, initializer=_start, initargs=job) as pool:
        source = iter(texts)
        # a bounded number of blocks at a time: memory does not grow with the input
        while blocks := [block for _ in range(workers * 4) if (block := list(itertools.islice(source, _BLOCK)))]:
            for lines in pool.map(_work, blocks):
                yield from lines


_job: Job | None = None


def _start(grammar: Path, laws: Path | None, sections: Path | None, day: dt.date | None) -> None:
    global _job
    _job = Job(grammar, laws, sections, day)


def _work(texts: list[Text]) -> list[str]:
    if _job is None:
        raise RuntimeError("the process was not set up")
    return [line for text in texts for line in _job.lines(text)]


def _line(text: Text, citation: Citation, found: tuple[Found, ...] | None) -> str:
    versions = None if found is None else [one._asdict() for one in found]
    return canonical_json(
        {"id": text.id, "text": text.text[citation.start : citation.end], **citation._asdict(), "versions": versions},
    )


def main(argv: list[str] | None = None) -> None:
    """Read the arguments, find the citations, write the lines."""
    parser = argparse.ArgumentParser(
        prog="python -m inforce.citations.extract_citations",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.citations.extract_citations --grammar config/citations/th.yaml --texts texts.jsonl --out citations.jsonl",
    )
    parser.add_argument("--grammar", type=Path, required=True, help="config/citations/*.yaml")
    parser.add_argument("--texts", type=Path, required=True, help="JSON Lines: id, text, and optionally law_code and label")
    parser.add_argument("--laws", type=Path, help="laws.parquet: law names are resolved to its codes")
    parser.add_argument("--sections", type=Path, help="sections.parquet: versions are looked up there; needs --laws and --date")
    parser.add_argument("--date", type=dt.date.fromisoformat, help="the day of the version in force, YYYY-MM-DD")
    parser.add_argument("--workers", type=int, default=1, help="processes (default 1); the output does not depend on it")
    parser.add_argument("--out", type=Path, required=True, help="JSON Lines, one citation a line")
    args = parser.parse_args(argv)
    if (args.sections is None) != (args.date is None) or (args.sections is not None and args.laws is None):
        raise SystemExit(
            "--sections, --date and --laws go together: give all three to look up versions, or leave --sections and --date out"
        )
    try:
        lines = extract_texts(iter_lines(args.texts, Text), (args.grammar, args.laws, args.sections, args.date), args.workers)
        write_text(args.out, "".join(line + "\n" for line in lines))
    except (ConfigError, ValueError, FileNotFoundError) as error:
        raise SystemExit(str(error)) from error


if __name__ == "__main__":
    main()
