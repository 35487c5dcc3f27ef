"""A whole small run on disk for the report's tests: Thai and English items, two models, hostile answers, a panel of one judge."""

from __future__ import annotations

import base64
import datetime as dt
import json
import zlib
from pathlib import Path
from typing import Any

import pyarrow as pa

from inforce.records.answers import Answer, AnswerCitation, Search, SubAnswer, Usage
from inforce.records.files import sha256_text, write_text
from inforce.records.grades import Grade, SubGrade
from inforce.records.items import Citation, Item, SubQuestion
from inforce.records.lines import write_lines
from inforce.records.problems import Problem, write_problems
from inforce.records.status import DRIFT_BANDS, SETTINGS
from inforce.records.tables import CITATION_SCORES, ITEM_SCORES, SCORES, SECTIONS, write_table
from inforce.report import collect_run, gain_table, make_leaderboard, make_report, plot_leaderboard, settings_table
from inforce.report.page_answers import FIELDS
from inforce.stats import aggregate_scores, count_statuses, gain_by_band, scores_by_band

HOSTILE = (
    "</script><script>window.hacked = 1</script><img src=x onerror=\"window.hacked = 2\"><svg onload='window.hacked = 3'>"
    "<!--<script>{{ 7 * 7 }} javascript:alert(1) https://evil.example/x.png \u2028 &lt;b&gt;"
)
OLD = "Any person who takes away a thing belonging to another shall be liable to a fine not exceeding six thousand baht."
NEW = "Any person who dishonestly takes away a thing belonging to another shall be liable to a fine not exceeding sixty thousand baht."
OLD_TH = "ผู้ใดเอาทรัพย์ของผู้อื่นไปโดยทุจริต ต้องระวางโทษจำคุกไม่เกินสามปี และปรับไม่เกินหกพันบาท"
NEW_TH = "ผู้ใดเอาทรัพย์ของผู้อื่นไปโดยทุจริต ต้องระวางโทษจำคุกไม่เกินสามปี และปรับไม่เกินหกหมื่นบาท"
WORDS = "The seller kept the thing and the buyer had paid for it; the court looked at the law of the day of the sale. "


def model_config(name: str, access: str = "open") -> dict[str, Any]:
    via = {"kind": "endpoint", "base_url": "http://localhost:1/v1"}
    return {
        **{"name": name, "access": access, "checkpoint": "maker/model", "revision": "1", "via": via},
        **{"context_window": 8192, "max_output_tokens": 512},
    }


def write_json(path: Path, value: object) -> Path:
    write_text(path, json.dumps(value, ensure_ascii=False))  # JSON is YAML
    return path


def write_jurisdiction(path: Path, **more: object) -> Path:
    columns = {name: name for name in ("law_code", "label", "valid_from", "valid_to", "text")}
    jurisdiction = {
        **{
            "title": "Testland <b>",
            "language": "th",
            "corpus_date": "2026-09-01",
            "root": "data",
            "laws": [{"law_code": "PEN", "name": "Penal Code"}],
        },
        **{"sections": {"file": "s.csv", "columns": columns}, "decisions": {"file": "d.jsonl"}, "labels": {}},
    }
    return write_json(path, jurisdiction | more)


def version(label: str, day: str) -> str:
    return f"xx/law/PEN/section-{label}/v/{day}"


def make_item(number: int, thai: bool) -> Item:
    band = DRIFT_BANDS[number % 3]
    drift = {"no_drift": "unchanged"}.get(band, band)
    label = ("334" if thai else "12") if band != "repealed" else "99"
    old = version(label, "1957-01-01")
    current = {"no_drift": old, "amended": version(label, "2017-11-10"), "repealed": None}[band]
    citation = Citation(
        law_code="PEN",
        law_name_th="ประมวลกฎหมายอาญา" if thai else "Penal Code",
        label=label,
        is_loadbearing=True,
        version_uri=old,
        valid_from=dt.date(1957, 1, 1),
        valid_to=None if band == "no_drift" else dt.date(2017, 11, 10),
        current_uri=current,
        drift=drift,
    )
    unheld = citation.model_copy(
        update={"law_code": None, "law": "Notification 3", "law_name_th": None, "label": None, "version_uri": None, "drift": None}
    )
    question = SubQuestion(
        question="จำเลยมีความผิดฐานลักทรัพย์หรือไม่ เพราะเหตุใด" if thai else "Is the accused liable for theft, and why?",
        question_type="ruling",
        depends_on_previous=False,
        verdict="มีความผิด" if thai else "Liable.",
        reasoning="ศาลฎีกาวินิจฉัยว่าจำเลยเอาทรัพย์ไปโดยทุจริต" if thai else WORDS,
        citations=[citation, unheld],
    )
    second = question.model_copy(update={"question": "Which penalty follows?", "depends_on_previous": True, "citations": [citation]})
    return Item(
        id=f"crim::{number:03d}",
        domain="criminal" if number % 2 else "civil_and_commercial",
        court="Supreme Court",
        source="deka",
        source_id=f"{number}/2550",
        decision_date="2007-05-03",
        date_precision="day",
        law_date=dt.date(2007, 5, 3) if number else dt.date(2006, 1, 1),
        applicable_date=None if number else dt.date(2006, 1, 1),
        year_be=2550,
        decade="2550s",
        title=f"คดีลักทรัพย์ที่ {number}" if thai else f"Case {number} of a thing taken away",
        fact_pattern=("จำเลยเอาทรัพย์ของผู้เสียหายไป " if thai else WORDS) * 3,
        drift_band=band,
        n_sub_questions=2,
        n_cited_laws=1,
        asks_shared_question=[],
        corpus_date=dt.date(2026, 9, 1),
        sub_questions=[question, second],
    )


