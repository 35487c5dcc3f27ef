"""The graph behaves: nothing is made twice, and only what follows from a change is made again."""

import os
import shutil
from pathlib import Path

import pytest

from inforce.records.files import sha256_file

pytestmark = pytest.mark.slow

BEFORE_ANSWERS = {
    "read_law",
    "read_decisions",
    "classify_citations",
    "make_items",
    "select_items",
    "embed_sections",
    "build_index",
    "prepare_model",
}
ANSWERS = {"answer_items", "grade_answers"}
STATS = {"aggregate_scores", "gain_by_band", "count_statuses"}


def hashes(checkout, folder="results"):
    return {
        str(path.relative_to(checkout.folder)): sha256_file(path)
        for path in sorted((checkout.folder / folder).rglob("*"))
        if path.is_file()
    }


def test_a_second_run_does_nothing(demo):
    assert demo.would_run() == {}
    done = demo.snakemake("results/leaderboard.csv", "results/report.html")
    assert done.returncode == 0
    assert "Nothing to be done" in done.stdout + done.stderr


def test_touching_and_checking_out_again_re_runs_nothing(copy_of_demo):
    for path in copy_of_demo.folder.rglob("*"):
        if path.is_file() and ".snakemake" not in path.parts:
            os.utime(path)
    assert copy_of_demo.would_run() == {}


def test_editing_a_prompt_re_runs_answers_and_what_follows(copy_of_demo):
    prompt = copy_of_demo.folder / "config" / "prompts" / "essay.en" / "system.txt"
    prompt.write_text(prompt.read_text(encoding="utf-8") + "\nBe brief.\n", encoding="utf-8")
    jobs = copy_of_demo.would_run()
    assert jobs["answer_items"] == jobs["grade_answers"] == jobs["score_answers"] == 5
    assert jobs.keys() >= STATS
    assert not BEFORE_ANSWERS & jobs.keys()


def test_editing_a_judge_prompt_re_runs_grades_and_no_answers(copy_of_demo):
    prompt = copy_of_demo.folder / "config" / "prompts" / "essay.en" / "judge_system.txt"
    prompt.write_text(prompt.read_text(encoding="utf-8") + "\nBe fair.\n", encoding="utf-8")
    jobs = copy_of_demo.would_run()
    assert jobs["grade_answers"] == jobs["score_answers"] == 5
    assert not (BEFORE_ANSWERS | {"answer_items", "grade_lexically", "resolve_citations"}) & jobs.keys()


def test_editing_a_module_in_stats_re_runs_stats_and_what_follows_and_no_answers(copy_of_demo):
    module = copy_of_demo.folder / "scripts" / "inforce" / "stats" / "bootstrap.py"
    module.write_text(module.read_text(encoding="utf-8") + "\n# a change\n", encoding="utf-8")
    jobs = copy_of_demo.would_run()
    assert {"aggregate_scores", "make_leaderboard", "make_report"} <= jobs.keys()
    assert not (BEFORE_ANSWERS | ANSWERS | {"score_answers", "resolve_citations"}) & jobs.keys()
    before = hashes(copy_of_demo)
    done = copy_of_demo.snakemake("results/leaderboard.csv", "results/report.html")
    assert done.returncode == 0, done.stderr[-4000:]
    assert hashes(copy_of_demo) == before  # a comment changes code identity and no result
    assert copy_of_demo.would_run() == {}


def test_one_changed_item_asks_that_item_alone(copy_of_demo):
    """Change one case's facts: each setting asks again for that case, its judge grades it, and nothing else is asked."""
    before = stored(copy_of_demo)
    cases = copy_of_demo.folder / "config" / "jurisdictions" / "demo" / "decisions.jsonl"
    lines = cases.read_text(encoding="utf-8").splitlines(keepends=True)
    assert '"fact_pattern": "' in lines[0]
    lines[0] = lines[0].replace('"fact_pattern": "', '"fact_pattern": "On the facts found: ', 1)
    cases.write_text("".join(lines), encoding="utf-8")
    target = "results/answers/demo/smollm2-135m/parametric/1.jsonl"
    done = copy_of_demo.snakemake(target)
    assert done.returncode == 0, done.stderr[-4000:]
    assert len(stored(copy_of_demo)) == len(before) + 1


def stored(checkout):
    return [
        line for path in sorted((checkout.folder / "responses").rglob("*.jsonl")) for line in path.read_text(encoding="utf-8").splitlines()
    ]


def test_from_stored_responses_in_another_folder_everything_is_the_same_bytes(demo, tmp_path):
    """An auditor's run: no model is called, and every result has the bytes of the first run."""
    from conftest_graph import Checkout

    other = Checkout.fresh(tmp_path / "another folder")
    shutil.copytree(demo.folder / "responses", other.folder / "responses")
    before = stored(other)
    done = other.snakemake("results/leaderboard.csv", "results/report.html", "--config", "stored_only=true", LC_ALL="C", TZ="Asia/Bangkok")
    assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]
    assert stored(other) == before
    theirs, ours = hashes(demo), hashes(other)
    by_a_model = ("results/models/", "results/retrieval/")  # an auditor needs neither weights nor an index
    assert ours.keys() == {name for name in theirs if not name.startswith(by_a_model)}
    assert [name for name in ours if ours[name] != theirs[name]] == []


def test_a_stored_only_run_fails_on_the_first_missing_response_and_names_it(copy_of_demo):
    shutil.rmtree(copy_of_demo.folder / "responses")
    Path(copy_of_demo.folder / "results/answers/demo/smollm2-135m/parametric/1.jsonl").unlink()
    done = copy_of_demo.snakemake("results/answers/demo/smollm2-135m/parametric/1.jsonl", "--config", "stored_only=true")
    assert done.returncode != 0
    assert "responses/smollm2-135m" in done.stdout + done.stderr


def test_progress_says_what_how_far_and_how_long(demo):
    assert "smollm2-135m answers demo, rag_in_force" in demo.log  # what
    assert "steps (" in demo.log  # how far in all
    log = (demo.folder / "logs" / "answer_items" / "demo.smollm2-135m.parametric.1.log").read_text(encoding="utf-8")
    assert "of 26" in log
    assert "left" in log or "done in" in log
