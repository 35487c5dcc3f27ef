"""Whether a manifest fits itself, the project's files and the stored lines that it names, before anything is made again.

A manifest comes from whoever made the run. What it says twice must agree, and what the project or the store says as well must agree
with them: then an audit that makes everything again has left nothing out. Each finding is a sentence; one is enough not to audit.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from fnmatch import fnmatch
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq
import yaml

from inforce.audit.manifest import STORED, FileEntry, Job, Manifest, ManifestError, inside
from inforce.audit.stored_lines import Held, models_of
from inforce.config.code import code_digest, code_files
from inforce.records.files import sha256_file

# what these make needs a model, and what it was used for is stored: the places of their outputs, and of nothing else
MADE_BY_MODEL = {
    "models.prepare_model": "results/models/[^/]+/[^/]+",
    "retrieval.embed_sections": "results/retrieval/[^/]+/[^/]+/(vectors.npy|versions.json)",
    "retrieval.build_index": "results/retrieval/[^/]+/[^/]+/index.bin",
}
# what these make comes from stored responses or searches
FROM_STORE = ("answers.answer_items", "grades.grade_answers", "retrieval.measure_retrieval")
PLACES = {
    "code": ("Snakefile", "rules/*", "scripts/inforce/*", "profiles/*", "containers/check_images.py"),
    "environment": ("envs/*.txt", "containers/*.lock", "containers/*.def", "containers/*.sh"),
    "config": ("config/*",),
    "artefact": ("results/*",),
}
LOCK = "containers/images.lock"
_RULE = re.compile(r"^rule (\w+):\n(.*?)(?=^\S|\Z)", re.M | re.S)
_INCLUDED = re.compile(r'^include: "([^"]+)"', re.M)
_RUNS = re.compile(r"python -m inforce\.([a-z_]+\.[a-z0-9_]+) ")


class Use(NamedTuple):
    """A row of the table of stored responses."""

    used_by: str
    store: str
    name: str
    sha256: str
    seed: int | None


def is_made_by_model(job: Job) -> bool:
    """Whether an audit cannot make a job's files again, because a model does. Its module says so, and the place of all its outputs."""
    place = MADE_BY_MODEL.get(job.module)
    return place is not None and all(re.fullmatch(place, output) for output in job.outputs)


def check_manifest(manifest: Manifest) -> list[str]:
    """What does not fit within the manifest alone."""
    found = [*_graph(manifest), *_kinds(manifest)]
    for job in manifest.jobs:
        found += _job(manifest, job)
    if manifest.modules.keys() != {job.module for job in manifest.jobs}:
        found.append("the modules whose files it lists are not those of its jobs")
    return [*found, *_images(manifest)]


def _graph(manifest: Manifest) -> list[str]:
    artefacts = {name for name, entry in manifest.files.items() if entry.kind == "artefact"}
    outputs = [output for job in manifest.jobs for output in job.outputs]
    found = [f"{name} is the output of {outputs.count(name)} jobs" for name in sorted(set(outputs)) if outputs.count(name) > 1]
    found += [f"{name} is an artefact and the output of no job" for name in sorted(artefacts.difference(outputs))]
    found += [f"{name} is the output of a job and no artefact among the files" for name in sorted(set(outputs) - artefacts)]
    found += [f"target {name} is no artefact" for name in sorted(set(manifest.targets) - artefacts)]
    found += [f"{name} is an input and not among the files" for job in manifest.jobs for name in job.inputs if name not in manifest.files]
    if not manifest.targets:
        found.append("it has no targets, so that nothing would be made")
    return found or _order(manifest, artefacts)


def _order(manifest: Manifest, artefacts: set[str]) -> list[str]:
    """Files of a graph in which every file has its job: none is made from itself, and all are there for the targets."""
    maker = manifest.maker()
    done: set[str] = set()
    waiting = sorted(artefacts)
    while ready := [name for name in waiting if all(above in done or above not in maker for above in maker[name].inputs)]:
        done.update(ready)
        waiting = [name for name in waiting if name not in done]
    if waiting:
        return [f"{waiting[0]} is made from itself"]
    reached, ahead = set[str](), list(manifest.targets)
    while ahead:
        name = ahead.pop()
        if name in maker and name not in reached:
            reached.add(name)
            ahead += maker[name].inputs
    found = [f"no target is made from {name}" for name in sorted(artefacts - reached)]
    return found + [f"target {name} is made by a model" for name in manifest.targets if is_made_by_model(maker[name])]


