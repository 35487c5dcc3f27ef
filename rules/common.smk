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
sys.path[:0] = [str(SCRIPTS), str(Path(workflow.basedir) / "containers")]

from check_images import check_images, image_name
from inforce.config.code import code_digest
from inforce.config.jurisdiction import Jurisdiction
from inforce.config.load import ConfigError, check_config, read_config
from inforce.config.model import Embedding, Judge, Model
from inforce.config.protocol import Protocol
from inforce.config.release import ReleaseSettings
from inforce.config.run import Config, bind_folders, data_root
from inforce.config.site import read_site
from inforce.records.files import braced, canonical_json, sha256_file, sha256_json

# The package is found by path and not installed; the interpreter is the one that runs Snakemake, unless an image brings its own.
# A prefix is no part of a rule's code: another folder re-runs nothing.
_in_image = bool(workflow.deployment_settings.deployment_method)
_path = "" if _in_image else f"export PATH={shlex.quote(str(Path(sys.executable).parent))}:$PATH; "
shell.prefix(f"set -euo pipefail; {_path}export PYTHONPATH={shlex.quote(str(SCRIPTS))} PYTHONHASHSEED=0 HF_HUB_OFFLINE=1 TOKENIZERS_PARALLELISM=false; ")

try:
    SITE = read_site()
except ConfigError as error:
    raise WorkflowError(f"Configuration refused, nothing was run.\n{error}")
# Jobs go to a scheduler, which is told what they need beyond cores, memory and time.
ON_CLUSTER = workflow.resource_settings.nodes is not None

# What jobs and images see of this machine: folders, the model cache, and GPUs where the job was given some.
os.environ.update(SITE.environment(dict(os.environ), Path.home()))


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

bind_folders(CONFIG)


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


def protocol_file(wildcards):
    """The protocol's file. As an input it is ancient: another model or judge in it changes no answer; what does is in `asked_as`."""
    return f"config/protocols/{RUNS[wildcards.run].protocol}.yaml"


def asked_as(*keys):
    """Parameter function: the protocol's values of these keys, which decide what a step does."""
    return lambda wildcards: canonical_json(protocol_of(wildcards.run).model_dump(mode="json", include=set(keys)))


def model_file(name):
    return f"config/models/{name}.yaml"


def judge_model(judge):
    return FILES[f"config/judges/{judge}.yaml"].model


def refuse_unfilled(jobs):
    """One message before anything runs, if a job would ask a model whose revision is still to be filled in."""
    asks = {"answer_items": lambda job: job.wildcards.model, "grade_answers": lambda job: judge_model(job.wildcards.judge)}
    names = sorted({asks[job.rule.name](job) for job in jobs if job.rule.name in asks and not CONFIG.stored_only})
    if unfilled := [model_file(name) for name in names if not FILES[model_file(name)].is_filled]:
        raise WorkflowError(
            "Models to be asked have no revision yet, nothing was run. Fill in revision (and checkpoint, if it is called otherwise there) in:\n  "
            + "\n  ".join(unfilled)
        )


def has_own_weights(model):
    """True for a model whose weights an installed package carries."""
    return getattr(FILES[model_file(model)].via, "package", None) is not None


def gpus(model):
    """GPUs that share a model which a job serves itself."""
    via = FILES[model_file(model)].via
    return via.tensor_parallel if via.kind == "vllm" and via.device == "gpu" and not CONFIG.stored_only else 0


def image_of(model):
    """The image of a job that asks a model: its own server's, or the one of all CPU stages."""
    via = FILES[model_file(model)].via
    return image("cpu" if via.kind != "vllm" or CONFIG.stored_only else "vllm" if via.device == "gpu" else "vllm-cpu")


def gres(model):
    """What is asked of the scheduler: GPUs by tensor-parallel degree; nothing without any."""
    return SITE.gres(gpus(model)) if ON_CLUSTER and gpus(model) else None


def partition(model):
    """Where a job that asks a model runs."""
    return (SITE.partitions.gpu if gpus(model) else SITE.partitions.cpu) if ON_CLUSTER else None


def cores_of(model):
    """Writing with a local model gains little from a second thread, and two jobs at once gain twice; a server feeds its GPUs."""
    via = FILES[model_file(model)].via
    return gpus(model) * SITE.cpus_per_gpu or (2 if via.kind == "vllm" else 1)


def cpus(model):
    """Cores asked of the scheduler; `threads` would be cut to the cores of the machine that submits."""
    return cores_of(model) if ON_CLUSTER else None


