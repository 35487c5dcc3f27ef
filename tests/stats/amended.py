"""Amended items for tests: items with their citations, and rows of amended_items.csv."""

from __future__ import annotations

import datetime as dt

import pandas as pd

from inforce.records.items import Citation, Item, SubQuestion
from inforce.stats.amended_items import COLUMNS


def citation(label: str, drift: str = "amended", loadbearing: bool = True, start: str = "1990-01-01") -> Citation:
    old, new = f"xx/law/A/section-{label}/v/{start}", f"xx/law/A/section-{label}/v/2010-01-01"
    return Citation(
        law_code="A",
        law_name_th="Act A",
        label=label,
        is_loadbearing=loadbearing,
        version_uri=old,
        valid_from=dt.date.fromisoformat(start),
        valid_to=None,
        current_uri={"amended": new, "unchanged": old, "repealed": None}[drift],
        drift=drift,
    )


def item(
    item_id: str, *citations: Citation, band: str = "amended", domain: str = "labor", sharing: tuple[str, ...] = (), day: str = "2000-05-01"
) -> Item:
    question = SubQuestion(
        question="Is it due?",
        question_type="ruling",
        depends_on_previous=False,
        verdict="Yes.",
        reasoning="It is.",
        citations=list(citations),
    )
    return Item(
        id=item_id,
        domain=domain,
        court="Court",
        source="s",
        source_id="1",
        decision_date=day,
        date_precision="day",
        law_date=dt.date.fromisoformat(day),
        applicable_date=None,
        year_be=2543,
        decade="2000s",
        title=f"Case {item_id}",
        fact_pattern="Facts.",
        drift_band=band,
        n_sub_questions=1,
        n_cited_laws=1,
        asks_shared_question=list(sharing),
        corpus_date=dt.date(2026, 9, 1),
        sub_questions=[question],
    )


def amended_rows(*rows: tuple[str, str, str, float, float, int]) -> pd.DataFrame:
    """Rows from item, cluster, change, trigram distance, gain in score, models; the gain in F1 is a tenth of that in score."""
    listed = [
        {
            **{"run": "r", "item_id": name, "domain": "labor", "cluster": cluster, "n_sections": 1, "trigram_distance": distance},
            **{"levenshtein_distance": distance / 2, "change": change, "n_labelled": int(bool(change)), "gain_score": gain},
            **{"n_models_score": models, "gain_f1": gain / 10, "n_models_f1": models},
        }
        for name, cluster, change, distance, gain, models in rows
    ]
    return pd.DataFrame(listed, columns=COLUMNS)
