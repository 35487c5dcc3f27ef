"""Everything that the report page shows of one run, as one canonical JSON file.

Tables are taken over as they are, problems are counted by kind, and each released item comes with its question, the court's
verdict, both texts of every section that has changed since, and each answer of the first sample with its status, searches and
grades. Where the answers together would be larger than --max-bytes, their long texts are cut, and the length is stated; no item and
no answer is left out. Texts of items are the masked ones, where --masked names them, and by --masks so are texts of models. With
--hide-items no item is shown (a held-out split, data whose terms do not allow it). Items that are not released are named nowhere: not
among the problems, and not as a cluster. Nothing is read but the files named.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow.parquet as pq

from inforce.config.jurisdiction import Jurisdiction
from inforce.config.load import ConfigError, read_config
from inforce.config.model import Judge
from inforce.config.protocol import Protocol
from inforce.records.files import canonical_json, write_text
from inforce.records.items import Citation, Item
from inforce.records.lines import iter_lines, read_lines
from inforce.records.masks import ItemMasks, masker_of
from inforce.records.problems import read_problems
from inforce.records.tables import SECTIONS
from inforce.report.captions import number_of, title_of
from inforce.report.marked_difference import marked_difference
from inforce.report.page_answers import ItemAnswers, collect_answers
from inforce.report.printed_tables import read_printed
from inforce.report.released import RELEASED, read_splits, released
from inforce.report.words import ReportError, fixed, read_csv, read_models

MAX_BYTES = 150_000_000
_EXAMPLES = 20  # problems shown of each kind


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


def count_problems(paths: Sequence[Path], held_out: Callable[[str, str], bool]) -> list[dict[str, Any]]:
    """Problems of each file by kind and action, most frequent first, with the first few rows of each.

    A row for which held_out(row, reason) is true is counted and not shown; n_held_out says how many were passed over.
    """
    out = []
    for path in paths:
        groups: dict[tuple[str, str], list[list[str]]] = {}
        for problem in read_problems(path):
            groups.setdefault((problem.kind, problem.action), []).append([problem.source, problem.row, problem.reason])
        name = "/".join([*path.parts[-3:-2], path.stem])
        kinds = []
        for (kind, action), rows in sorted(groups.items(), key=lambda group: (-len(group[1]), group[0])):
            examples: list[list[str]] = []
            n_held_out = 0
            for row in rows:
                if len(examples) == _EXAMPLES:
                    break
                if held_out(row[1], row[2]):
                    n_held_out += 1
                else:
                    examples.append(row)
            kinds.append({"kind": kind, "action": action, "n": len(rows), "examples": examples, "n_held_out": n_held_out})
        out.append({"file": name, "n": sum(len(rows) for rows in groups.values()), "kinds": kinds})
    return out


def naming(names: Iterable[str], id_prefix: str) -> Callable[[str, str], bool]:
    """Whether a problem's row or reason names one of these items, by its id or its decision's number, or the row begins with its id in the source.

    A name counts where no letter or digit of ASCII continues it: `case-1` is not named by `case-12`.
    """
    known = {name for name in names if name}
    sizes = sorted({len(name) for name in known})
    in_source = {name.removeprefix(id_prefix) for name in known}

    def named(text: str) -> bool:
        found = ((start, start + size) for size in sizes for start in range(len(text) - size + 1) if text[start : start + size] in known)
        return any(not _continues(text[start - 1 : start]) and not _continues(text[end : end + 1]) for start, end in found)

    return lambda row, reason: row in in_source or row.split(" ", 1)[0] in in_source or named(row) or named(reason)


def _continues(sign: str) -> bool:
    return sign.isascii() and sign.isalnum()


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


def cluster_name(item: Item, held_out: set[str]) -> str:
    """The item's cluster, named by the smallest id among its members that the page may name."""
    return min([item.id, *(other for other in item.asks_shared_question if other not in held_out)])


def show_item(item: Item, texts: dict[str, str], answers: ItemAnswers, held_out: set[str]) -> dict[str, Any]:
    """One item with its packed answers, as the page reads it. held_out: what the page may not name."""
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
        "cluster": cluster_name(item, held_out),
        "questions": questions,
        "drifted": drifted_sections(item, texts),
        "statuses": answers.statuses,
        "n_answers": answers.n,
        "packed": answers.packed,
    }


def masked(items: list[Item], path: Path) -> list[Item]:
    """The same items with personal details masked. Raises ReportError for one that the file lacks."""
    by_id = {item.id: item for item in read_lines(path, Item)}
    if missing := [item.id for item in items if item.id not in by_id]:
        raise ReportError(f"{path} lacks item {missing[0]}; mask the items again")
    return [by_id[item.id] for item in items]


