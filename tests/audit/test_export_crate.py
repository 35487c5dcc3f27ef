"""The crate of a small run: what it says of the run, and that the same run gives the same crate. Its form: test_crate_validator.py."""

import json
import zipfile
from pathlib import Path

import pytest
from audit.conftest import TARGETS, export, python
from rocrate.rocrate import ROCrate

from inforce.audit.export_crate import PROFILES, format_of, left_out, pack
from inforce.audit.make_manifest import file_entry
from inforce.audit.manifest import FORMAT, FileEntry, Manifest, ManifestError
from inforce.config.load import read_config
from inforce.config.release import ReleaseSettings
from inforce.records.files import sha256_file

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def graph(crate):
    with zipfile.ZipFile(crate) as archive:
        return {entity["@id"]: entity for entity in json.loads(archive.read("ro-crate-metadata.json"))["@graph"]}


def ids(value):
    return {entry["@id"] for entry in (value if isinstance(value, list) else [value])}


def types(entity):
    return entity["@type"] if isinstance(entity["@type"], list) else [entity["@type"]]


def test_ro_crate_descriptor_and_root(graph):
    descriptor, root = graph["ro-crate-metadata.json"], graph["./"]
    assert descriptor["about"] == {"@id": "./"}
    assert ids(descriptor["conformsTo"]) == {"https://w3id.org/ro/crate/1.1", "https://w3id.org/workflowhub/workflow-ro-crate/1.0"}
    assert types(root) == ["Dataset"]
    for name in ("name", "description", "datePublished", "license"):
        assert root[name], name
    assert root["datePublished"] == "2026-09-01"


def test_every_data_entity_is_part_of_the_root_and_in_the_zip_with_its_digest(graph, crate, tmp_path):
    with zipfile.ZipFile(crate) as archive:
        archive.extractall(tmp_path)
    files = [entity for entity in graph.values() if "File" in types(entity)]
    assert {entity["@id"] for entity in files} == ids(graph["./"]["hasPart"])
    for entity in files:
        path = tmp_path / entity["@id"]
        assert path.is_file()
        assert sha256_file(path) == entity["sha256"]
        assert entity["contentSize"] == str(path.stat().st_size)
    assert len(files) == len([path for path in tmp_path.rglob("*") if path.is_file()]) - 1


def test_process_and_workflow_run_profiles(graph):
    root = graph["./"]
    assert ids(root["conformsTo"]) == set(PROFILES)
    for address in PROFILES:
        assert types(graph[address]) == ["CreativeWork"] and graph[address]["version"]
    workflow = graph[root["mainEntity"]["@id"]]
    assert set(types(workflow)) >= {"File", "SoftwareSourceCode", "ComputationalWorkflow"}
    assert "ComputerLanguage" in types(graph[workflow["programmingLanguage"]["@id"]])
    (action,) = [entity for entity in graph.values() if "CreateAction" in types(entity)]
    assert action["instrument"] == {"@id": workflow["@id"]}
    assert ids(root["mentions"]) == {action["@id"]}
    assert ids(action["result"]) >= set(TARGETS)
    assert "config/protocols/small.yaml" in ids(action["object"])
    assert types(graph[action["agent"]["@id"]]) == ["Organization"]


def test_values_and_formal_parameters_belong_together(graph):
    workflow = graph["Snakefile"]
    parameters = ids(workflow["input"]) | ids(workflow["output"])
    for name in parameters:
        assert types(graph[name]) == ["FormalParameter"] and graph[name]["additionalType"] and graph[name]["name"]
    (action,) = [entity for entity in graph.values() if "CreateAction" in types(entity)]
    for name in ids(action["object"]) | ids(action["result"]):
        assert ids(graph[name]["exampleOfWork"]) <= parameters


def test_nothing_is_referred_to_that_is_not_described(graph):
    def references(value):
        if isinstance(value, dict):
            yield from [value["@id"]] if set(value) == {"@id"} else []
        if isinstance(value, list):
            for entry in value:
                yield from references(entry)

    known = {"https://bioschemas.org/profiles/FormalParameter/1.0-RELEASE"}
    for entity in graph.values():
        for value in entity.values():
            for name in references(value):
                assert name in graph or name in known or name.startswith("https://"), name


def test_the_library_reads_it_back(crate):
    assert ROCrate(crate).mainEntity.id == "Snakefile"


def test_the_same_run_gives_the_same_bytes(small, crate, tmp_path):
    assert export(small.folder, tmp_path / "again.zip").read_bytes() == crate.read_bytes()


