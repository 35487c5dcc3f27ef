# The only place with helper functions: configuration checked before anything runs, code identity, paths.

import csv
import functools
import os
import shlex
import sys
from pathlib import Path

import yaml
from snakemake.exceptions import WorkflowError

SCRIPTS = Path(workflow.basedir) / "scripts"
sys.path.insert(0, str(SCRIPTS))

from inforce.config.code import code_digest
from inforce.config.jurisdiction import Jurisdiction
from inforce.config.load import ConfigError, check_config, read_config
from inforce.config.model import Embedding, Judge, Model
from inforce.config.protocol import Protocol
from inforce.config.run import Config, data_root
from inforce.records.files import canonical_json

# The package is found by path and not installed; the interpreter is the one that runs Snakemake, unless an image brings its own.
# A prefix is no part of a rule's code: another folder re-runs nothing.
_in_image = bool(workflow.deployment_settings.deployment_method)
_path = "" if _in_image else f"export PATH={shlex.quote(str(Path(sys.executable).parent))}:$PATH; "
shell.prefix(f"set -euo pipefail; {_path}export PYTHONPATH={shlex.quote(str(SCRIPTS))} PYTHONHASHSEED=0 HF_HUB_OFFLINE=1 TOKENIZERS_PARALLELISM=false; ")


def _checked():
    """Read and check every configuration file that the runs name; one message with everything wrong."""
    named = " and ".join(str(path) for path in workflow.configfiles) or "--config"
    try:
        top = check_config(dict(config), Config, named)
    except ConfigError as error:
        raise WorkflowError(f"Configuration refused, nothing was run.\n{error}")
    files, wrong = {}, []

    def read(folder, name, kind):
        path = f"config/{folder}/{name}.yaml"
        if path not in files:
            try:
                files[path] = read_config(path, kind)
            except ConfigError as error:
                wrong.append(str(error))
                files[path] = None
        return files[path]

    for run in top.runs.values():
        read("jurisdictions", run.jurisdiction, Jurisdiction)
        protocol = read("protocols", run.protocol, Protocol)
        if protocol:
            read("embeddings", protocol.search.embedding, Embedding)
            judges = [read("judges", name, Judge) for name in protocol.panel]
            for name in [*protocol.models, *(judge.model for judge in judges if judge)]:
                read("models", name, Model)
    if wrong:
        raise WorkflowError("\n".join(["Configuration refused, nothing was run.", *dict.fromkeys(wrong)]))
    return top, files


CONFIG, FILES = _checked()
RUNS = CONFIG.runs


wildcard_constraints:
    run="|".join(RUNS),
    jurisdiction="[^/]+",
    model="[^/]+",
    setting="parametric|gold_current|gold_in_force|rag_current|rag_in_force",
    sample=r"\d+",
    judge="[^/]+",
    embedding="[^/]+",


def jurisdiction_of(run):
    return FILES[f"config/jurisdictions/{RUNS[run].jurisdiction}.yaml"]


def protocol_of(run):
    return FILES[f"config/protocols/{RUNS[run].protocol}.yaml"]


def model_file(name):
    return f"config/models/{name}.yaml"


def judge_model(judge):
    return FILES[f"config/judges/{judge}.yaml"].model


def is_local(model):
    return FILES[model_file(model)].via.kind == "local"


def protocol_file(wildcards):
    """The protocol's file. As an input it is ancient: another model or judge in it changes no answer; what does is in `asked_as`."""
    return f"config/protocols/{RUNS[wildcards.run].protocol}.yaml"


def asked_as(*keys):
    """Parameter function: the protocol's values of these keys, which decide what a step does."""
    return lambda wildcards: canonical_json(protocol_of(wildcards.run).model_dump(mode="json", include=set(keys)))


# Files and not their folder: a folder counts as changed whenever a file in it was touched.
WEIGHT_FILES = ("config.json", "model.safetensors", "tokenizer.json")


def weights(model):
    """The prepared weights of a local model; nothing for an endpoint, and nothing where no model is asked."""
    return [f"results/models/{model}/{name}" for name in WEIGHT_FILES] if is_local(model) and not CONFIG.stored_only else []


def weights_option(model):
    """The argument that names the folder of the prepared weights, where there are any."""
    return f"--weights results/models/{model}" if weights(model) else ""


def prompts(run, judge):
    """The prompt files of a run's task and language: the judge's, or all others."""
    folder = Path("config/prompts") / f"{RUNS[run].task}.{jurisdiction_of(run).language}"
    if not folder.is_dir():
        raise WorkflowError(f"{folder} does not exist: run {run} needs prompts for task {RUNS[run].task} in language {jurisdiction_of(run).language}")
    return sorted(str(file) for file in folder.glob("*.txt") if file.name.startswith("judge_") == judge)


def prompt_folder(run):
    return f"config/prompts/{RUNS[run].task}.{jurisdiction_of(run).language}"


def root_of(jurisdiction):
    """Folder of a jurisdiction's data. Outside data lies under INFORCE_DATA or data_root."""
    entry = FILES[f"config/jurisdictions/{jurisdiction}.yaml"]
    return str(Path(data_root(CONFIG)) / entry.root) if entry.outside_data else entry.root


