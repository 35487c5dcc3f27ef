"""The crate of a small run before the validator of the RO-Crate community (roc-validator), in an environment of its own.

The validator reads the contexts of the vocabularies from its cache, which validate_crate.py fills from what is installed.
"""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from audit.conftest import export

from inforce.records.files import sha256_text

ROOT = Path(__file__).parents[2]
VALIDATOR = ROOT / ".cache" / "tests" / "crate" / "bin" / "python"
PROFILES = ["process-run-crate-0.5", "ro-crate-1.1", "workflow-ro-crate-1.0", "workflow-run-crate-0.5"]

# What is recommended and left out, with the reason. A finding that is not here fails the test, and so does an entry that is not found.
LEFT_OUT = {
    "process-run-crate-0.5: Action endTime": "times would make the bytes of two equal runs differ; they stand in the sidecar",
    "process-run-crate-0.5: Application url": "the project has no address",
    "process-run-crate-0.5: SoftwareApplication id": "asked of workflows too, and a file's id is its place in the crate",
    "workflow-ro-crate-1.0: Main Workflow Bioschemas compliance": "that profile asks for an address and the workflow's authors",
    "ro-crate-1.1: Root Data Entity: `author` property": "the owner's release file names a publisher and no author",
    "ro-crate-1.1: Organization: RECOMMENDED url property": "the owner's release file names the publisher without an address",
}
# found besides where the run read data from outside
OUTSIDE = {"workflow-run-crate-0.5: FormalParameter inverse exampleOfWork": "such data are no files of the crate and have no address"}


def entity(metadata, name):
    (found,) = [one for one in metadata["@graph"] if one["@id"] == name]
    return found


def without(name, term):
    return lambda metadata: entity(metadata, name).pop(term)


def without_terms(metadata):
    metadata["@context"] = metadata["@context"][0]


def without_run_profile(metadata):
    root = entity(metadata, "./")
    root["conformsTo"] = [one for one in root["conformsTo"] if "/wfrun/workflow/" not in one["@id"]]


def with_a_list_of_one(metadata):
    entity(metadata, "#run")["name"] = ["a run"]


# How a crate is broken -> the check that must notice, how severe it is, and the entity that it names.
BROKEN = [
    (without("./", "license"), "REQUIRED", "ro-crate-1.1: Root Data Entity: `license` property", "./"),
    (without_terms, "REQUIRED", "ro-crate-1.1: Validation of the compaction format of the file descriptor", None),
    (without("Snakefile", "programmingLanguage"), "REQUIRED", "workflow-ro-crate-1.0: Main Workflow language", "./Snakefile"),
    (without_run_profile, "REQUIRED", "workflow-run-crate-0.5: Root Data Entity conformsTo", "./"),
    (without("#run", "instrument"), "REQUIRED", "process-run-crate-0.5: Action instrument", "./#run"),
    (
        without("#parameter-config", "additionalType"),
        "REQUIRED",
        "workflow-run-crate-0.5: FormalParameter additionalType",
        "./#parameter-config",
    ),
    (without("Snakefile", "version"), "RECOMMENDED", "process-run-crate-0.5: version", "./Snakefile"),
    (with_a_list_of_one, "RECOMMENDED", "ro-crate-1.1: Entity properties SHOULD use single values rather than singleton arrays", "#run"),
]
ABSENT = "results/leaderboard.csv"


def broken(crate, out):
    """The crate with everything above done to its metadata, and one file taken out."""
    with zipfile.ZipFile(crate) as old, zipfile.ZipFile(out, "w") as new:
        metadata = json.loads(old.read("ro-crate-metadata.json"))
        for change, *_ in BROKEN:
            change(metadata)
        new.writestr("ro-crate-metadata.json", json.dumps(metadata))
        for name in set(old.namelist()) - {"ro-crate-metadata.json", ABSENT}:
            new.writestr(name, old.read(name))
    return out


def of_later_version(crate, out):
    """What the library writes where it is asked for no version of RO-Crate."""
    with zipfile.ZipFile(crate) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            new.writestr(name, data.replace(b'/ro/crate/1.1"', b'/ro/crate/1.3"') if name == "ro-crate-metadata.json" else data)
    return out


def with_outside_data(crate, folder):
    """The same run, had it read a file from outside. A crate holds all that is exported, except the owner's release file."""
    with zipfile.ZipFile(crate) as archive:
        archive.extractall(folder)
    manifest = json.loads((folder / "results/manifest.json").read_bytes())
    manifest["files"]["data/laws.csv"] = {"sha256": sha256_text("laws"), "size": 4, "kind": "data"}
    (folder / "results/manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    (folder / "config/releases").mkdir()
    shutil.copy(ROOT / "config/releases/demo.yaml", folder / "config/releases")
    return export(folder, folder / "crate.zip")


@pytest.fixture(scope="module")
def report(crate, tmp_path_factory):
    """What the validator says of the crate and of its variants."""
    python = {**os.environ, "PYTHON": sys.executable}  # the version that the lock is for
    done = subprocess.run([str(ROOT / "tests/audit/install_validator.sh")], env=python, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    work = tmp_path_factory.mktemp("validator")
    crates = {
        "whole": crate,
        "outside": with_outside_data(crate, tmp_path_factory.mktemp("outside")),
        "broken": broken(crate, work / "broken.zip"),
        "later": of_later_version(crate, work / "later.zip"),
    }
    command = [str(VALIDATOR), str(ROOT / "tests/audit/validate_crate.py"), str(work), *map(str, crates.values())]
    done = subprocess.run(command, cwd=work, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    said = json.loads((work / "report.json").read_bytes())
    return {name: said[str(path)] for name, path in crates.items()}


def checks(said, severity):
    return {check for level, check, *_ in said["found"] if level == severity}


@pytest.mark.parametrize("name", ["whole", "outside"])
def test_every_check_of_the_profiles_was_made(report, name):
    assert report[name]["checked"] == PROFILES and report[name]["skipped"] == []


@pytest.mark.parametrize("name", ["whole", "outside"])
def test_nothing_that_is_required_is_missing(report, name):
    assert [found for found in report[name]["found"] if found[0] == "REQUIRED"] == []


def test_what_is_recommended_and_missing_is_known(report):
    assert checks(report["whole"], "RECOMMENDED") == set(LEFT_OUT)
    assert checks(report["outside"], "RECOMMENDED") == set(LEFT_OUT | OUTSIDE)


@pytest.mark.parametrize(("severity", "check", "named"), [row[1:] for row in BROKEN], ids=lambda value: str(value))
def test_the_validator_notices(report, severity, check, named):
    assert [severity, check, named] in [found[:3] for found in report["broken"]["found"]]
    assert [severity, check, named] not in [found[:3] for found in report["whole"]["found"]]


def test_a_file_that_is_not_there_is_noticed(report):
    assert any(ABSENT in message for *_, message in report["broken"]["found"])


def test_the_profiles_want_their_own_version_of_ro_crate(report):
    assert "ro-crate-1.1: Metadata File Descriptor entity: `conformsTo` property" in checks(report["later"], "REQUIRED")
