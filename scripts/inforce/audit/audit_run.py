"""Make every score, interval, table and figure of a run again, without a model, a GPU or a network, and compare byte for byte.

    make audit MANIFEST=results/manifest.json WORK=/tmp/audit

1. The manifest must fit itself, the project's files and the stored lines: one that does not is not audited.
2. The project's code and configuration, the source data, the stored responses and the images are compared with the manifest.
3. A fresh folder gets the project's files, and the whole graph is made there with every response taken from the store.
4. Each file made, and how it was made, is compared with the manifest; each difference is named with its first cause in the graph.

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
from collections import Counter, defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple, NoReturn

from inforce.audit.causes import Findings, chains, first_causes
from inforce.audit.consistency import Use, check_held, check_manifest, check_project, check_uses, file_place, read_uses
from inforce.audit.delivered import Delivered, check_delivered, compare_others, shortened
from inforce.audit.made_again import compare_files, compare_jobs, compare_uses, rebuilt
from inforce.audit.make_manifest import file_entry, installed
from inforce.audit.manifest import Manifest, ManifestError, read_manifest
from inforce.audit.stored_lines import Held, check_store, missing_words
from inforce.records.files import sha256_file, write_text
from inforce.records.progress import Progress

EQUAL, DIFFERENT, CANNOT_RUN = 0, 1, 2
AUDIT_CONFIG = "audit.yaml"  # JSON is YAML
# these install packages and compute nothing
PACKAGING = ("pip", "setuptools", "wheel", "uv", "pkg-resources", "distribute")
SENTENCES = 5  # of what does not fit, as many are shown


class AuditError(RuntimeError):
    """The audit cannot be run. The message says why and what to do."""


class Stored(NamedTuple):
    """The stored lines of a run: by (store, name) those that are here, and by answers or grades file what differs and what is spare."""

    held: Mapping[tuple[str, str], Held]
    differs: Mapping[str, list[str]]
    spare: Mapping[str, list[str]]


def check_files(manifest: Manifest, project: Path, data: Path) -> dict[str, str]:
    """Sources (code, configuration, data, environment) that differ or are missing, in words."""
    names = [name for name, entry in sorted(manifest.files.items()) if entry.kind != "artefact"]
    progress = Progress("project and data files compared", len(names))
    wrong = {}
    for name in names:
        entry = manifest.files[name]
        path = file_place(name, entry, project, data)
        if not path.exists():
            wrong[name] = f"{name} is missing"
        elif file_entry(path, entry.kind) != entry:
            wrong[name] = f"{name} differs"
        progress.step()
    return wrong


def check_stored(uses: list[Use], responses: Path) -> Stored:
    """What the response store holds of the lines that the table names. Lines that are missing are counted by file, not named each."""
    expected: dict[str, dict[str, str]] = defaultdict(dict)
    users: dict[tuple[str, str], list[str]] = defaultdict(list)
    for use in uses:
        expected[use.store][use.name] = use.sha256
        users[(use.store, use.name)].append(use.used_by)
    progress = Progress("stored responses compared", sum(len(lines) for lines in expected.values()))
    held: dict[tuple[str, str], Held] = {}
    wrong: dict[str, list[str]] = defaultdict(list)
    spare: dict[str, list[str]] = defaultdict(list)
    missing: Counter[tuple[str, str]] = Counter()
    for store in sorted(expected):
        checked = check_store(responses, store, expected[store])
        held |= {(store, name): line for name, line in checked.held.items()}
        for difference in checked.differences:
            for user in users[(store, difference.name)]:
                if difference.missing:
                    missing[(user, store)] += 1
                else:
                    wrong[user].append(difference.what)
        for name, words in checked.spare.items():
            for user in users[(store, name)]:
                spare[user] += words
        progress.step(len(expected[store]))
    of_all = Counter((use.used_by, use.store) for use in uses)
    for (user, store), n in sorted(missing.items()):
        wrong[user].insert(0, missing_words(responses, user, store, n, of_all[(user, store)]))
    return Stored(held, dict(wrong), dict(spare))


def check_images(manifest: Manifest, images: Path | None) -> dict[str, str]:
    """Images that differ from the manifest's. Raises AuditError if one is missing, or if the run was made without any."""
    wrong: dict[str, str] = {}
    if images is None:
        return wrong
    if not manifest.images:
        raise AuditError("the manifest names no image, so the run was made without any: leave --images out")
    for name, entry in sorted(manifest.images.items()):
        path = images / Path(entry["file"]).name
        if not path.is_file():
            raise AuditError(f"{path} is missing: the run was made in it; bring it, or leave --images out to audit without images")
        if sha256_file(path) != entry["sha256"]:
            wrong[entry["file"]] = f"image {name} ({path.name}) differs"
    return wrong


