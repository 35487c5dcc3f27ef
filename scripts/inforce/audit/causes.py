"""Why a file differs: the first cause upstream in the graph of a manifest."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import NamedTuple

from inforce.audit.manifest import Job, Manifest


class Findings(NamedTuple):
    """What an audit found to differ. The words of each entry say what differs, e.g. `config/prices.csv differs`."""

    sources: Mapping[str, str]  # file of the project or of the data -> words
    stored: Mapping[str, list[str]]  # answers or grades file -> words, one a stored line that it used
    jobs: Mapping[str, str]  # artefact -> words: what of its job was not as the manifest says
    artefacts: Mapping[str, str]  # artefact -> words (differs, could not be made)
    environment: list[str]  # packages with other versions
    spare: Mapping[str, list[str]] = MappingProxyType({})  # answers or grades file -> lines that claim a name it used and do not count


def chains(manifest: Manifest, findings: Findings) -> dict[str, list[str]]:
    """For each artefact that differs the words from itself up to the first cause, in the order of the artefacts' names.

    The way up goes through the input that stands earliest in the graph; where no input differs, the cause is one of the file's own: a
    source, a stored response, its code, its job. A last resort are rules, lines of the store that should not have been read, packages,
    and that the file is not reproducible or the manifest not the run's.
    """
    maker = manifest.maker()

    @cache
    def rank(artefact: str) -> int:
        return 1 + max((rank(name) for name in maker[artefact].inputs if name in maker), default=0)

    @cache
    def chain(artefact: str) -> tuple[str, ...]:
        job, here = maker[artefact], findings.artefacts[artefact]
        if above := sorted((name for name in job.inputs if name in findings.artefacts), key=lambda name: (rank(name), name)):
            return (here, *chain(above[0]))
        return (here, own_cause(manifest, job, artefact, findings))

    return {artefact: list(chain(artefact)) for artefact in sorted(findings.artefacts)}


def own_cause(manifest: Manifest, job: Job, artefact: str, findings: Findings) -> str:
    """What of a file's own differs, where none of the files that it was made from does."""
    if own := [findings.sources[name] for name in job.inputs if name in findings.sources]:
        return own[0]
    if stored := findings.stored.get(artefact):
        return stored[0]
    if code := [findings.sources[name] for name in manifest.modules.get(job.module, []) if name in findings.sources]:
        return code[0]
    config = [words for name, words in sorted(findings.sources.items()) if name.startswith("config/")]
    if artefact in findings.jobs:
        return f"{config[0]} ({findings.jobs[artefact]})" if config else findings.jobs[artefact]
    if rules := [words for name, words in sorted(findings.sources.items()) if name.startswith("rules/") or name == "Snakefile"]:
        return rules[0]
    if spare := findings.spare.get(artefact):
        return f"{spare[0]}; it does not count, and the project's code may have read it"
    others = "the stored responses or the manifest are not those of the run"
    if findings.environment:
        return f"the environment differs ({', '.join(findings.environment[:5])}), or {others}"
    return f"all that it was made from is the same: it is not reproducible here, or {others}"


def first_causes(found: dict[str, list[str]]) -> dict[str, list[str]]:
    """Each first cause with the artefacts that differ because of it."""
    grouped: dict[str, list[str]] = {}
    for artefact, words in found.items():
        grouped.setdefault(words[-1], []).append(artefact)
    return grouped
