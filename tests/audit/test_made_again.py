"""The run on paper as if it had been made again in its own folder: what the manifest says otherwise than the new record is named."""

import json

import pytest
from audit.paper_run import ANSWERS, BOARD, NAME, WEIGHTS, PaperRun

from inforce.audit.audit_run import check_stored
from inforce.audit.consistency import check_manifest, read_uses
from inforce.audit.made_again import compare_files, compare_jobs, compare_uses, rebuilt
from inforce.records.files import canonical_json


@pytest.fixture
def run(tmp_path):
    made = PaperRun(tmp_path)
    made.record()
    return made


def jobs(run):
    return compare_jobs(run.manifest(), run.folder, run.folder / "data")


def uses(run):
    manifest = run.manifest()
    rows = read_uses(manifest, run.results / "manifest.stored.parquet")
    return compare_uses(manifest, rows, check_stored(rows, run.folder / "responses").held, run.folder)


def test_the_same_run_is_the_same(run):
    assert rebuilt(run.manifest()) == [ANSWERS, BOARD]
    assert (compare_files(run.manifest(), run.folder), jobs(run), uses(run)) == ({}, {}, {})


def test_weights_that_are_not_made_again_are_not_missed(run):
    (run.folder / WEIGHTS).unlink()
    run.record()
    assert (compare_files(run.manifest(), run.folder), jobs(run)) == ({}, {})


def test_a_file_that_differs_or_is_not_there_is_named(run):
    (run.folder / BOARD).write_text("model,score\nm,9.9\n")
    assert compare_files(run.manifest(), run.folder) == {BOARD: f"{BOARD} differs"}
    (run.folder / BOARD).unlink()
    assert compare_files(run.manifest(), run.folder) == {BOARD: f"{BOARD} could not be made"}


FORGED = {
    "rule": (
        {"rule": "plot", "module": "report.plot"},
        "rule plot (report.plot) in the manifest is make_leaderboard (report.make_leaderboard)",
    ),
    "parameter": ({"params": ["100"]}, "a parameter of make_leaderboard was 100 and is 200"),
    "input left out": ({"inputs": [ANSWERS]}, "input config/prices.csv of make_leaderboard is not in the manifest"),
    "input more": (
        {"inputs": [ANSWERS, "config/models/m.yaml", "config/prices.csv"]},
        "input config/models/m.yaml of make_leaderboard is in the manifest only",
    ),
    "code": ({"code": "0" * 64}, "the code digest of make_leaderboard was 000000000000 and is"),
}


@pytest.mark.parametrize("what", FORGED)
def test_a_job_that_is_told_otherwise_is_named(run, what):
    values, says = FORGED[what]
    run.job(BOARD).update(values)
    run.save()
    assert list(jobs(run)) == [BOARD] and says in jobs(run)[BOARD]


def test_a_stored_response_left_out_of_the_table_is_named(run):
    """Table, counts and models in step: the manifest fits itself, and the file that was made again tells."""
    run.rows = run.rows[1:]
    run.job(ANSWERS).update(n_responses=1, models=[])
    run.write()
    assert check_manifest(run.manifest()) == []
    assert uses(run)[ANSWERS] == f"1 stored responses behind {ANSWERS} are not those of the manifest's table, e.g. {NAME[:12]}..."


def test_a_stored_search_left_out_of_the_table_is_named(run):
    run.rows = run.rows[:1]
    run.job(ANSWERS).update(n_responses=1)
    run.write()
    assert uses(run)[ANSWERS] == f"1 stored searches behind {ANSWERS} are not those of the manifest's table"


def test_a_file_that_used_no_response_has_none(run):
    (run.folder / ANSWERS).write_text(canonical_json({"request_sha256": [], "search_trace": []}) + "\n")
    assert "1 stored responses" in uses(run)[ANSWERS]


def leaves(value, path=()):
    """The path of every value in a manifest, and of every list and object."""
    if path:
        yield path
    below = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, entry in below:
        yield from leaves(entry, (*path, key))


def forge(value, path):
    """Change what stands there: a longer word, another number, a list or object without its first entry, no image."""
    *way, last = path
    for key in way:
        value = value[key]
    old = value[last]
    if isinstance(old, list | dict):
        entries = list(old)[1:] if isinstance(old, list) else {key: old[key] for key in list(old)[1:]}
        value[last] = entries if old else ["x"] if isinstance(old, list) else {"x": "x"}
    else:
        value[last] = old + 1 if isinstance(old, int) else f"{old or ''}x"


def is_on_trust(path, run):
    """What an audit cannot know: the configuration's other runs, packages, and all of weights but who made them (docs/audit.md)."""
    weights = run.value["jobs"].index(run.job(WEIGHTS))
    return path[0] in ("config", "environment") or path[:2] == ("files", WEIGHTS) or path[:2] == ("jobs", weights)


def test_whatever_is_changed_in_a_manifest_is_not_equal(run):
    """Each value in turn. The manifest alone is changed; results, store and records of the run stay as they are."""
    kept = json.dumps(run.value)
    passed = []
    for path in leaves(json.loads(kept)):
        run.value = json.loads(kept)
        forge(run.value, path)
        run.save()
        status, _, err = run.check()
        assert "Error:" not in err, (path, err)
        if status == 0 and not (compare_files(run.manifest(), run.folder) or jobs(run) or uses(run)):
            passed.append(path)
    run.value = json.loads(kept)
    assert [path for path in passed if not is_on_trust(path, run)] == []
    assert len(list(leaves(run.value))) > 80
