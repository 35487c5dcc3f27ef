from pathlib import Path

import pytest
import yaml

from inforce.config.citations import CitationGrammar
from inforce.config.load import ConfigError, check_config, read_config

FOLDER = Path(__file__).parents[2] / "config" / "citations"
SMALL = {"title": "x", "numerals": ["arabic"], "units": [{"name": "section", "before": ["§"]}], "label": {}, "laws": {}}


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.yaml")), ids=lambda path: path.stem)
def test_every_grammar_is_valid(path):
    assert read_config(path, CitationGrammar).title


def test_a_small_grammar_is_enough():
    assert check_config(SMALL, CitationGrammar, "small").spaced


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"unit": []}, "unknown key unit; did you mean units"),
        ({"units": [{"name": "section", "after": ["條"]}]}, "needs words before"),
        ({"label": {"suffixes": [["bis"], ["bis"]]}}, "stands twice"),
        ({"label": {"suffixes": [[]]}}, "at least one spelling"),
        ({"not_citations": ["section {number}("]}, "not a regular expression"),
        ({"not_citations": ["(section) {number}"]}, "holds a group"),
        ({"laws": {"tails": ["法"]}}, "name_letters"),
        ({"laws": {"back": ["the {kind}"]}}, "laws.kinds is empty"),
        ({"relative": {"preceding": ["the {m} sections"]}}, "{m} is not known"),
    ],
)
def test_what_is_wrong_is_named(change, message):
    with pytest.raises(ConfigError) as error:
        check_config({**SMALL, **change}, CitationGrammar, "small")
    assert message in str(error.value)


def test_thai_has_the_25_ordinals_from_the_second_to_the_twenty_sixth():
    suffixes = yaml.safe_load((FOLDER / "th.yaml").read_text(encoding="utf-8"))["label"]["suffixes"]
    assert len(suffixes) == 25
    assert (suffixes[0][0], suffixes[1][0], suffixes[24][0]) == ("ทวิ", "ตรี", "ฉัพพีสติ")
