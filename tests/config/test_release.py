from pathlib import Path

import pytest

from inforce.config.load import ConfigError, check_config, read_config
from inforce.config.release import ReleaseSettings

FOLDER = Path(__file__).parents[2] / "config" / "releases"


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.yaml")), ids=lambda path: path.stem)
def test_the_bundled_choices_are_read(path):
    assert read_config(path, ReleaseSettings).canary


def test_what_the_terms_forbid_stays_forbidden():
    assert read_config(FOLDER / "th_tscc.yaml", ReleaseSettings).allowed is False


def test_a_canary_must_be_long_enough_to_be_found():
    values = read_config(FOLDER / "demo.yaml", ReleaseSettings).model_dump()
    with pytest.raises(ConfigError, match="canary"):
        check_config(values | {"canary": "short"}, ReleaseSettings, "here")
