"""Make the public release of a run: validation split and gold sections in the form of NitiBench+ Appendix A.1, and how answers are graded.

Only items of the validation split leave. Test and reserve items are never published, neither ids nor texts: a reference to one is taken
out of `asks_shared_question`, and the finished files are searched for the names and the words of every item held back (see leaks); one
hit and nothing is written. Texts are the masked ones. Every record and document carries the canary string.

A question that a case of the validation split shares with one held back is the former's own and leaves with it.

Beyond A.1 nothing is added: the day whose law is served can be read off the gold citations.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import json
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from inforce.audit.leaks import find_leaks
from inforce.config.load import ConfigError, read_config
from inforce.config.release import ReleaseSettings
from inforce.records.files import write_text
from inforce.records.grades import AGREEING_TIERS, TIER_RANGES
from inforce.records.items import Citation, Item
from inforce.records.lines import read_lines
from inforce.records.status import DRIFT_BANDS
from inforce.records.tables import LAWS, SECTIONS, read_rows

ITEM_FIELDS = (
    "id",
    "domain",
    "court",
    "source",
    "source_id",
    "decision_date",
    "year_be",
    "decade",
    "title",
    "fact_pattern",
    "drift_band",
    "n_sub_questions",
    "n_cited_laws",
)
SECTION_FIELDS = ("law_code", "label", "component_type", "valid_from", "valid_to", "text")


class ReleaseError(ValueError):
    """Nothing may be published. The message says why."""


def public_uri(uri: str) -> str:
    """`{jurisdiction}/law/...` -> `/law/...`, as A.1 writes identifiers."""
    return "/" + uri.partition("/")[2]


def public_citation(citation: Citation) -> dict[str, Any]:
    """A citation as A.1 describes it: one of an instrument that the corpus does not hold has its name and no identifier."""
    if citation.version_uri is None and citation.law is not None:
        return {"law": citation.law, "is_loadbearing": citation.is_loadbearing}
    values = citation.model_dump(mode="json", exclude={"law", "applicable_date"})
    return values | {name: public_uri(values[name]) for name in ("version_uri", "current_uri") if values[name]}


def public_item(item: Item, released: set[str], canary: str) -> dict[str, Any]:
    """The record of one case; other cases that ask its question are named only if they are released as well."""
    values = item.model_dump(mode="json")
    questions = [
        {name: value for name, value in question.items() if name != "citations"}
        | {"citations": [public_citation(citation) for citation in given.citations]}
        for question, given in zip(values["sub_questions"], item.sub_questions, strict=True)
    ]
    return {
        **{name: values[name] for name in ITEM_FIELDS},
        "asks_shared_question": [other for other in item.asks_shared_question if other in released],
        "corpus_date": values["corpus_date"],
        "sub_questions": questions,
        "canary": canary,
    }


def gold_sections(items: list[Item], sections: list[dict[str, Any]], laws: list[dict[str, Any]], canary: str) -> list[dict[str, Any]]:
    """Both versions, in force then and current, of every section that the items cite; by identifier. Raises ReleaseError for one missing."""
    wanted = {
        uri
        for item in items
        for question in item.sub_questions
        for citation in question.citations
        for uri in (citation.version_uri, citation.current_uri)
        if uri
    }
    held = {str(row["version_uri"]): row for row in sections}
    if missing := sorted(wanted - held.keys()):
        raise ReleaseError(f"section version {missing[0]} is cited and is not among the sections: make the items anew")
    law = {str(row["law_code"]): row for row in laws}
    records = []
    for uri in sorted(wanted):
        row = held[uri]
        own = law.get(str(row["law_code"]), {})
        values = {name: row[name].isoformat() if name.startswith("valid_") and row[name] else row[name] for name in SECTION_FIELDS}
        records.append(
            {
                "version_uri": public_uri(uri),
                **values,
                "law_name_th": own.get("name") or row["law_code"],
                "is_law_active": bool(own.get("is_active", True)),
                "canary": canary,
            }
        )
    return records


def cited_law(items: list[Item], sections: list[dict[str, Any]]) -> list[str]:
    """The texts of all versions of the sections that any item cites: who quotes the law gives nothing of a case away."""
    citations = [citation for item in items for question in item.sub_questions for citation in question.citations]
    cited = {(citation.law_code, citation.label) for citation in citations}
    return [str(row["text"]) for row in sections if (row["law_code"], row["label"]) in cited]


def json_lines(records: list[dict[str, Any]]) -> str:
    """One record a line, keys in the order of A.1."""
    return "".join(json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n" for record in records)


def composition(items: list[Item]) -> str:
    """Items and sub-questions by domain and drift band, as a table in Markdown."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for item in items:
        for domain in (item.domain, "total"):
            counts[domain].update(["items", item.drift_band])
            counts[domain].update({"sub-questions": item.n_sub_questions})
    columns = ["items", "sub-questions", *DRIFT_BANDS]
    rows = [
        [domain, *(str(counts[domain][column]) for column in columns)]
        for domain in sorted(counts, key=lambda name: (name == "total", name))
    ]
    return "\n".join(f"| {' | '.join(row)} |" for row in [["domain", *columns], ["---", *["--:"] * len(columns)], *rows]) + "\n"