def _kinds(manifest: Manifest) -> list[str]:
    inputs = {name for job in manifest.jobs for name in job.inputs}
    found = []
    for name, entry in sorted(manifest.files.items()):
        if entry.kind != kind_of(name):
            found.append(f"{name} stands there as {entry.kind}, and its place is that of {kind_of(name)}")
        elif entry.kind == "data" and (name not in inputs or name.startswith(".")):
            found.append(f"{name} stands there as data, and no job reads it")
    return found


def kind_of(name: str) -> str:
    """What a file is, by its place."""
    return next((kind for kind, patterns in PLACES.items() if any(fnmatch(name, pattern) for pattern in patterns)), "data")


def _job(manifest: Manifest, job: Job) -> list[str]:
    if not job.outputs:
        return [f"a job of rule {job.rule} has no output"]
    what = job.outputs[0]
    found = []
    if job.rule != job.module.rpartition(".")[2]:
        found.append(f"{what} was made by rule {job.rule} and module {job.module or 'none'}: a rule runs the module of its name")
    if job.module in MADE_BY_MODEL and not is_made_by_model(job):
        found.append(f"{what} is not what {job.module} makes: it would not be made again")
    if (job.models or job.n_responses) and job.module not in FROM_STORE:
        found.append(f"{what} has stored responses behind it, and {job.module} uses none")
    if job.image is not None and job.image not in manifest.images:
        found.append(f"{what} was made in image {job.image}, which is not among the images")
    listed = manifest.modules.get(job.module, [])
    found += [f"{name}, which {job.module} runs, is not among the files" for name in listed if name not in manifest.files]
    return found


def _images(manifest: Manifest) -> list[str]:
    used = {job.image for job in manifest.jobs}
    found = [f"image {name} was used by no job" for name in sorted(manifest.images) if name not in used]
    for name, entry in sorted(manifest.images.items()):
        if not isinstance(entry, dict) or not all(isinstance(entry.get(key), str) for key in ("file", "sha256")):
            found.append(f"image {name} has no file and sha256")
        elif not _is_image_file(entry["file"]):
            found.append(f"image {name} is {entry['file']!r}, which is no file in containers/")
    return found


def _is_image_file(name: str) -> bool:
    try:
        return Path(inside(name)).parent == Path("containers")
    except ValueError:
        return False


def read_uses(manifest: Manifest, table: Path) -> list[Use]:
    """The rows of the table of stored responses. Raises ManifestError for another table, one that is damaged, or odd names in it."""
    if not table.is_file() or sha256_file(table) != manifest.stored_sha256:
        raise ManifestError(f"{table} is not the table of stored responses that the manifest names: bring the one that was made with it")
    try:
        read = pq.read_table(table)
        if not read.schema.equals(STORED):
            raise ManifestError(f"{table} has other columns than a table of stored responses")
        uses = [Use(**row) for row in read.to_pylist()]
    except (pa.ArrowException, OSError, ValueError, TypeError) as error:
        raise ManifestError(f"{table} cannot be read: {error}") from error
    for use in uses:
        try:
            if not all(isinstance(value, str) for value in use[:4]):
                raise ValueError("a cell is empty")
            inside(use.store)
        except ValueError as error:
            raise ManifestError(f"{table} names the store {use.store!r}, which is no folder of a response store") from error
    return uses


def check_uses(manifest: Manifest, uses: list[Use], is_made_again: bool) -> list[str]:
    """What does not fit between the manifest and its table.

    is_made_again: files are made again afterwards, which shows how many responses stand behind each; else one without any is refused.
    """
    rows: dict[str, int] = defaultdict(int)
    digests: dict[tuple[str, str], set[str]] = defaultdict(set)
    for use in uses:
        rows[use.used_by] += 1
        digests[(use.store, use.name)].add(use.sha256)
    found = []
    if manifest.n_stored != len(uses):
        found.append(f"it counts {manifest.n_stored} uses of stored responses, and its table has {len(uses)}")
    if len({(use.used_by, use.store, use.name) for use in uses}) != len(uses):
        found.append("its table names one use of a stored response twice")
    found += [f"its table gives the stored response {name} two digests" for (_, name), two in digests.items() if len(two) > 1]
    maker = manifest.maker()
    found += [f"its table has stored responses behind {name}, which is no artefact" for name in sorted(rows) if name not in maker]
    for job in manifest.jobs:
        n = sum(rows[output] for output in job.outputs)
        if n != job.n_responses:
            found.append(f"{job.outputs[0]} has {job.n_responses} stored responses behind it, and {n} in the table")
        elif job.module in FROM_STORE and not n and not is_made_again:
            found.append(
                f"no stored response stands behind {job.outputs[0]}; only an audit that makes it again can tell whether any should"
            )
    return found


