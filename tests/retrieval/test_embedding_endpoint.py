"""A real server that gives vectors, and fails in every way that endpoints fail."""

import base64
import hashlib
import json
import urllib.request
from urllib.parse import quote

import numpy as np
import pytest
from pydantic import ValidationError

from inforce.config.key import Key
from inforce.config.model import Embedding
from inforce.retrieval import embedding_endpoint
from inforce.retrieval.embedding_endpoint import EndpointEmbedder
from inforce.retrieval.vectors import EmbeddingUnavailableError, unit


@pytest.fixture(autouse=True)
def short_waits(monkeypatch):
    monkeypatch.setattr(embedding_endpoint, "FIRST_WAIT_S", 0.01)
    monkeypatch.setattr(embedding_endpoint, "LONGEST_WAIT_S", 0.05)


def embedder(server, **changes):
    values = {"backend": "openai", "checkpoint": "m", "revision": "1", "base_url": server.base_url, "batch": 2, "max_attempts": 3}
    return EndpointEmbedder(Embedding.model_validate(values | changes))


def expected(*texts, n=8):
    return unit([[byte - 128 for byte in hashlib.sha512(text.encode()).digest()[:n]] for text in texts])


def did(server):
    return [line["did"] for line in server.lines()]


def test_texts_go_out_in_batches_and_vectors_come_back_in_the_order_of_the_texts(stub_server):
    server = stub_server()
    texts = [f"text {number}" for number in range(5)]
    assert np.array_equal(embedder(server).passages(texts), expected(*texts))
    assert sorted(len(body["input"]) for body in server.requests()) == [1, 2, 2]
    assert {body["model"] for body in server.requests()} == {"m"}
    assert all("dimensions" not in body for body in server.requests())
    assert embedder(server).passages([]).shape == (0, 8)


def test_prefixes_and_empty_texts(stub_server):
    server = stub_server()
    both = embedder(server, query_prefix="q: ", passage_prefix="")
    assert np.array_equal(both.queries(["wage"]), expected("q: wage"))
    assert np.array_equal(both.passages([""]), expected(" "))


def test_dimensions_are_cut_here_and_sent_only_where_the_endpoint_takes_them(stub_server):
    server = stub_server()
    assert np.allclose(embedder(server, dimensions=3).passages(["a"]), expected("a", n=3))
    assert np.allclose(embedder(server, dimensions=3, send_dimensions=True).passages(["a"]), expected("a", n=3))
    assert [body.get("dimensions") for body in server.requests()] == [None, 3]
    with pytest.raises(ValueError, match="gives 8 numbers"):
        embedder(server, dimensions=9).passages(["a"])


@pytest.mark.parametrize("failure", ["429", "500", "503", "drop", "one_short", "not_json"])
def test_what_may_pass_is_tried_again(stub_server, failure):
    server = stub_server(fail=[{"first": 2, "do": failure, "retry_after": 0.01}])
    assert np.array_equal(embedder(server).passages(["a", "b"]), expected("a", "b"))
    assert did(server) == [failure, failure, "answer"]


def test_attempts_are_bounded_and_a_hanging_endpoint_is_left(stub_server):
    server = stub_server(fail=[{"do": "500"}])
    with pytest.raises(EmbeddingUnavailableError, match=r"/v1/embeddings gave no vectors in 3 attempts: HTTP 500"):
        embedder(server).passages(["a"])
    assert did(server) == ["500"] * 3
    slow = stub_server(fail=[{"do": "hang", "seconds": 5}])
    with pytest.raises(EmbeddingUnavailableError, match=r"no reply within 0.1 s"):
        embedder(slow, timeout_s=0.1, max_attempts=2).passages(["a"])
    server.stop()
    with pytest.raises(EmbeddingUnavailableError, match="the connection failed"):
        embedder(server, max_attempts=2).passages(["a"])


