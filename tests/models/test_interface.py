"""A request's name: what changes it, what does not, and that it stays what it is from version to version."""

import hashlib
import json

import pytest
from models.asking import request, response
from pydantic import ValidationError

from inforce.models.interface import ChatResponse

CHANGES = {
    "checkpoint": "other",
    "revision": "2",
    "engine": "e 2",
    "engine_args": ["--dtype=half"],
    "messages": [{"role": "user", "content": "item-1 "}],
    "tools": [{"type": "function", "function": {"name": "search", "parameters": {"type": "object"}}}],
    "response_schema": {"type": "object"},
    "sampling": {"temperature": 0.1},
    "extra_body": {"top_k": 3},
    "max_output_tokens": 65,
    "seed": 2,
    "sample": 2,
}


def test_the_name_is_the_sha256_of_the_canonical_json():
    asked = request("มาตรา 1")
    text = json.dumps(asked.model_dump(), sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    assert asked.sha256 == hashlib.sha256(text.encode()).hexdigest()


def test_names_do_not_move_between_versions_of_this_project():
    """A store that was paid for is found again only if this stays the same."""
    assert request().sha256 == "99da568738c0969d49919037c318c5bf59864b5dd94a5776798bd50a02d065da"


def test_every_field_is_covered():
    assert set(CHANGES) == set(type(request()).model_fields)


@pytest.mark.parametrize("field", CHANGES)
def test_every_field_decides_the_name(field):
    assert request(**{field: CHANGES[field]}).sha256 != request().sha256


def test_the_order_of_keys_and_the_way_through_json_do_not_change_the_name():
    one = request(messages=[{"role": "user", "content": "é"}], extra_body={"a": 1, "b": [1.5, None]})
    other = request(extra_body={"b": [1.5, None], "a": 1}, messages=[{"content": "é", "role": "user"}])
    assert one.sha256 == other.sha256
    assert type(one).model_validate_json(one.model_dump_json()).sha256 == one.sha256


def test_a_request_is_frozen_and_knows_no_other_fields():
    with pytest.raises(ValidationError):
        request().seed = 5
    with pytest.raises(ValidationError):
        request(timestamp=1)


def test_a_response_comes_back_from_json_as_it_was():
    kept = response(request(), "ข้อความ")
    assert ChatResponse.model_validate_json(kept.model_dump_json()) == kept
