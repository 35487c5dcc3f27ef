from inforce.config.run import Config, data_root


def test_the_variable_goes_before_the_setting(monkeypatch):
    config = Config(runs={"r": {"jurisdiction": "j", "protocol": "p"}}, data_root="here")
    monkeypatch.delenv("INFORCE_DATA", raising=False)
    assert data_root(config) == "here"
    monkeypatch.setenv("INFORCE_DATA", "/there")
    assert data_root(config) == "/there"
