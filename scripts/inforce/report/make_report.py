"""The report page: one HTML file for all runs that opens from a disk, asks the network for nothing and can be printed.

Text of models and of decisions is hostile until shown otherwise: the template escapes everything, the items lie in a JSON
block whose `<` is spelt \\u003c and reach the page as text nodes only, and a content security policy in the page lets no
script run but the page's own, named by its hash. The answers to each item are a block of base64 of their own (see page_answers), unpacked
when the item is opened: the page opens without reading them.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import math
import numbers
import re
from collections import Counter
from pathlib import Path
from typing import Any

import jinja2
import pandas as pd

from inforce.records.files import canonical_json, write_text
from inforce.records.status import DRIFT_BANDS, SETTINGS, STATUSES
from inforce.report.captions import figure_alt
from inforce.report.make_leaderboard import read_leaderboard
from inforce.report.page_answers import FIELDS
from inforce.report.words import ACCESS_NAMES, ALL, ALL_MODELS, BAND_NAMES, SETTING_NAMES, ReportError, amount, cells_of, fixed, signed

TEMPLATES = Path(__file__).with_name("templates")
VERSION_CLASSES = {
    "exact": "In force on the day",
    "stale": "No longer in force",
    "future": "Not yet in force",
    "wrong_section": "Another section",
    "nonexistent": "Does not exist",
}
_ITEM_KEYS = ("run", "models", "judge_keys", "judges")
_BASE64 = re.compile(r"[A-Za-z0-9+/]*={0,2}")
_MINUS = "−"


def embedded_json(value: Any) -> str:
    """JSON that cannot end the script element it stands in, nor open a comment or another element."""
    return canonical_json(value).replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def script_hash(script: str) -> str:
    """The script's name in a content security policy."""
    return "sha256-" + base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode("ascii")


def data_uri(svg: str) -> str:
    """An image that the page carries itself. As an image, a drawing can run no script and load nothing."""
    return "data:image/svg+xml;base64," + base64.b64encode(svg.encode("utf-8")).decode("ascii")


def listed_items(page: dict[str, Any], number: int) -> tuple[list[dict[str, Any]], list[dict[str, str]]]:
    """The items of a run as the list reads them, each with the id of its answers' block; and the blocks. Raises ReportError for one that is none."""
    items, blocks = [], []
    for place, item in enumerate(page["items"]):
        if not _BASE64.fullmatch(item["packed"]):
            raise ReportError(f"the answers to item {item['id']} are not packed as base64; make the page again with collect_run")
        block = f"answers-{number}-{place}"
        items.append({name: value for name, value in item.items() if name != "packed"} | {"block": block})
        blocks.append({"id": block, "packed": item["packed"]})
    return items, blocks


def setting_rows(page: dict[str, Any]) -> tuple[list[str], list[dict[str, Any]]]:
    """Settings that were run, and for each model the cells of Table 7 and the version classes of its citations."""
    cells = _cells([row for row in page["settings"] if row["domain"] == ALL], ["model", "setting", "metric"])
    met = [setting for setting in SETTINGS if any(key[1] == setting for key in cells)]
    models = list(dict.fromkeys(key[0] for key in cells))
    rows = []
    for model in models:
        score, f1 = (
            [_cell(cells.get((model, setting, metric)), digits) for setting in met] for metric, digits in (("score", 2), ("citation_f1", 3))
        )
        classes = []
        for setting in met:
            n = cells.get((model, setting, "classed_citations"), {}).get("value")
            shares = {name: cells.get((model, setting, f"version_{name}"), {}).get("value") for name in VERSION_CLASSES}
            classes.append(
                {
                    "setting": SETTING_NAMES[setting],
                    "n": _count(n),
                    "shares": [(name, share or 0, fixed(share, 1)) for name, share in shares.items()],
                }
            )
        rows.append({"name": page["models"][model]["name"], "score": score, "f1": f1, "classes": classes})
    return met, rows


def domain_rows(page: dict[str, Any], met: list[str]) -> tuple[list[str], list[dict[str, Any]]]:
    """Domains, and a row a model and setting with its score in each."""
    rows = [row for row in page["settings"] if row["domain"] != ALL and row["metric"] == "score"]
    cells = _cells(rows, ["model", "setting", "domain"])
    domains = sorted({row["domain"] for row in rows})
    models = list(dict.fromkeys(row["model"] for row in rows))
    return domains, [
        {
            "name": page["models"][model]["name"],
            "setting": SETTING_NAMES[setting],
            "cells": [_cell(cells.get((model, setting, domain)), 2) for domain in domains],
        }
        for model in models
        for setting in met
    ]


