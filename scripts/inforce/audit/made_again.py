"""Whether a run that was made again is the one that a manifest tells of: its files, its jobs, and the stored responses behind them.

Snakemake recorded anew how each file was made, from the project's own rules. So nothing that the manifest says of a job is taken on
trust: rule, module, code, parameters, inputs and image are compared with the new record, and the responses with the new file.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

from inforce.audit.consistency import FROM_STORE, Use, is_made_by_model
from inforce.audit.make_manifest import Names, deciding
from inforce.audit.manifest import Job, Manifest, ManifestError
from inforce.audit.stored_lines import SEARCHES, Held, requests_of, usual_file
from inforce.audit.workflow_records import MadeBy, read_record
from inforce.records.files import sha256_file


def rebuilt(manifest: Manifest) -> list[str]:
    """The artefacts that an audit makes again."""
    return sorted(output for job in manifest.jobs for output in job.outputs if not is_made_by_model(job))


def compare_files(manifest: Manifest, work: Path) -> dict[str, str]:
    """Artefacts that differ from the manifest or could not be made again, in words."""
    wrong = {}
    for artefact in rebuilt(manifest):
        path, entry = work / artefact, manifest.files[artefact]
        if not path.is_file():
            wrong[artefact] = f"{artefact} could not be made"
        elif sha256_file(path) != entry.sha256:
            wrong[artefact] = f"{artefact} differs"
        elif path.stat().st_size != entry.size:
            wrong[artefact] = f"{artefact} differs from the size in the manifest"
    return wrong


def compare_jobs(manifest: Manifest, work: Path, data: Path) -> dict[str, str]:
    """Artefacts whose job was another one when it was made again, in words. data: the folder of outside data."""
    names, records = Names(work, data.absolute()), work / ".snakemake" / "metadata"
    maker = manifest.maker()
    not_made = {name for name, job in maker.items() if is_made_by_model(job)}
    wrong = {}
    for artefact in rebuilt(manifest):
        if not (work / artefact).is_file():
            continue
        record = read_record(records, artefact) if records.is_dir() else None
        words = _job_differs(manifest, maker[artefact], record, names, not_made) if record else f"nothing recorded how {artefact} was made"
        if words:
            wrong[artefact] = words
    return wrong


def _job_differs(manifest: Manifest, job: Job, record: MadeBy, names: Names, not_made: set[str]) -> str:
    if (job.rule, job.module) != (record.rule, record.module):
        return f"rule {job.rule} ({job.module}) in the manifest is {record.rule} ({record.module})"
    if (now := deciding(record.params, names)) != job.params:
        gone = ", ".join(param for param in job.params if param not in now) or "nothing"
        new = ", ".join(param for param in now if param not in job.params) or "nothing"
        return f"a parameter of {job.rule} was {_short(gone)} and is {_short(new)}"
    inputs = {names.of(name) for name in record.inputs} - not_made
    if odd := sorted(inputs.symmetric_difference(set(job.inputs) - not_made)):
        return f"input {odd[0]} of {job.rule} is {'not in the manifest' if odd[0] in inputs else 'in the manifest only'}"
    if job.code != record.code:
        return f"the code digest of {job.rule} was {job.code[:12]} and is {record.code[:12]}"
    # where nothing may be asked, a job that a model's own image served runs in the image of all others
    if record.image and job.module not in FROM_STORE and Path(record.image).name != _image_file(manifest, job):
        return f"the image of {job.rule} was {job.image or 'none'} and is {Path(record.image).name}"
    return ""


def _image_file(manifest: Manifest, job: Job) -> str:
    return Path(manifest.images[job.image]["file"]).name if job.image else ""


def _short(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:77]}..."


def compare_uses(manifest: Manifest, uses: list[Use], held: Mapping[tuple[str, str], Held], work: Path) -> dict[str, str]:
    """Artefacts that were made again from other stored responses or searches than the table names, in words.

    held: what the store holds, by store and name. Of the searches by which a search was measured only those in the table are known.
    """
    named: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for use in uses:
        named[use.used_by].add((use.store, use.name))
    wrong = {}
    for job in manifest.jobs:
        for output in job.outputs:
            if (work / output).is_file() and output.endswith(".jsonl") and usual_file(output, ""):
                words = _uses_differ(output, named[output], held, work)
                if words:
                    wrong[output] = words
    return wrong


def _uses_differ(output: str, named: set[tuple[str, str]], held: Mapping[tuple[str, str], Held], work: Path) -> str:
    try:
        records = list(requests_of(work / output))
        asked = {name for record in records for name in record.get("request_sha256") or []}
        found = {(search["query"], tuple(search["version_uris"])) for record in records for search in record.get("search_trace") or []}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ManifestError(f"{work / output} cannot be read ({error})") from error
    requests = {name for store, name in named if not store.startswith(SEARCHES)}
    if odd := asked ^ requests:
        return f"{len(odd)} stored responses behind {output} are not those of the manifest's table, e.g. {min(odd)[:12]}..."
    traces = {held[use].trace for use in named if use[0].startswith(SEARCHES) and use in held}
    if odd_traces := found ^ traces:
        return f"{len(odd_traces)} stored searches behind {output} are not those of the manifest's table"
    return ""
