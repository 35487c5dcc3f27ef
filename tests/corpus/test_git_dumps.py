import datetime as dt
import json
from collections import Counter

import pytest
from corpus.fast_import import bundle, commit, jurisdiction, kinds, laws, make, spans

from inforce.config.sources import GitDumps
from inforce.corpus.git_dumps import read_dumps
from inforce.corpus.read_law import read_law, section_rows
from inforce.records.dates import covers
from inforce.records.labels import LabelRules

FIRST = "1.中華民國一百年一月一日總統令制定公布全文 3 條；並自一百年二月一日施行"


def read(tmp_path, dumps, history=True):
    """dumps: (UpdateDate, {label: text}, amendment list), one a commit."""
    commits = []
    for day, texts, amendments in dumps:
        entries = [{"編章節": "第 一 章"}, *({"條號": f"第 {label} 條", "條文內容": text} for label, text in texts)]
        commits.append(
            commit(
                f"UpdateDate {day}", "1600000000 +0800", {"FalVMingLing/X1.json": json.dumps({"法規內容": entries, "沿革內容": amendments})}
            )
        )
    make(tmp_path / "r.git", commits)
    values = jurisdiction("tw_six_acts").sections.model_dump(by_alias=True) | {"repository": "r.git", "branch": None}
    if not history:
        values["history"] = None
    return read_dumps(tmp_path, GitDumps.model_validate(values), LabelRules(), laws("X1"))


def test_days_come_from_the_amendments_not_from_the_dump(tmp_path):
    second = f"{FIRST}\n2.中華民國一百十年一月二十日總統令修正公布第 2 條條文；刪除第 3 條條文；並自公布後六個月施行"
    versions, problems = read(
        tmp_path,
        [
            ("20160318", [("1", "一"), ("2", "二"), ("3", "三")], FIRST),
            ("20210507", [("1", "一、改字"), ("2", "二新\r\n文"), ("3", "（刪除）")], second),
        ],
    )
    assert spans(versions, "1") == [("2011-02-01", "", "一、改字")]  # named by no amendment: corrected, not amended
    assert spans(versions, "2") == [("2011-02-01", "2021-07-20", "二"), ("2021-07-20", "", "二新\n文")]
    assert spans(versions, "3") == [("2011-02-01", "2021-07-20", "三")]
    assert kinds(problems) == ["closed", "editorial_change"]


def test_without_the_list_the_dump_s_day_is_taken(tmp_path):
    versions, _ = read(tmp_path, [("20160318", [("1", "一")], ""), ("20210507", [("1", "新")], "")], history=False)
    assert spans(versions, "1") == [("2016-03-18", "2021-05-07", "一"), ("2021-05-07", "", "新")]


def test_an_order_not_yet_made_leaves_the_old_text_in_force(tmp_path):
    later = f"{FIRST}\n2.中華民國一百十年一月二十日總統令修正公布第 1 條條文；施行日期，由行政院以命令定之"
    dumps = [("20160318", [("1", "一")], FIRST), ("20210507", [("1", "新")], later)]
    versions, problems = read(tmp_path, dumps)
    assert spans(versions, "1") == [("2011-02-01", "", "一"), ("?", "", "新")]
    assert kinds(problems) == ["set_later"]
    order = f"{later}\n中華民國一百十年九月二日行政院令發布定自一百十年十月一日施行"
    (tmp_path / "again").mkdir()
    versions, _ = read(tmp_path / "again", [*dumps, ("20211001", [("1", "新")], order)])
    assert spans(versions, "1") == [("2011-02-01", "2021-10-01", "一"), ("2021-10-01", "", "新")]


def test_texts_between_two_dumps_leave_a_gap(tmp_path):
    two = f"{FIRST}\n2.中華民國一百零九年一月一日總統令修正公布第 1 條條文；並自一百零九年三月一日施行\n3.中華民國一百十年一月一日總統令修正公布第 1 條條文；並自一百十年三月一日施行"
    versions, problems = read(tmp_path, [("20160318", [("1", "一")], FIRST), ("20210507", [("1", "三")], two)])
    assert spans(versions, "1") == [("2011-02-01", "2020-03-01", "一"), ("2021-03-01", "", "三")]
    assert "missed_version" in kinds(problems)