def make_answer(item: Item, model: str, setting: str, number: int, hostile: bool) -> Answer:
    status = "unparsed" if (number + len(model)) % 7 == 3 else "ok"
    text = HOSTILE if hostile and number % 2 == 0 else WORDS * 2
    cited = item.sub_questions[0].citations[0].version_uri
    citations = [AnswerCitation(version=cited), AnswerCitation(law="Act of Nowhere " + (HOSTILE if hostile else ""), section="7")]
    subs = [SubAnswer(sub_question=n, verdict=f"Liable. {text[:80]}", reasoning=text, citations=citations) for n in (1, 2)]
    searches = (
        [Search(query=f"theft {text[:40]}", version_uris=[version(str(n), "1957-01-01") for n in range(10)])] if "rag" in setting else []
    )
    return Answer(
        item_id=item.id,
        model=model,
        setting=setting,
        sample=1,
        status=status,
        detail=None if status == "ok" else f"no JSON object at character 0 {HOSTILE if hostile else ''}",
        request_sha256=[sha256_text(item.id)],
        sub_answers=subs if status == "ok" else [],
        raw_text=text * 2,
        search_trace=searches,
        n_tool_call_errors=int(setting == "rag_current"),
        usage=Usage(input_tokens=1200, output_tokens=180),
        finish_reason="stop",
    )


def make_grade(answer: Answer, number: int, hostile: bool) -> Grade:
    def one(n: int) -> SubGrade:
        if answer.status != "ok":
            return SubGrade(sub_question=n, status=answer.status, tier=None, score=None, justification=None)
        if number % 5 == 4 and n == 2:
            return SubGrade(sub_question=n, status="judge_unparsed", tier=None, score=None, justification=None)
        score = float((number * 3 + n + len(answer.setting)) % 4 + 2)
        why = HOSTILE if hostile else "The verdict is the court's; the reasoning leaves out the intent."
        return SubGrade(sub_question=n, status="ok", tier="T5" if score > 2 else "T3", score=score, justification=why)

    subs = [one(1), one(2)]
    return Grade(
        **answer.model_dump(include={"item_id", "model", "setting", "sample", "status"}), judge="little", request_sha256=[], sub_grades=subs
    )


def score_rows(
    run: str, item: Item, answer: Answer, grade: Grade
) -> tuple[list[dict[str, object]], dict[str, object], list[dict[str, object]]]:
    common: dict[str, object] = {"run": run, "model": answer.model, "setting": answer.setting, "sample": 1, "item_id": item.id}
    place = {"domain": item.domain, "drift_band": item.drift_band, "cluster": item.cluster}
    ok = answer.status == "ok"
    rows = []
    for sub in grade.sub_grades:
        row: dict[str, object] = dict.fromkeys(SCORES.names) | dict.fromkeys([name for name in SCORES.names if name.startswith("n_")], 0)
        row |= common | place | {"sub_question": sub.sub_question, "answer_status": answer.status}
        panel = "ok" if sub.status == "ok" else answer.status if not ok else "panel_incomplete"
        row |= {"panel_status": panel, "score": sub.score, "seat_scores": [sub.score] * 3, "seat_tiers": [sub.tier] * 3}
        row |= {"agrees_with_court": None if sub.tier is None else sub.tier >= "T4", "lexical_score": 3.25 if ok else None}
        row |= {"citation_precision": 0.5 * ok, "citation_recall": 1.0 * ok, "citation_f1": 0.667 * ok, "n_gold": 1, "n_cited": 2 * ok}
        stale = ok and item.drift_band != "no_drift" and "current" in answer.setting
        row |= {
            "n_checked": 2 * ok,
            "n_invented_law": 1 * ok,
            "n_exact": int(ok and not stale),
            "n_stale": int(stale),
            "n_nonexistent": 1 * ok,
        }
        rows.append(row)
    answer_row: dict[str, object] = dict.fromkeys(ITEM_SCORES.names) | common | place
    answer_row |= {"status": answer.status, "n_searches": len(answer.search_trace), "n_tool_call_errors": answer.n_tool_call_errors}
    answer_row |= {"input_tokens": 1200, "output_tokens": 180}
    cited = []
    for sub_answer in answer.sub_answers:
        for position in (1, 2):
            line: dict[str, object] = dict.fromkeys(CITATION_SCORES.names) | common
            line |= {
                "sub_question": sub_answer.sub_question,
                "position": position,
                "cited": "{}",
                "is_checked": True,
                "is_hit": position == 1,
            }
            line |= {"version_class": "exact" if position == 1 else "nonexistent", "invented": None if position == 1 else "law"}
            cited.append(line)
    return rows, answer_row, cited


