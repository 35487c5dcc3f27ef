"""Small score tables for tests: rows with every column of the schema, and whole generated runs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from inforce.records.tables import ITEM_SCORES, SCORES, read_frame, write_table

ZERO_COUNTS = [name for name in SCORES.names if name.startswith("n_")]


def score_row(item_id: str = "i1", sub_question: int = 1, **values: object) -> dict[str, object]:
    row: dict[str, object] = dict.fromkeys(SCORES.names)
    row |= dict.fromkeys(ZERO_COUNTS, 0)
    row |= {"run": "r", "model": "m", "setting": "rag_in_force", "sample": 1, "item_id": item_id, "sub_question": sub_question}
    row |= {"domain": "labor", "drift_band": "no_drift", "cluster": item_id, "answer_status": "ok", "panel_status": "ok"}
    row |= {"seat_scores": [], "seat_tiers": []}
    assert values.keys() <= row.keys(), values.keys() - row.keys()
    return row | values


def answer_row(item_id: str = "i1", **values: object) -> dict[str, object]:
    row: dict[str, object] = dict.fromkeys(ITEM_SCORES.names)
    row |= {"run": "r", "model": "m", "setting": "rag_in_force", "sample": 1, "item_id": item_id}
    row |= {"domain": "labor", "drift_band": "no_drift", "cluster": item_id, "status": "ok"}
    row |= {"n_searches": 0, "n_tool_call_errors": 0, "input_tokens": 100, "output_tokens": 10}
    assert values.keys() <= row.keys(), values.keys() - row.keys()
    return row | values


def answers_of(scores: list[dict[str, object]], **values: object) -> list[dict[str, object]]:
    """One answer row for each item, sample, setting and model among the score rows."""
    keys = ["run", "model", "setting", "sample", "item_id", "domain", "drift_band", "cluster"]
    seen = {tuple(row[key] for key in keys): row for row in scores}
    return [answer_row(**{key: row[key] for key in keys}, **values) for row in seen.values()]


def frames(tmp_path: Path, scores: list[dict[str, object]], answers: list[dict[str, object]]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The same rows after the way through parquet."""
    write_table(tmp_path / "scores.parquet", scores, SCORES)
    write_table(tmp_path / "items.parquet", answers, ITEM_SCORES)
    return read_frame(tmp_path / "scores.parquet", SCORES), read_frame(tmp_path / "items.parquet", ITEM_SCORES)


def generated_run(
    run: str,
    models: list[str],
    settings: list[str],
    n_items: int,
    samples: int = 1,
    n_domains: int = 3,
    seed: int = 0,
) -> list[dict[str, object]]:
    """Score rows of a run whose scores rise with the model's place from the end and with the setting's place."""
    generator = np.random.Generator(np.random.PCG64(seed))
    rows = []
    ease = generator.normal(0, 1, n_items)
    n_subs = generator.integers(1, 4, n_items)
    bands = ["no_drift", "amended", "repealed"]
    for number, model in enumerate(models):
        for place, setting in enumerate(settings):
            for sample in range(1, samples + 1):
                for item in range(n_items):
                    for sub in range(1, int(n_subs[item]) + 1):
                        band = bands[item % 3]
                        change = (item % 3) * (0.5 if setting.endswith("in_force") else -0.3)
                        mean = 6.5 - 0.2 * number + 0.4 * place + ease[item] + change
                        score = float(np.clip(np.round(2 * (mean + generator.normal(0, 1))) / 2, 0, 10))
                        recall = float(generator.integers(0, 3)) / 2
                        cited = int(generator.integers(0, 4))
                        invented = int(generator.binomial(cited, 0.1))
                        rows.append(
                            score_row(
                                f"demo::{item:04d}",
                                sub,
                                run=run,
                                model=model,
                                setting=setting,
                                sample=sample,
                                domain=f"domain {item % n_domains}",
                                drift_band=band,
                                cluster=f"demo::{item - item % 2:04d}",
                                score=score,
                                agrees_with_court=score >= 4,
                                lexical_score=0.5,
                                citation_precision=recall,
                                citation_recall=recall,
                                citation_f1=recall,
                                n_gold=1,
                                n_cited=cited,
                                n_checked=cited,
                                n_invented_section=invented,
                                n_exact=cited - invented,
                                n_nonexistent=invented,
                            )
                        )
    return rows
