"""Export a run as a Workflow Run RO-Crate: one zip with the workflow, its configuration, its results and their manifest.

Profiles: RO-Crate 1.1, Workflow RO-Crate 1.0, Process Run Crate 0.5 and Workflow Run Crate 0.5. The run is a CreateAction whose
instrument is the Snakefile, whose objects are the configuration, the source data and the table of stored responses, and whose results
are the run's targets. Intermediate files are named, with digests, in the manifest inside. Source data from outside and the responses
themselves are described and not included. The workflow's version is a digest of its code files.

Dates come from config/releases/, not from the clock, and times of the run are left out: the same run gives the same bytes.
"""

from __future__ import annotations

import argparse
import io
import json
import mimetypes
import zipfile
from pathlib import Path
from typing import Any

from rocrate.model import ContextEntity
from rocrate.rocrate import ROCrate

from inforce.audit.manifest import Manifest, ManifestError, read_manifest
from inforce.config.load import ConfigError, read_config
from inforce.config.release import ReleaseSettings
from inforce.records.files import canonical_json, sha256_file, sha256_json, write_bytes

RO_CRATE = "1.1"  # what the profiles below extend; the library's own choice is a later one, whose terms have other addresses
TERMS = "https://w3id.org/ro/terms/workflow-run/context"  # the profiles' own: RO-Crate 1.1 has no sha256
README = "README.md"  # of the project; Workflow RO-Crate asks for one
PROFILES = {
    "https://w3id.org/ro/wfrun/process/0.5": "Process Run Crate",
    "https://w3id.org/ro/wfrun/workflow/0.5": "Workflow Run Crate",
    "https://w3id.org/workflowhub/workflow-ro-crate/1.0": "Workflow RO-Crate",
}
FORMAL_PARAMETER = "https://bioschemas.org/profiles/FormalParameter/1.0-RELEASE"
DOS_EPOCH = (1980, 1, 1, 0, 0, 0)
FORMATS = {".parquet": "application/vnd.apache.parquet", ".jsonl": "application/jsonl", ".yaml": "application/yaml", ".md": "text/markdown"}
FORMATS |= {".csv": "text/csv", ".svg": "image/svg+xml", ".tex": "text/x-tex", ".smk": "text/x-python", ".py": "text/x-python"}


def format_of(name: str) -> str:
    """Media type by the name's end; the same on every machine."""
    return FORMATS.get(Path(name).suffix) or mimetypes.types_map.get(Path(name).suffix, "application/octet-stream")


def contents(manifest: Manifest, manifest_path: Path) -> list[str]:
    """Files of the crate: the project's, its read-me, the targets, the manifest and its table; sorted, by their place in the project."""
    own = [name for name, entry in manifest.files.items() if entry.kind in ("code", "config", "environment")]
    beside = [str(manifest_path), str(manifest_path.with_name(manifest.stored))]
    return sorted({*own, README, *manifest.targets, *beside})


def build_crate(manifest: Manifest, manifest_path: Path, settings: list[ReleaseSettings], project: Path) -> ROCrate:
    """The crate's metadata. settings: the release settings of the run's jurisdictions, in the order of their names."""
    crate = ROCrate(version=RO_CRATE)
    crate.metadata.extra_contexts.append(TERMS)
    root = crate.root_dataset
    root["name"] = "; ".join(one.title for one in settings)
    root["description"] = " ".join(one.description for one in settings)
    root["datePublished"] = max(one.published for one in settings).isoformat()
    root["license"] = [_licence(crate, one) for one in settings]
    root["publisher"] = [
        crate.add(ContextEntity(crate, f"#publisher-{n}", properties={"@type": "Organization", "name": name}))
        for n, name in enumerate(sorted({one.publisher for one in settings}), start=1)
    ]
    root["conformsTo"] = [
        crate.add(ContextEntity(crate, address, properties={"@type": "CreativeWork", "name": name, "version": address.rpartition("/")[2]}))
        for address, name in sorted(PROFILES.items())
    ]
    workflow = _add_workflow(crate, manifest, project)
    files = {"Snakefile": workflow}
    for name in contents(manifest, manifest_path):
        if name not in files:
            files[name] = crate.add_file(project / name, name, properties=_described(manifest, name, project))
    files[README]["about"] = root
    _add_run(crate, manifest, manifest_path, workflow, files)
    return crate


def _add_workflow(crate: ROCrate, manifest: Manifest, project: Path) -> Any:
    workflow = crate.add_workflow(project / "Snakefile", "Snakefile", main=True, lang="snakemake", gen_cwl=False)
    workflow["name"] = "InForce"
    workflow["version"] = sha256_json({name: entry.sha256 for name, entry in manifest.files.items() if entry.kind == "code"})
    workflow["encodingFormat"] = "text/x-python"
    workflow["license"] = crate.root_dataset["license"]
    return workflow


def _described(manifest: Manifest, name: str, project: Path) -> dict[str, Any]:
    entry = manifest.files.get(name)
    digest = entry.sha256 if entry else sha256_file(project / name)
    size = entry.size if entry else (project / name).stat().st_size
    return {"name": name, "encodingFormat": format_of(name), "sha256": digest, "contentSize": str(size)}


