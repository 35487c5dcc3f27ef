# Where every result comes from: the manifest, a research object, the release.


rule make_manifest:
    """Every file that the results depend on, how each was made, and the stored responses that were used."""
    input:
        all_results(),
    output:
        manifest="results/manifest.json",
        stored="results/manifest.stored.parquet",
        sidecar="results/manifest.sidecar.json",
        provenance="results/provenance/index.csv",
    log:
        "logs/make_manifest.log",
    benchmark:
        "logs/make_manifest.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=4000,
        runtime=60,
    params:
        code=code("audit.make_manifest"),
        project=project_digest(),
        config=canonical_json(CONFIG.model_dump(mode="json")),
        config_files=sorted(FILES),
        data_root=data_root(CONFIG),
    message:
        "Writing down where every file comes from"
    shell:
        "python -m inforce.audit.make_manifest --targets {input} --config {params.config:q} --config-files {params.config_files}"
        " --data-root {params.data_root:q} --records .snakemake/metadata"
        f" --responses {shlex.quote(CONFIG.responses)}"
        " --manifest {output.manifest} --stored {output.stored} --sidecar {output.sidecar} --provenance {output.provenance}"
        " 2>&1 | tee {log} >&2"


rule export_crate:
    """The run as a Workflow Run RO-Crate, for archives."""
    input:
        manifest="results/manifest.json",
        stored="results/manifest.stored.parquet",
        releases=sorted({release_file(run) for run in RUNS}),
        readme="README.md",
    output:
        "results/ro-crate.zip",
    log:
        "logs/export_crate.log",
    benchmark:
        "logs/export_crate.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=4000,
        runtime=30,
    params:
        code=code("audit.export_crate"),
    message:
        "Packing the run as a research object"
    shell:
        "python -m inforce.audit.export_crate --manifest {input.manifest} --releases {input.releases} --out {output} 2>&1 | tee {log} >&2"


rule make_release:
    """The validation split and its gold sections in the form of NitiBench+ A.1, with how answers are graded."""
    input:
        settings=lambda wildcards: release_file(wildcards.run),
        item_file=lambda wildcards: f"results/items/{RUNS[wildcards.run].jurisdiction}/masked.jsonl",
        splits=lambda wildcards: f"results/items/{RUNS[wildcards.run].jurisdiction}/splits.csv",
        sections=lambda wildcards: f"results/corpus/{RUNS[wildcards.run].jurisdiction}/sections.parquet",
        laws=lambda wildcards: f"results/corpus/{RUNS[wildcards.run].jurisdiction}/laws.parquet",
        prompts=lambda wildcards: prompts(wildcards.run, judge=True),
        matching="docs/scoring.md",
    output:
        [f"results/release/{{run}}/{name}" for name in RELEASE_FILES],
    log:
        "logs/make_release/{run}.log",
    benchmark:
        "logs/make_release/{run}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        code=code("audit.make_release"),
    message:
        "Making the release of run {wildcards.run}"
    shell:
        "python -m inforce.audit.make_release --settings {input.settings} --items {input.item_file} --splits {input.splits}"
        " --sections {input.sections} --laws {input.laws} --judge-prompts {input.prompts} --matching {input.matching}"
        " --out results/release/{wildcards.run} 2>&1 | tee {log} >&2"
