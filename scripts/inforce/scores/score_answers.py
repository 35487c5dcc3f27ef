"""Join answers, citations and grades into one row a sub-question and one row an item (NitiBench+ §5.1, B.3, §7.3).

The panel's score is the median of its seats, given only if every seat graded. No status turns into a silent zero: what is scored as zero,
and what is not scored at all, is in docs/scoring.md.
"""

from __future__ import annotations

import argparse
import statistics
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from inforce.config.jurisdiction import Jurisdiction
from inforce.config.load import read_config
from inforce.config.model import Model
from inforce.records.answers import Answer
from inforce.records.grades import AGREEING_TIERS, Grade, SubGrade
from inforce.records.items import Item, SubQuestion
from inforce.records.labels import LabelRules
from inforce.records.lines import read_lines
from inforce.records.pairing import pair_answers
from inforce.records.tables import CITATION_SCORES, ITEM_SCORES, SCORES, read_rows, write_table
from inforce.scores.citation_metrics import ZERO_STATUSES, cited_sections, score_citations
from inforce.scores.dated_sections import gold_key
from inforce.scores.prices import Price, cost_usd, price_of, read_prices

Row = Mapping[str, Any]
_CLASSES = ("exact", "stale", "future", "wrong_section", "nonexistent")


def panel_scores(answer_status: str, seats: Sequence[SubGrade]) -> dict[str, object]:
    """The panel's columns of one sub-question: the median of the seats and the majority's verdict, if every seat is ok.

    The status is the answer's if that is not ok (the panel never met), ok, or panel_incomplete. seats: in the order of the panel.
    """
    full = bool(seats) and all(seat.status == "ok" and seat.score is not None for seat in seats)
    status = answer_status if answer_status != "ok" else ("ok" if full else "panel_incomplete")
    agreeing = sum(seat.tier in AGREEING_TIERS for seat in seats)
    scored = status == "ok"
    return {
        "panel_status": status,
        "score": float(statistics.median([seat.score for seat in seats if seat.score is not None])) if scored else None,
        "seat_scores": [seat.score for seat in seats],
        "seat_tiers": [seat.tier for seat in seats],
        "agrees_with_court": 2 * agreeing > len(seats) if scored else None,
    }


def gold_sections(question: SubQuestion, rules: LabelRules) -> set[str]:
    """Keys of the sections that the court relied on and that resolve to a version. rules: those that the citations were resolved by."""
    keys = (gold_key(citation, rules) for citation in question.citations if citation.is_scored)
    return {key for key in keys if key}


def citation_columns(answer_status: str, gold: set[str], rows: Sequence[Row]) -> dict[str, object]:
    """The citation columns of one sub-question. rows: its CITATION_SCORES.

    n_cited and n_gold count distinct sections; n_checked, n_invented and the version classes count citations as given.
    Raises ValueError if a hit is no gold section: items and citations are then not of one run.
    """
    strangers = {row["section_key"] for row in rows if row["is_hit"]} - gold
    if strangers:
        raise ValueError(f"the citations hit {sorted(strangers)}, which are not gold in the items: make the citations again")
    answered = answer_status == "ok" or answer_status in ZERO_STATUSES
    cited = cited_sections(rows)
    score = score_citations(cited, gold) if answered and gold else None
    classes = Counter(row["version_class"] for row in rows)
    invented = Counter(row["invented"] for row in rows)
    return {
        "citation_precision": score.precision if score else None,
        "citation_recall": score.recall if score else None,
        "citation_f1": score.f1 if score else None,
        "n_gold": len(gold),
        "n_cited": len(cited) if answered else None,
        "n_checked": sum(row["is_checked"] for row in rows) if answered else None,
        "n_invented_law": invented["law"] if answered else None,
        "n_invented_section": invented["section"] if answered else None,
        **{f"n_{name}": classes[name] if answered and gold else None for name in _CLASSES},
    }


def sub_grades(grades: Sequence[Grade], answers: Sequence[Answer], counts: Mapping[str, int], path: str) -> dict[tuple[str, int], SubGrade]:
    """One seat's grades by item and sub-question. counts: sub-questions of each item.

    Raises ValueError that names the file if it does not grade each of these answers, and each of their sub-questions, once.
    """
    wanted = {(answer.item_id, answer.model, answer.setting, answer.sample) for answer in answers}
    given = [(grade.item_id, grade.model, grade.setting, grade.sample) for grade in grades]
    if len(given) != len(set(given)) or set(given) != wanted:
        different = sorted(set(given) ^ wanted)
        raise ValueError(
            f"{path} does not grade each of these answers once; first difference: {different[:1] or 'a repeated line'}; grade again"
        )
    found = {}
    for grade in grades:
        numbers = [sub.sub_question for sub in grade.sub_grades]
        if numbers != list(range(1, counts[grade.item_id] + 1)):
            raise ValueError(
                f"{path}: item {grade.item_id} has grades for sub-questions {numbers}, expected 1 to {counts[grade.item_id]}; grade again"
            )
        found.update({(grade.item_id, sub.sub_question): sub for sub in grade.sub_grades})
    return found


