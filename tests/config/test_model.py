from pathlib import Path

import pytest
from pydantic import ValidationError

from inforce.config.load import read_config
from inforce.config.model import Embedding, Endpoint, Judge, Model

CONFIG = Path(__file__).parents[2] / "config"


@pytest.mark.parametrize(("folder", "kind"), [("models", Model), ("judges", Judge), ("embeddings", Embedding)])
def test_every_file_of_the_project_is_valid(folder, kind):
    files = sorted((CONFIG / folder).glob("*.yaml"))
    assert files
    for file in files:
        read_config(file, kind)


def test_a_key_cannot_be_written_into_a_file():
    with pytest.raises(ValidationError):
        Endpoint(kind="endpoint", api_key="sk-1")