def test_what_no_amendment_names_is_unknown_and_bad_dumps_are_said(tmp_path):
    versions, problems = read(tmp_path, [("20160318", [("9", "九"), ("9", "重")], FIRST)])
    assert spans(versions, "9") == [("?", "", "九")]
    assert kinds(problems) == ["duplicate_label", "no_amendment_named"]
    make(tmp_path / "bad" / "r.git", [commit("UpdateDate 20160318", "1 +0000", {"FalVMingLing/X1.json": "{"})])


@pytest.fixture(scope="module")
def taiwan():
    return read_law(bundle("tw_six_acts"), jurisdiction("tw_six_acts"))


def test_taiwan_true_days(taiwan):
    assert [(start, end) for start, end, _ in spans(taiwan.versions, "12", "B0000001")] == [
        ("1929-10-10", "2023-01-01"),
        ("2023-01-01", ""),
    ]
    assert [(start, end) for start, end, _ in spans(taiwan.versions, "205", "B0000001")] == [
        ("1930-05-05", "2021-07-20"),
        ("2021-07-20", ""),
    ]
    assert spans(taiwan.versions, "981", "B0000001")[0][1] == "2023-01-01"
    assert [start for start, _, _ in spans(taiwan.versions, "51", "C0010001")][1:] == ["2020-07-15"]
    assert [start for start, _, _ in spans(taiwan.versions, "18-1", "K0040012")][-1] == "2022-08-01"


@pytest.mark.parametrize(
    ("day", "words"), [("2021-05-07", "滿二十歲為成年"), ("2022-12-31", "滿二十歲為成年"), ("2023-01-01", "滿十八歲為成年")]
)
def test_taiwan_no_future_version_is_current(taiwan, day, words):
    held = [
        version.text
        for version in taiwan.versions
        if (version.law_code, version.label) == ("B0000001", "12")
        and covers(version.valid_from, version.valid_to, dt.date.fromisoformat(day))
    ]
    assert held == [f"{words}。"]


def test_taiwan_counts_and_reformatting_is_no_amendment(taiwan):
    """The dump of September 2021 wraps 2,500 texts anew; no version comes of it."""
    number = Counter((version.law_code, version.label) for version in taiwan.versions)
    assert (len(number), len(taiwan.versions)) == (3325, 3766)
    assert sum(version.valid_from is None for version in taiwan.versions) == 14
    per_start = Counter(version.valid_from for version in taiwan.versions)
    assert per_start[dt.date(2021, 9, 3)] == 0
    assert len({row["version_uri"] for row in section_rows(taiwan.versions, "tw")}) == len(taiwan.versions)
    for day in (dt.date(2018, 1, 1), dt.date(2024, 8, 30)):
        held = Counter(
            (version.law_code, version.label) for version in taiwan.versions if covers(version.valid_from, version.valid_to, day)
        )
        assert all(count == 1 for count in held.values())


def test_a_section_changed_and_changed_back_on_one_day(tmp_path):
    days = [("20160318", "一"), ("20210507", "新"), ("20210507", "一")]
    versions, problems = read(tmp_path, [(day, [("1", text)], "") for day, text in days], history=False)
    assert spans(versions, "1") == [("2016-03-18", "", "一")]
    assert kinds(problems) == ["same_day", "unchanged"]
    second = f"{FIRST}\n2.中華民國一百十年一月二十日總統令修正公布第 1 條條文；並自一百十年三月一日施行"
    third = f"{second}\n3.中華民國一百十年二月一日總統令修正公布第 1 條條文；並自一百十年三月一日施行"
    lists = [("20160318", "一", FIRST), ("20210125", "新", second), ("20210205", "一", third)]
    (tmp_path / "again").mkdir()
    versions, problems = read(tmp_path / "again", [(day, [("1", text)], amendments) for day, text, amendments in lists])
    assert spans(versions, "1") == [("2011-02-01", "", "一")]
    assert kinds(problems) == ["same_day", "unchanged"]


def test_a_list_with_years_of_another_calendar_is_not_read(tmp_path):
    wrong = f"{FIRST}\n2.中華民國2021年一月二十日總統令修正公布第 1 條條文"
    versions, problems = read(tmp_path, [("20160318", [("1", "一")], FIRST), ("20210507", [("1", "新")], wrong)])
    assert spans(versions, "1") == [("2011-02-01", "", "一")]
    assert [problem.kind for problem in problems] == ["unreadable_file"] and "2021" in problems[0].reason
