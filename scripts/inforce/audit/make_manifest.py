"""Write down where every file of a run comes from: the manifest, and a provenance record for each artefact.

The graph is read from what Snakemake recorded when it ran, not from what the rules say now: every file that the targets depend on,
with the sha256 of its bytes, the job that made it, its inputs, code digest, parameters and image; the configuration, the project's code
and the source data; the stored responses that the answers and grades used, line by line, with model revision, engine and seed.

Seeds of intervals are derived from names (run, table, model, item) and are fixed by code and inputs; seeds sent to a model stand with
the stored responses. Who, where and when go to the sidecar, which nothing hashes.
"""

from __future__ import annotations

import argparse
import datetime as dt
import getpass
import hashlib
import io
import json
import os
import platform
import socket
import sys
from collections import defaultdict
from importlib import metadata
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import yaml

from inforce.audit.manifest import FORMAT, STORED, FileEntry, Job, Kind, Manifest, ManifestError, write_manifest
from inforce.audit.stored_lines import MEASURED, SEARCHES, Line, find_lines, find_searches, hold, lines_of, models_of, requests_of
from inforce.audit.workflow_records import MadeBy, walk
from inforce.config.code import code_files
from inforce.records.files import sha256_file, write_bytes, write_text
from inforce.records.progress import Progress

CODE_FOLDERS = ("rules", "scripts/inforce", "profiles")
CODE_FILES = ("Snakefile", "containers/check_images.py")  # what Snakemake reads before any job
# definitions of images, and the scripts that they copy: an image's entry in the lock names the digest of both
ENVIRONMENT_GLOBS = ("envs/*.txt", "containers/*.lock", "containers/*.def", "containers/*.sh")
# what belongs to a machine or to how often something was asked, and decides no result
MACHINE_KEYS = ("data_root", "responses", "stored_only")
NOT_DECIDING = ("--stored-only", "--weights ", "--vectors ")


def file_entry(path: Path, kind: Kind) -> FileEntry:
    """Digest and size of a file, or of a folder: sha256 of its files' names and digests, sum of their sizes."""
    if not path.is_dir():
        return FileEntry(sha256=sha256_file(path), size=path.stat().st_size, kind=kind)
    inside = [file for file in sorted(path.rglob("*")) if file.is_file()]
    listing = "".join(f"{sha256_file(file)}  {file.relative_to(path)}\n" for file in inside)
    return FileEntry(sha256=hashlib.sha256(listing.encode()).hexdigest(), size=sum(file.stat().st_size for file in inside), kind=kind)


