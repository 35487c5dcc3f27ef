from pathlib import Path

import pytest
import yaml

from inforce.config.jurisdiction import Jurisdiction
from inforce.config.load import ConfigError, check_config

FOLDER = Path(__file__).parents[2] / "config" / "jurisdictions"


def read(name, **changes):
    values = yaml.safe_load((FOLDER / f"{name}.yaml").read_text(encoding="utf-8"))
    for keys, value in changes.items():
        where = values["sections"]
        *way, last = keys.split("__")
        for key in way:
            where = where[key]
        if value is None:
            del where[last]
        else:
            where[last] = value
    return check_config(values, Jurisdiction, "j.yaml")


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("fr_code_civil", "git_articles"),
        ("de_grundgesetz", "git_articles"),
        ("ee_five_acts", "git_acts"),
        ("tw_six_acts", "git_dumps"),
        ("demo", "table"),
    ],
)
def test_the_type_chooses_the_keys(name, kind):
    assert read(name).sections.type == kind


@pytest.mark.parametrize(
    ("name", "changes", "message"),
    [
        ("fr_code_civil", {"brunch": "main"}, "unknown key sections.brunch; did you mean branch?"),
        ("fr_code_civil", {"path": "("}, "not a regular expression"),
        ("fr_code_civil", {"path": "x"}, r"path lacks the group (?P<label>...)"),
        ("fr_code_civil", {"law_code": None}, "which law is it?"),
        ("fr_code_civil", {"body": "x"}, r"body lacks the group (?P<body>...)"),
        ("fr_code_civil", {"type": "git_article"}, "git_articles"),
        ("fr_code_civil", {"dates__order": [{"from": "author_date", "time_zone": "Paris"}]}, "no time zone"),
        ("fr_code_civil", {"dates__order": [{"from": "message", "forms": ["{day} {month}"]}]}, "needs {year}, {month} and {day}"),
        ("fr_code_civil", {"dates__no_date": {"clamped_before": "1970-01-01T02:00:00"}}, "needs a zone"),
        ("fr_code_civil", {"dates__months": {"x": 13}}, "from 1 to 12"),
        ("ee_five_acts", {"heading": "§.*"}, r"heading lacks the group (?P<label>...)"),
        ("ee_five_acts", {"notes": {"commences": ["{day} {month} {year}"]}}, r"lacks the group (?P<label>...)"),
        ("ee_five_acts", {"labels": {"superscript": "<sup>"}}, r"superscript lacks the group (?P<digits>...)"),
        ("tw_six_acts", {"history__sections": "x"}, r"sections lacks the group (?P<list>...)"),
    ],
)
def test_faults_are_named(name, changes, message):
    with pytest.raises(ConfigError) as error:
        read(name, **changes)
    assert message in str(error.value)


def test_a_release_names_its_laws_itself():
    values = yaml.safe_load((FOLDER / "demo.yaml").read_text(encoding="utf-8"))
    values["sections"] = {"type": "release"}
    del values["laws_file"]
    assert check_config(values, Jurisdiction, "j.yaml").sections.file == "gold_sections.jsonl"
