# Grades on the bar examiner's rubric: one job for each answers file and judge.


rule grade_answers:
    """One judge grades one answers file at temperature 0."""
    input:
        item_file="results/runs/{run}/items.jsonl",
        answers="results/answers/{run}/{model}/{setting}/{sample}.jsonl",
        judge="config/judges/{judge}.yaml",
        model=lambda wildcards: model_file(judge_model(wildcards.judge)),
        weights=lambda wildcards: weights(judge_model(wildcards.judge)),
        prompts=lambda wildcards: prompts(wildcards.run, judge=True),
    output:
        "results/grades/{run}/{model}/{setting}/{sample}/{judge}.jsonl",
    log:
        "logs/grade_answers/{run}.{model}.{setting}.{sample}.{judge}.log",
    benchmark:
        "logs/grade_answers/{run}.{model}.{setting}.{sample}.{judge}.tsv"
    wildcard_constraints:
        judge="(?!lexical\\.jsonl$)[^/]+",
    container:
        lambda wildcards: image_of(judge_model(wildcards.judge))
    threads: lambda wildcards: cores_of(judge_model(wildcards.judge))
    resources:
        mem_mb=lambda wildcards, attempt: memory_of(judge_model(wildcards.judge), attempt),
        runtime=lambda wildcards: runtime_of(judge_model(wildcards.judge)),
        gres=lambda wildcards: gres(judge_model(wildcards.judge)),
        cpus_per_task=lambda wildcards: cpus(judge_model(wildcards.judge)),
        slurm_partition=lambda wildcards: partition(judge_model(wildcards.judge)),
    params:
        code=code("grades.grade_answers"),
        prompts=lambda wildcards: prompt_folder(wildcards.run),
        weights=lambda wildcards: weights_option(judge_model(wildcards.judge)),
        stored="--stored-only" if CONFIG.stored_only else "",
    message:
        "{wildcards.judge} grades {wildcards.model} on {wildcards.run}, {wildcards.setting}, sample {wildcards.sample}"
    # a scheduler's SIGTERM reaches every process: the command stops in order, and the shell and tee wait for it
    shell:
        "trap '' TERM; OMP_NUM_THREADS={threads} python -m inforce.grades.grade_answers --items {input.item_file} --answers {input.answers} --judge-name {wildcards.judge}"
        " --judge-config {input.judge} --model-config {input.model} {params.weights} --prompts {params.prompts}"
        f" --responses {shlex.quote(CONFIG.responses)}"
        " {params.stored} --out {output} 2>&1 | tee {log} >&2"


rule grade_lexically:
    """The floor: verdict and citation overlap, no model."""
    input:
        config=lambda wildcards: f"config/jurisdictions/{RUNS[wildcards.run].jurisdiction}.yaml",
        item_file="results/runs/{run}/items.jsonl",
        answers="results/answers/{run}/{model}/{setting}/{sample}.jsonl",
    output:
        "results/grades/{run}/{model}/{setting}/{sample}/lexical.jsonl",
    log:
        "logs/grade_lexically/{run}.{model}.{setting}.{sample}.log",
    benchmark:
        "logs/grade_lexically/{run}.{model}.{setting}.{sample}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=1000,
        runtime=30,
    params:
        code=code("grades.grade_lexically"),
    message:
        "Lexical floor of {wildcards.model} on {wildcards.run}, {wildcards.setting}, sample {wildcards.sample}"
    shell:
        "python -m inforce.grades.grade_lexically --items {input.item_file} --answers {input.answers} --jurisdiction-config {input.config}"
        " --out {output} 2>&1 | tee {log} >&2"