@pytest.mark.parametrize(
    "name", ["results/leaderboard.csv", "config/protocols/small.yaml", "results/manifest.stored.parquet", "Snakefile", "rules/audit.smk"]
)
def test_a_file_that_is_not_the_manifest_s_stops_the_crate(name, copy_of_small):
    path = copy_of_small.folder / name
    path.chmod(0o644)
    path.write_bytes(path.read_bytes() + b"\n")
    words = ["--manifest", "results/manifest.json", "--releases", "config/releases/demo.yaml", "--out", "crate.zip"]
    done = python(copy_of_small.folder, "inforce.audit.export_crate", *words)
    assert done.returncode != 0 and not (copy_of_small.folder / "crate.zip").exists()
    assert f"{name} is not the file that the manifest names" in done.stderr and "snakemake results/manifest.json" in done.stderr
    path.unlink()
    done = python(copy_of_small.folder, "inforce.audit.export_crate", *words)
    assert done.returncode != 0 and f"{name} is not there" in done.stderr


def test_what_may_not_be_passed_on_is_left_out_and_named(copy_of_small):
    copy_of_small.edit("config/releases/demo.yaml", "published:", "allowed: false\npublished:")
    with zipfile.ZipFile(export(copy_of_small.folder, "crate.zip")) as archive:
        packed = {name: archive.read(name) for name in archive.namelist()}
    source = "config/jurisdictions/demo/decisions.jsonl"
    facts = json.loads((copy_of_small.folder / source).read_text(encoding="utf-8").splitlines()[0])["fact_pattern"].encode()
    assert source not in packed and not [name for name, data in packed.items() if facts in data]
    entities = {entity["@id"]: entity for entity in json.loads(packed["ro-crate-metadata.json"])["@graph"]}
    assert f"Not included: {source} (source data of demo: the terms of its data do not allow a release)." in entities["./"]["description"]
    assert entities[f"#{source}"]["name"] == f"{source} (not included)"


PAGE, SOURCE = "results/report/r/page.json", "config/jurisdictions/demo/decisions.jsonl"


@pytest.fixture
def project(tmp_path):
    """A project with a page that shows no item, and what its manifest says."""
    for name, text in {
        PAGE: '{"items_hidden": true}',
        SOURCE: "{}",
        "results/report.html": "page",
        "config/jurisdictions/demo.yaml": (ROOT / "config/jurisdictions/demo.yaml").read_text(encoding="utf-8"),
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def manifest_of(project):
    files = {
        name: file_entry(project / name, "config" if name.startswith("config") else "artefact")
        for name in (PAGE, SOURCE, "results/report.html", "config/jurisdictions/demo.yaml")
    }
    files["data/x.csv"] = FileEntry(sha256="0" * 64, size=1, kind="data")
    empty = {"jobs": [], "modules": {}, "images": {}, "environment": {}, "stored": "s", "stored_sha256": "", "n_stored": 0}
    runs = {"runs": {"r": {"jurisdiction": "demo", "task": "essay", "protocol": "p"}}}
    return Manifest(format=FORMAT, config=runs, targets=["results/report.html"], files=files, **empty)


def release(allowed):
    return {"demo": read_config(ROOT / "config/releases/demo.yaml", ReleaseSettings).model_copy(update={"allowed": allowed})}


def test_a_page_without_items_is_packed_and_one_with_items_is_not(project):
    assert left_out(manifest_of(project), release(True), project) == {}
    assert set(left_out(manifest_of(project), release(False), project)) == {SOURCE}
    before = manifest_of(project)
    (project / PAGE).write_text('{"items_hidden": false}', encoding="utf-8")
    for manifest in (before, manifest_of(project)):
        assert set(left_out(manifest, release(False), project)) == {SOURCE, "results/report.html"}
    (project / PAGE).unlink()
    assert "results/report.html" in left_out(before, release(False), project)


def test_source_files_with_items_that_are_held_back_are_left_out(project):
    config = project / "config/jurisdictions/demo.yaml"
    config.write_text(config.read_text(encoding="utf-8").replace("items_public: true", "items_public: false"), encoding="utf-8")
    assert left_out(manifest_of(project), release(True), project) == {SOURCE: "source data of demo: some of its items are held back"}


def test_a_jurisdiction_without_release_settings_stops_the_crate(project):
    with pytest.raises(ManifestError, match=r"name config/releases/demo\.yaml"):
        left_out(manifest_of(project), {}, project)


def test_a_zip_depends_on_its_content_alone(tmp_path):
    (tmp_path / "a.txt").write_text("a")
    first = pack({"@graph": []}, ["a.txt"], tmp_path)
    (tmp_path / "a.txt").touch()
    assert pack({"@graph": []}, ["a.txt"], tmp_path) == first
    assert format_of("x.parquet") == "application/vnd.apache.parquet"
