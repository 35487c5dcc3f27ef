import datetime as dt
from collections import Counter

import pytest
from corpus.fast_import import bundle, commit, jurisdiction, kinds, laws, make, spans

from inforce.config.load import ConfigError
from inforce.config.sources import GitArticles
from inforce.corpus.git_articles import read_articles
from inforce.corpus.read_law import read_law, section_rows
from inforce.records.dates import covers
from inforce.records.labels import LabelRules


def read(tmp_path, commits, **changes):
    make(tmp_path / "r.git", commits)
    values = {
        "type": "git_articles",
        "repository": "r.git",
        "path": r"(?:.*/)?(?P<label>[\w-]+)\.md",
        "law_code": "c",
        "dates": {"order": [{"from": "author_date"}]},
    }
    return read_articles(tmp_path, GitArticles.model_validate(values | changes), LabelRules(), laws("c"))


def test_text_changes_are_versions_and_front_matter_is_not(tmp_path):
    versions, problems = read(
        tmp_path,
        [
            commit("a", "2000-01-01T00:00:00+00:00", {"1.md": "---\nv: 1\n---\none", "README": "x"}),
            commit("b", "2001-01-01T00:00:00+00:00", {"1.md": "---\nv: 2\n---\none[^7]"}),
            commit("c", "2002-01-01T00:00:00+00:00", {"1.md": "two"}),
        ],
        noise={"strip": [r"\[\^\d+\]"]},
    )
    assert spans(versions, "1") == [("2000-01-01", "2002-01-01", "one"), ("2002-01-01", "", "two")]
    assert problems == []


def test_deletion_and_repealing_bodies_close(tmp_path):
    versions, problems = read(
        tmp_path,
        [
            commit("a", "2000-01-01T00:00:00+00:00", {"1.md": "one", "2.md": "two", "3.md": "three"}),
            commit("b", "2001-01-01T00:00:00+00:00", {"2.md": "(Abrogé)"}, ["1.md"]),
        ],
        closing={"bodies": [r"\(abrogé\)"]},
    )
    assert [spans(versions, label)[0][1] for label in "123"] == ["2001-01-01", "2001-01-01", ""]
    assert kinds(problems) == ["closed"]


def test_an_emptied_file_closes(tmp_path):
    versions, problems = read(
        tmp_path,
        [
            commit("a", "2000-01-01T00:00:00+00:00", {"1.md": "one"}),
            commit("b", "2001-01-01T00:00:00+00:00", {"1.md": "---\nv: 2\n---\n \n"}),
        ],
    )
    assert spans(versions, "1") == [("2000-01-01", "2001-01-01", "one")]
    assert kinds(problems) == ["closed", "empty_text"]


def test_a_moved_file_is_no_end_and_a_second_file_gets_a_path(tmp_path):
    versions, problems = read(
        tmp_path,
        [
            commit("a", "2000-01-01T00:00:00+00:00", {"book/1.md": "one"}),
            commit("b", "2001-01-01T00:00:00+00:00", {"other/1.md": "one"}, ["book/1.md"]),
            commit("c", "2002-01-01T00:00:00+00:00", {"annex/1.md": "annexed"}),
        ],
    )
    assert spans(versions, "1") == [("2000-01-01", "", "one")]
    assert spans(versions, "1@annex") == [("2002-01-01", "", "annexed")]
    assert kinds(problems) == ["duplicate_label"]


def test_a_commit_that_adds_everything_again_amends_nothing(tmp_path):
    files = {f"{number}.md": f"text {number}" for number in range(5)}
    versions, _ = read(
        tmp_path,
        [
            commit("a", "2000-01-01T00:00:00+00:00", files),
            commit("b", "2001-01-01T00:00:00+00:00", {path: f"{text}\n\n" for path, text in files.items()}),
        ],
    )
    assert len(versions) == 5


