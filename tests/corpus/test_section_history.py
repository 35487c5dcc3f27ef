import datetime as dt
from itertools import pairwise

from corpus.fast_import import kinds, spans
from hypothesis import given
from hypothesis import strategies as st

from inforce.config.sources import Closing, LabelReading, Noise
from inforce.corpus.section_history import SectionHistory, clean_text, is_closing, read_label
from inforce.records.dates import covers
from inforce.records.labels import LabelRules

KEY = ("law", "1")
D1, D2, D3 = dt.date(2000, 1, 1), dt.date(2001, 1, 1), dt.date(2002, 1, 1)


def build(*seen, noise=None):
    history = SectionHistory("s", noise or Noise())
    for text, day in seen:
        if text is None:
            history.close(KEY, day, "f@c", "gone")
        else:
            history.see(KEY, text, day, "f@c")
    return spans(history.finish(LabelRules()), "1"), kinds(history.problems)


def test_versions_follow_each_other():
    assert build(("a", D1), ("b", D2), ("b", D3)) == ([("2000-01-01", "2001-01-01", "a"), ("2001-01-01", "", "b")], [])


def test_white_space_is_no_amendment():
    assert build(("a b\nc", D1), ("a  b c\n\n", D2))[0] == [("2000-01-01", "", "a b\nc")]
    lines = Noise(white_space="lines")
    assert len(build(("a b\nc", D1), ("a b c", D2), noise=lines)[0]) == 1
    assert len(build(("a b\nc", D1), ("a b\n\nc", D2), noise=lines)[0]) == 2


def test_closing_and_coming_back():
    versions, problems = build(("a", D1), (None, D2), (None, D3), ("a", D3))
    assert versions == [("2000-01-01", "2001-01-01", "a"), ("2002-01-01", "", "a")]
    assert problems == ["closed", "returned"]
    assert build(("a", D1), (None, D2), ("b", D3))[1] == ["closed"]  # another text
    assert build(("a", D1), ("b", D2), ("a", D3))[1] == []  # amended back, and never gone


def test_unknown_days_are_ordered_by_history_and_never_make_a_text_current():
    versions, problems = build(("a", D1), ("b", None), ("c", D3))
    assert versions == [("2000-01-01", "2000-01-02", "a"), ("?", "2002-01-01", "b"), ("2002-01-01", "", "c")]
    assert problems == ["unknown_end"]


def test_a_day_before_the_version_before_is_unknown():
    versions, problems = build(("a", D2), ("b", D1), ("c", D3))
    assert [start for start, _, _ in versions] == ["2001-01-01", "?", "2002-01-01"]
    assert problems == ["out_of_order", "unknown_end"]


def test_two_texts_of_one_day():
    versions, problems = build(("a", D1), ("b", D2), ("c", D2))
    assert versions == [("2000-01-01", "2001-01-01", "a"), ("2001-01-01", "", "c")]
    assert problems == ["same_day"]


def test_changed_and_changed_back_on_one_day_is_no_amendment():
    versions, problems = build(("a", D1), ("b", D2), ("a", D2))
    assert (versions, problems) == ([("2000-01-01", "", "a")], ["same_day", "unchanged"])
    assert build(("a", D1), ("b", D2), ("a", D2), ("c", D3))[0] == [("2000-01-01", "2002-01-01", "a"), ("2002-01-01", "", "c")]
    versions, problems = build(("a", D1), ("b", D2), ("a", D2), ("c", D2))
    assert (versions, problems) == ([("2000-01-01", "2001-01-01", "a"), ("2001-01-01", "", "c")], ["same_day"])
    assert build(("a", D1), ("b", D2), ("c", D2), (" a\n", D2), ("b", D3))[0] == [
        ("2000-01-01", "2002-01-01", "a"),
        ("2002-01-01", "", "b"),
    ]


def test_ended_and_put_back_on_one_day_is_no_end():
    versions, problems = build(("a", D1), (None, D2), ("a", D2), ("b", D3))
    assert versions == [("2000-01-01", "2002-01-01", "a"), ("2002-01-01", "", "b")]
    assert problems == ["closed", "unchanged"]


def test_a_text_of_unknown_start_that_is_changed_and_changed_back_is_in_force_before():
    history = SectionHistory("s", Noise())
    for text, day in (("a", None), ("b", D2), ("a", D2)):
        history.see(KEY, text, day, f"f@{text}")
    (version,) = history.finish(LabelRules())
    assert (version.valid_from, version.valid_to, version.begun_by) == (None, None, D2 - dt.timedelta(days=1))


def test_a_text_put_off_and_given_up_leaves_the_old_one_whole():
    history = SectionHistory("s", Noise())
    history.see(KEY, "a", D1, "f@1")
    history.see_pending(KEY, "b", "f@2")
    history.see(KEY, "a", D3, "f@3")
    assert spans(history.finish(LabelRules()), "1") == [("2000-01-01", "", "a"), ("?", "", "b")]
    assert [(problem.row, problem.kind) for problem in history.problems] == [("law/1 f@3", "unchanged")]


