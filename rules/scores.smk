# Citations resolved and matched, the panel's median, invented citations, cost.


rule resolve_citations:
    """Resolve and match every citation of an answers file (NitiBench+ B.3, §7.5)."""
    input:
        config=lambda wildcards: f"config/jurisdictions/{RUNS[wildcards.run].jurisdiction}.yaml",
        item_file="results/runs/{run}/items.jsonl",
        answers="results/answers/{run}/{model}/{setting}/{sample}.jsonl",
        laws=lambda wildcards: f"results/corpus/{RUNS[wildcards.run].jurisdiction}/laws.parquet",
        sections=lambda wildcards: f"results/corpus/{RUNS[wildcards.run].jurisdiction}/sections.parquet",
    output:
        "results/scores/{run}/{model}/{setting}/{sample}/citations.parquet",
    log:
        "logs/resolve_citations/{run}.{model}.{setting}.{sample}.log",
    benchmark:
        "logs/resolve_citations/{run}.{model}.{setting}.{sample}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=2000,
        runtime=60,
    params:
        code=code("scores.resolve_citations"),
        jurisdiction=lambda wildcards: RUNS[wildcards.run].jurisdiction,
    message:
        "Resolving the citations of {wildcards.model} on {wildcards.run}, {wildcards.setting}, sample {wildcards.sample}"
    shell:
        "python -m inforce.scores.resolve_citations --run {wildcards.run} --jurisdiction {params.jurisdiction} --jurisdiction-config {input.config}"
        " --items {input.item_file} --answers {input.answers} --laws {input.laws} --sections {input.sections} --out {output} 2>&1 | tee {log} >&2"


rule score_answers:
    """One row a sub-question and one an item: panel, citations, tokens, cost."""
    input:
        config=lambda wildcards: f"config/jurisdictions/{RUNS[wildcards.run].jurisdiction}.yaml",
        item_file="results/runs/{run}/items.jsonl",
        answers="results/answers/{run}/{model}/{setting}/{sample}.jsonl",
        citations="results/scores/{run}/{model}/{setting}/{sample}/citations.parquet",
        grades=seats,
        lexical="results/grades/{run}/{model}/{setting}/{sample}/lexical.jsonl",
        model="config/models/{model}.yaml",
        prices=ancient("config/prices.csv"),
    output:
        scores="results/scores/{run}/{model}/{setting}/{sample}/scores.parquet",
        item_file="results/scores/{run}/{model}/{setting}/{sample}/items.parquet",
    log:
        "logs/score_answers/{run}.{model}.{setting}.{sample}.log",
    benchmark:
        "logs/score_answers/{run}.{model}.{setting}.{sample}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=2000,
        runtime=60,
    params:
        code=code("scores.score_answers"),
        price=price_rows,
    message:
        "Scoring {wildcards.model} on {wildcards.run}, {wildcards.setting}, sample {wildcards.sample}"
    shell:
        "python -m inforce.scores.score_answers --run {wildcards.run} --jurisdiction-config {input.config} --items {input.item_file} --answers {input.answers} --citations {input.citations}"
        " --grades {input.grades} --lexical {input.lexical} --model-config {input.model} --prices {input.prices}"
        " --scores {output.scores} --item-scores {output.item_file} 2>&1 | tee {log} >&2"