def section_rows() -> list[dict[str, object]]:
    texts = {("12", "1957-01-01"): OLD, ("12", "2017-11-10"): NEW, ("334", "1957-01-01"): OLD_TH, ("334", "2017-11-10"): NEW_TH}
    rows = []
    for (label, day), text in {**texts, ("99", "1957-01-01"): "A debtor may be held until he pays."}.items():
        row: dict[str, object] = dict.fromkeys(SECTIONS.names)
        row |= {"version_uri": version(label, day), "section_uri": f"xx/law/PEN/section-{label}", "law_code": "PEN", "label": label}
        rows.append(
            row | {"valid_from": dt.date.fromisoformat(day), "date_status": "exact", "text": text, "text_sha256": sha256_text(text)}
        )
    return rows


def make_run(root: Path, run: str = "demo", n_items: int = 6, settings: tuple[str, ...] = SETTINGS, hostile: bool = True) -> Path:
    """Write every file that collect_run reads, run it, and return the path of page.json."""
    here, config = root / run, root / "config"
    names = {"little-model": "Little <Model> 1B", "other-model": "Other Model 8B"}
    for key, name in names.items():
        write_json(config / "models" / f"{key}.yaml", model_config(name, "open" if key == "little-model" else "proprietary"))
    write_json(config / "judges" / "little.yaml", {"name": "Little Judge", "model": "little-model"})
    protocol = {"models": list(names), "settings": list(settings), "panel": ["little"] * 3, "search": {"embedding": "e"}, "resamples": 500}
    write_json(config / "protocol.yaml", protocol)
    write_jurisdiction(config / "jurisdiction.yaml")
    items = [make_item(number, thai=number % 2 == 1) for number in range(n_items)]
    write_lines(here / "items.jsonl", items)
    write_table(here / "sections.parquet", section_rows(), SECTIONS)
    problems = [Problem("sections.csv", str(n), "sentinel_date", f"1970-01-01 is no date {HOSTILE}", "repaired") for n in range(25)]
    write_problems(here / "corpus" / "xx" / "law_problems.csv", problems)
    write_problems(here / "items" / "xx" / "problems.csv", [])
    write_text(here / "composition.csv", "domain,items,no_drift\ncriminal,3,1\ntotal,6,2\n")
    write_text(here / "split.csv", "coverage,n\ncovered,5\n")
    write_text(here / "splits.csv", "item_id,split\n" + "".join(f"{item.id},validation\n" for item in items))
    files: dict[str, list[str]] = {"answers": [], "grades": [], "scores": [], "item-scores": [], "citations": []}
    for model in names:
        for setting in settings:
            cell = f"{model}/{setting}/1"
            answers = [make_answer(item, model, setting, number, hostile) for number, item in enumerate(items)]
            grades = [make_grade(answer, number, hostile) for number, answer in enumerate(answers)]
            parts = [score_rows(run, *row) for row in zip(items, answers, grades, strict=True)]
            files["answers"].append(str(here / "answers" / f"{cell}.jsonl"))
            files["grades"].append(str(here / "grades" / cell / "little.jsonl"))
            write_lines(files["answers"][-1], answers)
            write_lines(files["grades"][-1], grades)
            tables: list[tuple[str, list[dict[str, object]], pa.Schema]] = [
                ("scores", [row for part in parts for row in part[0]], SCORES),
                ("item-scores", [part[1] for part in parts], ITEM_SCORES),
                ("citations", [row for part in parts for row in part[2]], CITATION_SCORES),
            ]
            for name, rows, schema in tables:
                files[name].append(str(here / "scores" / cell / f"{name}.parquet"))
                write_table(files[name][-1], rows, schema)
    scores, item_scores = ["--scores", *files["scores"]], ["--item-scores", *files["item-scores"]]
    resamples = ["--run", run, "--resamples", "500"]
    aggregate_scores.main([*resamples, *scores, *item_scores, "--out", f"{here}/settings.csv"])
    scores_by_band.main([*resamples, *scores, "--out", f"{here}/by_band.csv"])
    gain_by_band.main([*resamples, *scores, "--out", f"{here}/gain.csv"])
    count_statuses.main(["--run", run, *scores, *item_scores, "--out", f"{here}/statuses.csv"])
    models = ["--models-dir", f"{config}/models"]
    settings_table.main(
        [
            "--settings",
            f"{here}/settings.csv",
            *models,
            "--csv",
            f"{here}/table07_settings.csv",
            "--markdown",
            f"{here}/table07_settings.md",
            "--latex",
            f"{here}/table07_settings.tex",
        ]
    )
    gain_table.main(
        [
            "--gain",
            f"{here}/gain.csv",
            *models,
            "--csv",
            f"{here}/table08_gain.csv",
            "--markdown",
            f"{here}/table08_gain.md",
            "--latex",
            f"{here}/table08_gain.tex",
        ]
    )
    plot_leaderboard.main(
        [
            "--settings",
            f"{here}/settings.csv",
            *models,
            "--png",
            f"{here}/figure06_leaderboard.png",
            "--svg",
            f"{here}/figure06_leaderboard.svg",
        ]
    )
    collect_run.main(collect_arguments(root, run, files))
    return here / "page.json"


