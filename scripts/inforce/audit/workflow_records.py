"""What Snakemake recorded of each file that it made: rule, inputs, parameters, command, image, times (.snakemake/metadata).

One JSON file an output, named by the output's path in URL-safe base64, cut into folders that begin with @ where it is too long for a
file name. This is the layout of Snakemake's default (file) persistence, record format 6.
"""

from __future__ import annotations

import ast
import hashlib
import json
import os
import re
from base64 import urlsafe_b64encode
from pathlib import Path
from typing import NamedTuple

from inforce.audit.manifest import ManifestError

_MODULE = re.compile(r"python -m inforce\.([a-z_]+\.[a-z0-9_]+) ")
_DIGEST = re.compile(r"[0-9a-f]{64}")
_NO_IMAGE = hashlib.md5(usedforsecurity=False).hexdigest()  # Snakemake's hash of an empty software stack


class MadeBy(NamedTuple):
    """How one file was made. `params` without the code digest; `image` is the image's path, null if the job ran without one."""

    rule: str
    module: str
    code: str
    params: list[str]
    inputs: list[str]
    image: str | None
    command: str
    log: list[str]
    start: float | None
    end: float | None
    job_id: str | None


def record_path(folder: Path, output: str, longest: int | None = None) -> Path:
    """Where Snakemake keeps the record of an output. longest: of a file name; null = as the file system says."""
    longest = longest or os.pathconf(folder, "PC_NAME_MAX") or 255
    name = urlsafe_b64encode(output.encode()).decode()
    parts = [name[start : start + longest - 1] for start in range(0, len(name), longest - 1)]
    return folder.joinpath(*(f"@{part}" for part in parts[:-1]), parts[-1])


def read_record(folder: Path, output: str) -> MadeBy | None:
    """The record of an output; null if there is none, so that it is a source. Raises ManifestError for one that cannot be read."""
    path = record_path(folder, output)
    if not path.is_file():
        return None
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
        return _made_by(record)
    except (ValueError, KeyError, TypeError, SyntaxError) as error:
        raise ManifestError(f"{path}, Snakemake's record of {output}, cannot be read ({error}): make the file again") from error


def _made_by(record: dict[str, object]) -> MadeBy:
    command = str(record["shellcmd"] or "")
    module = _MODULE.search(command)
    values = [ast.literal_eval(value) for value in _strings(record["params"])]
    texts = sorted(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str) for value in values)
    codes = [text for text in texts if _DIGEST.fullmatch(text)]
    return MadeBy(
        rule=str(record["rule"]),
        module=module[1] if module else "",
        code=codes[0] if codes else "",
        params=[text for text in texts if text and text not in codes[:1]],
        inputs=_strings(record["input"]),
        image=str(record["container_img_url"]) if record.get("software_stack_hash") != _NO_IMAGE else None,
        command=command,
        log=_strings(record.get("log")),
        start=_number(record.get("starttime")),
        end=_number(record.get("endtime")),
        job_id=str(record["external_jobid"]) if record.get("external_jobid") else None,
    )


def _strings(value: object) -> list[str]:
    return [str(entry) for entry in value] if isinstance(value, list) else []


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) else None


def walk(folder: Path, targets: list[str]) -> tuple[dict[str, MadeBy], list[str]]:
    """Every file that the targets depend on: those that were made, with their records, and the sources.

    Raises ManifestError for a file under results/ of which Snakemake has no record: nobody can say where it comes from.
    """
    made: dict[str, MadeBy] = {}
    sources: set[str] = set()
    waiting = list(targets)
    while waiting:
        path = waiting.pop()
        if path in made or path in sources:
            continue
        record = read_record(folder, path)
        if record is not None:
            made[path] = record
            waiting.extend(record.inputs)
        elif path.startswith("results/"):
            raise ManifestError(
                f"there is no record of how {path} was made (its record is missing from {folder}): remove the file and run snakemake again"
            )
        else:
            sources.add(path)
    return made, sorted(sources)
