import shutil

import pytest
from answers.cases import PROMPTS

from inforce.answers.prompts import NAMES, PromptError, Prompts

LANGUAGES = ["en", "th"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_folder_has_every_template(language):
    prompts = Prompts(PROMPTS / f"essay.{language}")
    for kind in ("unknown_tool", "empty_query", "malformed"):
        assert "search_statutes" in prompts.render("error", kind=kind, given="x", tool_name="search_statutes") or kind != "unknown_tool"
    for name in ("no_searches", "tool", "tool_query"):
        assert prompts.render(name)
    assert set(NAMES) <= {path.stem for path in (PROMPTS / f"essay.{language}").glob("*.txt")}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_results_are_said_to_be_none(language):
    prompts = Prompts(PROMPTS / f"essay.{language}")
    assert prompts.render("results", results=[], query="q", searches_left=1) in ("Nothing was found.", "ไม่พบบทบัญญัติ")


def copy_of(tmp_path):
    return shutil.copytree(PROMPTS / "essay.en", tmp_path / "essay.en")


def test_a_missing_file_a_wrong_name_and_a_broken_mark_are_named(tmp_path):
    folder = copy_of(tmp_path)
    (folder / "no_searches.txt").write_text("{{ searchs_left }}")
    with pytest.raises(PromptError, match=r"no_searches.txt: 'searchs_left' is undefined"):
        Prompts(folder).render("no_searches")
    (folder / "again.txt").write_text("line\n{% if %}")
    with pytest.raises(PromptError, match=r"again.txt, line 2"):
        Prompts(folder)
    (folder / "again.txt").unlink()
    with pytest.raises(PromptError, match=r"has no again.txt; a prompt folder holds system.txt"):
        Prompts(folder)