def collect_arguments(root: Path, run: str, files: dict[str, list[str]], *more: str) -> list[str]:
    here, config = root / run, root / "config"
    return [
        *("--run", run, "--jurisdiction-config", f"{config}/jurisdiction.yaml", "--protocol-config", f"{config}/protocol.yaml"),
        *("--models-dir", f"{config}/models", "--judges-dir", f"{config}/judges"),
        *("--items", f"{here}/items.jsonl", "--sections", f"{here}/sections.parquet", "--settings", f"{here}/settings.csv"),
        *("--gain", f"{here}/gain.csv", "--statuses", f"{here}/statuses.csv", "--composition", f"{here}/composition.csv"),
        *("--split", f"{here}/split.csv", "--by-band", f"{here}/by_band.csv"),
        *("--splits", f"{here}/splits.csv"),
        *("--tables", f"{here}/table07_settings.md", f"{here}/table08_gain.md", "--figures", f"{here}/figure06_leaderboard.svg"),
        *("--answers", *files["answers"], "--grades", *files["grades"], "--scores", *files["scores"], "--citations", *files["citations"]),
        *("--problems", f"{here}/corpus/xx/law_problems.csv", f"{here}/items/xx/problems.csv"),
        *more,
        *("--out", f"{here}/page.json"),
    ]


def make_page(root: Path, runs: tuple[str, ...] = ("demo", "second"), n_items: int = 6, hostile: bool = True) -> Path:
    """Two runs and the report over both; the path of report.html."""
    pages = [make_run(root, run, n_items, SETTINGS if place == 0 else SETTINGS[:1], hostile) for place, run in enumerate(runs)]
    settings = [str(root / run / "settings.csv") for run in runs]
    make_leaderboard.main(["--settings", *settings, "--models-dir", f"{root}/config/models", "--out", f"{root}/leaderboard.csv"])
    make_report.main(["--pages", *map(str, pages), "--leaderboard", f"{root}/leaderboard.csv", "--out", f"{root}/report.html"])
    return root / "report.html"


def unpack(packed: str) -> list[dict[str, Any]]:
    """What the page's script makes of a block: the answers, their rows by column, their searches by version."""
    block = json.loads(zlib.decompress(base64.b64decode(packed), -zlib.MAX_WBITS))

    def by_column(rows: list[list[Any]], name: str) -> list[dict[str, Any]]:
        return [dict(zip(FIELDS[name], row, strict=False)) for row in rows]

    for answer in block["answers"]:
        answer["scores"] = {n: by_column([row], "scores")[0] for n, row in answer["scores"].items()}
        answer["grades"] = {n: by_column(rows, "grades") for n, rows in answer["grades"].items()}
        for citation in (citation for sub in answer["subs"] for citation in sub["citations"]):
            citation["found"] = by_column(citation["found"], "found")
        for search in answer["searches"]:
            search["version_uris"] = [block["versions"][number] for number in search.pop("versions")]
    return list(block["answers"])
