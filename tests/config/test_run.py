import pytest
from pydantic import ValidationError

from inforce.config.run import Config, Run, data_root


def test_the_variable_goes_before_the_setting(monkeypatch):
    config = Config(runs={"r": {"jurisdiction": "j", "protocol": "p"}}, data_root="here")
    monkeypatch.delenv("INFORCE_DATA", raising=False)
    assert data_root(config) == "here"
    monkeypatch.setenv("INFORCE_DATA", "/there")
    assert data_root(config) == "/there"


@pytest.mark.parametrize("name", ["a b", "a/b", "..", "", "x; touch pwned #", "a|("])
def test_a_name_that_a_shell_or_a_path_would_read_otherwise_is_refused(name):
    with pytest.raises(ValidationError):
        Config(runs={name: {"jurisdiction": "j", "protocol": "p"}})
    with pytest.raises(ValidationError):
        Run(jurisdiction=name, protocol="p")
