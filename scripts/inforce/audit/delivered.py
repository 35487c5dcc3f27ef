"""Whether a results folder, as it was handed over, is the one that a manifest tells of."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from inforce.audit.consistency import is_made_by_model
from inforce.audit.make_manifest import provenance_files
from inforce.audit.manifest import Manifest
from inforce.records.files import sha256_file

INDEX = "index.csv"
SHOWN = 10
# what rules make of a manifest, and what stands beside it
BESIDE = ("manifest.json", "manifest.stored.parquet", "manifest.sidecar.json", "ro-crate.zip", "release", "provenance")


class Delivered(NamedTuple):
    """What was compared: how many of the manifest's files were there, what differs in words, and files that the manifest does not name."""

    n_there: int
    wrong: list[str]
    others: list[str]


def check_delivered(manifest: Manifest, results: Path, manifest_file: Path) -> Delivered:
    """Compare all files that the manifest names, their provenance records, and the manifest that lies in the folder."""
    artefacts = sorted(manifest.maker())
    places = {name: results / name.removeprefix("results/") for name in artefacts}
    wrong = []
    for name, path in places.items():
        wrong += _wrong(path, manifest.files[name].sha256)
    records = provenance_files(manifest, INDEX)
    folder = results / "provenance"
    wrong += [words for name, text in sorted(records.items()) for words in _wrong_record(folder / name, text)] if folder.is_dir() else []
    if not folder.is_dir():
        wrong.append(f"{folder}: the provenance records were not handed over")
    own = results / "manifest.json"
    if own.is_file() and own.read_bytes() != manifest_file.read_bytes():
        wrong.append(f"{own}: the manifest handed over differs from the one of this audit")
    return Delivered(sum(path.is_file() for path in places.values()), wrong, _others(results, set(artefacts)))


def _wrong(path: Path, sha256: str) -> list[str]:
    if path.is_dir():
        return [f"{path}: a folder was handed over in the place of the file"]
    if not path.is_file():
        return [f"{path}: the file was not handed over"]
    return [f"{path}: the file handed over differs from the manifest"] if sha256_file(path) != sha256 else []


def _wrong_record(path: Path, text: str) -> list[str]:
    if not path.is_file():
        return [f"{path}: the provenance record was not handed over"]
    return [f"{path}: the provenance record differs from the manifest"] if path.read_bytes() != text.encode() else []


def _others(results: Path, artefacts: set[str]) -> list[str]:
    names = [path.relative_to(results) for path in sorted(results.rglob("*")) if path.is_file()]
    return [f"results/{name}" for name in names if f"results/{name}" not in artefacts and name.parts[0] not in BESIDE]


def compare_others(manifest: Manifest, delivered: Delivered, results: Path, work: Path) -> Delivered:
    """What the manifest does not name, against the run that was made again: jobs make files beside those that the targets need.

    Left over are files in the folders of a model's weights; any other that was not made, or with other bytes, is wrong.
    """
    weights = {str(Path(output).parent) for job in manifest.jobs if is_made_by_model(job) for output in job.outputs}
    wrong, left = [], []
    for name in delivered.others:
        path, again = results / name.removeprefix("results/"), work / name
        if again.is_file() and sha256_file(again) == sha256_file(path):
            continue
        if again.is_file():
            wrong.append(f"{path}: the file handed over differs from the one made again")
        elif str(Path(name).parent) in weights and name.startswith("results/models/"):
            left.append(name)
        else:
            wrong.append(f"{path}: the manifest does not name it, and nothing made it again")
    return delivered._replace(wrong=[*delivered.wrong, *wrong], others=left)


def shortened(words: list[str]) -> list[str]:
    """The first lines of a list, and how many more there are."""
    return [*words[:SHOWN], *([f"... and {len(words) - SHOWN} more"] if len(words) > SHOWN else [])]