def gain_rows(page: dict[str, Any]) -> list[dict[str, Any]]:
    """Rows of Table 8: the models, all of them, and all of them less the control."""
    cells = _cells(page["gains"], ["model", "contrast", "access", "band"])
    models = [model for model in dict.fromkeys(row["model"] for row in page["gains"]) if model != ALL]
    lines = [(model, "gain", page["models"][model]["name"]) for model in models]
    lines += [(ALL, "gain", ALL_MODELS), (ALL, "minus_no_drift", "minus No drift")] if page["gains"] else []
    return [
        {
            "name": name,
            "total": model == ALL,
            "cells": [_gain(cells.get((model, contrast, access, band))) for access in ACCESS_NAMES for band in DRIFT_BANDS],
        }
        for model, contrast, name in lines
    ]


def status_rows(page: dict[str, Any]) -> tuple[list[str], list[dict[str, Any]]]:
    """Statuses that were met, and a row a model and setting: answers by status, then panels that were full."""
    cells = _cells(page["statuses"], ["model", "setting", "kind", "status"])
    met = [status for status in STATUSES if any(key[2:] == ("answer", status) for key in cells)]
    rows = []
    for model, setting in dict.fromkeys(key[:2] for key in cells):
        answers = [cells.get((model, setting, "answer", status), {}).get("n", 0) for status in met]
        panels = {status: cells.get((model, setting, "panel", status), {}).get("n", 0) for status in STATUSES}
        rows.append(
            {
                "name": page["models"][model]["name"],
                "setting": SETTING_NAMES[setting],
                "answers": answers,
                "n_answers": sum(answers),
                "graded": panels["ok"],
                "n_panels": sum(panels.values()),
                "others": ", ".join(f"{n} {status}" for status, n in panels.items() if n and status != "ok"),
            }
        )
    return met, rows


def leaderboard_rows(leaderboard: pd.DataFrame) -> list[dict[str, Any]]:
    """Rows of leaderboard.csv with each cell as text and, beside it, the number to sort by."""
    rows = []
    for row in leaderboard.to_dict("records"):
        number = {name: _number(value) for name, value in row.items() if isinstance(name, str)}
        scores = [
            {
                "sort": number[f"{s}_score"],
                **_cell({what: number[f"{s}_{what}"] for what in ("low", "high", "n_scored", "n")} | {"value": number[f"{s}_score"]}, 2),
            }
            for s in SETTINGS
        ]
        others = [
            {"sort": number[name], "text": (amount if name == "cost_usd" else fixed)(number[name], digits)}
            for name, digits in (
                *(("lexical_score", 2), ("citation_f1", 3), ("citation_precision", 3), ("citation_recall", 3)),
                *(("agreement_pct", 1), ("searches", 1), ("invented_pct", 1), ("cost_usd", 4)),
            )
        ]
        texts = {name: str(row[name]) for name in ("run", "name", "access")}
        rows.append(
            {
                **texts,
                "model": str(row["model"]),
                "main_setting": SETTING_NAMES[str(row["main_setting"])],
                "scores": scores,
                "others": others,
            }
        )
    return rows


def run_view(page: dict[str, Any]) -> dict[str, Any]:
    """What the template shows of one run."""
    met, rows = setting_rows(page)
    domains, by_domain = domain_rows(page, met)
    statuses, status_lines = status_rows(page)
    kinds: Counter[str] = Counter()
    for kind in (kind for file in page["problems"] for kind in file["kinds"]):
        kinds[f"{kind['kind']} ({kind['action']})"] += kind["n"]
    return {
        **{key: value for key, value in page.items() if key not in ("settings", "gains", "items", "figures", "by_band")},
        "figures": [
            drawing | {"src": data_uri(drawing["svg"]), "alt": figure_alt(drawing["stem"], page["run"], page["jurisdiction"]["key"])}
            for drawing in page["figures"]
        ],
        "settings": [SETTING_NAMES[setting] for setting in met],
        "rows": rows,
        "domains": domains,
        "by_domain": by_domain,
        "gain_rows": gain_rows(page),
        "statuses": statuses,
        "status_rows": status_lines,
        "judge_list": [f"{name} ({n} seats)" if n > 1 else name for name, n in Counter(page["judges"]).items()],
        "n_answers": sum(row["n_answers"] for row in status_lines),
        "not_ok": [(status, n) for status, n in zip(statuses, _columns(status_lines), strict=True) if status != "ok"],
        "n_ok": sum(n for status, n in zip(statuses, _columns(status_lines), strict=True) if status == "ok"),
        "n_graded": sum(row["graded"] for row in status_lines),
        "n_panels": sum(row["n_panels"] for row in status_lines),
        "n_problems": sum(file["n"] for file in page["problems"]),
        "problem_kinds": kinds.most_common(),
        "n_shown": len(page["items"]),
        "samples": counted_samples(*page["samples"]),
        "has_samples": page["samples"][1] > 1,
    }