def check_environment(manifest: Manifest) -> list[str]:
    """Packages that are here in another version than in the manifest, or not at all; those that only install others are left out."""
    here = installed()
    return [
        f"{name} {version}, here {here.get(name, 'none')}"
        for name, version in manifest.environment.items()
        if here.get(name) != version and name not in PACKAGING
    ]


def prepare(manifest: Manifest, project: Path, work: Path, responses: Path, images: Path | None) -> None:
    """Copy the project's files that the manifest names into an empty folder, with a configuration that asks no model."""
    if work.exists() and any(work.iterdir()):
        raise AuditError(f"{work} is not empty: name a new folder with --work")
    for name, entry in sorted(manifest.files.items()):
        if entry.kind == "artefact" or name.startswith("data/") or not (project / name).is_file():
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


def report(manifest: Manifest, findings: Findings, delivered: Delivered | None, images: dict[str, str], made: bool) -> list[str]:
    """The report, a line an entry. made: whether the results were made again."""
    sources = [name for name, entry in manifest.files.items() if entry.kind != "artefact"]
    wrong_lines = sorted({words for entries in findings.stored.values() for words in entries})
    again, n_artefacts = rebuilt(manifest), len(manifest.maker())
    lines = [
        f"targets                  {_folders(manifest.targets)}",
        f"project and data files   {len(sources) - len(findings.sources)} of {len(sources)} equal",
        f"stored responses         {manifest.n_stored} uses; differences: {len(wrong_lines)}",
    ]
    if images:
        lines.append(f"images                   {len(images)} differ")
    if made:
        lines.append(f"made again               {len(again) - len(findings.artefacts)} of {len(again)} files equal, byte for byte")
        if n_artefacts > len(again):
            lines.append(f"not made again           {n_artefacts - len(again)} files that a model makes (weights, vectors, index)")
    if delivered is not None:
        lines.append(
            f"handed over              {delivered.n_there} of {n_artefacts} files of the manifest; differences: {len(delivered.wrong)}"
        )
        if delivered.others:
            lines.append(f"not in the manifest      {len(delivered.others)} files handed over: {', '.join(delivered.others[:5])}")
    if findings.environment:
        shown = "; ".join(findings.environment[:5])
        lines.append(f"environment              {len(findings.environment)} packages in other versions: {shown}")
    if findings.spare:
        words = sorted({word for entries in findings.spare.values() for word in entries})
        lines.append(f"lines that do not count  {len(words)} in the store: {'; '.join(words[:5])}")
    lines += _causes(manifest, findings, wrong_lines, made)
    return [*lines, *shortened(delivered.wrong if delivered else []), *images.values()]


def _folders(targets: list[str]) -> str:
    counted = Counter(str(Path(name).parent) for name in targets)
    few = {folder: [Path(name).name for name in targets if str(Path(name).parent) == folder] for folder in counted}
    shown = [", ".join(f"{folder}/{name}" for name in few[folder]) if n < 4 else f"{n} in {folder}" for folder, n in counted.items()]
    return f"{len(targets)}: {', '.join(shown)}"


def _causes(manifest: Manifest, findings: Findings, wrong_lines: list[str], made: bool) -> list[str]:
    found = chains(manifest, findings)
    causes = first_causes(found)
    lines: list[str] = []
    if causes:
        lines += ["", "First causes:"]
        lines += [f"  {cause}  ({len(files)} files differ because of it)" for cause, files in causes.items()]
        lines += ["", "Files that differ:"]
        lines += ["  " + " because ".join(words) for words in found.values()]
    known = " ".join(causes)
    jobs = [f"{artefact}: {words}" for artefact, words in findings.jobs.items() if words not in known]
    silent = [words for words in [*findings.sources.values(), *wrong_lines] if words not in known] + jobs
    if silent:
        heading = "Differences:" if not made else "Other differences:" if causes else "Differences that changed no file:"
        lines += ["", heading]
        lines += [f"  {words}" for words in silent]
    return lines


