"""What a configuration file may not hold: refused with its place, its value printed nowhere."""

import json

import jsonschema
import pytest
import yaml
from pydantic import ValidationError

from inforce.config.load import ConfigError, read_config
from inforce.config.model import Embedding, Judge, Model
from inforce.config.secret import argument_name, looks_like_a_key, names_a_secret
from inforce.config.site import Site

MODEL = {"name": "M", "checkpoint": "c", "revision": "r", "context_window": 1000, "max_output_tokens": 100}
ENDPOINT = {"kind": "endpoint", "base_url": "http://localhost:8000/v1"}
VLLM = {"kind": "vllm", "version": "0.32.0"}


def refused(folder, values, kind=Model):
    """The message about a file with these values, which prints none of its secrets."""
    path = folder / "m.yaml"
    path.write_text(yaml.safe_dump(values), encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        read_config(path, kind)
    with pytest.raises(ValidationError) as raw:
        kind.model_validate(values)
    for said in (str(caught.value), str(raw.value)):
        assert "SECRET" not in said and "REAL" not in said
    return str(caught.value)


@pytest.mark.parametrize(
    "name", ["apiKey", "api_key", "X-Api-Key", "OPENAI_API_KEY", "api_key_2", "hf_token", "token", "Authorization", "auth"]
)
@pytest.mark.parametrize("wrap", [lambda one: one, lambda one: {"extra_headers": one}, lambda one: {"a": [1, {"b": one}]}], ids="abc")
def test_a_field_that_is_called_like_a_secret_is_refused_at_any_depth(tmp_path, name, wrap):
    for via in (ENDPOINT, VLLM):
        said = refused(tmp_path, {**MODEL, "via": {**via, "extra_body": wrap({name: "SECRET"})}})
        assert "via.extra_body: secrets may not stand in a file" in said and f"{name} looks like one" in said


@pytest.mark.parametrize("value", ["sk-SECRET123", "hf_SECRETabc", "Bearer SECRETabc", "AKIASECRETSECRET"])
def test_a_value_that_looks_like_a_key_is_refused_under_any_name(tmp_path, value):
    assert "extra_body" in refused(tmp_path, {**MODEL, "via": {**ENDPOINT, "extra_body": {"user": value}}})
    assert "one of the values looks like one" in refused(tmp_path, {**MODEL, "via": {**VLLM, "args": ["--some-option", value]}})
    assert "the value of --some-option" in refused(tmp_path, {**MODEL, "via": {**VLLM, "args": [f"--some-option={value}"]}})
    assert "concurrency" in refused(tmp_path, {**MODEL, "via": {**ENDPOINT, "concurrency": value}})


def test_fields_of_requests_that_are_no_secrets_are_taken():
    body = {
        "max_completion_tokens": 5,
        "chat_template_kwargs": {"enable_thinking": True, "bos_token": "<s>"},
        "stop_token_ids": [1],
        "prompt_cache_key": "k",
        "return_token": True,
        "token": None,
        "thinking": {"type": "enabled", "budget_tokens": 100},
        "user": "basic knowledge",
    }
    assert Model.model_validate({**MODEL, "via": {**ENDPOINT, "extra_body": body}}).via.extra_body == body


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--hf-token", "hf_SECRET"], "--hf-token"),
        (["--hf_token=SECRET"], "--hf-token"),
        (["--hf-tok", "SECRET"], "--hf-tok"),
        (["--api-k", "SECRET"], "--api-k"),
        (["--api-key=sk-REAL"], "--api-key"),
        (["--api-key sk-REAL"], "--api-key"),
        (["--other-password=SECRET"], "--other-password"),
        (["--model-loader-extra-config.auth_token", "SECRET"], "--model-loader-extra-config.auth-token"),
        (["--model-loader-extra-config", '{"s3": {"secret_access_key": "SECRET"}}'], "s3.secret_access_key"),
        (['--model-loader-extra-config={"token": "SECRET"}'], "token"),
        (["api_key=SECRET"], "api_key"),
        (["--header", "Authorization: SECRET"], "Authorization"),
    ],
)
def test_an_argument_that_carries_a_secret_is_refused_by_its_name(tmp_path, arguments, named):
    for via in ({**VLLM, "args": arguments}, {**ENDPOINT, "engine_args": arguments}):
        said = refused(tmp_path, {**MODEL, "via": via})
        assert "secrets may not stand in a file" in said and named in said


def test_arguments_that_the_job_sets_are_refused_abbreviated_too(tmp_path):
    for argument in ("--port=1", "--por", "--max_model_le", "--served-model", "--tensor-parallel-size=2", "-tp"):
        name = argument.partition("=")[0].replace("_", "-")
        assert f"args may not hold {name}: the job sets it" in refused(tmp_path, {**MODEL, "via": {**VLLM, "args": [argument]}})


