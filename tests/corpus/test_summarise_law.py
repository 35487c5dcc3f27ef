import csv
import datetime as dt
from pathlib import Path

import pytest

from inforce.corpus.summarise_law import law_facts, main, problem_counts
from inforce.records.problems import Problem, write_problems
from inforce.records.tables import LAWS, SECTIONS, write_table

ROOT = Path(__file__).parents[2]
TODAY = dt.date(2020, 1, 1)


def day(text):
    return dt.date.fromisoformat(text) if text else None


def law(code, repealed_on=None):
    empty = {"name": code, "aliases": [], "kind": "act", "enacted": None}
    return {"law_code": code, **empty, "repealed_on": day(repealed_on), "is_active": repealed_on is None}


def version(code, label, start, end):
    uri = f"x/law/{code}/section-{label}"
    empty = {"component_type": "section", "date_status": "exact", "begun_by": None, "text": "t", "text_sha256": "0", "source": "s"}
    return {
        "version_uri": f"{uri}/v/{start}",
        "section_uri": uri,
        "law_code": code,
        "label": label,
        "valid_from": day(start),
        "valid_to": day(end),
        **empty,
    }


LAWS_HELD = [law("a"), law("b", "2010-01-01")]
VERSIONS = [
    version("a", "1", "2000-01-01", "2005-01-01"),
    version("a", "1", "2005-01-01", "2025-01-01"),
    version("a", "1", "2025-01-01", None),  # not yet in force
    version("a", "2", "2001-01-01", "2002-01-01"),
    version("a", "2", "2003-01-01", None),  # after a gap
    version("b", "1", "1990-01-01", None),  # ended with its law
    version("b", "2", None, None),
]


def test_facts_by_pencil():
    assert law_facts(LAWS_HELD, VERSIONS, TODAY) == {
        "laws": "2",
        "active_laws": "1",
        "sections": "4",
        "versions": "7",
        "amended_sections": "2",
        "amended_share": "0.5",
        "consecutive_pairs": "3",
        "contiguous_pairs": "2",
        "first_start": "1990-01-01",
        "last_start": "2025-01-01",
        "unknown_starts": "1",
        "future_versions": "1",
        "future_endings": "0",
        "sections_in_force": "2",
        "sections_with_1_version": "2",
        "sections_with_2_versions": "1",
        "sections_with_3_versions": "1",
    }


def test_an_end_in_the_future_is_counted_where_nothing_follows():
    rows = [
        version("a", "1", "2000-01-01", "2025-01-01"),  # replaced
        version("a", "1", "2025-01-01", None),
        version("a", "2", "2000-01-01", "2025-01-01"),  # ends
        version("a", "3", "2000-01-01", "2010-01-01"),  # ended
        version("b", "1", "2000-01-01", None),  # ends with its law
    ]
    facts = law_facts([law("a"), law("b", "2030-01-01")], rows, TODAY)
    assert (facts["future_versions"], facts["future_endings"]) == ("1", "2")


def test_no_law_has_no_share_and_no_first_day():
    facts = law_facts([], [], TODAY)
    assert (facts["sections"], facts["amended_share"], facts["first_start"]) == ("0", "", "")


def test_problems_are_counted_by_kind_and_action():
    problems = [Problem("s", str(row), kind, "r", action) for row, (kind, action) in enumerate([("b", "noted"), ("a", "rejected")] * 2)]
    assert problem_counts([*problems, Problem("s", "9", "a", "r", "noted")]).values.tolist() == [
        ["a", "noted", 1],
        ["a", "rejected", 2],
        ["b", "noted", 2],
    ]


def test_the_command_writes_both_files_and_names_what_is_missing(tmp_path):
    write_table(tmp_path / "l", LAWS_HELD, LAWS)
    write_table(tmp_path / "s", VERSIONS, SECTIONS)
    write_problems(tmp_path / "p", [Problem("s", "1", "closed", "r", "noted")])
    arguments = [
        "--jurisdiction-config",
        str(ROOT / "config/jurisdictions/demo.yaml"),
        "--laws",
        str(tmp_path / "l"),
        "--problems",
        str(tmp_path / "p"),
    ]
    arguments += ["--facts", str(tmp_path / "f.csv"), "--counts", str(tmp_path / "c.csv"), "--sections"]
    main([*arguments, str(tmp_path / "s")])
    facts = {row["fact"]: row["value"] for row in csv.DictReader((tmp_path / "f.csv").read_text().splitlines())}
    assert facts["amended_share"] == "0.5"
    assert (tmp_path / "c.csv").read_text() == "kind,action,n\nclosed,noted,1\n"
    with pytest.raises(SystemExit, match="nothing"):
        main([*arguments, str(tmp_path / "nothing")])
