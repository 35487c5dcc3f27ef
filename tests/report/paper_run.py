"""The published leaderboard as files of a run, for tests of tables and figures: 28 models, 3 settings, 17 domains."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from pathlib import Path

import pandas as pd
from report.small_run import model_config, write_json
from stats.published_tables import published

SETTINGS = ("parametric", "gold_in_force", "rag_in_force")
BASES = {"sea-lion-v4-8-30b-a3b": "nemotron-3-nano-30b-a3b", "glm-5-3-flashx-legal": "glm-5-3-flash"}


def key_of(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def write_paper(folder: Path, n_models: int = 28, prices: bool = True) -> list[str]:
    """settings.csv, ranks.csv and models/ of the first models; the keys of the models in the leaderboard's order."""
    board, cost = published("table17_leaderboard")[:n_models], published("table18_cost_behaviour").set_index("model")
    domains = published("table21_leaderboard_by_domain").set_index("model")
    sizes = published("table19_domain_means").set_index("domain")["items"].astype(int).to_dict()
    rows: list[dict[str, object]] = []

    def add(key: str, setting: str, domain: str, metric: str, value: float, spread: float = math.nan, n_items: int = 500) -> None:
        known = {
            "value": value,
            "low": value - spread,
            "high": value + spread,
            "n_scored": 1218,
            "n": 1220,
            "n_items": n_items,
            "n_clusters": n_items,
        }
        rows.append({"run": "paper", "model": key, "setting": setting, "domain": domain, "metric": metric, **known})

    for row in board.to_dict("records"):
        name, key = str(row["model"]), key_of(str(row["model"]))
        write_json(folder / "models" / f"{key}.yaml", model_config(name, str(row["access"]).lower()) | {"base": BASES.get(key)})
        searches = cost.loc[name, "searches"]
        for setting in SETTINGS:
            add(key, setting, "all", "score", float(row[setting]), 0.2)
            for metric, column in (("citation_f1", "f1"), ("citation_precision", "precision"), ("citation_recall", "recall")):
                add(key, setting, "all", metric, float(row[column]))
            invented = float(cost.loc[name, "hallucinated_pct"].rstrip("%"))
            for metric, value in (
                ("cost_usd", float(cost.loc[name, "cost_usd"]) if prices else math.nan),
                ("output_tokens", 1000 * float(cost.loc[name, "output_tokens_thousands"])),
                ("searches", float(searches) if searches not in ("-", "–") else math.nan),
                ("invented_rate", invented),
                ("invented_law_rate", 0.8 * invented),
                ("invented_section_rate", 0.2 * invented),
                ("checked_citations", 3000.0),
                ("unparsed_share", 0.0),
            ):
                add(key, setting, "all", metric, value)
            for domain, n_items in sizes.items():
                add(key, setting, domain, "score", float(domains.loc[name, domain]) - (setting == "parametric"), n_items=n_items)
                add(key, setting, domain, "unparsed_share", 0.0, n_items=n_items)
    pd.DataFrame(rows).to_csv(folder / "settings.csv", index=False)
    keys = [key_of(name) for name in board["model"]]
    ranks = [
        {
            "run": "paper",
            "setting": "rag_in_force",
            "model": key,
            "score": score,
            "rank": rank,
            "rank_low": max(1, rank - 1),
            "rank_high": rank + 1,
        }
        for rank, (key, score) in enumerate(zip(keys, board["rag_in_force"], strict=True), start=1)
    ]
    pd.DataFrame(ranks).to_csv(folder / "ranks.csv", index=False)
    return keys


def run_table(main: Callable[[list[str]], None], folder: Path, *arguments: str) -> tuple[pd.DataFrame, str, str]:
    """CSV, Markdown and LaTeX that a table's command writes; the same bytes when it runs again."""
    files = {form: folder / f"out.{form}" for form in ("csv", "markdown", "latex")}
    options = [*arguments, *(word for form, path in files.items() for word in (f"--{form}", str(path)))]
    main(options)
    before = {form: path.read_bytes() for form, path in files.items()}
    main(options)
    assert before == {form: path.read_bytes() for form, path in files.items()}
    return (
        pd.read_csv(files["csv"], dtype=str, keep_default_na=False),
        files["markdown"].read_text("utf-8"),
        files["latex"].read_text("utf-8"),
    )


def run_figure(main: Callable[[list[str]], None], folder: Path, *arguments: str) -> str:
    """The SVG that a figure's command writes; the same bytes when it runs again, no date, no text that needs a font."""
    options = [*arguments, "--png", str(folder / "f.png"), "--svg", str(folder / "f.svg")]
    main(options)
    before = (folder / "f.png").read_bytes(), (folder / "f.svg").read_bytes()
    main(options)
    assert before == ((folder / "f.png").read_bytes(), (folder / "f.svg").read_bytes())
    svg = before[1].decode()
    assert "<dc:date>" not in svg and "<text" not in svg and len(before[0]) > 4000
    return svg