def rubric() -> str:
    """The tiers with their ranges of scores (NitiBench+ Table 6)."""
    lines = ["| tier | verdict | score |", "|---|---|---|"]
    for tier, (low, high) in TIER_RANGES.items():
        agrees = "agrees with the court's" if tier in AGREEING_TIERS else "differs from the court's"
        lines.append(f"| {tier} | {agrees} | {low:g} to {high:g} |" if low != high else f"| {tier} | {agrees} | {low:g} |")
    words = "What each tier asks of the reasoning stands in the judge's instructions, judge_prompt.md."
    return "# Rubric\n\n" + "\n".join(lines) + f"\n\n{words} A score is valid only within its tier's range.\n"


def judge_prompt(files: list[Path]) -> str:
    """The judge's prompt files, verbatim, in fences that no line of them closes."""
    parts = ["# The judge's prompt, verbatim\n"]
    parts += [f"## {path.stem}\n\n~~~~~~text\n{path.read_text(encoding='utf-8').rstrip()}\n~~~~~~\n" for path in files]
    return "\n".join(parts)


def card(settings: ReleaseSettings, items: list[Item], n_sections: int) -> str:
    """README.md: the data set's card."""
    questions = sum(item.n_sub_questions for item in items)
    return f"""# {settings.title}

{settings.description}

| | |
|---|---|
| published | {settings.published}, by {settings.publisher} |
| licence | {settings.licence}, see LICENSE |
| cases | {len(items)} decided cases, {questions} sub-questions |
| section versions | {n_sections}: of every cited section the text in force on the decision date and the current text |

## Files

| file | what |
|---|---|
| validation_split.jsonl | a record a case: facts, questions, the court's verdict and reasoning, citations with the version in force then and now |
| gold_sections.jsonl | a record a section version; join on version_uri |
| grading/rubric.md, grading/judge_prompt.md, grading/citation_matching.md | how answers are graded |
| composition.md | cases and questions by domain and drift band |
| LICENSE, SHA256SUMS | the licence; checksums of all other files (`sha256sum -c SHA256SUMS`) |

The form is that of NitiBench+, Appendix A.1. With these files the settings parametric, gold_current and gold_in_force can be run; the
retrieval settings need the whole dated law, which is not part of the release.

## What was taken out

The test split and the reserve are held back, ids and texts. Names of persons are initials, the same initial for the same person within a
case; identity, telephone, account and plate numbers and house numbers are replaced by words. This was done by rules, which can miss.

## Canary

Every record has a field `canary`, and every document ends with it, so that training corpora can leave the set out.
"""


