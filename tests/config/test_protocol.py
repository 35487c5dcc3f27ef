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


def test_a_model_s_own_number_of_samples():
    protocol = Protocol(models=["m", "k"], samples=3, samples_of={"k": 1}, panel=["a"], search={"embedding": "e"})
    assert [protocol.n_samples(model) for model in protocol.models] == [3, 1]
    with pytest.raises(ValidationError, match=r"samples_of names other, not among the models"):
        Protocol(models=["m"], samples_of={"other": 1}, panel=["a"], search={"embedding": "e"})


def test_all_items_are_asked_unless_a_split_is_named():
    assert Protocol(models=["m"], panel=["a"], search={"embedding": "e"}).split == "all"
    with pytest.raises(ValidationError):
        Protocol(models=["m"], panel=["a"], search={"embedding": "e"}, split="reserve")
