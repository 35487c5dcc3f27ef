import datetime as dt
import re
from collections import Counter
from itertools import pairwise

import pytest
from corpus.fast_import import bundle, commit, jurisdiction, kinds, laws, make, spans

from inforce.config.sources import GitActs
from inforce.corpus.front_matter import split_front_matter
from inforce.corpus.git_acts import read_acts, split_sections
from inforce.corpus.git_history import Repository
from inforce.corpus.read_law import read_law
from inforce.records.dates import covers
from inforce.records.labels import LabelRules

HEADING = r"## § (?P<label>\d+(?:<sup>\d+</sup>)?)\. ?(?P<title>.*)"
SUPERSCRIPT = {"superscript": r"<sup>(?P<digits>\d+)</sup>"}


def read(tmp_path, texts, **changes):
    """The same without the rows for what the shared configuration names and these few texts do not have."""
    versions, problems = read_all(tmp_path, texts, **changes)
    return versions, [problem for problem in problems if problem.kind != "never_matched"]


def read_all(tmp_path, texts, **changes):
    """texts: front matter lines and body of act.md, one a commit; the commits' own dates say nothing."""
    files = [{"act.md": f"---\n{keys}\n---\n{body}"} for keys, body in texts]
    tmp_path.mkdir(exist_ok=True)
    make(tmp_path / "r.git", [commit(f"c{number}", f"{number} +0000", file) for number, file in enumerate(files)])
    values = {
        "type": "git_acts",
        "repository": "r.git",
        "path": r"(?P<law_code>\w+)\.md",
        "heading": HEADING,
        "container": "# (?P<name>.*)",
        "labels": SUPERSCRIPT,
        "until": {"key": "until"},
        "closing": {"bodies": ["", r"\[repealed\]"], "status": {"key": "status", "values": ["repealed"]}},
        "notes": {
            "commences": [r"\[Section (?P<label>\S+) begins {year}-{month}-{day}\]"],
            "replaced_from": [r"\[Section (?P<label>\S+) new from {year}-{month}-{day}\]"],
        },
        "dates": {"order": [{"from": "front_matter", "key": "from"}]},
    }
    return read_acts(tmp_path, GitActs.model_validate(values | changes), LabelRules(), laws("act"))


def test_sections_of_a_file():
    text = "preamble\n# Part\n## § 1. One\na\n\nb\n# Annex\nnot a section\n## § 1<sup>1</sup>. \nc"
    assert split_sections(text, re.compile(HEADING), re.compile("# (?P<name>.*)")) == [
        ("1", "Part", "One", "a\n\nb"),
        ("1<sup>1</sup>", "Annex", "", "c"),
    ]


def test_each_section_has_its_own_versions(tmp_path):
    versions, problems = read(
        tmp_path,
        [
            ("from: 2000-01-01\nuntil: 2000-12-31\nstatus: repealed", "## § 1. A\na\n## § 2. B\nb\n## § 2<sup>1</sup>. C\nc"),
            ("from: 2001-01-01\nuntil: 2001-12-31\nstatus: repealed", "## § 1. A\na\n## § 2. B\nnew\n## § 3. D\nd"),
            ("from: 2002-01-01\nstatus: in_force", "## § 1. A\na\n## § 2.\n\n## § 3. D\n[Repealed]"),
        ],
    )
    assert spans(versions, "1") == [("2000-01-01", "", "A\n\na")]
    assert spans(versions, "2") == [("2000-01-01", "2001-01-01", "B\n\nb"), ("2001-01-01", "2002-01-01", "B\n\nnew")]
    assert spans(versions, "2¹") == [("2000-01-01", "2001-01-01", "C\n\nc")]
    assert spans(versions, "3") == [("2001-01-01", "2002-01-01", "D\n\nd")]
    assert kinds(problems) == ["closed"]
    assert {version.date_status for version in versions if version.valid_to} == {"exact"}  # the declared ends agree


def test_ends_that_do_not_meet_are_named(tmp_path):
    versions, problems = read(
        tmp_path,
        [
            ("from: 2000-01-01\nuntil: 2000-06-30", "## § 1. A\na"),
            ("from: 2001-01-01\nuntil: 2002-12-31", "## § 1. A\nb"),
            ("from: 2002-01-01", "## § 1. A\nc"),
        ],
    )
    assert [(start, end) for start, end, _ in spans(versions, "1")] == [
        ("2000-01-01", "2000-07-01"),
        ("2001-01-01", "2002-01-01"),
        ("2002-01-01", ""),
    ]
    assert [problem.kind for problem in problems] == ["until_disagrees", "until_disagrees"]
    assert "gap" in problems[0].reason
    assert "overlap" in problems[1].reason


