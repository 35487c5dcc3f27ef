"""Everything that the report page shows of one run, as one canonical JSON file.

Tables are taken over as they are, problems are counted by kind, and each shown item comes with its question, the court's
verdict, both texts of every section that has changed since, and each answer with its status, searches and grades.
Where the whole would be larger than --max-bytes, evenly spaced items are shown and their number is stated; with
--hide-items none is (a held-out split, data whose terms do not allow it). Nothing is read but the files named.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import pandas as pd
import pyarrow.parquet as pq
from pydantic import BaseModel

from inforce.config.jurisdiction import Jurisdiction
from inforce.config.load import ConfigError, read_config
from inforce.config.model import Judge
from inforce.config.protocol import Protocol
from inforce.records.answers import Answer
from inforce.records.files import canonical_json, write_text
from inforce.records.grades import Grade
from inforce.records.items import Citation, Item
from inforce.records.lines import read_lines
from inforce.records.problems import read_problems
from inforce.records.tables import CITATION_SCORES, SCORES, SECTIONS
from inforce.report.captions import number_of, title_of
from inforce.report.marked_difference import marked_difference
from inforce.report.printed_tables import read_printed
from inforce.report.words import ReportError, read_csv, read_models

Record = TypeVar("Record", bound=BaseModel)
Key = tuple[str, str, int, str]  # model, setting, sample, item

MAX_BYTES = 3_000_000
_ANSWER_BYTES = 3_000  # of a usual answer with its grades; chooses how many items are read at all
_LONGEST_RAW = 20_000  # characters of a reply that did not parse
_EXAMPLES = 20  # problems shown of each kind
_SCORE_COLUMNS = ["score", "lexical_score", "citation_f1", "citation_precision", "citation_recall", "agrees_with_court", "panel_status"]


def judge_notes(panel: Sequence[Judge], models: Sequence[str]) -> list[str]:
    """Warnings on a panel that is none: fewer judges than seats, or a judge that grades its own answers."""
    notes = []
    seats, judges = len(panel), sorted({judge.name for judge in panel})
    if len(judges) < seats:
        filled = (
            f"All {seats} seats of the panel are filled by one judge"
            if len(judges) == 1
            else f"The {seats} seats of the panel are filled by"
        )
        notes.append(
            f"{filled} {', '.join(judges)}. A panel needs independent judges, strong enough to grade law: "
            "read these scores as a test of the pipeline, not of a model."
        )
    own = sorted({judge.name for judge in panel if judge.model in models})
    if own:
        notes.append(f"{', '.join(own)} also answers in this run: it grades its own answers.")
    return notes


def evenly(n: int, wanted: int) -> list[int]:
    """`wanted` of the numbers 0 … n-1, evenly spaced; all of them if there are no more."""
    return list(range(n)) if wanted >= n else sorted({place * n // wanted for place in range(wanted)})


def count_problems(paths: Sequence[Path]) -> list[dict[str, Any]]:
    """Problems of each file by kind and action, most frequent first, with the first few rows of each."""
    out = []
    for path in paths:
        groups: dict[tuple[str, str], list[list[str]]] = {}
        for problem in read_problems(path):
            groups.setdefault((problem.kind, problem.action), []).append([problem.source, problem.row, problem.reason])
        name = "/".join([*path.parts[-3:-2], path.stem])
        kinds = [
            {"kind": kind, "action": action, "n": len(rows), "examples": rows[:_EXAMPLES]}
            for (kind, action), rows in sorted(groups.items(), key=lambda group: (-len(group[1]), group[0]))
        ]
        out.append({"file": name, "n": sum(len(rows) for rows in groups.values()), "kinds": kinds})
    return out


def pick_lines(path: Path | str, kind: type[Record], ids: set[str]) -> list[Record]:
    """Records of the items asked for; other lines are not parsed. Raises ReportError for a missing file."""
    wanted = re.compile("|".join(re.escape(f'"item_id":{canonical_json(item_id)}') for item_id in sorted(ids)) or r"(?!)")
    try:
        with open(path, encoding="utf-8") as handle:
            # inside a JSON string every quotation mark is escaped, so model output cannot look like this key
            return [kind.model_validate_json(line) for line in handle if wanted.search(line)]
    except FileNotFoundError as error:
        raise ReportError(f"{path} does not exist; run the step that makes it") from error


def section_texts(path: Path | str, uris: set[str]) -> dict[str, str]:
    """Texts of the versions asked for."""
    if pq.read_schema(path).names != SECTIONS.names:
        raise ReportError(f"{path}: columns differ from those of this version of the pipeline; make it again")
    table = pq.read_table(path, columns=["version_uri", "text"], filters=[("version_uri", "in", sorted(uris))]) if uris else None
    return {row["version_uri"]: row["text"] for row in table.to_pylist()} if table else {}


def drifted_sections(item: Item, texts: dict[str, str]) -> list[dict[str, Any]]:
    """Both texts of each section cited in the decision that has changed since, with the change marked."""
    out: dict[str, dict[str, Any]] = {}
    for citation in (citation for question in item.sub_questions for citation in question.citations):
        if citation.version_uri is None or citation.drift in (None, "unchanged") or citation.version_uri in out:
            continue
        old, new = texts.get(citation.version_uri), texts.get(citation.current_uri or "")
        out[citation.version_uri] = {
            "name": citation_name(citation),
            "drift": citation.drift,
            "in_force": citation.version_uri,
            "current": citation.current_uri,
            "valid_from": _day(citation.valid_from),
            "valid_to": _day(citation.valid_to),
            "parts": marked_difference(old, new) if old is not None and new is not None else [("same", old or "")],
            "has_current": new is not None,
            "loadbearing": citation.is_loadbearing,
        }
    return list(out.values())


def citation_name(citation: Citation) -> str:
    """`Penal Code, 335`: the law in its own words and the label."""
    return ", ".join(part for part in (citation.law_name_th or citation.law or citation.law_code, citation.label) if part)


def show_item(item: Item, texts: dict[str, str], answers: list[dict[str, Any]]) -> dict[str, Any]:
    """One item with its answers, as the page reads it."""
    questions = [
        {
            "question": question.question,
            "type": question.question_type,
            "depends": question.depends_on_previous,
            "verdict": question.verdict,
            "reasoning": question.reasoning,
            "citations": [
                {"name": citation_name(c), "version": c.version_uri, "drift": c.drift, "loadbearing": c.is_loadbearing}
                for c in question.citations
            ],
        }
        for question in item.sub_questions
    ]
    return {
        **{
            name: getattr(item, name)
            for name in ("id", "domain", "court", "source", "source_id", "decision_date", "drift_band", "title", "fact_pattern")
        },
        "law_date": _day(item.law_date),
        "applicable_date": _day(item.applicable_date),
        "corpus_date": _day(item.corpus_date),
        "cluster": item.cluster,
        "questions": questions,
        "drifted": drifted_sections(item, texts),
        "answers": answers,
    }


def show_answer(
    answer: Answer, grades: list[Grade], scores: dict[int, dict[str, Any]], cited: dict[tuple[int, ...], dict[str, Any]]
) -> dict[str, Any]:
    """One answer: what was said, searched, cited, and what each judge made of it."""
    subs = []
    for sub in answer.sub_answers:
        citations = [
            {"text": c.version or " ".join(part for part in (c.law, c.section) if part), **cited.get((sub.sub_question, place), {})}
            for place, c in enumerate(sub.citations, start=1)
        ]
        subs.append({"n": sub.sub_question, "verdict": sub.verdict, "reasoning": sub.reasoning, "citations": citations})
    judged: dict[int, list[dict[str, Any]]] = {}
    for grade in grades:
        for g in grade.sub_grades:
            row = {"judge": grade.judge, "status": g.status, "tier": g.tier, "score": g.score, "justification": g.justification}
            judged.setdefault(g.sub_question, []).append(row)
    return {
        **{name: getattr(answer, name) for name in ("model", "setting", "sample", "status", "detail", "finish_reason")},
        "subs": subs,
        "raw": "" if answer.status == "ok" else answer.raw_text[:_LONGEST_RAW],
        "searches": [search.model_dump() for search in answer.search_trace],
        "tool_call_errors": answer.n_tool_call_errors,
        "usage": answer.usage.model_dump(),
        "scores": {str(number): row for number, row in sorted(scores.items())},
        "grades": {str(number): rows for number, rows in sorted(judged.items())},
    }


def collect_items(args: argparse.Namespace, items: list[Item]) -> list[dict[str, Any]]:
    """The items that the page shows, in the order of the items file."""
    wanted = max(1, args.max_bytes // (_ANSWER_BYTES * max(1, len(args.answers))))
    chosen = [items[place] for place in evenly(len(items), wanted)]
    ids = {item.id for item in chosen}
    citations = [c for item in chosen for question in item.sub_questions for c in question.citations]
    texts = section_texts(args.sections, {uri for c in citations for uri in (c.version_uri, c.current_uri) if uri})
    grades: dict[Key, list[Grade]] = {}
    for grade in (grade for path in args.grades for grade in pick_lines(path, Grade, ids)):
        grades.setdefault((grade.model, grade.setting, grade.sample, grade.item_id), []).append(grade)
    scores = _by_answer(args.scores, SCORES.names, _SCORE_COLUMNS, ids, ["sub_question"])
    cited = _by_answer(args.citations, CITATION_SCORES.names, ["version_class", "is_hit", "invented"], ids, ["sub_question", "position"])
    answers: dict[str, list[dict[str, Any]]] = {}
    for answer in (answer for path in args.answers for answer in pick_lines(path, Answer, ids)):
        key = (answer.model, answer.setting, answer.sample, answer.item_id)
        shown = show_answer(answer, grades.get(key, []), {n: row for (n,), row in scores.get(key, {}).items()}, cited.get(key, {}))
        answers.setdefault(answer.item_id, []).append(shown)
    shown_items = [show_item(item, texts, answers.get(item.id, [])) for item in chosen]
    sizes = [len(canonical_json(item).encode()) for item in shown_items]
    fit = max(1, int(len(sizes) * args.max_bytes / sum(sizes))) if sum(sizes) > args.max_bytes else len(sizes)
    return [shown_items[place] for place in evenly(len(shown_items), fit)]


def collect_run(args: argparse.Namespace) -> dict[str, Any]:
    """The page of one run. Raises ReportError or ConfigError."""
    jurisdiction = read_config(args.jurisdiction_config, Jurisdiction)
    protocol = read_config(args.protocol_config, Protocol)
    panel = [read_config(args.judges_dir / f"{name}.yaml", Judge) for name in protocol.panel]
    models = read_models(args.models_dir, protocol.models)
    settings = read_csv(args.settings, ["model", "setting", "domain", "metric", "value", "low", "high", "n_scored", "n"])
    items = read_lines(args.items, Item)
    shown = [] if args.hide_items else released(items, None if jurisdiction.items_public else args.splits)
    return {
        "run": args.run,
        "jurisdiction": {
            "title": jurisdiction.title,
            "language": jurisdiction.language,
            "corpus_date": _day(jurisdiction.corpus_date),
            "terms": jurisdiction.terms,
        },
        "protocol": protocol.model_dump(mode="json"),
        "models": {
            key: {"name": m.name, "access": m.access, "checkpoint": m.checkpoint, "revision": m.revision} for key, m in models.items()
        },
        "judges": [judge.name for judge in panel],
        "judge_keys": {name: judge.name for name, judge in zip(protocol.panel, panel, strict=True)},
        "notes": [*judge_notes(panel, protocol.models), *args.note],
        "settings": _records(settings[(settings["domain"] == "all") | (settings["metric"] == "score")]),
        "gains": _records(read_csv(args.gain, ["model", "access", "band", "contrast", "value", "low", "high", "star", "n_items", "n"])),
        "statuses": _records(read_csv(args.statuses, ["model", "setting", "kind", "status", "n"])),
        "problems": count_problems(args.problems),
        "composition": _plain_table(args.composition),
        "citation_split": _plain_table(args.split),
        "by_band": score_cells(read_csv(args.by_band, ["model", "setting", "domain", "band", "value", "low", "high", "n_scored", "n"])),
        "tables": [read_printed(path) for path in args.tables],
        "figures": [figure(path) for path in args.figures],
        "n_items": len(items),
        "items_hidden": not shown,
        "n_held_out": len(items) - len(shown),
        "items": collect_items(args, shown) if shown else [],
    }


def released(items: list[Item], splits: Path | None) -> list[Item]:
    """Items that may be shown: those of the validation split; all of them where the jurisdiction has no splits (§4.4: the test split is never published).

    Raises ReportError for an item that the splits file does not name: better no page than a held-out item on it.
    """
    if splits is None:
        return items
    frame = read_csv(splits, ["item_id", "split"])
    split_of = dict(zip(frame["item_id"].astype(str), frame["split"], strict=True))
    unknown = [item.id for item in items if item.id not in split_of]
    if unknown:
        raise ReportError(f"{splits} does not name item {unknown[0]}; make the splits again")
    return [item for item in items if split_of[item.id] in ("validation", "none")]


def score_cells(frame: pd.DataFrame) -> dict[str, list[Any]]:
    """`model|setting|domain|band` -> value, low, high, n scored, n: what the leaderboard shows when it is narrowed."""
    cells = {}
    for row in _records(frame):
        key = "|".join(str(row[name]) for name in ("model", "setting", "domain", "band"))
        cells[key] = [*(None if row[name] is None else round(row[name], 4) for name in ("value", "low", "high")), row["n_scored"], row["n"]]
    return cells


def figure(path: Path) -> dict[str, str]:
    """A drawing with its title. Raises ReportError for a missing file."""
    try:
        return {"number": number_of(path.stem), "title": title_of(path.stem), "stem": path.stem, "svg": path.read_text(encoding="utf-8")}
    except FileNotFoundError as error:
        raise ReportError(f"{path} does not exist; run the step that makes it") from error


def _by_answer(
    paths: Iterable[Path], names: list[str], columns: list[str], ids: set[str], within: list[str]
) -> dict[Key, dict[tuple[int, ...], dict[str, Any]]]:
    """Rows of score tables by answer, then by their place within it."""
    out: dict[Key, dict[tuple[int, ...], dict[str, Any]]] = {}
    for path in paths:
        if pq.read_schema(path).names != names:
            raise ReportError(f"{path}: columns differ from those of this version of the pipeline; make it again")
        keys = ["model", "setting", "sample", "item_id"]
        for row in pq.read_table(path, columns=[*keys, *within, *columns], filters=[("item_id", "in", sorted(ids))]).to_pylist():
            place = tuple(row[name] for name in within)
            out.setdefault(tuple(row[name] for name in keys), {})[place] = {name: row[name] for name in columns}  # type: ignore[arg-type]
    return out


def _records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    plain = frame.astype(object).where(frame.notna(), None)
    return [{str(key): value for key, value in row.items()} for row in plain.to_dict("records")]


def _plain_table(path: Path | str) -> dict[str, Any]:
    """A table of another stage as text, cell by cell."""
    try:
        frame = pd.read_csv(path, dtype=str, keep_default_na=False, encoding="utf-8")
    except FileNotFoundError as error:
        raise ReportError(f"{path} does not exist; run the step that makes it") from error
    return {"columns": list(frame.columns), "rows": frame.to_numpy().tolist()}


def _day(day: object) -> str | None:
    return None if day is None else str(day)


def main(argv: list[str] | None = None) -> None:
    """Read the files of a run, write its page.json."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.report.collect_run --run demo --jurisdiction-config config/jurisdictions/demo.yaml "
        "--protocol-config config/protocols/demo.yaml --models-dir config/models --judges-dir config/judges --items ITEMS --sections SECTIONS "
        "--settings SETTINGS --gain GAIN --statuses STATUSES --answers FILES --grades FILES --scores FILES --citations FILES "
        "--problems FILES --composition FILE --split FILE --by-band FILE --tables MD --figures SVG --out results/report/demo/page.json",
    )
    parser.add_argument("--run", required=True)
    for name in (
        "jurisdiction-config",
        "protocol-config",
        "items",
        "sections",
        "settings",
        "gain",
        "statuses",
        "composition",
        "split",
        "by-band",
        "out",
    ):
        parser.add_argument(f"--{name}", required=True)
    for name in ("models-dir", "judges-dir"):
        parser.add_argument(f"--{name}", required=True, type=Path)
    parser.add_argument("--answers", nargs="+", required=True, type=Path)
    parser.add_argument("--grades", nargs="+", required=True, type=Path, help="grades of every judge, each file once")
    parser.add_argument("--scores", nargs="*", default=[], type=Path, help="scores.parquet of every cell: panel medians and metrics")
    parser.add_argument("--citations", nargs="*", default=[], type=Path, help="citations.parquet of every cell: version classes")
    parser.add_argument("--tables", nargs="*", default=[], type=Path, help="the report's tables as Markdown, in the order shown")
    parser.add_argument("--figures", nargs="*", default=[], type=Path, help="the report's figures as SVG, in the order shown")
    parser.add_argument("--splits", type=Path, help="item_id,split: only items of the validation split are shown")
    parser.add_argument("--problems", nargs="*", default=[], type=Path, help="problems.csv of every stage")
    parser.add_argument("--note", action="append", default=[], help="a warning to print above the results; may be repeated")
    parser.add_argument("--hide-items", action="store_true", help="show no item: a held-out split, or terms that do not allow it")
    parser.add_argument("--max-bytes", type=int, default=MAX_BYTES, help="size of the shown items (default %(default)s)")
    args = parser.parse_args(argv)
    try:
        write_text(args.out, canonical_json(collect_run(args)) + "\n")
    except (ReportError, ConfigError) as error:
        raise SystemExit(str(error)) from error
    except FileNotFoundError as error:
        raise SystemExit(f"{error.filename} does not exist; run the step that makes it") from error


if __name__ == "__main__":
    main()
