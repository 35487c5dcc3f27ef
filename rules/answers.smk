# Models answering the items: one job for each model × setting × sample.


rule answer_items:
    """Ask one model all items in one setting, once; responses already stored are not asked for again."""
    input:
        item_file="results/runs/{run}/items.jsonl",
        laws=lambda wildcards: f"results/corpus/{RUNS[wildcards.run].jurisdiction}/laws.parquet",
        sections=lambda wildcards: f"results/corpus/{RUNS[wildcards.run].jurisdiction}/sections.parquet",
        protocol=ancient(protocol_file),
        model="config/models/{model}.yaml",
        weights=lambda wildcards: weights(wildcards.model),
        embedding=lambda wildcards: f"config/embeddings/{protocol_of(wildcards.run).search.embedding}.yaml",
        index=index,
        prompts=lambda wildcards: prompts(wildcards.run, judge=False),
    output:
        "results/answers/{run}/{model}/{setting}/{sample}.jsonl",
    log:
        "logs/answer_items/{run}.{model}.{setting}.{sample}.log",
    benchmark:
        "logs/answer_items/{run}.{model}.{setting}.{sample}.tsv"
    # the longest jobs first: the grades fill what is left
    priority: 10
    container:
        lambda wildcards: image_of(wildcards.model)
    threads: lambda wildcards: cores_of(wildcards.model)
    resources:
        mem_mb=lambda wildcards, attempt: memory_of(wildcards.model, attempt),
        runtime=lambda wildcards: runtime_of(wildcards.model),
        gres=lambda wildcards: gres(wildcards.model),
        cpus_per_task=lambda wildcards: cpus(wildcards.model),
        slurm_partition=lambda wildcards: partition(wildcards.model),
    params:
        code=code("answers.answer_items"),
        asked=asked_as("search", "reply"),
        prompts=lambda wildcards: prompt_folder(wildcards.run),
        weights=lambda wildcards: weights_option(wildcards.model),
        index=index_options,
        stored="--stored-only" if CONFIG.stored_only else "",
    message:
        "{wildcards.model} answers {wildcards.run}, {wildcards.setting}, sample {wildcards.sample}"
    # a scheduler's SIGTERM reaches every process: the command stops in order, and the shell and tee wait for it
    shell:
        "trap '' TERM; OMP_NUM_THREADS={threads} python -m inforce.answers.answer_items --run {wildcards.run} --model-name {wildcards.model} --setting {wildcards.setting} --sample {wildcards.sample}"
        " --items {input.item_file} --laws {input.laws} --sections {input.sections} --prompts {params.prompts}"
        " --protocol-config {input.protocol} --model-config {input.model} {params.weights} --embedding-config {input.embedding}"
        " {params.index}"
        f" --responses {shlex.quote(CONFIG.responses)}"
        " {params.stored} --out {output} 2>&1 | tee {log} >&2"
