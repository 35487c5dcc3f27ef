import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from audit.conftest import KEY, TARGETS, write_manifest
from check_images import copied_files

from inforce.audit.make_manifest import ENVIRONMENT_GLOBS, Names, deciding, file_entry, measured_searches, store_of
from inforce.audit.manifest import ManifestError, read_manifest
from inforce.records.files import sha256_file

pytestmark = pytest.mark.filterwarnings("ignore")


def test_paths_are_named_without_the_machine(tmp_path):
    names = Names(tmp_path / "a b", tmp_path / "far away")
    assert names.of("results/x.csv") == "results/x.csv"
    assert names.of(str(tmp_path / "far away" / "thai" / "law.csv")) == "data/thai/law.csv"
    assert names.in_text(f"{tmp_path}/far away/thai") == "data/thai"
    with pytest.raises(ManifestError, match="lies outside the project"):
        names.of("/etc/passwd")


def test_whether_models_may_be_asked_is_no_parameter(tmp_path):
    assert deciding(["--stored-only", "--weights results/models/m", "--vectors v --index i", "200"], Names(tmp_path, Path("data"))) == [
        "200"
    ]


def test_a_folder_has_a_digest_of_names_and_contents(tmp_path):
    (tmp_path / "d").mkdir()
    (tmp_path / "d/a").write_text("1")
    before = file_entry(tmp_path / "d", "data")
    (tmp_path / "d/a").rename(tmp_path / "d/b")
    assert file_entry(tmp_path / "d", "data").sha256 != before.sha256
    assert before.size == 1


def test_the_store_is_the_one_model_s():
    assert store_of(["config/models/m.yaml", "config/judges/j.yaml"]) == "m"
    assert store_of(["config/models/m.yaml", "config/models/n.yaml"]) is None


def test_searches_of_a_measurement_are_those_of_its_run(tmp_path):
    assert measured_searches("r", tmp_path) == []


def test_every_file_behind_the_targets_is_in_the_manifest(small):
    manifest = read_manifest(small.folder / "results/manifest.json")
    assert manifest.targets == sorted(TARGETS)
    for name, entry in manifest.files.items():
        assert sha256_file(small.folder / name) == entry.sha256, name
    for job in manifest.jobs:
        assert set(job.inputs) | set(job.outputs) <= manifest.files.keys()
        assert job.module.rpartition(".")[2] == job.rule
        assert f"scripts/inforce/{job.module.replace('.', '/')}.py" in manifest.modules[job.module]
    kinds = {name: entry.kind for name, entry in manifest.files.items()}
    assert kinds["config/jurisdictions/demo/sections.csv"] == kinds["config/prompts/essay.en/system.txt"] == "config"
    assert kinds["scripts/inforce/stats/bootstrap.py"] == kinds["rules/stats.smk"] == "code"
    assert kinds["results/answers/small/stub/gold_in_force/1.jsonl"] == "artefact"


def test_responses_model_and_revision_stand_behind_answers_and_grades(small):
    manifest = read_manifest(small.folder / "results/manifest.json")
    rows = pq.read_table(small.folder / "results/manifest.stored.parquet").to_pylist()
    answers = "results/answers/small/stub/gold_in_force/1.jsonl"
    assert sum(row["used_by"] == answers for row in rows) == 5
    (model,) = manifest.maker()[answers].models
    assert (model.checkpoint, model.revision, model.engine) == ("stub/stub", "r1", "stub 1")
    assert all(isinstance(row["seed"], int) for row in rows)


def test_no_time_host_user_or_absolute_path_is_in_the_manifest_but_in_the_sidecar(small):
    text = (small.folder / "results/manifest.json").read_text()
    sidecar = json.loads((small.folder / "results/manifest.sidecar.json").read_text())
    assert str(small.folder) not in text
    assert sidecar["host"] not in {"", None} and sidecar["folder"] == str(small.folder)
    assert sidecar["written"][:10] not in text
    assert all(job["start"] and job["end"] for job in sidecar["jobs"])


def test_made_again_the_manifest_has_the_same_bytes(small):
    before = {
        name: (small.folder / "results" / name).read_bytes()
        for name in ("manifest.json", "manifest.stored.parquet", "provenance/index.csv")
    }
    write_manifest(small.folder)
    assert {name: (small.folder / "results" / name).read_bytes() for name in before} == before


def test_beside_the_results_stands_what_made_each(small):
    record = json.loads((small.folder / "results/provenance/stats/small/settings.csv.json").read_text())
    assert record["module"] == "stats.aggregate_scores"
    assert record["inputs"]["results/scores/small/stub/gold_in_force/1/scores.parquet"] == sha256_file(
        small.folder / "results/scores/small/stub/gold_in_force/1/scores.parquet"
    )
    index = (small.folder / "results/provenance/index.csv").read_text().splitlines()
    assert len(index) - 1 == len(read_manifest(small.folder / "results/manifest.json").maker())


def test_a_response_that_is_gone_is_named(copy_of_small):
    (copy_of_small.folder / "responses/stub/small.gold_in_force.1.jsonl").unlink()
    with pytest.raises(AssertionError, match="holds no response named"):
        write_manifest(copy_of_small.folder)


def test_a_key_is_in_no_file_log_page_store_or_record(small):
    """The run had a marked key in its environment and sent it with every request."""
    read = [path for path in small.folder.rglob("*") if path.is_file() and "scripts" not in path.parts and "tests" not in path.parts]
    assert any(".snakemake" in path.parts for path in read) and any("logs" in path.parts for path in read)
    assert any("responses" in path.parts for path in read)
    assert [str(path) for path in read if KEY.encode() in path.read_bytes()] == []
    assert KEY not in small.log


def test_all_that_an_image_is_known_by_is_in_the_manifest():
    """An audit checks its images against the definitions, what these copy, and the requirement locks."""
    root = Path(__file__).parents[2]
    listed = {str(path.relative_to(root)) for pattern in ENVIRONMENT_GLOBS for path in root.glob(pattern)}
    for definition in (root / "containers").glob("*.def"):
        assert {f"containers/{definition.name}", *copied_files(definition)} <= listed