def check_held(manifest: Manifest, uses: list[Use], held: Mapping[tuple[str, str], Held]) -> list[str]:
    """What the manifest and its table say otherwise than the stored lines: seeds, models and their revisions.

    held: what the store holds, by store and name. Lines that are missing or differ are left out, they are named elsewhere.
    """
    found = []
    by_file: dict[str, list[Held | None]] = defaultdict(list)
    for use in uses:
        line = held.get((use.store, use.name))
        line = line if line and line.sha256 == use.sha256 else None
        by_file[use.used_by].append(line)
        if line and line.seed != use.seed:
            found.append(f"its table gives {use.name} the seed {use.seed}, and {line.seed} was sent")
    for job in manifest.jobs:
        lines = [line for output in job.outputs for line in by_file[output]]
        whole = [line for line in lines if line]
        if len(whole) == len(lines) and models_of(whole) != job.models:
            said, there = _models(job.models), _models(models_of(whole))
            found.append(f"{job.outputs[0]} was made with {said} by the manifest, and with {there} by the stored responses")
    return found


def _models(models: Iterable[Any]) -> str:
    return ", ".join(f"{model.checkpoint} {model.revision} ({model.engine})" for model in models) or "no model"


def check_project(manifest: Manifest, project: Path, differs: Iterable[str]) -> list[str]:
    """What the manifest says otherwise than the project's files that it was made with.

    differs: files of the project that are not those of the manifest. They are named elsewhere, and nothing is concluded from them.
    """
    changed = set(differs)
    return [*_rules(manifest, project, changed), *_code(manifest, project, changed), *_configured(manifest, project, changed)]


def _rules(manifest: Manifest, project: Path, changed: set[str]) -> list[str]:
    if any(name.startswith("rules/") or name == "Snakefile" for name in changed):
        return []
    runs = {}
    for path in sorted((project / "rules").glob("*.smk")):
        for rule, body in _RULE.findall(path.read_text(encoding="utf-8")):
            runs[rule] = next(iter(_RUNS.findall(body)), "")
    found = [f"it has no file {name}" for name in _needed(project) if name not in manifest.files]
    wrong = sorted({(job.rule, job.module) for job in manifest.jobs if runs.get(job.rule) != job.module})
    return found + [f"no rule {rule} of the project runs {module or 'no module'}" for rule, module in wrong]


def _needed(project: Path) -> list[str]:
    """The Snakefile and what it includes."""
    return ["Snakefile", *_INCLUDED.findall((project / "Snakefile").read_text(encoding="utf-8"))]


def _code(manifest: Manifest, project: Path, changed: set[str]) -> list[str]:
    found = []
    scripts = project / "scripts"
    digests = {(job.module, job.code) for job in manifest.jobs}
    for module, code in sorted(digests):
        try:
            files = [str(path.relative_to(project)) for path in code_files(scripts, module)] if _is_module(module) else []
        except (SyntaxError, ValueError):
            files = list(changed)  # a file that is no Python any more: where none was changed it does not fit
        if changed.intersection(files) or changed.intersection(manifest.modules.get(module, [])):
            continue
        if files != manifest.modules.get(module):
            found.append(f"the files that it lists for {module} are not those that {module} runs")
        elif code_digest(scripts, module) != code:
            found.append(f"the code digest of {module} is {code[:12] or 'none'}, and that of its files {code_digest(scripts, module)[:12]}")
    return found


def _is_module(module: str) -> bool:
    return re.fullmatch(r"[a-z_]+\.[a-z0-9_]+", module) is not None


def _configured(manifest: Manifest, project: Path, changed: set[str]) -> list[str]:
    found = []
    for job in manifest.jobs:
        for name in job.inputs:
            if job.models and name.startswith("config/models/") and name not in changed:
                written = _yaml(project / name)
                said = {(str(written.get("checkpoint")), str(written.get("revision")))} if isinstance(written, dict) else set()
                if {(model.checkpoint, model.revision) for model in job.models} != said:
                    found.append(f"{job.outputs[0]} was made with {_models(job.models)} by the manifest, and {name} names another")
    lock = _yaml(project / LOCK) if LOCK in manifest.files and LOCK not in changed else None
    if isinstance(lock, dict):
        found += [f"image {name} is not the one of {LOCK}" for name, entry in sorted(manifest.images.items()) if lock.get(name) != entry]
    return found


def _yaml(path: Path) -> Any:
    try:
        return yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, yaml.YAMLError):
        return None


def file_place(name: str, entry: FileEntry, project: Path, data: Path) -> Path:
    """Where an auditor has a file: outside data in the data folder, all else in the project."""
    return data / name.removeprefix("data/") if entry.kind == "data" and name.startswith("data/") else project / name