def test_nothing_is_dropped_in_silence(tmp_path):
    versions, problems = read(
        tmp_path, [commit("a", "1970-01-01T00:00:00+00:00", {"1.md": "one", "2.md": b"\xff", "3.md": "", "4.md": "\0"})]
    )
    assert spans(versions, "1") == [("?", "", "one")]
    assert kinds(problems) == ["empty_text", "sentinel_date", "unknown_date", "unreadable_file"]


def test_a_path_that_fits_nothing_is_said(tmp_path):
    with pytest.raises(ConfigError, match="no file fits `path`"):
        read(tmp_path, [commit("a", "2000-01-01T00:00:00+00:00", {"1.txt": "one"})])


def test_a_body_that_fits_nothing_is_told_from_a_path_that_does(tmp_path):
    commits = [commit("a", "2000-01-01T00:00:00+00:00", {"1.md": "one", "2.md": "two"})]
    with pytest.raises(ConfigError, match=r"`path` fits 2 texts .* but `body` .* finds nothing in any of the 2"):
        read(tmp_path, commits, body=r"\A-{4}\n(?P<body>.*)")


def test_texts_that_are_all_rejected_name_the_first_reason(tmp_path):
    with pytest.raises(ConfigError, match=r"`path` fits 1 texts .* the first problem is: law 'z' is not in the catalogue"):
        read(tmp_path, [commit("a", "2000-01-01T00:00:00+00:00", {"1.md": "one"})], law_code="z")


def test_a_month_without_a_number_is_named_with_an_example(tmp_path):
    rule = {"from": "message", "forms": ["of {day} {month} {year}"]}
    versions, problems = read(
        tmp_path,
        [commit("Act of 1 mai 2000", "0 +0000", {"1.md": "one"}), commit("Act of 2 juin 2001", "0 +0000", {"1.md": "two"})],
        dates={"order": [rule], "months": {"mai": 5}},
    )
    assert [start for start, _, _ in spans(versions, "1")] == ["2000-05-01", "?"]
    named = [problem for problem in problems if problem.kind == "unknown_month"]
    assert [(problem.row, problem.action) for problem in named] == [("dates.months", "noted")]
    assert "'juin'" in named[0].reason
    assert "of 2 juin 2001" in named[0].reason


@pytest.fixture(scope="module")
def france():
    return read_law(bundle("fr_code_civil"), jurisdiction("fr_code_civil"))


def test_france_counts(france):
    number = Counter(version.label for version in france.versions)
    assert (len(number), len(france.versions), sum(count > 1 for count in number.values())) == (2802, 4094, 963)
    assert Counter(number.values()) == {1: 1839, 2: 731, 3: 165, 4: 45, 5: 14, 6: 8}
    starts = [version.valid_from for version in france.versions if version.valid_from]
    assert (min(starts), max(starts)) == (dt.date(1803, 3, 14), dt.date(2015, 3, 22))


def test_france_commits_without_a_usable_date_are_unknown(france):
    """Four of the 110 clamped commits name only laws of 1993 to 2011."""
    rows = [problem.row for problem in france.problems if problem.kind == "unknown_date"]
    assert rows == ["c513c6a58df6", "59b98c5d2ab8", "9c7dac7a8fbb", "256af32d3b3a"]
    assert {problem.row for problem in france.problems if problem.kind == "newer_than_commit"} == set(rows)
    assert sum(version.valid_from is None for version in france.versions) == 9
    # each names a law of its own day, which contradicts its place before 1970: in force from the later of the two on
    years = {version.begun_by.year for version in france.versions if version.begun_by and not version.valid_to}
    assert years == {1993, 2002, 2007, 2011}
    first = [version for version in france.versions if version.valid_from == dt.date(1970, 1, 1)]
    assert all("04f2835" in version.source for version in first)  # loi n°69-3, in force on that day


def test_france_texts_newer_than_their_date_where_the_source_shows_it(france):
    """Article 143, whose text of 2013 is dated 1978, is not among them: its commit names no later law. A limit, see docs."""
    assert {problem.row for problem in france.problems if problem.kind == "newer_than_date"} == {"57bef2a585a2", "da546512c5e3"}
    assert spans(france.versions, "143")[0][0] == "1978-03-31"


