# The dense index over every version of every section; dates are filtered at search time.


rule embed_sections:
    """One vector for each version of each section, repealed and future ones too."""
    input:
        config="config/embeddings/{embedding}.yaml",
        sections="results/corpus/{jurisdiction}/sections.parquet",
    output:
        vectors="results/retrieval/{jurisdiction}/{embedding}/vectors.npy",
        versions="results/retrieval/{jurisdiction}/{embedding}/versions.json",
    log:
        "logs/embed_sections/{jurisdiction}.{embedding}.log",
    benchmark:
        "logs/embed_sections/{jurisdiction}.{embedding}.tsv"
    priority: 20
    container:
        image("cpu")
    resources:
        mem_mb=4000,
        runtime=240,
        cpus_per_task=2,
    params:
        code=code("retrieval.embed_sections"),
    message:
        "Embedding the sections of {wildcards.jurisdiction} with {wildcards.embedding}"
    shell:
        "python -m inforce.retrieval.embed_sections --embedding-config {input.config} --sections {input.sections}"
        " --vectors {output.vectors} --versions {output.versions} 2>&1 | tee {log} >&2"


rule build_index:
    """The search index: single-threaded and seeded, so that equal vectors give equal bytes."""
    input:
        vectors="results/retrieval/{jurisdiction}/{embedding}/vectors.npy",
    output:
        "results/retrieval/{jurisdiction}/{embedding}/index.bin",
    log:
        "logs/build_index/{jurisdiction}.{embedding}.log",
    benchmark:
        "logs/build_index/{jurisdiction}.{embedding}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=4000,
        runtime=240,
    params:
        code=code("retrieval.build_index"),
    message:
        "Building the index of {wildcards.jurisdiction} ({wildcards.embedding})"
    shell:
        "python -m inforce.retrieval.build_index --vectors {input.vectors} --index {output} 2>&1 | tee {log} >&2"


rule measure_retrieval:
    """The index against exact search, and how often it finds the sections the court relied on (§6.3). Times are a sidecar in logs/."""
    input:
        item_file="results/runs/{run}/items.jsonl",
        laws=lambda wildcards: f"results/corpus/{RUNS[wildcards.run].jurisdiction}/laws.parquet",
        sections=lambda wildcards: f"results/corpus/{RUNS[wildcards.run].jurisdiction}/sections.parquet",
        protocol=ancient(protocol_file),
        embedding=lambda wildcards: f"config/embeddings/{protocol_of(wildcards.run).search.embedding}.yaml",
        index=index,
        answers=searching_answers,
    output:
        "results/retrieval/{run}/retrieval_report.csv",
    log:
        "logs/measure_retrieval/{run}.log",
    benchmark:
        "logs/measure_retrieval/{run}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=8000,
        runtime=240,
    params:
        code=code("retrieval.measure_retrieval"),
        asked=asked_as("search"),
        index=index_options,
        stored="--stored-only" if CONFIG.stored_only else "",
    message:
        "Measuring the search of run {wildcards.run}"
    shell:
        "python -m inforce.retrieval.measure_retrieval --run {wildcards.run} --items {input.item_file} --laws {input.laws} --sections {input.sections}"
        " --protocol-config {input.protocol} --embedding-config {input.embedding} {params.index} --answers {input.answers}"
        f" --responses {shlex.quote(CONFIG.responses)} {{params.stored}}"
        " --latency logs/measure_retrieval/{wildcards.run}.latency.json --out {output} 2>&1 | tee {log} >&2"
