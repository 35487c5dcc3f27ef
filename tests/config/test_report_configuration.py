"""The files under config/ that stand for NitiBench+: 28 models, three judges, two protocols, prices."""

import csv
import os
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from inforce.config.load import read_config
from inforce.config.model import Judge, Model, Vllm
from inforce.config.protocol import Protocol
from inforce.records.answers import Usage
from inforce.scores.prices import cost_usd, price_of, read_prices

CONFIG = Path(__file__).parents[2] / "config"
MODELS = {path.stem: read_config(path, Model) for path in (CONFIG / "models").glob("*.yaml")}
BENCHMARK = read_config(CONFIG / "protocols" / "benchmark.yaml", Protocol)
LEADERBOARD = read_config(CONFIG / "protocols" / "leaderboard.yaml", Protocol)
PANEL = ["claude-4.6-opus", "gemini-3.1-pro-preview", "gpt-5.4-pro"]

# Table 15: GPUs, window in thousands of tokens, reasoning parser, tool parser
SERVING = {
    "Gemma 4 31B": (2, 262, "gemma4", "gemma4"),
    "Gemma 4 26B-A4B": (2, 262, "gemma4", "gemma4"),
    "Nemotron 3.5 Lightning 30B-A3B": (2, 262, "nemotron_v3", "qwen3_xml"),
    "Muse Glimmer 30B": (2, 131, "muse_glimmer", "muse_glimmer"),
    "Nemotron 3 Nano 30B-A3B": (2, 262, "nemotron_v3", "qwen3_coder"),
    "SEA-LION v4.8 30B-A3B": (2, 262, "nemotron_v3", "qwen3_coder"),
    "OpenThai 2.0 Legal 30B-A3B": (2, 262, "nemotron_v3", "qwen3_coder"),
    "Nemotron 3 Super 120B-A12B": (4, 262, "nemotron_v3", "qwen3_coder"),
    "SEA-LION v4.8 120B-A12B": (4, 262, "nemotron_v3", "qwen3_coder"),
    "Typhoon-S 8B": (1, 32, None, "hermes"),
    "Pathumma 8B Think": (1, 40, "qwen3", "hermes"),
    "THaLLE 0.2 8B": (1, 40, "qwen3", "hermes"),
    "OpenThaiGPT 8B": (1, 40, "qwen3", "hermes"),
}


def by_name(name):
    (found,) = (model for model in MODELS.values() if model.name == name)
    return found


def reference(table):
    folder = os.environ.get("INFORCE_REFERENCE")
    if not folder:
        pytest.skip("INFORCE_REFERENCE names no folder of published tables")
    with open(Path(folder) / "nitibench_plus" / table, encoding="utf-8", newline="") as handle:
        return list(csv.DictReader(handle))


@pytest.mark.parametrize("name", SERVING)
def test_a_model_served_here_has_table_15_s_arguments(name):
    model = by_name(name)
    assert isinstance(model.via, Vllm)
    window = model.via.max_model_len
    assert (model.via.tensor_parallel, window // 1000 // 10 * 10, model.via.reasoning_parser, model.via.tool_call_parser) == (
        SERVING[name][0],
        SERVING[name][1] // 10 * 10,
        *SERVING[name][2:],
    )
    assert model.context_window == window
    assert model.reasoning == ("field" if model.via.reasoning_parser else "none")
    assert model.tools == "native"


def test_table_15_is_that_of_the_report():
    rows = reference("table15_serving.csv")
    assert [row["model"] for row in rows] == list(SERVING)
    for row in rows:
        model = by_name(row["model"])
        assert (model.checkpoint, model.params) == (row["checkpoint"], row["params"])
        parser = None if row["reasoning_parser"] == "none" else row["reasoning_parser"].removeprefix("on (").removesuffix(")")
        assert (str(model.via.tensor_parallel), parser, model.via.tool_call_parser) == (row["tensor_parallel"], *SERVING[row["model"]][2:])


def test_the_benchmark_protocol():
    assert [MODELS[name].name for name in BENCHMARK.models] == list(SERVING)
    assert len(BENCHMARK.settings) == 5
    assert (BENCHMARK.samples, BENCHMARK.samples_of, BENCHMARK.split) == (3, {}, "all")
    assert (BENCHMARK.panel, BENCHMARK.search.embedding, BENCHMARK.search.top_k, BENCHMARK.resamples) == (PANEL, "qwen3-8b", 10, 10_000)


def test_the_leaderboard_protocol():
    assert len(LEADERBOARD.models) == 28
    assert LEADERBOARD.settings == ["parametric", "gold_in_force", "rag_in_force"]
    assert (LEADERBOARD.split, LEADERBOARD.panel, LEADERBOARD.resamples) == ("test", PANEL, 10_000)
    three = {name for name in LEADERBOARD.models if LEADERBOARD.n_samples(name) == 3}
    assert three == {*BENCHMARK.models, "qwen3-8b"}
    assert {LEADERBOARD.n_samples(name) for name in LEADERBOARD.models} == {1, 3}


def test_the_leaderboard_is_that_of_the_report():
    assert [MODELS[name].name for name in LEADERBOARD.models] == [row["model"] for row in reference("table13_tool_gain.csv")]


def test_nine_proprietary_and_nineteen_open_models_in_groups():
    of_board = [MODELS[name] for name in LEADERBOARD.models]
    assert Counter(model.access for model in of_board) == {"proprietary": 9, "open": 19}
    assert all(model.group for model in of_board)
    groups = [model.group for model in of_board]
    assert len(list(dict.fromkeys(groups))) == 1 + sum(one != other for one, other in pairwise(groups))  # each in one piece


def test_nine_post_trainings_have_a_base_on_the_leaderboard():
    bases = {name: MODELS[name].base for name in LEADERBOARD.models if MODELS[name].base}
    assert len(bases) == 9
    assert set(bases.values()) <= set(LEADERBOARD.models)
    assert Counter(bases.values())["qwen3-8b"] == 4


def test_bases_are_model_files():
    assert {model.base for model in MODELS.values() if model.base} <= MODELS.keys()


def test_a_model_whose_revision_the_report_does_not_give_is_marked():
    assert not any(MODELS[name].is_filled for name in [*LEADERBOARD.models, *PANEL])
    assert MODELS["smollm2-135m"].is_filled


def test_nothing_the_report_lacks_is_invented():
    for name in LEADERBOARD.models:
        assert not MODELS[name].sampling.model_dump(exclude_none=True)
        assert MODELS[name].sampling_source
        assert MODELS[name].knowledge_cutoff is None


@pytest.mark.parametrize("name", PANEL)
def test_a_judge(name):
    judge = read_config(CONFIG / "judges" / f"{name}.yaml", Judge)
    assert judge.name == MODELS[judge.model].name
    assert judge.max_output_tokens <= MODELS[judge.model].max_output_tokens


def test_prices_that_are_not_known_are_empty_and_so_is_the_cost():
    prices = read_prices(CONFIG / "prices.csv")
    spent = Usage(input_tokens=1_000_000, output_tokens=1_000_000)
    for name in [*LEADERBOARD.models, *PANEL]:
        price = price_of(MODELS[name].price, prices, "config/prices.csv")
        assert price is not None
        assert (price.input_usd, price.output_usd) == (None, None)
        assert cost_usd(spent, price) is None


def test_every_price_says_its_day_and_source():
    with open(CONFIG / "prices.csv", encoding="utf-8", newline="") as handle:
        rows = list(csv.DictReader(handle))
    assert len(rows) == len({row["key"] for row in rows}) == 31
    assert all(row["source"] and row["valid_from"] == "2026-10-26" for row in rows)
