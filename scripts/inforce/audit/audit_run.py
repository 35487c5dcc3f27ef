"""Make every score, interval, table and figure of a run again, without a model, a GPU or a network, and compare byte for byte.

    make audit MANIFEST=results/manifest.json WORK=/tmp/audit

1. The project's code and configuration, the source data, the stored responses and the images are compared with the manifest.
2. A fresh folder gets the project's files, and the whole graph is made there with every response taken from the store.
3. Each file made is compared with the manifest; each difference is named with its first cause in the graph.

The weights of a model and the index of an embedding model are not made again: all that they were used for stands in the store.
Exit status: 0 everything is equal, 1 something differs, 2 the audit could not be run.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pyarrow.parquet as pq

from inforce.audit.causes import Findings, chains, first_causes
from inforce.audit.make_manifest import Names, deciding, file_entry, installed
from inforce.audit.manifest import STORED, Manifest, ManifestError, read_manifest
from inforce.audit.stored_lines import check_store
from inforce.audit.workflow_records import read_record
from inforce.records.files import sha256_file, write_text
from inforce.records.progress import Progress

EQUAL, DIFFERENT, CANNOT_RUN = 0, 1, 2
# what these make needs a model, and what it was used for is stored
MODEL_MODULES = ("models.prepare_model", "retrieval.embed_sections", "retrieval.build_index")
AUDIT_CONFIG = "audit.yaml"  # JSON is YAML


class AuditError(RuntimeError):
    """The audit cannot be run. The message says why and what to do."""


def check_files(manifest: Manifest, project: Path, data: Path) -> dict[str, str]:
    """Sources (code, configuration, data, environment) that differ or are missing, in words."""
    names = [name for name, entry in sorted(manifest.files.items()) if entry.kind != "artefact"]
    progress = Progress("project and data files compared", len(names))
    wrong = {}
    for name in names:
        path = data / name.removeprefix("data/") if manifest.files[name].kind == "data" else project / name
        if not path.exists():
            wrong[name] = f"{name} is missing"
        elif file_entry(path, manifest.files[name].kind).sha256 != manifest.files[name].sha256:
            wrong[name] = f"{name} differs"
        progress.step()
    return wrong


def check_stored(manifest: Manifest, table: Path, responses: Path) -> dict[str, list[str]]:
    """Per answers or grades file what differs in the stored lines that it used.

    Raises AuditError if the table of stored responses is not the manifest's own.
    """
    if not table.is_file() or sha256_file(table) != manifest.stored_sha256:
        raise AuditError(f"{table} is not the table of stored responses that the manifest names: bring the one that was made with it")
    rows = pq.read_table(table, schema=STORED).to_pylist()
    expected: dict[str, dict[str, str]] = defaultdict(dict)
    users: dict[tuple[str, str], list[str]] = defaultdict(list)
    for row in rows:
        expected[row["store"]][row["name"]] = row["sha256"]
        users[(row["store"], row["name"])].append(row["used_by"])
    progress = Progress("stored responses compared", sum(len(lines) for lines in expected.values()))
    wrong: dict[str, list[str]] = defaultdict(list)
    for store in sorted(expected):
        for difference in check_store(responses, store, expected[store]):
            for user in users[(store, difference.name)]:
                wrong[user].append(difference.what)
        progress.step(len(expected[store]))
    return dict(wrong)


def check_images(manifest: Manifest, images: Path | None) -> dict[str, str]:
    """Images that differ from the manifest's. Raises AuditError if one is missing."""
    wrong: dict[str, str] = {}
    if images is None:
        return wrong
    for name, entry in sorted(manifest.images.items()):
        path = images / Path(entry["file"]).name
        if not path.is_file():
            raise AuditError(f"{path} is missing: the run was made in it; bring it, or leave --images out to audit without images")
        if sha256_file(path) != entry.get("sha256"):
            wrong[entry["file"]] = f"image {name} ({path.name}) differs"
    return wrong


def check_environment(manifest: Manifest) -> list[str]:
    """Packages that are here in another version than in the manifest, or not at all."""
    here = installed()
    return [
        f"{name} {version}, here {here.get(name, 'none')}" for name, version in manifest.environment.items() if here.get(name) != version
    ]


