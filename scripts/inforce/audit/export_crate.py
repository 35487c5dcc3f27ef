"""Export a run as a Workflow Run RO-Crate: one zip with the workflow, its configuration, its results and their manifest.

Profiles: RO-Crate 1.1, Workflow RO-Crate 1.0, Process Run Crate 0.5 and Workflow Run Crate 0.5. The run is a CreateAction whose
instrument is the Snakefile, whose objects are the configuration, the source data and the table of stored responses, and whose results
are the run's targets. Intermediate files are named, with digests, in the manifest inside. Source data from outside and the responses
themselves are described and not included. The workflow's version is a digest of its code files. A file that is not the one of the
manifest stops the crate.

What holds texts that may not be passed on is left out, described as source data from outside is, and named in the crate's description: a
jurisdiction's source files where the terms of its data do not allow a release (`allowed: false`) or where some of its items are held
back, and the report page where it shows items that those terms cover.

Dates come from config/releases/, not from the clock, and times of the run are left out: the same run gives the same bytes.
"""

from __future__ import annotations

import argparse
import io
import json
import mimetypes
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from rocrate.model import ContextEntity
from rocrate.rocrate import ROCrate

from inforce.audit.manifest import Manifest, ManifestError, read_manifest
from inforce.config.jurisdiction import Jurisdiction
from inforce.config.load import ConfigError, read_config
from inforce.config.release import ReleaseSettings
from inforce.records.files import canonical_json, sha256_file, sha256_json, write_bytes

RO_CRATE = "1.1"  # what the profiles below extend; the library's own choice is a later one, whose terms have other addresses
TERMS = "https://w3id.org/ro/terms/workflow-run/context"  # the profiles' own: RO-Crate 1.1 has no sha256
REPORT = "results/report.html"
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


def contents(manifest: Manifest, manifest_path: Path, without: Iterable[str] = ()) -> list[str]:
    """Files of the crate: the project's, its read-me, the targets, the manifest and its table; sorted, by their place in the project."""
    own = [name for name, entry in manifest.files.items() if entry.kind in ("code", "config", "environment")]
    beside = [str(manifest_path), str(manifest_path.with_name(manifest.stored))]
    return sorted({*own, README, *manifest.targets, *beside} - set(without))


def left_out(manifest: Manifest, releases: dict[str, ReleaseSettings], project: Path) -> dict[str, str]:
    """Files that may not be passed on -> why. releases: settings by jurisdiction. Raises ManifestError for a jurisdiction without settings."""
    out: dict[str, str] = {}
    for run, entry in sorted(manifest.config["runs"].items()):
        name = entry["jurisdiction"]
        if name not in releases:
            raise ManifestError(
                f"run {run} is of jurisdiction {name}, whose release settings are not given: name config/releases/{name}.yaml"
            )
        jurisdiction = read_config(project / f"config/jurisdictions/{name}.yaml", Jurisdiction)
        why = "the terms of its data do not allow a release" if not releases[name].allowed else "some of its items are held back"
        if not releases[name].allowed or not jurisdiction.items_public:
            held = [
                file for file, known in manifest.files.items() if known.kind == "config" and Path(file).is_relative_to(jurisdiction.root)
            ]
            out |= dict.fromkeys(held, f"source data of {name}: {why}")
        if not releases[name].allowed and not _page_is_bare(manifest, f"results/report/{run}/page.json", project):
            out |= dict.fromkeys([REPORT] if REPORT in manifest.targets else [], f"shows items of run {run}: {why}; make it again")
    return out


def _page_is_bare(manifest: Manifest, page: str, project: Path) -> bool:
    """Whether the page of a run, which the report is made from, is known to show no item."""
    path, entry = project / page, manifest.files.get(page)
    if not (path.is_file() and entry and sha256_file(path) == entry.sha256):
        return False
    return bool(json.loads(path.read_text(encoding="utf-8"))["items_hidden"])