def test_a_declared_end_that_comes_earlier_holds():
    history = SectionHistory("s", Noise())
    history.see(KEY, "a", D1, "f@1")
    history.see(KEY, "b", D3, "f@2", until=D2)
    assert spans(history.finish(LabelRules()), "1") == [("2000-01-01", "2001-01-01", "a"), ("2002-01-01", "", "b")]


def test_a_declared_end_holds_where_the_next_text_has_no_day():
    history = SectionHistory("s", Noise())
    history.see(KEY, "a", D1, "f@1")
    history.see(KEY, "b", None, "f@2", until=D2)
    (first, _) = history.finish(LabelRules())
    assert (first.valid_to, first.date_status, kinds(history.problems)) == (D2, "exact", [])
    history.see(KEY, "c", D3, "f@3")
    assert spans(history.finish(LabelRules()), "1")[0] == ("2000-01-01", "2001-01-01", "a")


def test_a_declared_end_that_a_later_date_contradicts_is_no_end():
    history = SectionHistory("s", Noise())
    history.see(KEY, "a", D1, "f@1")
    history.see(KEY, "b", None, "f@2", until=D3)
    history.see(KEY, "c", D2, "f@3")
    assert spans(history.finish(LabelRules()), "1")[0] == ("2000-01-01", "2000-01-02", "a")
    assert kinds(history.problems) == ["unknown_end"]


def bounds(history):
    return [version.begun_by and str(version.begun_by) for version in history.finish(LabelRules())]


def test_a_text_of_unknown_start_has_begun_by_the_day_that_its_source_proves():
    history = SectionHistory("s", Noise())
    history.see(KEY, "a", dt.date(1949, 5, 23), "f@1")
    for number, text in enumerate("bc", 2):
        history.see(KEY, text, None, f"f@{number}", begun_by=dt.date(1970, 1, 1))
    assert bounds(history) == [None, None, "1970-01-01"]  # b ended on a day that nobody knows, maybe before 1970
    history.see(KEY, "d", dt.date(1969, 3, 1), "f@4")
    assert bounds(history) == [None, None, "1969-02-28", None]  # d replaced c: c was in force the day before
    history.see(KEY, "e", None, "f@5")
    assert bounds(history)[-1] is None  # nothing bounds it


def test_a_bound_that_contradicts_the_history_bounds_nothing():
    history = SectionHistory("s", Noise())
    history.see(KEY, "a", D1, "f@1")
    history.see(KEY, "b", None, "f@2", begun_by=dt.date(1970, 1, 1))
    assert bounds(history) == [None, None]


def test_a_pending_text_leaves_the_one_before_it_in_force():
    history = SectionHistory("s", Noise())
    history.see(KEY, "a", D1, "f@1")
    history.see_pending(KEY, "b", "f@2")
    assert spans(history.finish(LabelRules()), "1") == [("2000-01-01", "", "a"), ("?", "", "b")]


@given(
    st.lists(
        st.tuples(st.sampled_from(["a", "b", "c", None]), *[st.none() | st.dates(dt.date(2000, 1, 1), dt.date(2000, 1, 20))] * 2),
        max_size=12,
    )
)
def test_no_two_versions_are_ever_in_force_on_one_day(seen):
    history = SectionHistory("s", Noise())
    for text, day, until in seen:
        history.close(KEY, day, "f", "x") if text is None else history.see(KEY, text, day, "f", until, begun_by=dt.date(2000, 1, 9))
    versions = history.finish(LabelRules())
    for number in range(25):
        day = dt.date(2000, 1, 1) + dt.timedelta(days=number)
        assert sum(covers(version.valid_from, version.valid_to, day, version.begun_by) for version in versions) <= 1
    starts = [version.valid_from for version in versions if version.valid_from]
    assert all(before < after for before, after in pairwise(starts))


def test_labels():
    reading = LabelReading.model_validate(
        {"superscript": r"<sup>(?P<digits>\d+)</sup>", "edits": [{"pattern": r"[.\s]+(?=[¹²³])"}, {"pattern": r"^0+(?=\d)"}]}
    )
    rules = LabelRules(suffix_words=("bis",))
    assert read_label("27<sup>1</sup>", reading, rules) == "27¹"
    assert read_label("334. <sup>1</sup>", reading, rules) == "334¹"
    assert read_label("271", reading, rules) == "271"
    assert read_label("012bis", reading, rules) == "12 bis"
    assert read_label("１２", reading, rules) == "12"


def test_stripped_and_closing_bodies():
    assert clean_text("text[^12]  \n\n\n\nmore", Noise(strip=[r"\[\^\d+\]"])) == "text\n\nmore"
    closing = Closing(bodies=[r"\(?abrogé\)?", "[（(]?刪除[）)]?", ""])
    assert all(is_closing(body, closing) for body in ("(Abrogé)", "（刪除）", "", " \n"))
    assert not is_closing("L'article abrogé revit.", closing)
