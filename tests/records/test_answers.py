from inforce.records.answers import Usage


def test_unknown_usage_is_null_and_not_zero():
    assert Usage().model_dump() == {"input_tokens": None, "cached_tokens": None, "output_tokens": None, "reasoning_tokens": None}
