import asyncio
import json
from types import SimpleNamespace

import pytest
from answers.cases import GONE, LATE_WAGE, essay

from inforce.answers.agent import MAX_TOOL_CALL_ERRORS, answer_item, total_usage
from inforce.answers.schema import TOOL_NAME
from inforce.models.interface import ChatRequest, ChatResponse, ToolCall
from inforce.records.answers import Search, Usage

ANSWER = json.dumps({"answers": [{"sub_question": 1, "verdict": "8 %", "reasoning": "s. 2", "citations": [{"version": "u"}]}]})


def says(text, finish="stop", **changed):
    response = {
        "request_sha256": "",
        "text": text,
        "reasoning": None,
        "tool_calls": [],
        "finish_reason": finish,
        "usage": Usage(input_tokens=10, output_tokens=2),
        "error_class": None,
        "error": None,
        "raw": {},
    }
    return ChatResponse.model_validate(response | changed)


def calls(*arguments, name=TOOL_NAME, text=""):
    """Calls under the random ids of an engine."""
    return says(text, "tool_calls", tool_calls=[ToolCall(id=f"chatcmpl-{hash(one)}", name=name, arguments=one) for one in arguments])


def searches(*queries):
    return calls(*[json.dumps({"query": query}) for query in queries])


def act(**action):
    return says(json.dumps(action))


class Scripted:
    """A model that says what it is told, in order, and keeps what it was asked. The loop over real HTTP is in test_answer_items."""

    def __init__(self, *replies):
        self.replies, self.asked, self.seeds = list(replies), [], []

    def build_request(self, messages, *, tools=None, response_schema=None, seed_name, sample):
        self.seeds.append(seed_name)
        fixed = {"checkpoint": "c", "revision": "1", "engine": "e", "engine_args": [], "sampling": {}, "extra_body": {}}
        more = {"max_output_tokens": 100, "seed": 1, "sample": sample}
        return ChatRequest(messages=messages, tools=tools, response_schema=response_schema, **fixed, **more)

    async def complete(self, request):
        self.asked.append(request)
        return self.replies.pop(0)


def run(model, setting="rag_in_force", tools="native", item=GONE, max_searches=3, constrained=True):
    queries = []

    async def search(query):
        queries.append(query)
        shown = {"law_name": "Wage Act", "label": "2", "valid_from": None, "valid_to": None, "text": f"about {query}"}
        return [SimpleNamespace(version_uri=f"x/{query}", **shown)]

    answer = asyncio.run(
        answer_item(
            item,
            task=essay(),
            model=model,
            model_name="m",
            setting=setting,
            sample=2,
            tools=tools,
            search=search if setting.startswith("rag") else None,
            max_searches=max_searches,
            constrained=constrained,
        )
    )
    assert [one.query for one in answer.search_trace] == queries
    assert answer.request_sha256 == [request.sha256 for request in model.asked]
    assert not model.replies
    return answer


def last_message(model):
    return model.asked[-1].messages[-1]


def test_a_setting_without_search_is_one_request_held_to_the_schema():
    model = Scripted(says(ANSWER))
    answer = run(model, "gold_in_force")
    assert (answer.status, answer.detail, answer.sub_answers[0].verdict) == ("ok", None, "8 %")
    assert (answer.item_id, answer.model, answer.setting, answer.sample, answer.raw_text, answer.finish_reason) == (
        "gone",
        "m",
        "gold_in_force",
        2,
        ANSWER,
        "stop",
    )
    assert model.asked[0].tools is None
    assert "prefixItems" in model.asked[0].response_schema["properties"]["answers"]
    assert model.seeds == ["m/gold_in_force/2/gone/1"]


@pytest.mark.parametrize("setting", ["parametric", "rag_current"])
@pytest.mark.parametrize(
    ("reply", "status", "detail"),
    [
        (says("", "length"), "empty_at_limit", "used up"),
        (says(ANSWER[:-5], "length"), "unparsed", "no JSON object"),
        (says("", error_class="context_overflow", error="too long"), "context_overflow", "too long"),
        (says("", error_class="refused", error="no"), "refused", "no"),
        (says("", error_class="permanent", error="400"), "endpoint_error", "400"),
        (says("", error_class="transient", error="503"), "endpoint_error", "503"),
    ],
)
def test_each_way_to_fail_has_its_status(setting, reply, status, detail):
    answer = run(Scripted(reply), setting)
    assert answer.status == status
    assert detail in answer.detail
    assert answer.sub_answers == []