def counted_samples(fewest: int, most: int) -> str:
    """`3 samples each`, or `1 to 3 samples each` where models differ."""
    count = str(most) if fewest == most else f"{fewest} to {most}"
    return f"{count} sample{'s' if most != 1 else ''} each"


def make_report(pages: list[dict[str, Any]], leaderboard: pd.DataFrame) -> str:
    """The page's HTML."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES), autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    script = (TEMPLATES / "report.js").read_text(encoding="utf-8")
    shown, blocks = [], []
    for number, page in enumerate(page for page in pages if page["items"]):
        items, of_run = listed_items(page, number)
        shown.append({key: page[key] for key in _ITEM_KEYS} | {"language": page["jurisdiction"]["language"], "items": items})
        blocks += of_run
    boards = {page["run"]: page["by_band"] for page in pages}
    words = {"settings": SETTING_NAMES, "bands": BAND_NAMES, "classes": VERSION_CLASSES}
    html: str = environment.get_template("report.html.j2").render(
        runs=[run_view(page) for page in pages],
        leaderboard=leaderboard_rows(leaderboard),
        setting_names=SETTING_NAMES,
        setting_keys=list(SETTINGS),
        band_names=BAND_NAMES,
        access_names=ACCESS_NAMES,
        version_classes=VERSION_CLASSES,
        script=script,
        script_hash=script_hash(script),
        style=(TEMPLATES / "report.css").read_text(encoding="utf-8"),
        data=embedded_json({"runs": shown, "boards": boards, "fields": FIELDS, **words}),
        blocks=blocks,
        board_domains=sorted({domain for page in pages for domain in domains_of(page)}),
        n_items_shown=sum(len(page["items"]) for page in pages),
    )
    return html


def domains_of(page: dict[str, Any]) -> set[str]:
    """Domains that the leaderboard can be narrowed to."""
    return {row["domain"] for row in page["settings"]} - {ALL}


def _columns(rows: list[dict[str, Any]]) -> list[int]:
    return [sum(column) for column in zip(*(row["answers"] for row in rows), strict=True)]


def _cells(rows: list[dict[str, Any]], keys: list[str]) -> dict[tuple[str, ...], dict[str, Any]]:
    return cells_of(pd.DataFrame(rows).astype(object), keys) if rows else {}


def _number(value: object) -> float | None:
    """A number of a table, of whichever type the table holds it in; None for text and for what is not known."""
    return float(value) if isinstance(value, numbers.Real) and math.isfinite(value) else None


def _count(value: object) -> str:
    number = _number(value)
    return "" if number is None else f"{number:.0f}"


def _cell(row: dict[str, Any] | None, digits: int) -> dict[str, str]:
    """Value, interval and counts of one figure as text; empty for what is not known."""
    if row is None:
        return {"text": "", "interval": "", "n": ""}
    low, high = _number(row["low"]), _number(row["high"])
    interval = "" if low is None else f"{fixed(low, digits)}–{fixed(high, digits)}"
    n = "" if _number(row["n"]) is None else f"{_count(row['n_scored'])}/{_count(row['n'])}"
    return {"text": fixed(_number(row["value"]), digits), "interval": interval, "n": n}


def _gain(row: dict[str, Any] | None) -> dict[str, str]:
    if row is None:
        return {"text": "", "interval": "", "n": ""}
    low, high = _number(row["low"]), _number(row["high"])
    interval = "" if low is None else f"{signed(low, minus=_MINUS)} to {signed(high, minus=_MINUS)}"
    return {
        "text": signed(_number(row["value"]), star=row["star"] or "", minus=_MINUS),
        "interval": interval,
        "n": f"{_count(row['n_items'])}/{_count(row['n'])}",
    }


def main(argv: list[str] | None = None) -> None:
    """Read the pages and the leaderboard, write the report."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.report.make_report --pages results/report/demo/page.json --leaderboard results/leaderboard.csv "
        "--out results/report.html",
    )
    parser.add_argument("--pages", nargs="+", required=True, type=Path, help="page.json of each run, in the order shown")
    parser.add_argument("--leaderboard", required=True)
    parser.add_argument("--out", required=True)
    args = parser.parse_args(argv)
    try:
        pages = [json.loads(path.read_text(encoding="utf-8")) for path in args.pages]
        write_text(args.out, make_report(pages, read_leaderboard(args.leaderboard)))
    except FileNotFoundError as error:
        raise SystemExit(f"{error.filename} does not exist; run collect_run for it") from error
    except json.JSONDecodeError as error:
        raise SystemExit(f"a page is not JSON ({error}); make it again with collect_run") from error
    except ReportError as error:
        raise SystemExit(str(error)) from error


if __name__ == "__main__":
    main()