def test_repealed_counts_on_the_last_version_only(tmp_path):
    versions, problems = read(
        tmp_path, [("from: 2000-01-01\nstatus: repealed", "## § 1. A\na"), ("from: 2001-01-01\nstatus: repealed", "## § 1. A\nb")]
    )
    assert spans(versions, "1") == [("2000-01-01", "2001-01-01", "A\n\na"), ("2001-01-01", "2001-01-02", "A\n\nb")]
    assert kinds(problems) == ["closed", "unknown_end"]


def test_a_last_declared_end_closes_all(tmp_path):
    versions, _ = read(tmp_path, [("from: 2000-01-01\nuntil: 2009-12-31", "## § 1. A\na")])
    assert spans(versions, "1") == [("2000-01-01", "2010-01-01", "A\n\na")]


def test_an_end_on_the_last_day_of_the_calendar_is_none(tmp_path):
    dates = {"order": [{"from": "front_matter", "key": "from"}], "no_date": {"dates": []}}
    versions, _ = read_all(tmp_path, [("from: 2000-01-01\nuntil: 9999-12-31", "## § 1. A\na")], dates=dates)
    assert spans(versions, "1") == [("2000-01-01", "", "A\n\na")]


def test_one_label_twice_needs_a_path_or_a_number(tmp_path):
    versions, problems = read(tmp_path, [("from: 2000-01-01", "# Part\n## § 1. A\na\n## § 1. B\nb\n# Annex 2\n## § 1. C\nc")])
    assert [spans(versions, label)[0][2][0] for label in ("1", "1@2", "1@annex-2")] == ["A", "B", "C"]
    assert kinds(problems) == ["duplicate_label"]


def test_notes_date_a_section_apart(tmp_path):
    body = "## § 1. A\nold\n[Section 1 new from 2000-06-01]\n## § 1. A\nnew\n[Section 2 begins 2000-09-01]\n## § 2. B\nb"
    versions, problems = read(
        tmp_path,
        [("from: 2000-01-01", body), ("from: 2000-02-01", body), ("from: 2001-01-01", "## § 1. A\nnew\n## § 2. B\nb")],
        noise={"strip": [r"\[[^\]]*\]"]},
    )
    assert spans(versions, "1") == [("2000-01-01", "2000-06-01", "A\n\nold"), ("2000-06-01", "", "A\n\nnew")]
    assert spans(versions, "2") == [("2000-09-01", "", "B\n\nb")]
    assert kinds(problems) == ["own_commencement", "two_wordings"]


def never_matched(problems):
    return {problem.row: problem.reason for problem in problems if problem.kind == "never_matched"}


def test_keys_and_notes_that_are_nowhere_are_named(tmp_path):
    texts = [("from: 2000-01-01\nuntil: 2000-12-31\nstatus: x", "## § 1. A\na\n[Section 1 begins 2000-02-01]")]
    _, problems = read_all(tmp_path / "right", texts)
    assert set(never_matched(problems)) == {"notes.replaced_from"}  # there is none
    _, problems = read_all(
        tmp_path / "wrong",
        texts,
        until={"key": "untill"},
        closing={"status": {"key": "state", "values": ["repealed"]}},
        notes={"commences": [r"\[Sektion (?P<label>\S+) begins {year}-{month}-{day}\]"]},
        dates={"order": [{"from": "front_matter", "key": "form"}, {"from": "trailer", "key": "Day"}]},
    )
    rows = never_matched(problems)
    assert set(rows) == {"until.key", "closing.status.key", "notes.commences", "dates.order.0.key", "dates.order.1.key"}
    assert rows["until.key"] == "until.key: no file has the key 'untill'"
    assert "no commit message has the key 'Day'" in rows["dates.order.1.key"]
    assert "Sektion" in rows["notes.commences"]


def test_a_form_that_reads_no_value_is_named_with_an_example(tmp_path):
    _, problems = read_all(tmp_path, [("from: 2000-01-01\nuntil: 31.12.2000", "## § 1. A\na")], notes={})
    rows = never_matched(problems)
    assert set(rows) == {"until.form", "closing.status.key"}
    assert "'31.12.2000'" in rows["until.form"]


def test_a_note_with_a_month_that_has_no_number_is_named(tmp_path):
    notes = {"commences": [r"\[Section (?P<label>\S+) begins {day} {month} {year}\]"]}
    body = "## § 1. A\na\n[Section 1 begins 2 May 2000]\n[Section 1 begins 2 June 2000]"
    dates = {"order": [{"from": "front_matter", "key": "from"}], "months": {"may": 5}}
    _, problems = read_all(tmp_path, [("from: 2000-01-01\nstatus: x\nuntil: 2000-12-31", body)], notes=notes, dates=dates)
    assert [problem.row for problem in problems if problem.kind == "unknown_month"] == ["dates.months"]
    assert not never_matched(problems)


