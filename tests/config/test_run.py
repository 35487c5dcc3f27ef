import os

import pytest
from pydantic import ValidationError

from inforce.config.run import Config, Run, bind_folders, data_root


def test_the_variable_goes_before_the_setting(monkeypatch):
    config = Config(runs={"r": {"jurisdiction": "j", "protocol": "p"}}, data_root="here")
    monkeypatch.delenv("INFORCE_DATA", raising=False)
    assert data_root(config) == "here"
    monkeypatch.setenv("INFORCE_DATA", "/there")
    assert data_root(config) == "/there"


def test_the_folders_of_data_and_of_responses_are_bound_once_and_only_if_they_are_there(monkeypatch, tmp_path):
    monkeypatch.delenv("INFORCE_DATA", raising=False)
    monkeypatch.setenv("APPTAINER_BIND", "/scratch")
    runs = {"r": {"jurisdiction": "j", "protocol": "p"}}
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data").mkdir()
    for _ in range(2):
        bind_folders(Config(runs=runs))
    assert os.environ["APPTAINER_BIND"] == f"/scratch,{tmp_path}/data"
    (tmp_path / "kept").mkdir()
    bind_folders(Config(runs=runs, data_root="none", responses=str(tmp_path / "kept")))
    assert os.environ["APPTAINER_BIND"] == f"/scratch,{tmp_path}/data,{tmp_path}/kept"


@pytest.mark.parametrize("name", ["a b", "a/b", "..", "", "x; touch pwned #", "a|("])
def test_a_name_that_a_shell_or_a_path_would_read_otherwise_is_refused(name):
    with pytest.raises(ValidationError):
        Config(runs={name: {"jurisdiction": "j", "protocol": "p"}})
    with pytest.raises(ValidationError):
        Run(jurisdiction=name, protocol="p")
