"""A statute book small enough for a pencil: two laws, seven versions. LEND ended on 2000-01-01; the corpus date is 2026-09-01."""

import datetime as dt

from inforce.records.files import sha256_text
from inforce.records.uris import section_uri, version_uri

CORPUS_DATE = dt.date(2026, 9, 1)


def law(code, name, repealed_on=None):
    active = repealed_on is None or repealed_on > CORPUS_DATE
    return {"law_code": code, "name": name, "aliases": [], "kind": "act", "enacted": None, "repealed_on": repealed_on, "is_active": active}


def version(code, label, valid_from, valid_to, text):
    start, end = (dt.date.fromisoformat(day) if day else None for day in (valid_from, valid_to))
    return {
        "version_uri": version_uri("x", code, label, start),
        "section_uri": section_uri("x", code, label),
        "law_code": code,
        "label": label,
        "component_type": "section",
        "valid_from": start,
        "valid_to": end,
        "date_status": "exact" if start else "unknown",
        "begun_by": None,
        "text": text,
        "text_sha256": sha256_text(text),
        "source": "x",
    }


LAWS = [law("WAGE", "Wage Act"), law("LEND", "Lending Act", dt.date(2000, 1, 1))]
SECTIONS = [
    version("LEND", "5", "1980-01-01", None, "A lender may ask four percent."),  # open in the table, ended by its law
    version("LEND", "7", None, None, "A loan is made in writing."),
    version("WAGE", "1", "1990-01-01", "2010-01-01", "Wages are paid on the last day of the month."),
    version("WAGE", "1", "2010-01-01", None, "Wages are paid on the fifth day of the next month."),
    version("WAGE", "2", "1990-01-01", "2005-01-01", "A late wage bears interest at eight percent."),
    version("WAGE", "3 bis", "1990-01-01", None, "A wage is paid in money."),
    version("WAGE", "3 bis", "2027-01-01", None, "A wage is paid by transfer."),
]
SECTIONS[5]["valid_to"] = dt.date(2027, 1, 1)
WAGE_1_OLD, WAGE_1_NEW, WAGE_2, WAGE_3 = (SECTIONS[row]["version_uri"] for row in (2, 3, 4, 5))