def project_files(project: Path) -> dict[str, Kind]:
    """Code and environment of the project: what decides a result and is neither configuration nor data."""
    found: dict[str, Kind] = {name: "code" for name in CODE_FILES if (project / name).is_file()}
    for folder in CODE_FOLDERS:
        for path in sorted((project / folder).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                found[str(path.relative_to(project))] = "code"
    for pattern in ENVIRONMENT_GLOBS:
        found |= {str(path.relative_to(project)): "environment" for path in sorted(project.glob(pattern))}
    return found


class Names:
    """Paths as the manifest writes them: relative to the project, outside data under `data/`."""

    def __init__(self, project: Path, data_root: Path) -> None:
        self.project, self.data_root = project, data_root

    def of(self, path: str) -> str:
        """Raises ManifestError for a file outside both folders: an auditor could not tell where to put it."""
        whole, data, project = (Path(os.path.normpath(place.absolute())) for place in (self.project / path, self.data_root, self.project))
        if whole.is_relative_to(data):
            return f"data/{whole.relative_to(data)}"
        if whole.is_relative_to(project):
            return str(whole.relative_to(project))
        raise ManifestError(f"{path} lies outside the project and outside the data folder {self.data_root}: move it into one of them")

    def in_text(self, text: str) -> str:
        """A parameter with the data folder's own place taken out."""
        return text.replace(str(self.data_root), "data") if str(self.data_root) not in ("", ".", "data") else text


def uses_of(artefact: Path, store: str, responses: Path) -> list[tuple[str, Line]]:
    """(store, line) of each stored line behind an answers or grades file, in the order of their names.

    Raises ManifestError if the store does not hold one: then nobody could make the file again.
    """
    records = list(requests_of(artefact))
    names = {name for record in records for name in record.get("request_sha256") or []}
    lines = find_lines(responses / store, names)
    if missing := sorted(names - lines.keys()):
        raise ManifestError(f"{responses / store} holds no response named {missing[0]}, which {artefact} was made from: bring it back")
    uses = [(store, lines[name]) for name in sorted(lines)]
    traces = {(search["query"], tuple(search["version_uris"])) for record in records for search in record.get("search_trace") or []}
    if traces:
        folder = f"{SEARCHES}/{store}"
        uses += [(folder, line) for _, line in sorted(find_searches(responses / folder, traces).items())]
    return uses


def measured_searches(run: str, responses: Path) -> list[tuple[str, Line]]:
    """The searches by which the search of a run was measured; they lie in a folder of their own, in a file named by the run."""
    folder = f"{SEARCHES}/{MEASURED}"
    lines = {line.name: line for line in lines_of(responses / folder) if line.file.stem == run}
    return [(folder, lines[name]) for name in sorted(lines)]


def stored_rows(used_by: str, uses: list[tuple[str, Line]]) -> list[dict[str, Any]]:
    """Rows of the table of stored responses."""
    return [{"used_by": used_by, "store": store, "name": line.name, "sha256": line.sha256, "seed": hold(line).seed} for store, line in uses]


def store_of(inputs: list[str]) -> str | None:
    """The store of an answers or grades file: the model's name, from the one model file among the inputs."""
    models = [Path(name).stem for name in inputs if name.startswith("config/models/")]
    return models[0] if len(models) == 1 else None


def installed() -> dict[str, str]:
    """Python and every installed package, with versions."""
    packages = {(dist.metadata["Name"] or "").lower(): dist.version for dist in metadata.distributions()}
    return {"python": platform.python_version()} | {name: packages[name] for name in sorted(packages) if name}


def group_jobs(made: dict[str, MadeBy]) -> list[tuple[MadeBy, list[str]]]:
    """Jobs with their outputs: files of one job have one rule, one command and one set of inputs."""
    outputs: dict[tuple[str, str, tuple[str, ...]], list[str]] = defaultdict(list)
    for path in sorted(made):
        outputs[(made[path].rule, made[path].command, tuple(made[path].inputs))].append(path)
    return sorted(((made[paths[0]], paths) for paths in outputs.values()), key=lambda job: job[1])


def deciding(params: list[str], names: Names) -> list[str]:
    """Parameters that decide a result: not whether models may be asked, nor the places of files that only a model needs."""
    return [names.in_text(param) for param in params if not param.startswith(NOT_DECIDING)]


class Collector:
    """Gathers what the manifest says of each job, reading each file once."""

    def __init__(self, names: Names, responses: Path, images: dict[str, Any]) -> None:
        self.names, self.responses, self.images = names, responses, images
        self.rows: list[dict[str, Any]] = []
        self.images_used: dict[str, Any] = {}

    def job(self, made: MadeBy, outputs: list[str]) -> Job:
        """One job. Reads the response store for files that were made from it."""
        uses: list[tuple[str, Line]] = []
        store = store_of(made.inputs)
        for output in outputs:
            if store and "--responses " in made.command:
                uses = uses_of(self.names.project / output, store, self.responses)
            elif made.module == "retrieval.measure_retrieval":
                uses = measured_searches(Path(output).parent.name, self.responses)
            self.rows += stored_rows(output, uses)
        return Job(
            rule=made.rule,
            module=made.module,
            code=made.code,
            params=deciding(made.params, self.names),
            inputs=sorted({self.names.of(name) for name in made.inputs}),
            outputs=[self.names.of(name) for name in outputs],
            image=self._image(made.image),
            models=models_of(hold(line) for _, line in uses),
            n_responses=len(uses),
        )

    def _image(self, path: str | None) -> str | None:
        if path is None:
            return None
        for name, entry in sorted(self.images.items()):
            if isinstance(entry, dict) and Path(str(entry.get("file"))).name == Path(path).name:
                self.images_used[name] = entry
                return str(name)
        raise ManifestError(f"a job ran in image {path}, which containers/images.lock does not name: build the image anew and run again")


def provenance(manifest: Manifest, artefact: str) -> dict[str, Any]:
    """What made one artefact: its job, with the digest of every input. Projected from the manifest."""
    job = manifest.maker()[artefact]
    return {
        "artefact": artefact,
        "sha256": manifest.files[artefact].sha256,
        "rule": job.rule,
        "module": job.module,
        "code": job.code,
        "params": job.params,
        "inputs": {name: manifest.files[name].sha256 for name in job.inputs},
        "image": manifest.images.get(job.image) if job.image else None,
        "models": [model.model_dump() for model in job.models],
        "stored_responses": job.n_responses,
        "seeds": "stored with each response" if job.n_responses else "derived from names, fixed by code and inputs",
    }


def provenance_files(manifest: Manifest, index: str) -> dict[str, str]:
    """One JSON file an artefact, in the tree of the results, and their index: artefact, its digest, file, its digest. Name to text."""
    rows = ["artefact,sha256,provenance,provenance_sha256\n"]
    files = {}
    for artefact in sorted(manifest.maker()):
        name = f"{artefact.removeprefix('results/')}.json"
        files[name] = json.dumps(provenance(manifest, artefact), sort_keys=True, ensure_ascii=False, indent=1) + "\n"
        cells = (artefact, manifest.files[artefact].sha256, name, hashlib.sha256(files[name].encode()).hexdigest())
        rows.append(",".join(cells) + "\n")
    return files | {index: "".join(rows)}


def write_provenance(manifest: Manifest, index: Path) -> None:
    """Write these files beside `index`, and remove those of artefacts that are no longer part of the run."""
    files = provenance_files(manifest, index.name)
    for name, text in files.items():
        write_text(index.parent / name, text)
    for path in sorted(index.parent.rglob("*.json")):
        if str(path.relative_to(index.parent)) not in files:
            path.unlink()


def sidecar(jobs: list[tuple[MadeBy, list[str]]]) -> dict[str, Any]:
    """Who, where and when: user, host, cores, and each job's times, log and cluster job."""

    def when(seconds: float | None) -> str | None:
        return dt.datetime.fromtimestamp(seconds, dt.UTC).isoformat(timespec="seconds") if seconds else None

    return {
        "user": getpass.getuser(),
        "host": socket.gethostname(),
        "platform": platform.platform(),
        "python": sys.version,
        "cores": os.cpu_count(),
        "folder": str(Path.cwd()),
        "slurm_job": os.environ.get("SLURM_JOB_ID"),
        "written": dt.datetime.now(dt.UTC).isoformat(timespec="seconds"),
        "jobs": [
            {
                "outputs": outputs,
                "rule": job.rule,
                "start": when(job.start),
                "end": when(job.end),
                "log": job.log,
                "cluster_job": job.job_id,
            }
            for job, outputs in jobs
        ],
    }


def make_manifest(args: argparse.Namespace, jobs: list[tuple[MadeBy, list[str]]], sources: list[str]) -> tuple[Manifest, bytes]:
    """The manifest and the bytes of its table of stored responses."""
    project = Path()
    names = Names(project, args.data_root)
    lock = project / "containers" / "images.lock"
    images = yaml.safe_load(lock.read_text(encoding="utf-8")) if lock.is_file() else {}
    collector = Collector(names, args.responses, images or {})
    paths: dict[str, tuple[Path, Kind]] = {name: (project / name, kind) for name, kind in project_files(project).items()}
    for source in [*sources, *args.config_files]:
        name = names.of(source)
        paths.setdefault(name, (project / source, "config" if name.startswith("config/") else "data"))
    paths |= {names.of(output): (project / output, "artefact") for _, outputs in jobs for output in outputs}
    progress = Progress("jobs read", len(jobs))
    found = []
    for made, outputs in jobs:
        found.append(collector.job(made, outputs))
        progress.step()
    progress = Progress("files hashed", len(paths))
    files: dict[str, FileEntry] = {}
    for name, (path, kind) in sorted(paths.items()):
        if not path.exists():
            raise ManifestError(f"{path} is part of the run and is not there: run snakemake again")
        files[name] = file_entry(path, kind)
        progress.step()
    rows = sorted(collector.rows, key=lambda row: (row["used_by"], row["store"], row["name"]))
    out = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows, schema=STORED), out, compression="zstd", store_schema=False)
    scripts = project / "scripts"
    modules = {job.module: [str(path.relative_to(project)) for path in code_files(scripts, job.module)] for job in found if job.module}
    config = {key: value for key, value in json.loads(args.config).items() if key not in MACHINE_KEYS}
    return (
        Manifest(
            format=FORMAT,
            config=config,
            targets=sorted(args.targets),
            files=files,
            jobs=found,
            modules=modules,
            images=collector.images_used,
            environment=installed(),
            stored=args.stored.name,
            stored_sha256=hashlib.sha256(out.getvalue()).hexdigest(),
            n_stored=len(rows),
        ),
        out.getvalue(),
    )


