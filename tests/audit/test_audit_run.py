"""The audit of a small run: elsewhere, by another user, it finds equal bytes; one flipped byte anywhere it finds and names."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from audit.conftest import python
from audit.paper_run import PaperRun
from audit.test_manifest import manifest

from inforce.audit import audit_run as module
from inforce.audit.causes import Findings
from inforce.audit.make_manifest import file_entry, write_provenance
from inforce.audit.manifest import read_manifest, write_manifest

SETPRIV = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")


def audit(folder, *arguments, user=(), **environment):
    fixed = ("--manifest", "results/manifest.json", "--responses", "responses")
    return python(folder, "inforce.audit.audit_run", *fixed, *arguments, user=user, **environment)


def may_import(user):
    """Whether that user can run this environment and start it again: an interpreter in a private home cannot be shared."""
    code = "import pyarrow, subprocess, sys; subprocess.run([sys.executable, '-c', ''], check=True)"
    return subprocess.run([*user, sys.executable, "-c", code], cwd="/", capture_output=True).returncode == 0


def flip(path, needle, offset=0):
    """Change one bit of a file, at `offset` from where `needle` begins."""
    data = bytearray(path.read_bytes())
    data[data.index(needle) + offset] ^= 1
    path.write_bytes(data)


@pytest.mark.slow
def test_elsewhere_by_another_user_on_one_core_in_another_place_and_time_every_byte_is_equal(small):
    """The first run: this user, two cores, this locale. The store is read-only for the second one, and the model is gone."""
    place = Path(tempfile.mkdtemp(prefix="an audit "))
    user = SETPRIV if os.geteuid() == 0 and shutil.which("setpriv") and may_import(SETPRIV) else ()
    if user:
        shutil.chown(place, 65534, 65534)
    place.chmod(0o755)
    settings = {"HOME": str(place), "LC_ALL": "C", "LANG": "C", "TZ": "Asia/Bangkok", "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = audit(small.folder, "--work", place / "work", "--cores", "1", "--results", "results", user=user, **settings)
        assert done.returncode == 0, done.stdout + done.stderr[-3000:]
        assert "EQUAL: every file made again has the same bytes" in done.stdout
        assert "making the results again" in done.stderr
        made = list((place / "work" / "results").rglob("*"))
        assert not [path for path in made if "models" in path.parts or path.name in ("vectors.npy", "index.bin")]
        if user:
            assert (place / "work" / "results").stat().st_uid == 65534
    finally:
        shutil.rmtree(place)


@pytest.mark.slow
def test_a_flipped_byte_in_a_response_is_followed_to_the_leaderboard(copy_of_small, tmp_path):
    store = copy_of_small.folder / "responses/stub/small.gold_in_force.1.jsonl"
    lines = store.read_bytes().split(b"\n")
    head, reply = lines[2].split(b'"response":', 1)  # the request before it has the same words
    changed = reply.replace(b'verdict\\": \\"', b'verdict\\": \\"X')
    assert changed != reply
    lines[2] = head + b'"response":' + changed
    store.write_bytes(b"\n".join(lines))
    done = audit(copy_of_small.folder, "--work", tmp_path / "work")
    assert done.returncode == 1, done.stdout + done.stderr[-3000:]
    place = "responses/stub/small.gold_in_force.1.jsonl line 3 differs"
    answers = "results/answers/small/stub/gold_in_force/1.jsonl differs"
    assert f"{answers} because {place}" in done.stdout
    # the judge was never asked about the changed answer: there is no stored grade of it, so what follows cannot be made
    (table,) = [line for line in done.stdout.splitlines() if line.strip().startswith("results/leaderboard.csv could not be made because")]
    assert table.endswith(f"{answers} because {place}")
    assert "gold_current/1.jsonl differs" not in done.stdout


@pytest.mark.slow
def test_a_forged_leaderboard_in_a_manifest_that_fits_is_not_equal(copy_of_small, tmp_path):
    """Results, provenance records and manifest say the same; only the run that is made again says otherwise."""
    folder = copy_of_small.folder
    board, path = folder / "results/leaderboard.csv", folder / "results/manifest.json"
    board.write_text(board.read_text() + "GPT-9,9.99\n")
    forged = read_manifest(path)
    forged.files["results/leaderboard.csv"] = file_entry(board, "artefact")
    write_manifest(path, forged)
    write_provenance(forged, folder / "results/provenance/index.csv")
    done = audit(folder, "--work", tmp_path / "work", "--results", "results")
    assert done.returncode == 1, done.stdout + done.stderr[-3000:]
    assert "results/leaderboard.csv differs because all that it was made from is the same" in done.stdout
    assert "or the stored responses or the manifest are not those of the run" in done.stdout


@pytest.mark.slow
def test_a_project_that_does_not_start_is_no_difference_but_cannot_be_audited(copy_of_small, tmp_path):
    rules = copy_of_small.folder / "rules" / "stats.smk"
    rules.write_text(rules.read_text().replace("rule aggregate_scores:", "rule aggregate_scores", 1))
    done = audit(copy_of_small.folder, "--work", tmp_path / "work")
    assert done.returncode == 2, done.stdout
    assert "nothing could be made again (rules/stats.smk differs)" in done.stderr


FLIPS = {
    "statute": ("config/jurisdictions/demo/sections.csv", b"interest", "config/jurisdictions/demo/sections.csv differs"),
    "item": ("config/jurisdictions/demo/decisions.jsonl", b"fact_pattern", "config/jurisdictions/demo/decisions.jsonl differs"),
    "prompt": ("config/prompts/essay.en/system.txt", b"section", "config/prompts/essay.en/system.txt differs"),
    "judge prompt": ("config/prompts/essay.en/judge_system.txt", b"examiner", "config/prompts/essay.en/judge_system.txt differs"),
    "response": ("responses/stub/small.gold_current.1.jsonl", b'"response"', "responses/stub/small.gold_current.1.jsonl line 1 differs"),
    "grade": (
        "responses/stub/judge.small.stub.gold_in_force.1.stub.jsonl",
        b'"finish_reason"',
        "gold_in_force.1.stub.jsonl line 1 differs",
    ),
    "code": ("scripts/inforce/stats/bootstrap.py", b"import", "scripts/inforce/stats/bootstrap.py differs"),
    "rule": ("rules/stats.smk", b"input:", "rules/stats.smk differs"),
    "config": ("config/protocols/small.yaml", b"200", "config/protocols/small.yaml differs"),
    "model": ("config/models/stub.yaml", b"r1", "config/models/stub.yaml differs"),
    "prices": ("config/prices.csv", b"key", "config/prices.csv differs"),
    "lock": ("envs/cpu.txt", b"numpy==", "envs/cpu.txt differs"),
    "result": ("results/stats/small/settings.csv", b",", "results/stats/small/settings.csv: the file handed over differs"),
}


@pytest.mark.parametrize("what", FLIPS)
def test_one_flipped_byte_in_any_input_is_found_and_named(small, what):
    name, needle, says = FLIPS[what]
    path = small.folder / name
    kept = path.read_bytes()
    flip(path, needle, 2)
    # the auditor's own program is whole: the project under audit is the one that was changed
    root = Path(__file__).parents[2]
    try:
        fixed = ("--manifest", small.folder / "results/manifest.json", "--responses", small.folder / "responses")
        done = python(
            root, "inforce.audit.audit_run", *fixed, "--project", small.folder, "--results", small.folder / "results", "--check-only"
        )
    finally:
        path.write_bytes(kept)
    assert done.returncode == 1, done.stdout + done.stderr
    assert says in done.stdout
    assert done.stdout.rstrip().endswith("DIFFERENT")


@pytest.mark.parametrize(
    ("option", "says"),
    [
        ("--manifest", "nowhere does not exist"),
        ("--responses", "nowhere does not exist: name the folder of the response store"),
        ("--project", "nowhere holds no Snakefile: name a clone of the project"),
        ("--images", "nowhere is no folder: name the folder of the images"),
    ],
)
def test_what_cannot_be_audited_is_said_with_status_2(tmp_path, option, says):
    status, _, err = PaperRun(tmp_path).check(option, "nowhere")
    assert (status, says in err) == (2, True), err


def test_another_table_of_stored_responses_is_refused(tmp_path):
    run = PaperRun(tmp_path)
    (run.results / "manifest.stored.parquet").unlink()
    status, _, err = run.check()
    assert status == 2 and "is not the table of stored responses that the manifest names" in err


def test_whatever_happens_is_no_difference(tmp_path, monkeypatch):
    run = PaperRun(tmp_path)
    monkeypatch.setattr(module, "check_files", lambda *_: {}["what nobody foresaw"])
    status, out, err = run.check()
    assert (status, out) == (2, "")
    assert err == "The audit cannot be run: KeyError: 'what nobody foresaw'\n"


def test_images_are_refused_for_a_run_that_names_none(tmp_path):
    with pytest.raises(module.AuditError, match="the manifest names no image"):
        module.check_images(manifest(), tmp_path)


def test_a_work_folder_that_is_not_empty_is_not_touched(tmp_path):
    (tmp_path / "mine").write_text("mine")
    with pytest.raises(module.AuditError, match="is not empty"):
        module.prepare(manifest(), tmp_path, tmp_path, tmp_path, None)


def test_an_image_that_is_missing_or_another_is_named(tmp_path):
    entry = {"file": "containers/cpu-1.sif", "sha256": "0"}
    run = manifest(images={"cpu": entry})
    assert module.check_images(run, None) == {}
    with pytest.raises(module.AuditError, match=r"cpu-1\.sif is missing"):
        module.check_images(run, tmp_path)
    (tmp_path / "cpu-1.sif").write_text("another")
    assert module.check_images(run, tmp_path) == {"containers/cpu-1.sif": "image cpu (cpu-1.sif) differs"}


def test_the_environment_is_compared_by_version():
    here = f"{sys.version_info.major}.{sys.version_info.minor}.{sys.version_info.micro}"
    assert module.check_environment(manifest(environment={"python": here})) == []
    assert module.check_environment(manifest(environment={"no-such-package": "1"})) == ["no-such-package 1, here none"]
    assert module.check_environment(manifest(environment={"pip": "1", "setuptools": "1", "wheel": "1"})) == []


def test_a_difference_that_changed_no_file_is_reported_too():
    findings = Findings({"config/x.yaml": "config/x.yaml differs"}, {}, {}, {}, [])
    lines = module.report(manifest(), findings, None, {}, made=True)
    assert "made again               1 of 1 files equal, byte for byte" in lines
    assert lines[-2:] == ["Differences that changed no file:", "  config/x.yaml differs"]
    # where nothing was made again, nobody knows whether it changed one
    assert module.report(manifest(), findings, None, {}, made=False)[-2:] == ["Differences:", "  config/x.yaml differs"]