def build(
    items: list[Item],
    splits: dict[str, str],
    sections: list[dict[str, Any]],
    laws: list[dict[str, Any]],
    settings: ReleaseSettings,
    documents: dict[str, str],
) -> dict[str, str]:
    """The released files by name. documents: further files by name, e.g. the judge's prompt.

    Raises ReleaseError if publishing is not allowed, if the split is empty or unknown for an item, or if something held back would leave.
    """
    if not settings.allowed:
        raise ReleaseError("the terms of this data do not allow publishing it (`allowed: false` in its file under config/releases)")
    if unknown := sorted(item.id for item in items if item.id not in splits):
        raise ReleaseError(f"item {unknown[0]} has no split: make the splits anew")
    public = [item for item in items if splits[item.id] == "validation"]
    if not public:
        raise ReleaseError("no item is in the validation split, so there is nothing to publish")
    released = {item.id for item in public}
    texts = gold_sections(public, sections, laws, settings.canary)
    marked = {
        **documents,
        "composition.md": composition(public),
        "README.md": card(settings, public, len(texts)),
        "LICENSE": settings.licence_text,
    }
    files = {name: f"{text.rstrip()}\n\n{settings.canary}\n" for name, text in marked.items()}
    files["validation_split.jsonl"] = json_lines([public_item(item, released, settings.canary) for item in public])
    files["gold_sections.jsonl"] = json_lines(texts)
    held_back = [item for item in items if item.id not in released]
    if leaks := find_leaks(files, held_back, public, cited_law(items, sections)):
        raise ReleaseError(f"nothing is published: {leaks[0]}")
    files["SHA256SUMS"] = "".join(f"{hashlib.sha256(files[name].encode()).hexdigest()}  {name}\n" for name in sorted(files))
    return files


def read_splits(path: Path) -> dict[str, str]:
    """splits.csv: item_id -> test | validation | reserve."""
    with open(path, encoding="utf-8", newline="") as handle:
        return {row["item_id"]: row["split"] for row in csv.DictReader(handle)}


def main(argv: list[str] | None = None) -> None:
    """Command line."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.audit.make_release --settings config/releases/demo.yaml --items results/items/demo/masked.jsonl "
        "--splits results/items/demo/splits.csv --sections results/corpus/demo/sections.parquet --laws results/corpus/demo/laws.parquet "
        "--judge-prompts config/prompts/essay.en/judge_system.txt --matching docs/scoring.md --out results/release/demo",
    )
    parser.add_argument("--settings", required=True, type=Path, help="config/releases/NAME.yaml: the owner's choices")
    parser.add_argument("--items", required=True, type=Path, help="masked items")
    parser.add_argument("--splits", required=True, type=Path, help="splits.csv of make_splits")
    parser.add_argument("--sections", required=True, type=Path, help="sections.parquet")
    parser.add_argument("--laws", required=True, type=Path, help="laws.parquet")
    parser.add_argument("--judge-prompts", required=True, nargs="+", type=Path, help="the judge's prompt files")
    parser.add_argument("--matching", required=True, type=Path, help="the rules by which citations are matched, a document")
    parser.add_argument("--out", required=True, type=Path, help="output: folder of the release")
    args = parser.parse_args(argv)
    try:
        documents = {
            "grading/rubric.md": rubric(),
            "grading/judge_prompt.md": judge_prompt(args.judge_prompts),
            "grading/citation_matching.md": args.matching.read_text(encoding="utf-8"),
        }
        files = build(
            read_lines(args.items, Item),
            read_splits(args.splits),
            read_rows(args.sections, SECTIONS),
            read_rows(args.laws, LAWS),
            read_config(args.settings, ReleaseSettings),
            documents,
        )
    except (ReleaseError, ConfigError, ValueError, OSError, KeyError) as error:
        raise SystemExit(f"no release is made: {error}") from error
    for name, text in files.items():
        write_text(args.out / name, text)
    print(
        f"{files['validation_split.jsonl'].count(chr(10))} cases, {files['gold_sections.jsonl'].count(chr(10))} section versions, {len(files)} files"
    )


if __name__ == "__main__":
    main()