def main(argv: list[str] | None = None) -> None:
    """Command line; run in the project's folder, after the targets were made."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.audit.make_manifest --targets results/leaderboard.csv --config '{\"runs\": ...}' --config-files "
        "config/config.yaml --data-root data --responses responses --records .snakemake/metadata --manifest results/manifest.json "
        "--stored results/manifest.stored.parquet --sidecar results/manifest.sidecar.json --provenance results/provenance/index.csv",
    )
    parser.add_argument("--targets", required=True, nargs="+", help="files whose whole history is written down")
    parser.add_argument("--config", required=True, help="the top configuration as JSON")
    parser.add_argument("--config-files", required=True, nargs="+", help="configuration files that the workflow itself read")
    parser.add_argument("--data-root", required=True, type=Path, help="folder of outside data")
    parser.add_argument("--responses", required=True, type=Path, help="folder of the response store")
    parser.add_argument("--records", required=True, type=Path, help="Snakemake's records, .snakemake/metadata")
    parser.add_argument("--manifest", required=True, type=Path, help="output: manifest.json")
    parser.add_argument("--stored", required=True, type=Path, help="output: the stored responses that were used, parquet")
    parser.add_argument("--sidecar", required=True, type=Path, help="output: who, where and when; not part of any digest")
    parser.add_argument("--provenance", required=True, type=Path, help="output: index of the records, which are written beside it")
    args = parser.parse_args(argv)
    try:
        made, sources = walk(args.records, args.targets)
        jobs = group_jobs(made)
        manifest, stored = make_manifest(args, jobs, sources)
    except (ManifestError, OSError) as error:
        raise SystemExit(str(error)) from error
    write_bytes(args.stored, stored)
    write_manifest(args.manifest, manifest)
    write_provenance(manifest, args.provenance)
    write_text(args.sidecar, json.dumps(sidecar(jobs), sort_keys=True, ensure_ascii=False, indent=1) + "\n")
    kinds = [entry.kind for entry in manifest.files.values()]
    counts = ", ".join(f"{kinds.count(kind)} {kind}" for kind in sorted(set(kinds)))
    print(f"{len(manifest.files)} files ({counts}), {len(manifest.jobs)} jobs, {manifest.n_stored} uses of stored responses")


if __name__ == "__main__":
    main()
