import pytest
from pydantic import ValidationError

from inforce.config.protocol import Protocol


def test_an_even_panel_is_refused():
    with pytest.raises(ValidationError, match="odd number of seats"):
        Protocol(models=["m"], panel=["a", "b"], search={"embedding": "e"})


def test_defaults_are_the_paper_s():
    protocol = Protocol(models=["m"], panel=["a", "b", "c"], search={"embedding": "e"})
    assert protocol.search.top_k == 10
    assert len(protocol.settings) == 5
    assert protocol.resamples == 10_000


@pytest.mark.parametrize("change", [{"models": ["m", "m"]}, {"settings": ["parametric", "parametric"]}])
def test_a_model_or_setting_named_twice_is_refused(change):
    with pytest.raises(ValidationError, match=r"twice|once"):
        Protocol(**{"models": ["m"], "panel": ["a", "b", "c"], "search": {"embedding": "e"}, **change})
