import pytest

from inforce.config.load import ConfigError, nearest, read_config
from inforce.config.model import Model
from inforce.config.protocol import Protocol
from inforce.config.run import Config

PROTOCOL = "models: [m]\npanel: [a, b, c]\nsearch: {embedding: e}\n"


def write(path, text):
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("text", "wrong", "right"),
    [(PROTOCOL + "sample: 3\n", "sample", "samples"), (PROTOCOL.replace("embedding: e", "embedding: e, topk: 5"), "search.topk", "top_k")],
)
def test_an_unknown_key_is_named_with_its_file_and_the_nearest_right_one(tmp_path, text, wrong, right):
    path = write(tmp_path / "p.yaml", text)
    with pytest.raises(ConfigError) as error:
        read_config(path, Protocol)
    assert str(path) in str(error.value)
    assert f"unknown key {wrong}" in str(error.value)
    assert f"did you mean {right}?" in str(error.value)


def test_keys_inside_a_choice_of_kinds_are_known_too(tmp_path):
    text = "name: x\ncheckpoint: x\nrevision: x\ncontext_window: 1000\nmax_output_tokens: 100\nvia: {kind: endpoint, concurency: 3}\n"
    with pytest.raises(ConfigError, match="did you mean concurrency"):
        read_config(write(tmp_path / "m.yaml", text), Model)


def test_a_key_like_no_other_lists_what_is_known(tmp_path):
    with pytest.raises(ConfigError, match=r"known here: .*runs"):
        read_config(write(tmp_path / "c.yaml", "runs: {a: {jurisdiction: j, protocol: p}}\nzzz: 1\n"), Config)


def test_a_missing_file_names_the_nearest(tmp_path):
    write(tmp_path / "smollm2.yaml", "")
    with pytest.raises(ConfigError, match=r"did you mean .*smollm2\.yaml"):
        read_config(tmp_path / "smolm2.yaml", Model)


@pytest.mark.parametrize("text", ["a: [", "- 1\n- 2\n", "", "a: 0000-00-00"])
def test_what_is_no_mapping(tmp_path, text):
    with pytest.raises(ConfigError, match=r"c\.yaml"):
        read_config(write(tmp_path / "c.yaml", text), Config)


def test_an_error_shows_the_value_at_fault_and_not_all_around_it(tmp_path):
    with pytest.raises(ConfigError) as error:
        read_config(write(tmp_path / "p.yaml", "models: [m]\nsearch: {embedding: e}\nsamples: many\n"), Protocol)
    lines = str(error.value).splitlines()
    assert f"{tmp_path / 'p.yaml'}: panel: Field required" in lines
    assert any("samples: " in line and line.endswith("(found 'many')") for line in lines)
    assert not any("embedding" in line for line in lines)


def test_a_kind_that_does_not_exist_is_named_with_the_nearest(tmp_path):
    text = "name: x\ncheckpoint: x\nrevision: x\ncontext_window: 1000\nmax_output_tokens: 100\nvia: {kind: endpiont}\n"
    with pytest.raises(ConfigError, match=r"via: there is no kind 'endpiont'; did you mean endpoint\?$"):
        read_config(write(tmp_path / "m.yaml", text), Model)


def test_nearest():
    assert nearest("sampels", ["samples", "settings"]) == "samples"
    assert nearest("qqq", ["samples"]) is None


def test_a_key_given_twice_is_refused(tmp_path):
    with pytest.raises(ConfigError, match="samples"):
        read_config(write(tmp_path / "p.yaml", PROTOCOL + "samples: 1\nsamples: 3\n"), Protocol)
