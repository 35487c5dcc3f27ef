"""Adding a model to a protocol asks, grades and scores that model alone. No model runs: the finished run is made of empty files."""

import pytest
from conftest_graph import Checkout

PROTOCOL = "config/protocols/board.yaml"
ONE_A_CELL = {"answer_items", "grade_lexically", "resolve_citations", "score_answers"}
TARGETS = ("results/leaderboard.csv", "--configfile", "board.yaml")


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A run of two models behind endpoints that Snakemake takes for finished, records of what was run included."""
    checkout = Checkout.fresh(tmp_path_factory.mktemp("board"))
    (checkout.folder / "board.yaml").write_text("runs:\n  board: {jurisdiction: demo, protocol: board}\n", encoding="utf-8")
    (checkout.folder / PROTOCOL).write_text(
        "models: [deepseek-v4-flash, qwen3-8b]\nsettings: [parametric, gold_in_force]\nsplit: test\nsamples: 1\nsamples_of: {qwen3-8b: 2}\n"
        "panel: [claude-4.6-opus, gemini-3.1-pro-preview, gpt-5.4-pro]\nsearch: {embedding: minilm}\n",
        encoding="utf-8",
    )
    listed = checkout.snakemake("--summary", *TARGETS)
    assert listed.returncode == 0, listed.stderr
    names = [line.split("\t")[0] for line in listed.stdout.splitlines() if line.startswith("results/")]
    assert "results/items/demo/splits.csv" in names
    for name in names:
        (checkout.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (checkout.folder / name).write_text(name, encoding="utf-8")
    touched = checkout.snakemake("--touch", "--forceall", *TARGETS)
    assert touched.returncode == 0, touched.stderr
    return checkout


@pytest.fixture
def board(finished, tmp_path):
    return finished.copy(tmp_path / "copy")


def test_the_finished_run_has_nothing_to_do(finished):
    assert finished.would_run(*TARGETS) == {}


def test_only_the_new_model_is_asked_graded_and_scored(board):
    board.edit(PROTOCOL, "models: [deepseek-v4-flash, qwen3-8b]", "models: [deepseek-v4-flash, deepseek-v4.1-flash, qwen3-8b]")
    jobs = board.would_run(*TARGETS)
    assert {rule: jobs[rule] for rule in ONE_A_CELL} == dict.fromkeys(ONE_A_CELL, 2)  # two settings, one sample
    assert jobs["grade_answers"] == 6
    assert not jobs.keys() & {
        "read_law",
        "read_decisions",
        "classify_citations",
        "make_items",
        "make_splits",
        "select_items",
        "embed_sections",
    }
    assert jobs["aggregate_scores"] == jobs["make_leaderboard"] == 1


def test_a_price_filled_in_scores_its_model_alone(board):
    board.edit("config/prices.csv", "deepseek-v4-flash,2026-10-26,,,", "deepseek-v4-flash,2026-10-26,0.5,0.05,2")
    jobs = board.would_run(*TARGETS)
    assert jobs["score_answers"] == 2
    assert not jobs.keys() & {"answer_items", "grade_answers", "resolve_citations"}


def test_a_revision_filled_in_asks_its_model_alone(board):
    board.edit("config/models/qwen3-8b.yaml", "revision: 'to be filled: ", "revision: '1a2b3c ")
    jobs = board.would_run(*TARGETS)
    assert jobs["answer_items"] == jobs["score_answers"] == 4  # two settings, two samples
    assert jobs["grade_answers"] == 12


def test_another_sample_of_one_model_asks_that_sample_alone(board):
    board.edit(PROTOCOL, "samples_of: {qwen3-8b: 2}", "samples_of: {qwen3-8b: 3}")
    assert board.would_run(*TARGETS)["answer_items"] == 2


def test_what_decides_an_answer_asks_everyone_again(board):
    board.edit(PROTOCOL, "search: {embedding: minilm}", "search: {embedding: minilm, top_k: 5}")
    jobs = board.would_run(*TARGETS)
    assert jobs["answer_items"] == 6
    assert "select_items" not in jobs


def test_another_split_selects_and_asks_again(board):
    board.edit(PROTOCOL, "split: test", "split: validation")
    jobs = board.would_run(*TARGETS)
    assert jobs["select_items"] == 1
    assert "make_splits" not in jobs


def test_a_model_without_a_revision_is_refused_before_anything_runs(board):
    board.edit(PROTOCOL, "models: [deepseek-v4-flash, qwen3-8b]", "models: [deepseek-v4-flash, deepseek-v4.1-flash, qwen3-8b]")
    done = board.snakemake("--cores", "1", *TARGETS)
    message = done.stdout + done.stderr
    assert done.returncode != 0
    assert "have no revision yet, nothing was run" in message
    assert "config/models/deepseek-v4.1-flash.yaml" in message
    assert "config/models/qwen3-8b.yaml" not in message  # it is not asked, its answers are there
    assert not (board.folder / "results/answers/board/deepseek-v4.1-flash").exists()