def _licence(crate: ROCrate, settings: ReleaseSettings) -> ContextEntity:
    name = settings.licence if settings.licence.startswith("http") else f"#licence-{settings.licence}"
    return crate.add(
        ContextEntity(crate, name, properties={"@type": "CreativeWork", "name": settings.licence, "description": settings.licence_text})
    )


def _add_outside(crate: ROCrate, manifest: Manifest) -> list[ContextEntity]:
    """Source data from outside: works that are described and not files of the crate, since they have no address to fetch them from."""
    return [
        crate.add(
            ContextEntity(
                crate,
                f"#{name}",
                properties={
                    "@type": "CreativeWork",
                    "name": f"{name} (not included)",
                    "sha256": entry.sha256,
                    "contentSize": str(entry.size),
                },
            )
        )
        for name, entry in sorted(manifest.files.items())
        if entry.kind == "data"
    ]


def _add_parameter(crate: ROCrate, name: str, kind: str, entities: list[Any]) -> Any:
    """A formal parameter and the entities that it stood for in this run."""
    properties = {"conformsTo": {"@id": FORMAL_PARAMETER}} | ({"multipleValues": "True"} if kind == "File" else {})
    formal = crate.add_formal_parameter(name, kind, identifier=f"#parameter-{name}", properties=properties)
    for entity in entities:
        entity.append_to("exampleOfWork", formal)
    return formal


def _add_run(crate: ROCrate, manifest: Manifest, manifest_path: Path, workflow: Any, files: dict[str, Any]) -> None:
    """The CreateAction, with a formal parameter for each kind of input that the run had and for the outputs."""
    settings = crate.add(
        ContextEntity(crate, "#config", properties={"@type": "PropertyValue", "name": "config", "value": canonical_json(manifest.config)})
    )
    inputs = {
        "configuration": ("File", [files[name] for name, entry in sorted(manifest.files.items()) if entry.kind == "config"]),
        "source-data": ("File", _add_outside(crate, manifest)),
        "stored-responses": ("File", [files[str(manifest_path.with_name(manifest.stored))]]),
        "config": ("Text", [settings]),
    }
    outputs = {
        "results": ("File", [files[name] for name in manifest.targets]),
        "manifest": ("File", [files[str(manifest_path)]]),
    }
    workflow["input"] = [_add_parameter(crate, name, kind, entities) for name, (kind, entities) in inputs.items() if entities]
    workflow["output"] = [_add_parameter(crate, name, kind, entities) for name, (kind, entities) in outputs.items()]
    action = crate.add_action(
        workflow,
        identifier="#run",
        object=[entity for _, entities in inputs.values() for entity in entities],
        result=[entity for _, entities in outputs.values() for entity in entities],
        properties={
            "name": f"Runs {', '.join(sorted(manifest.config['runs']))} of InForce",
            "actionStatus": "http://schema.org/CompletedActionStatus",
            "description": f"{len(manifest.jobs)} jobs, {manifest.n_stored} uses of stored responses; who, where and when stand in the sidecar",
        },
    )
    action["agent"] = crate.root_dataset["publisher"][0]
    crate.root_dataset["mentions"] = [action]


def metadata_of(crate: ROCrate) -> dict[str, Any]:
    """ro-crate-metadata.json: the descriptor and the root first, then by identifier; a list of one value is written as the value."""
    generated: dict[str, Any] = crate.metadata.generate()
    first = {"ro-crate-metadata.json": 0, "./": 1}
    generated["@graph"] = [{name: _compact(value) for name, value in entity.items()} for entity in generated["@graph"]]
    generated["@graph"].sort(key=lambda entity: (first.get(entity["@id"], 2), entity["@id"]))
    return generated


def _compact(value: Any) -> Any:
    return value[0] if isinstance(value, list) and len(value) == 1 else value


def pack(metadata: dict[str, Any], names: list[str], project: Path) -> bytes:
    """A zip whose bytes depend on its content alone: sorted names, one time, one mode."""
    out = io.BytesIO()
    text = json.dumps(metadata, ensure_ascii=False, sort_keys=True, indent=1) + "\n"
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for name, data in [("ro-crate-metadata.json", text.encode()), *((name, (project / name).read_bytes()) for name in names)]:
            entry = zipfile.ZipInfo(name, DOS_EPOCH)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            archive.writestr(entry, data)
    return out.getvalue()


def main(argv: list[str] | None = None) -> None:
    """Command line; run in the project's folder."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.audit.export_crate --manifest results/manifest.json --releases config/releases/demo.yaml "
        "--out results/ro-crate.zip",
    )
    parser.add_argument("--manifest", required=True, type=Path, help="manifest.json of make_manifest")
    parser.add_argument("--releases", required=True, nargs="+", type=Path, help="config/releases/NAME.yaml of each jurisdiction")
    parser.add_argument("--out", required=True, type=Path, help="output: the crate as a zip")
    args = parser.parse_args(argv)
    try:
        manifest = read_manifest(args.manifest)
        settings = [read_config(path, ReleaseSettings) for path in args.releases]
        crate = build_crate(manifest, args.manifest, settings, Path())
        metadata = metadata_of(crate)
        write_bytes(args.out, pack(metadata, contents(manifest, args.manifest), Path()))
    except (ManifestError, ConfigError, OSError) as error:
        raise SystemExit(str(error)) from error
    print(f"{len(metadata['@graph'])} entities, {len(contents(manifest, args.manifest))} files")


if __name__ == "__main__":
    main()
