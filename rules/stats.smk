# Means, intervals and counts of a run.


rule aggregate_scores:
    """Sub-question → item → domain → macro-average, each with a cluster-bootstrap interval and n scored of n."""
    input:
        scores=of_cells("results/scores/{cell}/scores.parquet"),
        item_scores=of_cells("results/scores/{cell}/items.parquet"),
    output:
        "results/stats/{run}/settings.csv",
    log:
        "logs/aggregate_scores/{run}.log",
    benchmark:
        "logs/aggregate_scores/{run}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=4000,
        runtime=60,
    params:
        code=code("stats.aggregate_scores"),
        resamples=lambda wildcards: protocol_of(wildcards.run).resamples,
    message:
        "Averaging the scores of run {wildcards.run}"
    shell:
        "python -m inforce.stats.aggregate_scores --run {wildcards.run} --resamples {params.resamples} --scores {input.scores}"
        " --item-scores {input.item_scores} --out {output} 2>&1 | tee {log} >&2"


rule gain_by_band:
    """What the text in force gains over the current text, by drift band (NitiBench+ Table 8)."""
    input:
        scores=of_cells("results/scores/{cell}/scores.parquet"),
    output:
        "results/stats/{run}/gain_by_band.csv",
    log:
        "logs/gain_by_band/{run}.log",
    benchmark:
        "logs/gain_by_band/{run}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=4000,
        runtime=60,
    params:
        code=code("stats.gain_by_band"),
        resamples=lambda wildcards: protocol_of(wildcards.run).resamples,
    message:
        "Comparing the text in force with the current text, run {wildcards.run}"
    shell:
        "python -m inforce.stats.gain_by_band --run {wildcards.run} --resamples {params.resamples} --scores {input.scores} --out {output} 2>&1 | tee {log} >&2"


rule count_statuses:
    """How many answers and panels ended in which status."""
    input:
        scores=of_cells("results/scores/{cell}/scores.parquet"),
        item_scores=of_cells("results/scores/{cell}/items.parquet"),
    output:
        "results/stats/{run}/statuses.csv",
    log:
        "logs/count_statuses/{run}.log",
    benchmark:
        "logs/count_statuses/{run}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=2000,
        runtime=30,
    params:
        code=code("stats.count_statuses"),
    message:
        "Counting statuses of run {wildcards.run}"
    shell:
        "python -m inforce.stats.count_statuses --run {wildcards.run} --scores {input.scores} --item-scores {input.item_scores} --out {output} 2>&1 | tee {log} >&2"


rule scores_by_band:
    """The Bar-standard score in each domain and drift band, for the leaderboard's filters."""
    input:
        scores=of_cells("results/scores/{cell}/scores.parquet"),
    output:
        "results/stats/{run}/scores_by_band.csv",
    log:
        "logs/scores_by_band/{run}.log",
    benchmark:
        "logs/scores_by_band/{run}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=4000,
        runtime=60,
    params:
        code=code("stats.scores_by_band"),
        resamples=lambda wildcards: protocol_of(wildcards.run).resamples,
    message:
        "Scores of run {wildcards.run} by domain and drift band"
    shell:
        "python -m inforce.stats.scores_by_band --run {wildcards.run} --resamples {params.resamples} --scores {input.scores} --out {output} 2>&1 | tee {log} >&2"
