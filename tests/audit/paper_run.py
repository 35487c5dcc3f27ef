"""A run on paper, which takes no time: one answer and one search, one file of weights, one leaderboard. Its manifest fits."""

import hashlib
import io
import json
from contextlib import redirect_stderr, redirect_stdout

import pyarrow as pa
import pyarrow.parquet as pq
from audit.test_workflow_records import record

from inforce.audit import audit_run
from inforce.audit.delivered import INDEX
from inforce.audit.make_manifest import file_entry, project_files, provenance_files
from inforce.audit.manifest import FORMAT, STORED, Manifest, read_manifest
from inforce.config.code import code_digest, code_files
from inforce.records.files import canonical_json, sha256_json, write_text

ANSWERS = "results/answers/r/m/rag_in_force/1.jsonl"
WEIGHTS = "results/models/m/model.safetensors"
BOARD = "results/leaderboard.csv"
STORE = "responses/m/r.rag_in_force.1.jsonl"
SEARCH_STORE = "responses/searches/m/r.rag_in_force.1.jsonl"
RULES = {
    "answers.answer_items": ([WEIGHTS, "config/models/m.yaml"], [ANSWERS], "cpu"),
    "report.make_leaderboard": ([ANSWERS, "config/prices.csv"], [BOARD], "cpu"),
    "models.prepare_model": (["config/models/m.yaml"], [WEIGHTS], "cpu"),
}
MODEL = {"checkpoint": "org/m", "revision": "r1", "engine": "e 1", "engine_args": []}
REQUEST = {**MODEL, "seed": 7, "messages": []}
NAME = sha256_json(REQUEST)
SEARCH_NAME = "5" * 64
URIS = ["u1", "u2"]


def response(text="yes"):
    return canonical_json({"name": NAME, "request": REQUEST, "response": {"request_sha256": NAME, "text": text}})


def search(uris=URIS):
    return canonical_json({"name": SEARCH_NAME, "query": "wage", "version_uris": uris})


class PaperRun:
    """The project, its store and its results in one folder, and beside them what an auditor is given."""

    def __init__(self, folder):
        self.folder, self.results = folder, folder / "results"
        for name, text in self._files().items():
            write_text(folder / name, text)
        kinds = {**project_files(folder), "config/models/m.yaml": "config", "config/prices.csv": "config"}
        kinds |= {output: "artefact" for _, outputs, _ in RULES.values() for output in outputs}
        modules = {module: [str(path.relative_to(folder)) for path in code_files(folder / "scripts", module)] for module in RULES}
        rows = [(ANSWERS, "m", NAME, response(), 7), (ANSWERS, "searches/m", SEARCH_NAME, search(), None)]
        self.value = {
            "format": FORMAT,
            "config": {"runs": {}},
            "targets": [BOARD],
            "files": {name: file_entry(folder / name, kind).model_dump() for name, kind in kinds.items()},
            "jobs": sorted((self._job(module) for module in RULES), key=lambda job: job["outputs"]),
            "modules": modules,
            "images": {"cpu": {"file": "containers/cpu-1.sif", "sha256": "0"}},
            "environment": {},
            "stored": "manifest.stored.parquet",
        }
        self.rows = [dict(zip(STORED.names, (*row[:3], hashlib.sha256(row[3].encode()).hexdigest(), row[4]), strict=True)) for row in rows]
        self.write()

    def _files(self):
        files = {
            "Snakefile": 'include: "rules/all.smk"\n',
            "rules/all.smk": "".join(
                f'rule {module.split(".")[1]}:\n    shell:\n        "python -m inforce.{module} "\n\n' for module in RULES
            ),
            "config/models/m.yaml": "checkpoint: org/m\nrevision: r1\n",
            "config/prices.csv": "key\n",
            "containers/images.lock": '{"cpu": {"file": "containers/cpu-1.sif", "sha256": "0"}}\n',
            STORE: response() + "\n",
            SEARCH_STORE: search() + "\n",
            ANSWERS: canonical_json({"request_sha256": [NAME], "search_trace": [{"query": "wage", "version_uris": URIS}]}) + "\n",
            WEIGHTS: "weights",
            BOARD: "model,score\nm,5.0\n",
        }
        return files | {f"scripts/inforce/{module.replace('.', '/')}.py": f'"""{module}."""\n' for module in RULES}

    def _job(self, module):
        inputs, outputs, image = RULES[module]
        asks = module == "answers.answer_items"
        return {
            "rule": module.split(".")[1],
            "module": module,
            "code": code_digest(self.folder / "scripts", module),
            "params": ["200"],
            "inputs": sorted(inputs),
            "outputs": outputs,
            "image": image,
            "models": [MODEL] if asks else [],
            "n_responses": 2 if asks else 0,
        }

    def job(self, output):
        return next(job for job in self.value["jobs"] if output in job["outputs"])

    def write(self):
        """Write manifest, table and provenance records as they now are, the table's digest and count brought into step."""
        out = io.BytesIO()
        pq.write_table(pa.Table.from_pylist(self.rows, schema=STORED), out, store_schema=False)
        (self.results / "manifest.stored.parquet").write_bytes(out.getvalue())
        self.value |= {"stored_sha256": hashlib.sha256(out.getvalue()).hexdigest(), "n_stored": len(self.rows)}
        self.save()
        for name, text in provenance_files(self.manifest(), INDEX).items():
            write_text(self.results / "provenance" / name, text)

    def save(self):
        """Write the manifest alone."""
        (self.results / "manifest.json").write_text(json.dumps(self.value))

    def manifest(self) -> Manifest:
        return read_manifest(self.results / "manifest.json")

    def record(self):
        """What Snakemake would have recorded of making all this."""
        (self.folder / ".snakemake/metadata").mkdir(parents=True, exist_ok=True)
        for module, (inputs, outputs, _) in RULES.items():
            for output in outputs:
                code = self.job(output)["code"]
                command = f"python -m inforce.{module} --out {output}"
                values = {"rule": module.split(".")[1], "shellcmd": command, "params": [repr(code), "200"]}
                record(self.folder / ".snakemake/metadata", output, inputs, **values)

    def check(self, *more):
        """Status, report and error of an audit that makes nothing again."""
        out, err = io.StringIO(), io.StringIO()
        words = ["--manifest", self.results / "manifest.json", "--responses", self.folder / "responses", "--project", self.folder]
        with redirect_stdout(out), redirect_stderr(err):
            try:
                audit_run.main([*map(str, words), "--check-only", *map(str, more)])
            except SystemExit as stopped:
                return stopped.code, out.getvalue(), err.getvalue()
        raise AssertionError("it did not stop")