def collect_items(args: argparse.Namespace, items: list[Item], held_out: set[str]) -> tuple[list[dict[str, Any]], int | None]:
    """The items as the page shows them, in the order of the items file; and the length that long texts were cut to, if they were."""
    citations = [c for item in items for question in item.sub_questions for c in question.citations]
    texts = section_texts(args.sections, {uri for c in citations for uri in (c.version_uri, c.current_uri) if uri})
    ids = {item.id for item in items}
    masks = {one.item_id: masker_of(one.masks) for one in iter_lines(args.masks, ItemMasks) if one.masks} if args.masks else {}
    answers, cut_at = collect_answers(ids, args.answers, args.grades, args.scores, args.citations, args.max_bytes, masks)
    return [show_item(item, texts, answers.get(item.id, ItemAnswers([], 0, "")), held_out) for item in items], cut_at


def collect_run(args: argparse.Namespace) -> dict[str, Any]:
    """The page of one run. Raises ReportError or ConfigError."""
    jurisdiction = read_config(args.jurisdiction_config, Jurisdiction)
    protocol = read_config(args.protocol_config, Protocol)
    panel = [read_config(args.judges_dir / f"{name}.yaml", Judge) for name in protocol.panel]
    models = read_models(args.models_dir, protocol.models)
    settings = read_csv(args.settings, ["model", "setting", "domain", "metric", "value", "low", "high", "n_scored", "n"])
    items = read_lines(args.items, Item)
    splits = read_splits(args.splits) if args.splits else None
    shown = [] if args.hide_items else released(items, jurisdiction, splits, args.splits)
    elsewhere = {} if jurisdiction.items_public else {name: split for name, split in (splits or {}).items() if split not in RELEASED}
    shown = masked(shown, args.masked) if args.masked else shown
    held_out = held_out_names(items, shown, splits or {} if args.hide_items else elsewhere)
    named = naming(held_out, jurisdiction.decisions.id_prefix)
    shown_items, cut_at = collect_items(args, shown, held_out) if shown else ([], None)
    fewest, most = (least(protocol.n_samples(model) for model in protocol.models) for least in (min, max))
    return {
        "run": args.run,
        "jurisdiction": {
            "key": Path(args.jurisdiction_config).stem,
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
        "problems": count_problems(args.problems, named),
        "composition": _plain_table(args.composition),
        "citation_split": _plain_table(args.split),
        "by_band": score_cells(read_csv(args.by_band, ["model", "setting", "domain", "band", "value", "low", "high", "n_scored", "n"])),
        "tables": [read_printed(path) for path in args.tables],
        "figures": [figure(path) for path in args.figures],
        "n_items": len(items),
        "items_hidden": not shown,
        "n_held_out": len(items) - len(shown),
        "samples": [fewest, most],
        "cut_at": cut_at,
        "items": shown_items,
    }


def held_out_names(items: list[Item], shown: list[Item], splits: dict[str, str]) -> set[str]:
    """Ids and decision numbers that the page may not name: of the run's items that are not shown, and of these items of the jurisdiction."""
    names = {name for item in items for name in (item.id, item.source_id)} | set(splits)
    return names - {name for item in shown for name in (item.id, item.source_id)}


def score_cells(frame: pd.DataFrame) -> dict[str, list[Any]]:
    """`model|setting|domain|band` -> value to sort by; value, low and high as printed, empty = none; n scored, n: what the leaderboard shows when it is narrowed."""
    cells = {}
    for row in _records(frame):
        key = "|".join(str(row[name]) for name in ("model", "setting", "domain", "band"))
        texts = [fixed(row[name], 2) for name in ("value", "low", "high")]  # the browser would round halves the other way
        cells[key] = [row["value"], *texts, row["n_scored"], row["n"]]
    return cells


def figure(path: Path) -> dict[str, str]:
    """A drawing with its title. Raises ReportError for a missing file."""
    try:
        return {"number": number_of(path.stem), "title": title_of(path.stem), "stem": path.stem, "svg": path.read_text(encoding="utf-8")}
    except FileNotFoundError as error:
        raise ReportError(f"{path} does not exist; run the step that makes it") from error


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
    parser.add_argument(
        "--splits",
        type=Path,
        help="splits.csv, item_id and split: only items of the validation split are shown, unless the items are public",
    )
    parser.add_argument("--masked", type=Path, help="masked.jsonl of mask_items: the texts of items that are shown")
    parser.add_argument("--masks", type=Path, help="masks.jsonl of mask_items: what is masked in the answers and grades that are shown")
    parser.add_argument("--problems", nargs="*", default=[], type=Path, help="problems.csv of every stage")
    parser.add_argument("--note", action="append", default=[], help="a warning to print above the results; may be repeated")
    parser.add_argument("--hide-items", action="store_true", help="show no item: a held-out split, or terms that do not allow it")
    parser.add_argument(
        "--max-bytes",
        type=int,
        default=MAX_BYTES,
        help="JSON of all shown answers together; beyond it long texts are cut (default %(default)s)",
    )
    args = parser.parse_args(argv)
    try:
        write_text(args.out, canonical_json(collect_run(args)) + "\n")
    except (ReportError, ConfigError) as error:
        raise SystemExit(str(error)) from error
    except FileNotFoundError as error:
        raise SystemExit(f"{error.filename} does not exist; run the step that makes it") from error


if __name__ == "__main__":
    main()