@pytest.mark.parametrize("failure", ["400", "401", "404", "422"])
def test_a_refusal_is_not_tried_again_and_names_no_key(stub_server, monkeypatch, failure):
    monkeypatch.setenv("SOME_KEY", "sk-very-secret")
    server = stub_server(fail=[{"do": failure}])
    with pytest.raises(EmbeddingUnavailableError, match=f"answered {failure} for model m") as caught:
        embedder(server, api_key_env="SOME_KEY").passages(["a"])
    assert did(server) == [failure]
    assert "sk-very-secret" not in str(caught.value)
    assert ("set the right key in SOME_KEY" in str(caught.value)) == (failure == "401")


def test_an_escaped_key_is_struck_too(stub_server, monkeypatch):
    key = "sk-AB/cd+efGH=="
    monkeypatch.setenv("SOME_KEY", key)
    way = embedder(stub_server(), api_key_env="SOME_KEY")
    for escaped in (key.replace("/", "\\/"), key.replace("+", "\\u002B"), quote(key, safe=""), base64.b64encode(key.encode()).decode()):
        said = way._refused(401, f'{{"error": "Incorrect API key provided: {escaped}"}}')
        assert "provided: [key]" in said and not Key(key).held_by(said)


def test_what_cannot_be_sent_is_one_sentence(stub_server, monkeypatch):
    server = stub_server()
    monkeypatch.setenv("SOME_KEY", "sk-SECRET-1\nsk-SECRET-2")
    with pytest.raises(EmbeddingUnavailableError, match="variable SOME_KEY cannot be sent as a key") as caught:
        embedder(server, api_key_env="SOME_KEY")
    assert "SECRET" not in str(caught.value)
    monkeypatch.setenv("SOME_URL", server.base_url.replace("://", "://me:SECRET@"))
    with pytest.raises(EmbeddingUnavailableError, match="in the environment variable SOME_URL holds a user or a password") as caught:
        embedder(server, base_url=None, base_url_env="SOME_URL")
    assert "SECRET" not in str(caught.value)


def test_one_refusal_ends_the_others(stub_server):
    server = stub_server(delay=0.05, fail=[{"match": "text 0", "do": "400"}])
    with pytest.raises(EmbeddingUnavailableError, match="answered 400"):
        embedder(server, concurrency=1).passages([f"text {number}" for number in range(40)])
    assert len(server.lines()) <= 2


def test_at_most_so_many_requests_are_in_flight(stub_server):
    server = stub_server(delay=0.05)
    embedder(server, concurrency=3, batch=1).passages([f"{number}" for number in range(12)])
    with urllib.request.urlopen(f"http://127.0.0.1:{server.port}/health") as reply:
        assert json.load(reply)["most_in_flight"] == 3


def test_address_and_key_are_of_the_environment(stub_server, monkeypatch):
    server = stub_server()
    named = {"backend": "openai", "checkpoint": "m", "revision": "1", "base_url_env": "SOME_URL"}
    monkeypatch.delenv("SOME_URL", raising=False)
    with pytest.raises(EmbeddingUnavailableError, match="variable SOME_URL is not set"):
        EndpointEmbedder(Embedding.model_validate(named))
    monkeypatch.setenv("SOME_URL", server.base_url)
    assert EndpointEmbedder(Embedding.model_validate(named)).passages(["a"]).shape == (1, 8)
    monkeypatch.setenv("SOME_URL", "localhost:8000")
    with pytest.raises(EmbeddingUnavailableError, match="http://"):
        EndpointEmbedder(Embedding.model_validate(named))
    monkeypatch.delenv("SOME_KEY", raising=False)
    with pytest.raises(EmbeddingUnavailableError, match="variable SOME_KEY is not set"):
        embedder(server, api_key_env="SOME_KEY")
    with pytest.raises(ValidationError, match="needs an address"):
        Embedding(backend="openai", checkpoint="m", revision="1")
    with pytest.raises(ValidationError, match="api_key"):
        embedder(server, api_key="sk-1")