def test_france_names_are_unique(france):
    names = [row["version_uri"] for row in section_rows(france.versions, "fr")]
    assert len(set(names)) == len(names)


def test_germany_counts():
    law = read_law(bundle("de_grundgesetz"), jurisdiction("de_grundgesetz"))
    closings = [problem for problem in law.problems if problem.kind == "closed"]
    changes = Counter(version.label for version in law.versions)
    changes.update(problem.row.split()[0].split("/")[1] for problem in closings)
    assert (len(changes), len(law.versions), len(closings)) == (199, 358, 9)  # 367 states of 199 files, 9 of them "[aufgehoben]"
    assert sum(count > 1 for count in changes.values()) == 89
    unknown = [problem for problem in law.problems if problem.kind == "unknown_date"]
    assert len(unknown) == 26
    assert min(version.valid_from for version in law.versions if version.valid_from) == dt.date(1949, 5, 23)
    assert not [
        version for version in law.versions if version.valid_from and version.valid_from.year == 1970 and version.valid_from.month == 1
    ]
    names = [row["version_uri"] for row in section_rows(law.versions, "de")]
    assert len(set(names)) == len(names)


def test_germany_every_open_article_is_in_force_today():
    """Of 42 articles, 1 and 20 among them, the last text has no day; the clamp of its commit says that it is older than 1970.

    Articles 59a and 142a ended on a day that nobody knows: they are not in force, and nothing bounds them.
    """
    config = jurisdiction("de_grundgesetz")
    law = read_law(bundle("de_grundgesetz"), config)
    last = {version.label: version for version in law.versions}
    undated = [version for version in last.values() if version.valid_from is None and version.valid_to is None]
    bounds = Counter(version.begun_by for version in undated)
    assert bounds == {dt.date(1970, 1, 1): 40, None: 2}
    today = [version for version in law.versions if covers(version.valid_from, version.valid_to, config.corpus_date, version.begun_by)]
    assert {version.label for version in today} == {label for label, version in last.items() if version.valid_to is None} - {"59a", "142a"}
    assert len(today) == len({version.label for version in today})


def test_germany_by_its_trailers():
    """One line of YAML more, and every commit has its day: the source holds them."""
    before = jurisdiction("de_grundgesetz").sections.model_dump(by_alias=True)["dates"]
    order = [{"from": "trailer", "key": "Effective-since"}, *before["order"]]
    law = read_law(bundle("de_grundgesetz"), jurisdiction("de_grundgesetz", dates=before | {"order": order}))
    assert not [problem for problem in law.problems if problem.kind == "unknown_date"]
    assert min(version.valid_from for version in law.versions if version.valid_from) == dt.date(1949, 5, 24)


@pytest.mark.parametrize("name", ["fr_code_civil", "de_grundgesetz"])
def test_one_text_a_day_at_most(name):
    law = read_law(bundle(name), jurisdiction(name))
    for day in (dt.date(1900, 1, 1), dt.date(1960, 6, 1), dt.date(2000, 1, 1), dt.date(2015, 3, 31)):
        held = Counter(version.label for version in law.versions if covers(version.valid_from, version.valid_to, day, version.begun_by))
        assert all(count == 1 for count in held.values())


def test_an_article_changed_and_changed_back_on_one_day(tmp_path):
    days = [("one", "2000-01-01"), ("two", "2001-01-01"), ("one", "2001-01-01"), ("three", "2002-01-01")]
    versions, problems = read(tmp_path, [commit(text, f"{day}T00:00:00+00:00", {"1.md": text}) for text, day in days])
    assert spans(versions, "1") == [("2000-01-01", "2002-01-01", "one"), ("2002-01-01", "", "three")]
    assert kinds(problems) == ["same_day", "unchanged"]