def check_files(manifest: Manifest, manifest_path: Path, names: list[str], project: Path) -> None:
    """Raises ManifestError for the first file that is missing or is not the one that the manifest names."""
    digests = {name: entry.sha256 for name, entry in manifest.files.items()}
    digests[str(manifest_path.with_name(manifest.stored))] = manifest.stored_sha256
    for name in names:
        if not (project / name).is_file():
            raise ManifestError(f"{name} is not there: make it, then the manifest: snakemake results/manifest.json")
        if name in digests and sha256_file(project / name) != digests[name]:
            raise ManifestError(
                f"{name} is not the file that the manifest names: bring that one back, or make the manifest again: snakemake results/manifest.json"
            )


def build_crate(manifest: Manifest, manifest_path: Path, releases: dict[str, ReleaseSettings], project: Path) -> ROCrate:
    """The crate's metadata. releases: the release settings of the run's jurisdictions, by name. Raises ManifestError, see check_files."""
    without, settings = left_out(manifest, releases, project), [releases[name] for name in sorted(releases)]
    check_files(manifest, manifest_path, contents(manifest, manifest_path, without), project)
    crate = ROCrate(version=RO_CRATE)
    crate.metadata.extra_contexts.append(TERMS)
    root = crate.root_dataset
    root["name"] = "; ".join(one.title for one in settings)
    said = [f"Not included: {name} ({why})." for name, why in sorted(without.items())]
    root["description"] = " ".join([*(one.description for one in settings), *said])
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
    for name in contents(manifest, manifest_path, without):
        if name not in files:
            files[name] = crate.add_file(project / name, name, properties=_described(manifest, name, project))
    files[README]["about"] = root
    _add_run(crate, manifest, manifest_path, workflow, files, without)
    return crate


def _add_workflow(crate: ROCrate, manifest: Manifest, project: Path) -> Any:
    workflow = crate.add_workflow(project / "Snakefile", "Snakefile", main=True, lang="snakemake", gen_cwl=False)
    workflow["version"] = sha256_json({name: entry.sha256 for name, entry in manifest.files.items() if entry.kind == "code"})
    for term, value in (_described(manifest, "Snakefile", project) | {"name": "InForce", "encodingFormat": "text/x-python"}).items():
        workflow[term] = value
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


def _add_outside(crate: ROCrate, manifest: Manifest, without: Iterable[str]) -> list[ContextEntity]:
    """Source data that is not included: works that are described and not files of the crate, since they have no address to fetch them from."""
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
        if entry.kind == "data" or (entry.kind == "config" and name in without)
    ]


def _add_parameter(crate: ROCrate, name: str, kind: str, entities: list[Any]) -> Any:
    """A formal parameter and the entities that it stood for in this run."""
    properties = {"conformsTo": {"@id": FORMAL_PARAMETER}} | ({"multipleValues": "True"} if kind == "File" else {})
    formal = crate.add_formal_parameter(name, kind, identifier=f"#parameter-{name}", properties=properties)
    for entity in entities:
        entity.append_to("exampleOfWork", formal)
    return formal


def _add_run(crate: ROCrate, manifest: Manifest, manifest_path: Path, workflow: Any, files: dict[str, Any], without: Iterable[str]) -> None:
    """The CreateAction, with a formal parameter for each kind of input that the run had and for the outputs."""
    settings = crate.add(
        ContextEntity(crate, "#config", properties={"@type": "PropertyValue", "name": "config", "value": canonical_json(manifest.config)})
    )
    inputs = {
        "configuration": (
            "File",
            [files[name] for name, entry in sorted(manifest.files.items()) if entry.kind == "config" and name in files],
        ),
        "source-data": ("File", _add_outside(crate, manifest, without)),
        "stored-responses": ("File", [files[str(manifest_path.with_name(manifest.stored))]]),
        "config": ("Text", [settings]),
    }
    outputs = {
        "results": ("File", [files[name] for name in manifest.targets if name in files]),
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
        releases = {path.stem: read_config(path, ReleaseSettings) for path in args.releases}
        without = left_out(manifest, releases, Path())
        metadata = metadata_of(build_crate(manifest, args.manifest, releases, Path()))
        names = contents(manifest, args.manifest, without)
        write_bytes(args.out, pack(metadata, names, Path()))
    except (ManifestError, ConfigError, OSError) as error:
        raise SystemExit(str(error)) from error
    for name, why in sorted(without.items()):
        print(f"left out: {name}, {why}")
    print(f"{len(metadata['@graph'])} entities, {len(names)} files")


if __name__ == "__main__":
    main()