def test_an_empty_reply_that_was_not_cut_short_is_unparsed():
    assert run(Scripted(says("")), "parametric").detail == "the reply is empty"


def test_a_model_with_tools_searches_reads_and_answers():
    model = Scripted(searches("late wage"), says(ANSWER))
    answer = run(model)
    assert answer.status == "ok"
    assert answer.search_trace == [Search(query="late wage", version_uris=["x/late wage"])]
    assert [request.response_schema for request in model.asked] == [None, None]
    call, result = model.asked[1].messages[-2:]
    assert call == {
        "role": "assistant",
        "content": "",
        "tool_calls": [{"id": "call00001", "type": "function", "function": {"name": TOOL_NAME, "arguments": '{"query": "late wage"}'}}],
    }
    assert (result["role"], result["tool_call_id"]) == ("tool", "call00001")
    assert result["content"] == 'Found:\nWage Act, section 2\nabout late wage\n"version":"x/late wage"'
    assert model.seeds == ["m/rag_in_force/2/gone/1", "m/rag_in_force/2/gone/2"]
    assert answer.usage == Usage(input_tokens=20, output_tokens=4)


def test_two_calls_in_one_turn_are_run_in_order_and_answered_each():
    model = Scripted(searches("b", "a"), says(ANSWER))
    assert [one.query for one in run(model).search_trace] == ["b", "a"]
    assert [(message["tool_call_id"], message["content"].split("x/")[-1][0]) for message in model.asked[1].messages[-2:]] == [
        ("call00001", "b"),
        ("call00002", "a"),
    ]


def test_after_the_last_search_the_tool_is_taken_away_and_the_answer_is_held_to_the_schema():
    model = Scripted(searches("a"), searches("b", "c", "d"), says(ANSWER))
    answer = run(model)
    assert [one.query for one in answer.search_trace] == ["a", "b", "c"]
    assert answer.n_tool_call_errors == 0
    assert [request.tools is None for request in model.asked] == [False, False, True]
    assert model.asked[2].response_schema is not None
    c, d = model.asked[2].messages[-2:]
    assert c["content"].endswith('about c\n"version":"x/c"\n\nNo search is left. Answer now.')
    assert d["content"] == "No search is left. Answer now."


@pytest.mark.parametrize(
    ("call", "says_what"),
    [
        (calls('{"query": "late'), 'not a JSON object with a "query" of text: {"query": "late'),
        (calls('["late"]'), "not a JSON object"),
        (calls('{"query": 7}'), "not a JSON object"),
        (calls('{"words": "late"}'), "not a JSON object"),
        (calls("[" * 100_000), "not a JSON object"),
        (searches("  "), "the query is empty"),
        (calls('{"query": "late"}', name="google"), 'there is no tool named "google"; the only tool is search_statutes'),
    ],
)
def test_a_call_that_cannot_be_run_is_handed_back_and_counted(call, says_what):
    model = Scripted(call, searches("late"), says(ANSWER))
    answer = run(model)
    assert (answer.status, answer.n_tool_call_errors) == ("ok", 1)
    assert [one.query for one in answer.search_trace] == ["late"]
    result = model.asked[1].messages[-1]
    assert result["role"] == "tool"
    assert says_what in result["content"]
    echoed = model.asked[1].messages[-2]["tool_calls"][0]["function"]["arguments"]
    assert isinstance(json.loads(echoed), dict)  # an engine refuses a conversation with other arguments


def test_calls_that_never_can_be_run_end_the_item():
    model = Scripted(*[calls("{")] * MAX_TOOL_CALL_ERRORS)
    answer = run(model)
    assert (answer.status, answer.n_tool_call_errors) == ("tool_call_error", MAX_TOOL_CALL_ERRORS)
    assert answer.detail == "5 calls of the search tool could not be run; the last one: malformed {"