def score_rows(
    run: str,
    pairs: Sequence[tuple[Item, Answer]],
    citations: Sequence[Row],
    panel: Sequence[Mapping[tuple[str, int], SubGrade]],
    lexical: Mapping[tuple[str, int], SubGrade],
    rules: LabelRules,
) -> list[dict[str, object]]:
    """Rows of SCORES, in item order. panel: one mapping a seat, in panel order."""
    by_question = defaultdict(list)
    for row in citations:
        by_question[row["item_id"], row["sub_question"]].append(row)
    return [
        {
            **_names(run, item, answer),
            "sub_question": number,
            "answer_status": answer.status,
            **panel_scores(answer.status, [seat[item.id, number] for seat in panel]),
            "lexical_score": lexical[item.id, number].score,
            **citation_columns(answer.status, gold_sections(question, rules), by_question[item.id, number]),
        }
        for item, answer in pairs
        for number, question in enumerate(item.sub_questions, start=1)
    ]


def item_rows(run: str, pairs: Sequence[tuple[Item, Answer]], price: Price | None) -> list[dict[str, object]]:
    """Rows of ITEM_SCORES, in item order; an answer lost to its endpoint has no counts. Raises ValueError that names the item if its token counts contradict each other."""
    rows: list[dict[str, object]] = []
    for item, answer in pairs:
        try:
            cost = cost_usd(answer.usage, price)
        except ValueError as error:
            raise ValueError(f"item {item.id}: {error}") from error
        lost = answer.status == "endpoint_error"  # what the model would have searched is not known, and no search is not zero searches
        rows.append(
            {
                **_names(run, item, answer),
                "status": answer.status,
                "n_searches": None if lost else len(answer.search_trace),
                "n_tool_call_errors": None if lost else answer.n_tool_call_errors,
                **answer.usage.model_dump(),
                "cost_usd": cost,
            }
        )
    return rows


def _names(run: str, item: Item, answer: Answer) -> dict[str, object]:
    return {
        "run": run,
        "model": answer.model,
        "setting": answer.setting,
        "sample": answer.sample,
        "item_id": item.id,
        "domain": item.domain,
        "drift_band": item.drift_band,
        "cluster": item.cluster,
    }


def check_citations(citations: Sequence[Row], run: str, pairs: Sequence[tuple[Item, Answer]], path: str) -> None:
    """Raise ValueError that names the file if a citation belongs to another run or answer, or if an answer's citations are missing."""
    wanted = {
        (run, answer.model, answer.setting, answer.sample, answer.item_id, sub.sub_question, position)
        for _, answer in pairs
        for sub in answer.sub_answers
        for position in range(1, len(sub.citations) + 1)
    }
    given = {tuple(row[key] for key in ("run", "model", "setting", "sample", "item_id", "sub_question", "position")) for row in citations}
    if given != wanted:
        raise ValueError(f"{path} is not made from these answers; first difference: {min(given ^ wanted)}; run resolve_citations again")


def main(argv: list[str] | None = None) -> None:
    """Read the files, join and score, write both tables. Exit status 1 with one sentence for input that cannot be used."""
    parser = argparse.ArgumentParser(
        prog="python -m inforce.scores.score_answers",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.scores.score_answers --run demo --jurisdiction-config config/jurisdictions/demo.yaml --items results/items/demo.jsonl "
        "--answers results/answers/demo/M/parametric/1.jsonl --citations results/scores/demo/M/parametric/1/citations.parquet "
        "--grades A.jsonl B.jsonl C.jsonl --lexical results/grades/demo/M/parametric/1/lexical.jsonl "
        "--model-config config/models/M.yaml --prices config/prices.csv --scores scores.parquet --item-scores items.parquet",
    )
    parser.add_argument("--run", required=True, help="name of the run, written into every row")
    parser.add_argument("--jurisdiction-config", required=True, help="label rules: gold and cited labels are read alike")
    parser.add_argument("--items", required=True, help="items.jsonl of the run")
    parser.add_argument("--answers", required=True, help="answers of one model, setting and sample")
    parser.add_argument("--citations", required=True, help="citations.parquet of the same answers")
    parser.add_argument(
        "--grades", required=True, nargs="+", help="one file a seat, in panel order; a judge with several seats is named as often"
    )
    parser.add_argument("--lexical", required=True, help="lexical.jsonl of the same answers")
    parser.add_argument("--model-config", required=True, help="names the price")
    parser.add_argument("--prices", required=True, help="config/prices.csv")
    parser.add_argument("--scores", required=True, help="table of sub-questions to write")
    parser.add_argument("--item-scores", required=True, help="table of items to write")
    args = parser.parse_args(argv)
    try:
        items, answers = read_lines(args.items, Item), read_lines(args.answers, Answer)
        pairs = pair_answers(items, answers, args.items, args.answers)
        citations = read_rows(args.citations, CITATION_SCORES)
        check_citations(citations, args.run, pairs, args.citations)
        counts = {item.id: len(item.sub_questions) for item in items}
        files = {path: sub_grades(read_lines(path, Grade), answers, counts, path) for path in [*args.grades, args.lexical]}
        price = price_of(read_config(args.model_config, Model).price, read_prices(args.prices), args.prices)
        rules = read_config(args.jurisdiction_config, Jurisdiction).labels
        scores = score_rows(args.run, pairs, citations, [files[path] for path in args.grades], files[args.lexical], rules)
        item_scores = item_rows(args.run, pairs, price)
    except (OSError, ValueError) as error:
        raise SystemExit(f"score_answers: {error}") from error
    write_table(args.scores, scores, SCORES)
    write_table(args.item_scores, item_scores, ITEM_SCORES)


if __name__ == "__main__":
    main()
