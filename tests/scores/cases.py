"""A small dated corpus and one item, written for these tests; tests of grades use them too.

Laws of jurisdiction `qm`: CODE (Penal Code, alias PC), held whole; RENT (Lettings Act 1926), repealed, no text held; two laws that share
the name Trade Act. CODE holds sections 1, 10, 11, 14 bis and 335; section 10 has three versions: 1950-2000, 2000-2010, 2010-.
"""

import datetime as dt

from inforce.records.answers import Answer, AnswerCitation, SubAnswer, Usage
from inforce.records.items import Citation, Item, SubQuestion
from inforce.records.labels import LabelRules
from inforce.records.uris import section_uri, version_uri
from inforce.scores.dated_sections import DatedSections
from inforce.scores.law_names import LawCatalog
from inforce.scores.resolve_citations import Lookup

RULES = LabelRules(
    unit_words=("section", "s.", "มาตรา"), suffix_words=("bis", "ter", "ทวิ"), sub_paragraph_words=("paragraph", "para", "วรรค")
)
DAY = dt.date(2005, 6, 1)  # law_date of the item


def law(code, name, aliases=(), repealed_on=None):
    return {
        "law_code": code,
        "name": name,
        "aliases": list(aliases),
        "kind": "act",
        "enacted": dt.date(1926, 1, 1),
        "repealed_on": repealed_on,
        "is_active": repealed_on is None,
    }


LAWS = [
    law("CODE", "Penal Code", ["PC", "ประมวลกฎหมายอาญา"]),
    law("RENT", "Lettings Act 1926", repealed_on=dt.date(2001, 1, 1)),
    law("TRADE1", "Trade Act", repealed_on=dt.date(2000, 1, 1)),
    law("TRADE2", "Trade Act"),
]


def version(code, label, start, end=None):
    days = [dt.date.fromisoformat(day) if day else None for day in (start, end)]
    uri = version_uri("qm", code, label, days[0])
    return {
        "version_uri": uri,
        "section_uri": section_uri("qm", code, label),
        "law_code": code,
        "label": label,
        "component_type": "section",
        "valid_from": days[0],
        "valid_to": days[1],
        "date_status": "exact" if days[0] else "unknown",
        "begun_by": None,
        "text": f"Text of {uri}.",
        "text_sha256": "0" * 64,
        "source": "test",
    }


SECTIONS = [
    version("CODE", "1", "1950-01-01"),
    version("CODE", "10", "1950-01-01", "2000-01-01"),
    version("CODE", "10", "2000-01-01", "2010-01-01"),
    version("CODE", "10", "2010-01-01"),
    version("CODE", "11", "1950-01-01"),
    version("CODE", "14 bis", "1950-01-01"),
    version("CODE", "335", "1950-01-01"),
    version("TRADE1", "7", "1960-01-01", "2000-01-01"),
    version("TRADE2", "7", "2000-01-01"),
]
CATALOG = LawCatalog(LAWS, [r"\(amendment\)", r"\bregulations?\b"], guarded=True)
LOOKUP = Lookup("qm", RULES, CATALOG, DatedSections(SECTIONS, RULES))


def gold(code, label, start, loadbearing=True):
    uri = version_uri("qm", code, label, dt.date.fromisoformat(start)) if start else None
    return Citation(
        law_code=code,
        law_name_th={law["law_code"]: law["name"] for law in LAWS}[code],
        label=label,
        is_loadbearing=loadbearing,
        version_uri=uri,
        valid_from=dt.date.fromisoformat(start) if start else None,
        valid_to=None,
        current_uri=None,
        drift="unchanged" if uri else None,
    )


def unheld(name, loadbearing=True):
    return Citation(
        law_code=None,
        law_name_th=None,
        label=None,
        law=name,
        is_loadbearing=loadbearing,
        version_uri=None,
        valid_from=None,
        valid_to=None,
        current_uri=None,
        drift=None,
    )


def question(*citations, verdict="The claim is barred.", text="Is the claim barred?"):
    return SubQuestion(
        question=text,
        question_type="ruling",
        depends_on_previous=False,
        verdict=verdict,
        reasoning="Section 10 bars it after five years.",
        citations=list(citations),
    )


def item(*questions, item_id="case-1", facts="A sold a cow to B in 2004."):
    return Item(
        id=item_id,
        domain="sales",
        court="Supreme Court",
        source="test",
        source_id="1/2005",
        decision_date=DAY.isoformat(),
        date_precision="day",
        law_date=DAY,
        applicable_date=None,
        year_be=DAY.year + 543,
        decade="2000s",
        title="A cow",
        fact_pattern=facts,
        drift_band="no_drift",
        n_sub_questions=len(questions),
        n_cited_laws=1,
        asks_shared_question=[],
        corpus_date=dt.date(2026, 9, 1),
        sub_questions=list(questions),
    )


def by_uri(*texts):
    return [AnswerCitation(version=text) for text in texts]


def by_name(law, section):
    return AnswerCitation(law=law, section=section)


def sub(number, citations=(), verdict="The claim is barred.", reasoning="Five years have run."):
    return SubAnswer(sub_question=number, verdict=verdict, reasoning=reasoning, citations=list(citations))


def answer(*subs, item_id="case-1", status="ok", usage=None, **changes):
    values = {
        "item_id": item_id,
        "model": "m",
        "setting": "parametric",
        "sample": 1,
        "status": status,
        "detail": None,
        "request_sha256": ["a" * 64],
        "sub_answers": list(subs),
        "raw_text": "",
        "search_trace": [],
        "n_tool_call_errors": 0,
        "usage": usage or Usage(),
        "finish_reason": "stop",
    }
    return Answer(**values | changes)
