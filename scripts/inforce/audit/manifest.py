"""What a manifest holds: every file that a run's targets depend on, how each was made, and the stored responses that were used.

A manifest has no times, hosts or absolute paths: the same run in another folder, by another user, gives the same bytes. Outside data
is named `data/...`, wherever its folder lies.
"""

from __future__ import annotations

import json
import os.path
from pathlib import Path
from typing import Annotated, Any, Literal

import pyarrow as pa
from pydantic import AfterValidator, BaseModel, ConfigDict, ValidationError

from inforce.records.files import write_text

FORMAT = "inforce-manifest/1"

Kind = Literal["artefact", "config", "code", "data", "environment"]

# one row a use: a stored line may serve several files, a file uses one or more lines an item
STORED = pa.schema(
    [
        ("used_by", pa.string()),  # the answers or grades file
        ("store", pa.string()),  # folder of the response store: MODEL, or searches/MODEL
        ("name", pa.string()),  # sha256 of the request or of the search
        ("sha256", pa.string()),  # of the stored line's bytes, without its end of line
        ("seed", pa.int64()),  # sent with the request; null = none
    ]
)


class ManifestError(ValueError):
    """A manifest that cannot be made or read. The message names the file and the remedy."""


def inside(name: str) -> str:
    """A name that stays inside the folder it is joined to. Raises ValueError for any other: a manifest may come from anywhere."""
    odd = not name or "\0" in name or name.startswith(("/", "~", "-")) or name != os.path.normpath(name)
    if odd or ".." in Path(name).parts or name == ".":
        raise ValueError(f"{name!r} names no file inside the project")
    return name


FileName = Annotated[str, AfterValidator(inside)]


class _Record(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, protected_namespaces=())


class FileEntry(_Record):
    """One file: sha256 of its bytes (of a folder: of its listing), size in bytes, and what it is."""

    sha256: str
    size: int
    kind: Kind


class ModelUsed(_Record):
    """Who gave the responses behind a file, as the stored requests say."""

    checkpoint: str
    revision: str
    engine: str
    engine_args: list[str]


class Job(_Record):
    """One job: the rule that ran, on what, with what."""

    rule: str
    module: str  # room.rule, the module that ran; empty if the command names none
    code: str  # digest of the module and all it imports; empty if the rule has none
    params: list[str]
    inputs: list[FileName]
    outputs: list[FileName]
    image: str | None  # key in `images`; null = run without an image
    models: list[ModelUsed]
    n_responses: int


class Manifest(_Record):
    """A whole run."""

    format: str
    config: dict[str, Any]  # the top configuration, without what belongs to a machine
    targets: list[FileName]
    files: dict[FileName, FileEntry]
    jobs: list[Job]  # by first output
    modules: dict[str, list[FileName]]  # module -> files of the package that it runs
    images: dict[str, Any]  # entries of containers/images.lock that jobs ran in
    environment: dict[str, str]  # python and the installed packages, by name, of the environment that made the manifest
    stored: FileName  # the table of stored responses, beside the manifest
    stored_sha256: str
    n_stored: int

    def maker(self) -> dict[str, Job]:
        """The job that made each artefact."""
        return {output: job for job in self.jobs for output in job.outputs}


def write_manifest(path: Path, manifest: Manifest) -> None:
    """Write with sorted keys and a line an entry, so that two manifests can be compared with diff."""
    write_text(path, json.dumps(manifest.model_dump(mode="json"), sort_keys=True, ensure_ascii=False, indent=1) + "\n")


def read_manifest(path: Path) -> Manifest:
    """Raises ManifestError for a file that is missing, is no manifest, has another format, or names a file outside the project."""
    try:
        manifest = Manifest.model_validate_json(path.read_bytes())
    except FileNotFoundError as error:
        raise ManifestError(f"{path} does not exist; make it with: snakemake results/manifest.json") from error
    except ValidationError as error:
        raise ManifestError(f"{path} is not a manifest: {error.errors()[0]['msg']}, at {error.errors()[0]['loc']}") from error
    if Path(manifest.stored).name != manifest.stored:
        raise ManifestError(f"{path} names {manifest.stored} as its table of stored responses: the table lies beside the manifest")
    if manifest.format != FORMAT:
        raise ManifestError(f"{path} has format {manifest.format}, and this version reads {FORMAT}: use the version that wrote it")
    return manifest
