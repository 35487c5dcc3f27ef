from pathlib import Path

import pytest
from answers.cases import GONE, LATE_WAGE, case, cite, essay
from retrieval.book import WAGE_1_NEW, WAGE_1_OLD, WAGE_2, WAGE_3

from inforce.answers.essay import Essay, MissingVersionError
from inforce.records.status import SETTINGS

GOLDEN = Path(__file__).parent / "golden"
OLD, NEW, INTEREST = "on the last day of the month", "on the fifth day of the next month", "bears interest at eight percent"


def shown(item, setting, tools="native", language="en"):
    return "\n\n".join(f"<{message['role']}>\n{message['content']}" for message in essay(language).messages(item, setting, tools, 30))


@pytest.mark.parametrize("language", ["en", "th"])
@pytest.mark.parametrize("setting", SETTINGS)
def test_the_messages_of_each_setting_are_as_kept(setting, language):
    """Made with: python tests/answers/test_essay.py"""
    assert shown(LATE_WAGE, setting, language=language) + "\n" == (GOLDEN / f"{setting}.{language}.txt").read_text(encoding="utf-8")


def test_the_current_setting_never_shows_a_text_of_then_nor_the_other_one_a_text_of_now():
    current, in_force = shown(LATE_WAGE, "gold_current"), shown(LATE_WAGE, "gold_in_force")
    assert [text in current for text in (NEW, WAGE_1_NEW, OLD, WAGE_1_OLD, INTEREST, WAGE_2)] == [True, True, False, False, False, False]
    assert [text in in_force for text in (NEW, WAGE_1_NEW, OLD, WAGE_1_OLD, INTEREST, WAGE_2)] == [False, False, True, True, True, True]


def test_each_version_is_shown_once_in_the_order_cited_and_background_not_at_all():
    assert [given.version_uri for given in essay().given(LATE_WAGE, "gold_in_force")] == [WAGE_1_OLD, WAGE_2]
    assert [given.version_uri for given in essay().given(LATE_WAGE, "gold_current")] == [WAGE_1_NEW]
    assert WAGE_3 not in shown(LATE_WAGE, "gold_in_force")


@pytest.mark.parametrize("setting", ["parametric", "rag_current", "rag_in_force"])
def test_the_other_settings_show_no_provision(setting):
    for text in (OLD, NEW, INTEREST, WAGE_1_OLD, WAGE_1_NEW, WAGE_2):
        assert text not in shown(LATE_WAGE, setting)


@pytest.mark.parametrize("setting", SETTINGS)
def test_no_setting_shows_what_the_court_held_or_how_the_item_is_filed(setting):
    for word in ("VERDICT", "THE REASONING", "TITLE", "labour", "repealed", "2026"):
        assert word not in shown(GONE, setting)


def test_a_case_of_which_nothing_is_left_in_the_book_says_so():
    assert "the statute book holds none of the provisions of this case" in shown(GONE, "gold_current")
    assert INTEREST in shown(GONE, "gold_in_force")


def test_the_date_is_shown_as_far_as_it_is_known():
    assert "Decision date: 2004 (only the year is known)\n" in shown(GONE, "parametric")
    assert "Decision date: 2004-06-01\n" in shown(LATE_WAGE, "parametric")
    assert "2004-06" not in shown(GONE, "rag_in_force")


def test_template_marks_in_a_case_are_text():
    assert "A {{ clerk }} was ill." in shown(LATE_WAGE, "parametric")


def test_what_items_share_stands_first_and_is_the_same_for_all():
    for setting in SETTINGS:
        first = {essay().messages(item, setting, "native", 30)[0]["content"] for item in (LATE_WAGE, GONE)}
        assert len(first) == 1


@pytest.mark.parametrize(
    ("tools", "says"), [("native", "The tool is search_statutes"), ("action_protocol", 'To search: "action" is "search"')]
)
def test_a_searching_model_is_told_how(tools, says):
    text = shown(LATE_WAGE, "rag_in_force", tools)
    assert says in text
    assert "30 times" in text
    system = essay().messages(LATE_WAGE, "rag_in_force", tools, 0)[0]["content"]
    assert "earch" not in system


def test_schema_and_parser_cite_by_name_only_from_memory():
    for setting in SETTINGS:
        citation = essay().schema(LATE_WAGE, setting)["properties"]["answers"]["prefixItems"][0]["properties"]["citations"]["items"]
        assert list(citation["properties"]) == (["law", "section"] if setting == "parametric" else ["version"])


def test_a_citation_that_the_sections_do_not_hold_is_named():
    item = case("odd", "2004", "year", ("Q?", [cite("x/law/WAGE/section-9/v/1990-01-01", None)]))
    with pytest.raises(
        MissingVersionError, match="item odd cites x/law/WAGE/section-9/v/1990-01-01, which the table of sections does not hold"
    ):
        essay().messages(item, "gold_in_force", "native", 30)


def test_no_prompt_names_a_setting():
    assert isinstance(essay(), Essay)
    for setting in SETTINGS:
        assert not any(name in shown(LATE_WAGE, setting) for name in SETTINGS)


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for each in SETTINGS:
        for tongue in ("en", "th"):
            (GOLDEN / f"{each}.{tongue}.txt").write_text(shown(LATE_WAGE, each, language=tongue) + "\n", encoding="utf-8")