def test_arguments_that_carry_no_secret_are_taken():
    arguments = ["--max-num-batched-tokens", "2048", "--gpu-memory-utilization=.9", "--seed", "1", "--tokenizer-mode", "hf", "-O3"]
    arguments += ["--hf-overrides", '{"rope_scaling": {"factor": 2}}', "--return-tokens-as-token-ids", "--enable-prefix-caching"]
    assert Model.model_validate({**MODEL, "via": {**VLLM, "args": arguments}}).via.args == arguments
    assert Model.model_validate({**MODEL, "via": {**ENDPOINT, "engine_args": ["--max-model-len", "9"]}}).via.engine_args


@pytest.mark.parametrize(
    "name", ["sk-REALKEY-123", "REAL KEY", "1REAL", "https://me:SECRET@x.example", "", "hf_abcdefREAL12345678", "AbcdefREAL123456789", 123]
)
def test_a_key_in_place_of_its_variable_s_name_is_not_printed(tmp_path, name):
    for field in ("api_key_env", "base_url_env"):
        assert f"via.{field}: " in refused(tmp_path, {**MODEL, "via": {**ENDPOINT, field: name}}) or "SECRET" in str(name)
        embedding = {"backend": "openai", "checkpoint": "c", "revision": "r", "base_url": "http://x/v1", field: name}
        assert field in refused(tmp_path, embedding, Embedding)


@pytest.mark.parametrize("name", ["MY_MODEL_KEY", "QWEN3_8B_API_KEY", "K", "_key", "my_model_2_api_key", "MyKey"])
def test_a_variable_s_name_is_taken(name):
    via = {**ENDPOINT, "api_key_env": name}
    assert Model.model_validate({**MODEL, "via": via}).via.api_key_env == name
    jsonschema.validate({**MODEL, "via": via}, Model.model_json_schema(by_alias=True))


def test_a_schema_refuses_what_is_no_variable_s_name():
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**MODEL, "via": {**ENDPOINT, "api_key_env": "sk-1"}}, Model.model_json_schema(by_alias=True))


@pytest.mark.parametrize(
    "address",
    [
        "https://me:SECRET@llm.example/v1",
        "https://SECRET@llm.example/v1",
        "https://llm.example/v1?api_key=SECRET",
        "https://llm.example/v1?key=SECRET",
        "sk-SECRET",
        "me:SECRET@llm.example",
        "http://[SECRET",
    ],
)
def test_an_address_with_a_secret_is_refused(tmp_path, address):
    assert "base_url" in refused(tmp_path, {**MODEL, "via": {**ENDPOINT, "base_url": address}})
    embedding = {"backend": "openai", "checkpoint": "c", "revision": "r", "base_url": address}
    assert "base_url" in refused(tmp_path, embedding, Embedding)


def test_an_address_with_a_password_is_refused_wherever_it_stands(tmp_path):
    address = "https://me:SECRET@x.example/v1"
    assert "models: an address may hold no user" in refused(tmp_path, {"models": address}, Site)
    assert "binds.1: an address" in refused(tmp_path, {"binds": ["/data", address]}, Site)
    assert "model: an address" in refused(tmp_path, {"name": "J", "model": address}, Judge)
    assert "checkpoint: an address" in refused(tmp_path, {"checkpoint": address, "revision": "r"}, Embedding)
    said = refused(tmp_path, {**MODEL, "via": {**VLLM, "args": ["--otlp-traces-endpoint", address], "extra_body": {"a": {"b": address}}}})
    assert "via.args.1, via.extra_body.a.b: an address" in said
    assert Site.model_validate({"models": "/data/a@b"}).models == "/data/a@b"


def test_a_key_that_is_no_key_of_the_file_is_named_without_its_value(tmp_path):
    assert "unknown key via.api_key" in refused(tmp_path, {**MODEL, "via": {**ENDPOINT, "api_key": "sk-SECRET"}})
    assert "unknown key hf_token" in refused(tmp_path, {"hf_token": "hf_SECRET"}, Site)
    assert "unknown key api_key" in refused(tmp_path, {"name": "J", "model": "m", "api_key": "sk-SECRET"}, Judge)


def test_a_file_that_is_no_yaml_is_told_by_its_line_s_number_alone(tmp_path):
    path = tmp_path / "m.yaml"
    path.write_text("name: M\nvia: {api_key: 'sk-SECRET\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"is not YAML: .*, line \d+, column \d+; quote") as caught:
        read_config(path, Model)
    assert "SECRET" not in str(caught.value) and caught.value.__suppress_context__


def test_names_and_values():
    assert all(
        map(names_a_secret, ["clientSecret", "aws_secret_access_key", "accessToken", "x-goog-api-key", "db.password", "session_cookie"])
    )
    assert not any(map(names_a_secret, ["max_tokens", "tokenizer", "stop_token", "author", "authority", "key", "secretary", "", "7"]))
    assert not any(map(looks_like_a_key, ["sk-", "sk", "hf_models", "Bearer", "the bearer SECRET", json.dumps({"a": 1})]))
    assert argument_name("--A_b=c") == "--a-b" and argument_name("-tp") == "-tp" and argument_name("value") == ""