def prepare(manifest: Manifest, project: Path, work: Path, responses: Path, images: Path | None) -> None:
    """Copy the project's files that the manifest names into an empty folder, with a configuration that asks no model."""
    if work.exists() and any(work.iterdir()):
        raise AuditError(f"{work} is not empty: name a new folder with --work")
    for name, entry in sorted(manifest.files.items()):
        if entry.kind in ("artefact", "data") or not (project / name).is_file():
            continue
        (work / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(project / name, work / name)
    for entry in manifest.images.values():
        if images:
            (work / entry["file"]).parent.mkdir(parents=True, exist_ok=True)
            (work / entry["file"]).symlink_to((images / Path(entry["file"]).name).absolute())
    config = manifest.config | {"stored_only": True, "responses": str(responses.absolute())}
    write_text(work / AUDIT_CONFIG, json.dumps(config, indent=1, ensure_ascii=False, sort_keys=True) + "\n")


def rebuild(manifest: Manifest, work: Path, data: Path, cores: str, images: Path | None) -> bool:
    """Make the targets in the work folder; true if all were made. What Snakemake says goes to WORK/audit.log, its progress to stderr."""
    # targets first: Snakemake's options take all words that follow them
    command = [sys.executable, "-m", "snakemake", *manifest.targets, "--configfile", AUDIT_CONFIG, "--cores", cores, "--keep-going"]
    if images and manifest.images:
        command += ["--sdm", "apptainer"]
    environment = {**os.environ, "INFORCE_DATA": str(data.absolute())}
    environment.pop("PYTHONPATH", None)  # each rule names the work folder's own package
    with (work / "audit.log").open("w", encoding="utf-8") as log:
        process = subprocess.Popen(
            command,
            cwd=work,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        assert process.stdout is not None
        for raw in process.stdout:
            line = raw.decode("utf-8", "replace")
            log.write(line)
            if found := re.match(r"(\d+ of \d+ steps \(\d+%\)) done", line):
                print(f"making the results again: {found[1]}", file=sys.stderr, flush=True)
        return process.wait() == 0


def compare(manifest: Manifest, work: Path) -> dict[str, str]:
    """Artefacts that differ from the manifest or could not be made again, in words."""
    wrong = {}
    for artefact in rebuilt(manifest):
        path = work / artefact
        if not path.is_file():
            wrong[artefact] = f"{artefact} could not be made"
        elif sha256_file(path) != manifest.files[artefact].sha256:
            wrong[artefact] = f"{artefact} differs"
    return wrong


def rebuilt(manifest: Manifest) -> list[str]:
    """The artefacts that an audit makes again."""
    return sorted(output for job in manifest.jobs for output in job.outputs if job.module not in MODEL_MODULES)


def compare_params(manifest: Manifest, work: Path, data: Path) -> dict[str, str]:
    """Artefacts whose job had other parameters when it was made again, in words."""
    names, records = Names(work, data), work / ".snakemake" / "metadata"
    wrong = {}
    for artefact, job in manifest.maker().items():
        record = read_record(records, artefact) if records.is_dir() else None
        if record is None or (now := deciding(record.params, names)) == job.params:
            continue
        gone = ", ".join(param for param in job.params if param not in now) or "nothing"
        new = ", ".join(param for param in now if param not in job.params) or "nothing"
        wrong[artefact] = f"a parameter of {job.rule} was {_short(gone)} and is {_short(new)}"
    return wrong


def _short(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:77]}..."


def check_delivered(manifest: Manifest, results: Path) -> dict[str, str]:
    """Artefacts of a results folder, as it was handed over, that are not the manifest's."""
    wrong = {}
    for artefact in sorted(manifest.maker()):
        path = results / artefact.removeprefix("results/")
        if path.is_file() and sha256_file(path) != manifest.files[artefact].sha256:
            wrong[artefact] = f"{path}: the file handed over differs from the manifest"
    return wrong


def report(manifest: Manifest, findings: Findings, delivered: dict[str, str], images: dict[str, str], made: bool) -> list[str]:
    """The report, a line an entry. made: whether the results were made again."""
    sources = [name for name, entry in manifest.files.items() if entry.kind != "artefact"]
    wrong_lines = sorted({words for entries in findings.stored.values() for words in entries})
    again = rebuilt(manifest)
    lines = [
        f"project and data files   {len(sources) - len(findings.sources)} of {len(sources)} equal",
        f"stored responses         {manifest.n_stored} uses; lines that differ: {len(wrong_lines)}",
    ]
    if images:
        lines.append(f"images                   {len(images)} differ")
    if made:
        lines.append(f"made again               {len(again) - len(findings.artefacts)} of {len(again)} files equal, byte for byte")
        left = len(manifest.maker()) - len(again)
        if left:
            lines.append(f"not made again           {left} files that a model makes (weights, vectors, index)")
    if findings.environment:
        shown = "; ".join(findings.environment[:5])
        lines.append(f"environment              {len(findings.environment)} packages in other versions: {shown}")
    lines += _causes(manifest, findings, wrong_lines)
    lines += [*delivered.values(), *images.values()]
    return lines


def _causes(manifest: Manifest, findings: Findings, wrong_lines: list[str]) -> list[str]:
    found = chains(manifest, findings)
    causes = first_causes(found)
    lines: list[str] = []
    if causes:
        lines += ["", "First causes:"]
        lines += [f"  {cause}  ({len(files)} files differ because of it)" for cause, files in causes.items()]
        lines += ["", "Files that differ:"]
        lines += ["  " + " because ".join(words) for words in found.values()]
    known = " ".join(causes)
    silent = [words for words in [*findings.sources.values(), *wrong_lines] if words not in known]
    if silent:
        lines += ["", "Differences that changed no file:" if findings.artefacts or not causes else "Other differences:"]
        lines += [f"  {words}" for words in silent]
    return lines


def audit(args: argparse.Namespace) -> tuple[int, list[str]]:
    """Run the audit; returns the exit status and the report. Raises AuditError or ManifestError if it cannot be run."""
    manifest = read_manifest(args.manifest)
    if not args.responses.is_dir():
        raise AuditError(f"{args.responses} does not exist: name the folder of the response store with --responses")
    findings = Findings(
        sources=check_files(manifest, args.project, args.data),
        stored=check_stored(manifest, args.manifest.with_name(manifest.stored), args.responses),
        params={},
        artefacts={},
        environment=check_environment(manifest),
    )
    images = check_images(manifest, args.images)
    delivered = check_delivered(manifest, args.results) if args.results else {}
    if not args.check_only:
        prepare(manifest, args.project, args.work, args.responses, args.images)
        whole = rebuild(manifest, args.work, args.data, args.cores, args.images)
        findings = findings._replace(artefacts=compare(manifest, args.work), params=compare_params(manifest, args.work, args.data))
        # a graph that does not even start says nothing about the files: that is no difference to be explained
        if not whole and not any((args.work / name).is_file() for name in rebuilt(manifest)):
            named = ", ".join([*findings.sources.values(), *(words for entries in findings.stored.values() for words in entries)])
            raise AuditError(f"nothing could be made again ({named or 'nothing differs'}); {_last_words(args.work / 'audit.log')}")
    lines = report(manifest, findings, delivered, images, made=not args.check_only)
    differs = bool(findings.sources or findings.stored or findings.artefacts or images or delivered)
    if differs:
        lines.append("\nDIFFERENT")
    else:
        lines.append(
            "\nEQUAL: " + ("sources and responses are those of the run" if args.check_only else "every file made again has the same bytes")
        )
    return (DIFFERENT if differs else EQUAL), lines


def _last_words(log: Path) -> str:
    text = log.read_text(encoding="utf-8").strip().splitlines() if log.is_file() else []
    return f"the end of {log}: " + " | ".join(line.strip() for line in text[-4:])


def main(argv: list[str] | None = None) -> None:
    """Command line; run in a clone of the project."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.audit.audit_run --manifest results/manifest.json --responses responses --work /tmp/audit",
    )
    parser.add_argument("--manifest", required=True, type=Path, help="manifest.json; its table of stored responses lies beside it")
    parser.add_argument("--responses", required=True, type=Path, help="folder of the response store")
    parser.add_argument("--work", type=Path, help="empty or new folder in which everything is made again")
    parser.add_argument("--images", type=Path, help="folder of the images; left out = this Python's own packages")
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("INFORCE_DATA") or "data"), help="folder of outside data")
    parser.add_argument("--project", type=Path, default=Path(), help="clone of the project; default: here")
    parser.add_argument("--results", type=Path, help="a results folder that was handed over: its files are compared with the manifest too")
    parser.add_argument("--cores", default="all", help="cores for making the results again")
    parser.add_argument("--check-only", action="store_true", help="compare sources, responses and images, make nothing again")
    args = parser.parse_args(argv)
    if args.work is None and not args.check_only:
        parser.error("--work is needed, unless --check-only")
    try:
        status, lines = audit(args)
    except (AuditError, ManifestError, OSError) as error:
        print(f"The audit cannot be run: {error}", file=sys.stderr)
        raise SystemExit(CANNOT_RUN) from error
    print("\n".join([f"Audit of {args.manifest}", *lines]))
    if args.work is not None:
        write_text(args.work / "audit.txt", "\n".join(lines) + "\n")
    raise SystemExit(status)


if __name__ == "__main__":
    main()
