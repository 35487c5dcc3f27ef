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
    container:
        image("cpu")
    threads: 2
    resources:
        mem_mb=4000,
        runtime=240,
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