def memory_of(model, attempt):
    """Main memory in MB; a job that ran out of it gets as much again."""
    return (gpus(model) * SITE.memory_mb_per_gpu or 8000) * attempt


def runtime_of(model):
    """Minutes; a job that needs more is started again and resumes."""
    return SITE.gpu_runtime if gpus(model) else 1440


# Files and not their folder: a folder counts as changed whenever a file in it was touched.
WEIGHT_FILES = ("config.json", "model.safetensors", "tokenizer.json")


def weights(model):
    """The prepared weights of a local model; nothing for an endpoint, and nothing where no model is asked."""
    return [f"results/models/{model}/{name}" for name in WEIGHT_FILES] if has_own_weights(model) and not CONFIG.stored_only else []


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


@functools.cache
def jurisdiction_file(name):
    """A jurisdiction's configuration, also of one that no run names: its corpus can be asked for alone."""
    path = f"config/jurisdictions/{name}.yaml"
    try:
        return FILES.get(path) or read_config(path, Jurisdiction)
    except ConfigError as error:
        raise WorkflowError(str(error))


def root_of(jurisdiction):
    """Folder of a jurisdiction's data. Outside data lies under INFORCE_DATA or data_root."""
    entry = jurisdiction_file(jurisdiction)
    return str(Path(data_root(CONFIG)) / entry.root) if entry.outside_data else entry.root


def source_files(jurisdiction, what):
    """The source files of a jurisdiction, with one clear sentence where outside data is not there.

    Of a git repository that is a folder, the files that name its commits: they change when, and only when, its history does.
    """
    entry = jurisdiction_file(jurisdiction)
    root = Path(root_of(jurisdiction))
    law = [entry.sections.file, *([entry.laws_file] if entry.laws_file else [])]
    questions = [entry.question_set.file] if entry.question_set else []
    names = {"law": law, "decisions": [entry.decisions.file, *law], "questions": questions}[what]
    absent = [str(root / name) for name in names if not (root / name).exists()]
    if absent == [str(root / entry.decisions.file)] and entry.sections.type != "release":
        raise WorkflowError(
            f"Jurisdiction {jurisdiction} has dated law but no decisions: {absent[0]} does not exist, so a run can make no items of it. "
            f"Put the decisions there; the law alone needs none: snakemake results/corpus/{jurisdiction}/facts.csv"
        )
    if absent:
        raise WorkflowError(
            f"Data of jurisdiction {jurisdiction} not found: {', '.join(absent)}. {entry.terms.strip().rstrip('.')}. "
            "Put it there, or set data_root in the configuration or the variable INFORCE_DATA to the folder that holds it (see data/README.md)."
        )
    return [file for name in names for file in _files_of(root / name)]


def _files_of(path):
    if not path.is_dir():
        return [str(path)]
    git = path / ".git" if (path / ".git").is_dir() else path
    return sorted(str(file) for file in [git / "HEAD", git / "packed-refs", *(git / "refs").rglob("*")] if file.is_file())


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


def searching_answers(wildcards):
    """The answers of a run in the settings that search."""
    return [f"results/answers/{cell}.jsonl" for cell in cells(wildcards.run) if Path(cell).parent.name.startswith("rag_")]


def seats(wildcards):
    """The grades files of a panel, one a seat; a judge that fills several seats is read as often."""
    folder = f"results/grades/{wildcards.run}/{wildcards.model}/{wildcards.setting}/{wildcards.sample}"
    return [f"{folder}/{judge}.jsonl" for judge in protocol_of(wildcards.run).panel]


@functools.cache
def _price_rows():
    with open("config/prices.csv", encoding="utf-8", newline="") as handle:
        return list(csv.reader(handle))


def price_rows(wildcards):
    """Parameter function: the rows of the model's own price. The file is ancient: another model's price changes no score."""
    key = FILES[model_file(wildcards.model)].price
    return canonical_json([row for row in _price_rows() if row and row[0] == key])


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
    rules = masking_file(RUNS[wildcards.run].jurisdiction)
    unmasked = "" if Path(rules).is_file() or entry.items_public else f"No items are shown: {rules} does not exist, by which personal details would be masked."
    notes = [protocol_of(wildcards.run).note, entry.terms if entry.outside_data else "", unmasked]
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
    "table05_composition",
    "table07_settings",
    "table08_gain",
    "table09_rule_change",
    "table10_agreement",
    "table11_spearman",
    "table12_splits",
    "table13_tool_gain",
    "table14_post_training",
    "table15_serving",
    "table16_compute",
    "table17_leaderboard",
    "table18_cost_behaviour",
    "table19_domain_means",
    "table20_model_by_domain",
    "table21_leaderboard_by_domain",
    "table22_best_of_samples",
    "table23_spread",
    "table24_contrasts",
    "table25_citations",
    "judges_agreement",
    "model_comparison",
    "contamination",
]
FIGURES = [
    "figure02_drift",
    "figure03_amendments",
    "figure04_cost_distance",
    "figure05_splits",
    "figure06_leaderboard",
    "figure07_cost",
    "figure08_domains",
    "figure09_invented",
    "figure10_score_by_f1",
    "figure11_ranks",
]