@pytest.fixture(scope="module")
def estonia():
    return read_law(bundle("ee_five_acts"), jurisdiction("ee_five_acts"))


def test_estonia_ends_agree_but_for_three_named(estonia):
    assert [problem.row for problem in estonia.problems if problem.kind == "until_disagrees"] == [
        "162839 ee/162839.md@18b6b98bbd78",
        "22252 ee/22252.md@94f8e6635d90",
        "177531 ee/177531.md@677d45f89417",
    ]


def test_estonia_intervals_are_the_oracle_s(estonia):
    """Every section's version begins on some act version's effective_from and ends the day after some effective_until,
    but for those that problems.csv names: notes with a day of their own, and the three pairs that do not meet."""
    config = jurisdiction("ee_five_acts").sections
    days = _declared(bundle("ee_five_acts") / config.repository)
    named = {
        problem.row.split()[0]
        for problem in estonia.problems
        if problem.kind in ("own_commencement", "two_wordings", "out_of_order", "unknown_end")
    }
    odd = []
    for version in estonia.versions:
        starts, ends = days[version.law_code]
        if f"{version.law_code}/{version.label}" in named:
            continue
        if version.valid_from not in starts or (version.valid_to is not None and version.valid_to not in ends):
            odd.append((version.law_code, str(version.valid_to)))
    assert set(odd) <= {("162839", "2005-12-01"), ("177531", "2010-12-31")}  # the two named overlaps: the next version's start holds


def _declared(path):
    days = {}
    with Repository(path) as repository:
        for found in repository.commits():
            for change in found.changes:
                keys = split_front_matter(repository.text(change.blob)).keys
                starts, ends = days.setdefault(keys["identifier"], (set(), set()))
                starts.add(dt.date.fromisoformat(keys["effective_from"]))
                if "effective_until" in keys:
                    ends.add(dt.date.fromisoformat(keys["effective_until"]) + dt.timedelta(days=1))
    return days


def test_estonia_counts_labels_and_future(estonia):
    sections = Counter((version.law_code, version.label) for version in estonia.versions)
    assert len(sections) == 1710
    assert len(estonia.versions) == 4879
    assert sum(label.endswith("¹") for _, label in sections) > 100
    assert ("162839", "52") in sections
    assert ("162839", "52¹") in sections
    assert ("162839", "521") not in sections
    assert any(version.valid_to == dt.date(2029, 3, 31) for version in estonia.versions)  # ends in the future, in force until then
    for day in (dt.date(2004, 7, 1), dt.date(2006, 6, 1), dt.date(2026, 9, 1)):
        held = Counter(
            (version.law_code, version.label) for version in estonia.versions if covers(version.valid_from, version.valid_to, day)
        )
        assert all(count == 1 for count in held.values())


def test_estonia_sections_that_came_back_with_their_text(estonia):
    """26 sections; 21 letter for letter, five with other footnote numbers, which do not count."""
    assert sum(problem.kind == "returned" for problem in estonia.problems) == 26
    sections = {}
    for version in estonia.versions:
        sections.setdefault((version.law_code, version.label), []).append(version)
    pairs = [pair for versions in sections.values() for pair in pairwise(versions)]
    assert sum(before.text.split() == after.text.split() for before, after in pairs) == 21


def test_estonia_two_wordings_of_one_section(estonia):
    """162839 of 2005-12-01 holds § 3 and § 52 twice, with a note that the second wording holds from 2006-01-01."""
    rows = {problem.row.split()[0] for problem in estonia.problems if problem.kind == "two_wordings"}
    assert {"162839/3", "162839/52"} <= rows
    assert "2006-01-01" in [start for start, _, _ in spans(estonia.versions, "52", "162839")]


def test_a_section_changed_and_changed_back_on_one_day(tmp_path):
    texts = [("2000-01-01", "one"), ("2001-01-01", "two"), ("2001-01-01", "one"), ("2002-01-01", "three")]
    versions, problems = read(tmp_path, [(f"from: {day}", f"## § 1. \n{text}") for day, text in texts])
    assert spans(versions, "1") == [("2000-01-01", "2002-01-01", "one"), ("2002-01-01", "", "three")]
    assert kinds(problems) == ["same_day", "unchanged"]


def test_years_of_another_calendar_are_never_a_date(tmp_path):
    texts = [("from: 2000-01-01\nuntil: 2544-01-01", "one"), ("from: 2544-01-01", "two"), ("from: 2002-01-01", "three")]
    versions, problems = read(tmp_path, [(keys, f"## § 1. \n{text}") for keys, text in texts])
    assert spans(versions, "1") == [("2000-01-01", "2000-01-02", "one"), ("?", "2002-01-01", "two"), ("2002-01-01", "", "three")]
    assert kinds(problems) == ["implausible_year", "unknown_date", "unknown_end"]