def source_files(jurisdiction, what):
    """The source files of a jurisdiction, with one clear sentence where outside data is not there."""
    entry = FILES[f"config/jurisdictions/{jurisdiction}.yaml"]
    law = [entry.sections.file, *([entry.laws_file] if entry.laws_file else [])]
    questions = [entry.question_set.file] if entry.question_set else []
    names = {"law": law, "decisions": [entry.decisions.file, *law], "questions": questions}[what]
    paths = [Path(root_of(jurisdiction)) / name for name in names]
    absent = [str(path) for path in paths if not path.exists()]
    if absent:
        raise WorkflowError(
            f"Data of jurisdiction {jurisdiction} not found: {', '.join(absent)}. {entry.terms.strip().rstrip('.')}. "
            "Put it there, or set data_root in the configuration or the variable INFORCE_DATA to the folder that holds it (see data/README.md)."
        )
    return [str(path) for path in paths]


def cells(run):
    """All model × setting × sample names of a run."""
    protocol = protocol_of(run)
    return [
        f"{run}/{model}/{setting}/{sample}" for model in protocol.models for setting in protocol.settings for sample in range(1, protocol.n_samples(model) + 1)
    ]


def splits(run):
    """The splits file that the run's items are selected by; nothing where all items are asked."""
    return [] if protocol_of(run).split == "all" else [f"results/items/{RUNS[run].jurisdiction}/splits.csv"]


def splits_option(run):
    """The argument that names the splits file, where there is one."""
    return "".join(f"--splits {name}" for name in splits(run))


def of_cells(pattern, settings=None):
    """Input function: the pattern for every cell of the wildcard run, or for those of some settings."""
    return lambda wildcards: [pattern.format(cell=cell) for cell in cells(wildcards.run) if settings is None or cell.split("/")[2] in settings]


def label_files(wildcards):
    """What is known of the amendments of a run's jurisdiction: the labels that people wrote, where there are any."""
    written = f"config/labels/{RUNS[wildcards.run].jurisdiction}.csv"
    return [written] if Path(written).is_file() else []


def splits_of(wildcards):
    """The splits of a run's jurisdiction."""
    return f"results/items/{RUNS[wildcards.run].jurisdiction}/splits.csv"


INDEX_FILES = {"vectors": "vectors.npy", "versions": "versions.json", "index": "index.bin"}


def index(wildcards):
    """The files of the search index of a run; none where every search is stored, for an embedding model is a model too."""
    folder = f"results/retrieval/{RUNS[wildcards.run].jurisdiction}/{protocol_of(wildcards.run).search.embedding}"
    return [] if CONFIG.stored_only else [f"{folder}/{name}" for name in INDEX_FILES.values()]


def index_options(wildcards):
    """The arguments that name these files."""
    return " ".join(f"--{what} {file}" for what, file in zip(INDEX_FILES, index(wildcards)))


def seats(wildcards):
    """The grades files of a panel, one a seat; a judge that fills several seats is read as often."""
    folder = f"results/grades/{wildcards.run}/{wildcards.model}/{wildcards.setting}/{wildcards.sample}"
    return [f"{folder}/{judge}.jsonl" for judge in protocol_of(wildcards.run).panel]


def problem_files(wildcards):
    """problems.csv of every stage that read foreign data, in the order of the stages."""
    jurisdiction = RUNS[wildcards.run].jurisdiction
    return [
        f"results/corpus/{jurisdiction}/law_problems.csv",
        f"results/corpus/{jurisdiction}/decision_problems.csv",
        f"results/drift/{jurisdiction}/problems.csv",
        f"results/drift/{jurisdiction}/question_set_problems.csv",
        f"results/items/{jurisdiction}/problems.csv",
    ]


def notes(wildcards):
    """Warnings above the results: the protocol's, and the terms of outside data."""
    entry = jurisdiction_of(wildcards.run)
    notes = [protocol_of(wildcards.run).note, entry.terms if entry.outside_data else ""]
    return [word for note in notes if note for word in ("--note", note)]


def all_grades(wildcards):
    """Each judge's file once; the lexical floor comes with the scores."""
    judges = dict.fromkeys(protocol_of(wildcards.run).panel)
    return [f"results/grades/{cell}/{judge}.jsonl" for cell in cells(wildcards.run) for judge in judges]


# Every table (csv, md, tex) and figure (png, svg) that a run makes, under results/report/{run}/.
TABLES = [
    "table01_drift_by_court",
    "table02_audit_counts",
    "table03_audit",
    "table04_question_set",
    "table07_settings",
    "table08_gain",
]
FIGURES = [
    "figure02_drift",
    "figure06_leaderboard",
]


def all_tables():
    """All tables and figures of all runs, in all their forms."""
    names = [f"{name}.{form}" for name in TABLES for form in ("csv", "md", "tex")] + [f"{name}.{form}" for name in FIGURES for form in ("png", "svg")]
    return [f"results/report/{run}/{name}" for run in RUNS for name in names]


def image(name):
    """File of an image, named by its digest, from containers/images.lock. Only runs with --sdm apptainer use it."""
    lock = Path("containers/images.lock")
    if lock.is_file():
        return yaml.safe_load(lock.read_text(encoding="utf-8"))[name]["file"]
@functools.cache
def _price_rows():
    with open("config/prices.csv", encoding="utf-8", newline="") as handle:
        return list(csv.reader(handle))


def price_rows(wildcards):
    """Parameter function: the rows of the model's own price. The file is ancient: another model's price changes no score."""
    key = FILES[model_file(wildcards.model)].price
    return canonical_json([row for row in _price_rows() if row and row[0] == key])


    if _in_image:
        raise WorkflowError("containers/images.lock does not exist, so there is no image to run in: start without --sdm apptainer")
    return f"containers/{name}.sif"


def code(module):
    """Code identity of a step: a digest of its module and all it imports, see inforce.config.code."""
    return code_digest(SCRIPTS, module)
