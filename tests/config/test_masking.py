from pathlib import Path

import pytest

from inforce.config.load import ConfigError, check_config, read_config
from inforce.config.masking import Masking, compiled

FOLDER = Path(__file__).parents[2] / "config" / "masking"


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.yaml")), ids=lambda path: path.stem)
def test_the_bundled_rules_are_read(path):
    assert read_config(path, Masking).numbers


@pytest.mark.parametrize(("pattern", "says"), [("(", "is not a regular expression"), (r"\d+", "has no group")])
def test_a_pattern_that_cannot_mask_is_refused(pattern, says):
    values = {"numbers": [{"name": "n", "pattern": pattern, "label": "x"}], "names": {"titles": ["Mr"], "word": "[A-Z]+"}}
    with pytest.raises(ConfigError, match=says):
        check_config(values, Masking, "here")


@pytest.mark.parametrize(("text", "fits"), [("Żak", True), ("Ólafur", True), ("Ψ", False), ("Ивана", True), ("żak", False), ("ŻAK", False)])
def test_letters_of_three_scripts_large_and_small(text, fits):
    assert bool(compiled(r"\p{Lu}\p{Ll}+").fullmatch(text)) == fits
