from pathlib import Path

import pytest
import yaml

from inforce.config.jurisdiction import SENTINEL_DATES, Jurisdiction
from inforce.config.load import ConfigError, check_config, read_config

FOLDER = Path(__file__).parents[2] / "config" / "jurisdictions"


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.yaml")), ids=lambda path: path.stem)
def test_every_jurisdiction_of_the_project_can_be_read(path):
    assert read_config(path, Jurisdiction).title


def thai(**changes):
    values = yaml.safe_load((FOLDER / "th_tscc.yaml").read_text(encoding="utf-8"))
    for keys, value in changes.items():
        where = values
        *way, last = keys.split("__")
        for key in way:
            where = where[key]
        where[last] = value
    return values


def wrong(**changes):
    with pytest.raises(ConfigError) as error:
        check_config(thai(**changes), Jurisdiction, "j.yaml")
    return str(error.value)


def test_bare_yaml_dates_are_spellings():
    values = yaml.safe_load("[2999-01-01, '0000-00-00']")
    table = check_config(thai(sections__null_dates=values), Jurisdiction, "j.yaml").sections
    assert table.null_dates == ["2999-01-01", "0000-00-00"]
    assert table.sentinel_dates == list(SENTINEL_DATES)


def test_faults_are_named():
    assert "unknown key sections.colums; did you mean columns?" in wrong(sections__colums={})
    assert "columns lacks text" in wrong(sections__columns={"law_code": "a", "label": "b", "valid_from": "c"})
    assert "columns lacks number, date" in wrong(
        decisions__columns={"id": "a", "category": "c", "citations": "l", "facts": "f", "decision": "d"}
    )
    assert "needs at least one question" in wrong(decisions__questions=[])
    assert "'[' is not a regular expression" in wrong(decisions__marks=["["])
    assert "'(' is not a regular expression" in wrong(unheld_kinds=["("])
    assert "name the laws" in wrong(laws=[])
    assert "laws.0.law_code" in wrong(laws=[{"law_code": "C C", "name": "x"}])
    assert "laws names CC more than once" in wrong(laws=[{"law_code": "CC", "name": "x"}, {"law_code": "CC", "name": "y"}])
    ended = {"law_code": "CC", "name": "x", "enacted": "2010-01-01", "repealed_on": "2010-01-01"}
    assert "repealed_on 2010-01-01 is not after enacted 2010-01-01" in wrong(laws=[ended])


def test_texts_may_hold_only_fields_that_are_known():
    question = {"question": "Q", "verdicts": [{"text": "{verdict}"}]}
    assert "'verdict' is not one of attempt, category, " in wrong(decisions__questions=[question])
    question = {"question": "Q", "verdicts": [{"when": {"guilt": "1"}, "text": "x"}]}
    assert "'guilt' is not one of" in wrong(decisions__questions=[question])
    assert "'name' is not one of label" in wrong(decisions__label_text="{name}")