def refuse(found: list[str], manifest: Path) -> None:
    """Raise AuditError with the first sentences of what does not fit, if anything does not."""
    if found:
        more = f"; and {len(found) - SENTENCES} more" if len(found) > SENTENCES else ""
        raise AuditError(
            f"{manifest} does not fit itself, the project or the stored lines, so it cannot be audited: {'; '.join(found[:SENTENCES])}{more}"
        )


def check_folders(args: argparse.Namespace) -> None:
    """Raise AuditError for a folder that was named and is not one, or is no clone of the project."""
    if not args.responses.is_dir():
        raise AuditError(f"{args.responses} does not exist: name the folder of the response store with --responses")
    if not (args.project / "Snakefile").is_file():
        raise AuditError(f"{args.project} holds no Snakefile: name a clone of the project with --project")
    if args.results is not None and not args.results.is_dir():
        raise AuditError(f"{args.results} is no folder: name the results that were handed over with --results")
    if args.images is not None and not args.images.is_dir():
        raise AuditError(f"{args.images} is no folder: name the folder of the images with --images")


def audit(args: argparse.Namespace) -> tuple[int, list[str]]:
    """Run the audit; returns the exit status and the report. Raises AuditError or ManifestError if it cannot be run."""
    manifest = read_manifest(args.manifest)
    check_folders(args)
    refuse(check_manifest(manifest), args.manifest)
    uses = read_uses(manifest, args.manifest.with_name(manifest.stored))
    refuse(check_uses(manifest, uses, is_made_again=not args.check_only), args.manifest)
    sources = check_files(manifest, args.project, args.data)
    refuse(check_project(manifest, args.project, sources), args.manifest)
    stored = check_stored(uses, args.responses)
    refuse(check_held(manifest, uses, stored.held), args.manifest)
    images = check_images(manifest, args.images)
    delivered = check_delivered(manifest, args.results, args.manifest) if args.results else None
    findings = Findings(sources, stored.differs, {}, {}, check_environment(manifest), stored.spare)
    if not args.check_only:
        findings = make_again(args, manifest, uses, stored, findings)
        delivered = compare_others(manifest, delivered, args.results, args.work) if delivered else None
    lines = report(manifest, findings, delivered, images, made=not args.check_only)
    wrong = delivered.wrong if delivered else []
    if findings.sources or findings.stored or findings.artefacts or findings.jobs or images or wrong:
        return DIFFERENT, [*lines, "\nDIFFERENT"]
    checked = "sources and responses are those of the run; nothing was made again" if args.check_only else None
    return EQUAL, [*lines, f"\nEQUAL: {checked or 'every file made again has the same bytes'}"]


def make_again(args: argparse.Namespace, manifest: Manifest, uses: list[Use], stored: Stored, findings: Findings) -> Findings:
    """Make the targets in the work folder, and add to the findings what differs then.

    Raises AuditError for a graph that does not even start: that says nothing about the files.
    """
    prepare(manifest, args.project, args.work, args.responses, args.images)
    whole = rebuild(manifest, args.work, args.data, args.cores, args.images)
    artefacts = compare_files(manifest, args.work)
    jobs = compare_uses(manifest, uses, stored.held, args.work) | compare_jobs(manifest, args.work, args.data)
    if not whole and not any((args.work / name).is_file() for name in rebuilt(manifest)):
        named = ", ".join([*findings.sources.values(), *(words for entries in findings.stored.values() for words in entries)])
        raise AuditError(f"nothing could be made again ({named or 'nothing differs'}); {_last_words(args.work / 'audit.log')}")
    return findings._replace(artefacts=artefacts, jobs=jobs)


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
        if args.work is not None:
            write_text(args.work / "audit.txt", "\n".join(lines) + "\n")
    except (AuditError, ManifestError, OSError) as error:
        _stop(str(error), error)
    except SystemExit as error:  # a file that cannot be written
        _stop(str(error.code), error)
    except Exception as error:  # status 1 says that something differs, and nothing is known to
        _stop(f"{type(error).__name__}: {error}", error)
    print("\n".join([f"Audit of {args.manifest}", *lines]))
    raise SystemExit(status)


def _stop(message: str, error: BaseException) -> NoReturn:
    print(f"The audit cannot be run: {message}", file=sys.stderr)
    raise SystemExit(CANNOT_RUN) from error


if __name__ == "__main__":
    main()