def all_tables():
    """All tables and figures of all runs, in all their forms."""
    names = [f"{name}.{form}" for name in TABLES for form in ("csv", "md", "tex")] + [f"{name}.{form}" for name in FIGURES for form in ("png", "svg")]
    return [f"results/report/{run}/{name}" for run in RUNS for name in names]


def all_results():
    """What a run is made for: its manifest covers these files and all that they depend on."""
    searches = [f"results/retrieval/{run}/retrieval_report.csv" for run in RUNS if any(setting.startswith("rag_") for setting in protocol_of(run).settings)]
    return ["results/leaderboard.csv", "results/report.html", *all_tables(), *searches]


RELEASE_FILES = (
    "README.md",
    "LICENSE",
    "SHA256SUMS",
    "composition.md",
    "gold_sections.jsonl",
    "grading/citation_matching.md",
    "grading/judge_prompt.md",
    "grading/rubric.md",
    "validation_split.jsonl",
)


def release_file(run):
    """The owner's choices on publishing the data of a run's jurisdiction."""
    return f"config/releases/{RUNS[run].jurisdiction}.yaml"


@functools.cache
def _may_release(jurisdiction):
    """Whether the terms of a jurisdiction's data allow publishing it. Nobody has said otherwise where it has no release file."""
    path = f"config/releases/{jurisdiction}.yaml"
    try:
        return not Path(path).is_file() or read_config(path, ReleaseSettings).allowed
    except ConfigError as error:
        raise WorkflowError(f"Configuration refused, nothing was run.\n{error}")


def release_files(wildcards):
    """The release file of a run's jurisdiction, where there is one: it says whether the page may show items."""
    return [path for path in [release_file(wildcards.run)] if Path(path).is_file()]


def masked_items(wildcards):
    """The masked items and their masks, by which the page shows texts; none where it shows no items, or a language has no masking rules."""
    jurisdiction = RUNS[wildcards.run].jurisdiction
    shows = _may_release(jurisdiction) and Path(masking_file(jurisdiction)).is_file()
    return [f"results/items/{jurisdiction}/{name}.jsonl" for name in ("masked", "masks")] if shows else []


def shown_option(wildcards):
    """What the page shows of items: masked texts, or nothing where terms do not allow it or held items cannot be masked."""
    if files := masked_items(wildcards):
        return " ".join(f"--{Path(file).stem} {file}" for file in files)
    public = jurisdiction_of(wildcards.run).items_public and _may_release(RUNS[wildcards.run].jurisdiction)
    return "" if public else "--hide-items"


def masking_file(jurisdiction):
    """The rules that mask personal details in a jurisdiction's language: one set of rules a language, whatever its region."""
    language = FILES[f"config/jurisdictions/{jurisdiction}.yaml"].language
    return f"config/masking/{language.split('-')[0]}.yaml"


def project_digest():
    """A digest of the configuration, the rules and the package: a manifest names them all, also those that changed no result."""
    folder = Path(workflow.basedir)
    files = [
        folder / "Snakefile",
        *folder.glob("rules/*.smk"),
        *SCRIPTS.glob("inforce/**/*.py"),
        *folder.glob("containers/check_images.py"),
        *folder.glob("containers/images.lock"),
        *FILES,
    ]
    return sha256_json([[os.path.relpath(file, folder), sha256_file(file)] for file in sorted(map(Path, files))])


_images = {}


def image(name):
    """File of an image, named by its digest, from containers/images.lock. Only runs with --sdm apptainer use it."""
    if name not in _images:
        _images[name] = image_name(name, Path())
    return _images[name]


onstart:
    if not workflow.touch:
        refuse_unfilled(workflow.dag.needrun_jobs())
    # Before anything is submitted, and not in a dry run: every image that the jobs name is here and is the one of images.lock.
    if _in_image:
        wrong = check_images(_images, Path())
        if wrong:
            raise WorkflowError("\n".join(["Images refused, nothing was run.", *wrong]))


def code(module):
    """Code identity of a step: a digest of its module and all it imports, see inforce.config.code."""
    return code_digest(SCRIPTS, module)