def test_a_model_that_calls_on_without_a_tool_ends():
    model = Scripted(searches("a"), *[searches("b")] * 3, says(ANSWER))
    answer = run(model, max_searches=1)
    assert (answer.status, [one.query for one in answer.search_trace], answer.n_tool_call_errors) == ("ok", ["a"], 3)
    assert last_message(model)["content"] == "No search is left. Answer now."
    for tools, one in (("native", searches), ("action_protocol", lambda query: act(action="search", query=query))):
        forever = Scripted(one("a"), *[one("b")] * MAX_TOOL_CALL_ERRORS)
        assert run(forever, tools=tools, max_searches=1).status == "tool_call_error"


def test_a_model_that_searches_never_is_not_made_to():
    answer = run(Scripted(says(ANSWER)))
    assert (answer.status, answer.search_trace) == ("ok", [])


def test_an_answer_of_a_searching_model_that_does_not_parse_is_asked_for_once_more():
    model = Scripted(says("Eight percent."), says(ANSWER))
    assert run(model).status == "ok"
    assert model.asked[1].tools is None
    assert model.asked[1].response_schema is not None
    assert [message["role"] for message in model.asked[1].messages[-2:]] == ["assistant", "user"]
    assert "could not be read (no JSON object with answers in the reply)" in last_message(model)["content"]
    assert run(Scripted(says("Eight."), says("Eight!"))).status == "unparsed"


def test_without_schemas_nothing_is_asked_again():
    assert run(Scripted(says("Eight percent.")), constrained=False).status == "unparsed"


def test_the_action_protocol_searches_reads_and_answers():
    model = Scripted(act(action="search", query="late wage"), act(action="answer", **json.loads(ANSWER)))
    answer = run(model, tools="action_protocol")
    assert answer.status == "ok"
    assert [one.query for one in answer.search_trace] == ["late wage"]
    assert [request.tools for request in model.asked] == [None, None]
    assert [message["role"] for message in model.asked[1].messages] == ["system", "user", "assistant", "user"]
    assert "about late wage" in last_message(model)["content"]
    assert len(model.asked[1].response_schema["anyOf"]) == 2


def test_the_action_protocol_has_no_search_left_after_the_last():
    model = Scripted(act(action="search", query="a"), act(action="search", query="b"), act(action="answer", **json.loads(ANSWER)))
    assert run(model, tools="action_protocol", max_searches=2).status == "ok"
    assert last_message(model)["content"].endswith("No search is left. Answer now.")
    assert model.asked[2].response_schema["properties"]["action"] == {"const": "answer"}


def test_an_action_that_cannot_be_run_is_handed_back_and_counted():
    model = Scripted(
        act(action="lookup", query="a"), act(action="search"), act(action="search", query=" "), act(action="answer", **json.loads(ANSWER))
    )
    answer = run(model, tools="action_protocol")
    assert (answer.status, answer.n_tool_call_errors, answer.search_trace) == ("ok", 3, [])
    assert 'no tool named "lookup"' in model.asked[1].messages[-1]["content"]


def test_an_answer_without_its_action_s_name_is_an_answer():
    assert run(Scripted(says(f"```\n{ANSWER}\n```")), tools="action_protocol").status == "ok"
    assert run(Scripted(says("Eight.")), tools="action_protocol").status == "unparsed"


def test_a_query_with_a_lone_surrogate_does_no_harm():
    answer = run(Scripted(calls('{"query": "\\ud83d wage"}', text="\ud83d"), says(ANSWER)))
    assert [one.query for one in answer.search_trace] == ["\ufffd wage"]


def test_several_sub_questions_need_an_answer_each():
    answer = run(Scripted(says(ANSWER)), "gold_current", item=LATE_WAGE)
    assert (answer.status, answer.detail) == ("unparsed", "answers are numbered [1], expected one each for 1 to 2")


def test_equal_conversations_have_equal_names_whatever_ids_an_engine_gave():
    first, second = Scripted(calls('{"query": "a"}'), says(ANSWER)), Scripted(calls('{"query": "a"}'), says(ANSWER))
    second.replies[0].tool_calls[0].id = "other"
    assert run(first).request_sha256 == run(second).request_sha256


def test_tokens_are_summed_and_null_only_where_never_reported():
    usages = [Usage(input_tokens=1), Usage(input_tokens=2, output_tokens=3), Usage(reasoning_tokens=0)]
    assert total_usage(usages) == Usage(input_tokens=3, output_tokens=3, reasoning_tokens=0)
    assert total_usage([]) == Usage()
