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


MODEL = {"name": "M", "checkpoint": "c", "revision": "r", "via": {"kind": "endpoint"}, "max_output_tokens": 100}


def test_an_endpoint_s_window_may_be_unknown_and_is_then_no_number():
    model = Model.model_validate(MODEL)
    assert model.window is None
    with pytest.raises(ValueError, match="context window of M is not known"):
        _ = model.context_window
    assert Model.model_validate({**MODEL, "context_window": 300}).context_window == 300


def test_the_window_of_a_model_that_is_served_here_must_be_stated():
    with pytest.raises(ValidationError, match="context_window is needed"):
        Model.model_validate({**MODEL, "via": {"kind": "local", "package": "p", "file": "f"}})


def test_the_key_in_files_is_the_window_s_printed_one():
    with pytest.raises(ValidationError):
        Model.model_validate({**MODEL, "window": 300})


def test_a_revision_that_is_to_be_filled_says_so():
    assert Model.model_validate(MODEL).is_filled
    assert not Model.model_validate({**MODEL, "revision": "to be filled: the provider's snapshot"}).is_filled


def test_an_embedding_is_named_by_what_decides_its_vectors():
    plain = Embedding(checkpoint="c", revision="1")
    assert set(plain.identity()) == {"backend", "checkpoint", "revision", "packaged", "query_prefix", "passage_prefix"}
    assert plain.model_copy(update={"batch": 1, "device": "cuda", "concurrency": 2, "base_url": "http://x"}).identity() == plain.identity()
    assert plain.model_copy(update={"dimensions": 1024}).identity() == plain.identity() | {"dimensions": 1024}
    assert plain.model_copy(update={"dtype": "float16"}).identity() != plain.identity()


def test_texts_at_once_fill_the_requests_in_flight():
    assert Embedding(checkpoint="c", revision="1", batch=5).texts_at_once == 5
    assert Embedding(backend="openai", base_url="http://x", checkpoint="c", revision="1", batch=5, concurrency=3).texts_at_once == 15
