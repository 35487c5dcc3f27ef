"""Two cases over the statute book of retrieval/book.py, and the task with the real prompts."""

import datetime as dt
from pathlib import Path

from retrieval.book import CORPUS_DATE, LAWS, SECTIONS, WAGE_1_NEW, WAGE_1_OLD, WAGE_2, WAGE_3

from inforce.answers.essay import Essay, provisions_from
from inforce.answers.prompts import Prompts
from inforce.config.protocol import Reply
from inforce.records.items import Citation, Item, SubQuestion

PROMPTS = Path(__file__).parents[2] / "config" / "prompts"
REPLY = Reply(verdict_chars=60, reasoning_chars=160, max_citations=3, citation_chars=60)
ROWS = {row["version_uri"]: row for row in SECTIONS}


def essay(language="en"):
    return Essay(Prompts(PROMPTS / f"essay.{language}"), REPLY, provisions_from(SECTIONS, LAWS))


def cite(version_uri, current_uri, is_loadbearing=True):
    row = ROWS.get(version_uri, {})
    return Citation(
        law_code=row.get("law_code"),
        law_name_th=None,
        label=row.get("label"),
        law=None if version_uri else "Notice 7",
        is_loadbearing=is_loadbearing,
        version_uri=version_uri,
        valid_from=row.get("valid_from"),
        valid_to=row.get("valid_to"),
        current_uri=current_uri,
        drift=None,
    )


def case(item_id, decision_date, precision, *questions):
    """questions: (text, citations) each."""
    return Item(
        id=item_id,
        domain="labour",
        court="Court",
        source="s",
        source_id="1",
        decision_date=decision_date,
        date_precision=precision,
        law_date=dt.date(2004, 6, 1),
        applicable_date=None,
        year_be=2547,
        decade="2000s",
        title="THE TITLE GIVES IT AWAY",
        fact_pattern="The May wage came on 9 June.\nA {{ clerk }} was ill.",
        drift_band="repealed",
        n_sub_questions=len(questions),
        n_cited_laws=1,
        asks_shared_question=[],
        corpus_date=CORPUS_DATE,
        sub_questions=[
            SubQuestion(
                question=text,
                question_type="ruling",
                depends_on_previous=number > 0,
                verdict="THE VERDICT",
                reasoning="THE REASONING",
                citations=citations,
            )
            for number, (text, citations) in enumerate(questions)
        ],
    )


LATE_WAGE = case(
    "late-wage",
    "2004-06-01",
    "day",
    ("Was the wage late?", [cite(WAGE_1_OLD, WAGE_1_NEW), cite(WAGE_3, WAGE_3, is_loadbearing=False)]),
    ("Which interest is owed?", [cite(WAGE_2, None), cite(WAGE_1_OLD, WAGE_1_NEW), cite(None, None)]),
)
GONE = case("gone", "2004", "year", ("Which interest is owed?", [cite(WAGE_2, None)]))
