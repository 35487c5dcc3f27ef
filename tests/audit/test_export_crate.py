"""The crate of a small run: what it says of the run, and that the same run gives the same crate. Its form: test_crate_validator.py."""

import json
import zipfile

import pytest
from audit.conftest import TARGETS, export
from rocrate.rocrate import ROCrate

from inforce.audit.export_crate import PROFILES, format_of, pack
from inforce.records.files import sha256_file


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
        if "sha256" in entity:
            assert sha256_file(path) == entity["sha256"]
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


def test_a_zip_depends_on_its_content_alone(tmp_path):
    (tmp_path / "a.txt").write_text("a")
    first = pack({"@graph": []}, ["a.txt"], tmp_path)
    (tmp_path / "a.txt").touch()
    assert pack({"@graph": []}, ["a.txt"], tmp_path) == first
    assert format_of("x.parquet") == "application/vnd.apache.parquet"
