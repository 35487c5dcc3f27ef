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


rule count_composition:
    """Items, sub-questions, bands, question types and splits of each domain (NitiBench+ Table 5, Figure 5)."""
    input:
        item_file=lambda wildcards: f"results/items/{RUNS[wildcards.run].jurisdiction}/items.jsonl",
        asked="results/runs/{run}/items.jsonl",
        splits=splits_of,
    output:
        "results/stats/{run}/composition.csv",
    log:
        "logs/count_composition/{run}.log",
    benchmark:
        "logs/count_composition/{run}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=code("stats.count_composition"),
    message:
        "Counting what the benchmark of run {wildcards.run} is made of"
    shell:
        "python -m inforce.stats.count_composition --items {input.item_file} --asked {input.asked} --splits {input.splits}"
        " --out {output} 2>&1 | tee {log} >&2"


rule amended_items:
    """Each item of the Amended band: size of the amendment, what it changed, what the text in force gains (NitiBench+ §6.4)."""
    input:
        item_file="results/runs/{run}/items.jsonl",
        amendments=lambda wildcards: f"results/drift/{RUNS[wildcards.run].jurisdiction}/amendments.csv",
        labels=label_files,
        scores=of_cells("results/scores/{cell}/scores.parquet", ("gold_current", "gold_in_force")),
    output:
        "results/stats/{run}/amended_items.csv",
    log:
        "logs/amended_items/{run}.log",
    benchmark:
        "logs/amended_items/{run}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=4000,
        runtime=60,
    params:
        code=code("stats.amended_items"),
    message:
        "Measuring the amended items of run {wildcards.run}"
    shell:
        "python -m inforce.stats.amended_items --run {wildcards.run} --items {input.item_file} --amendments {input.amendments}"
        " --labels {input.labels} --scores {input.scores} --out {output} 2>&1 | tee {log} >&2"


rule gain_by_change:
    """The gain where an amendment changed the rule, and where it changed the wording only (NitiBench+ Table 9)."""
    input:
        item_file="results/stats/{run}/amended_items.csv",
    output:
        "results/stats/{run}/gain_by_change.csv",
    log:
        "logs/gain_by_change/{run}.log",
    benchmark:
        "logs/gain_by_change/{run}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=2000,
        runtime=30,
    params:
        code=code("stats.gain_by_change"),
        resamples=lambda wildcards: protocol_of(wildcards.run).resamples,
    message:
        "Comparing changes of the rule and of the wording, run {wildcards.run}"
    shell:
        "python -m inforce.stats.gain_by_change --run {wildcards.run} --resamples {params.resamples} --items {input.item_file} --out {output} 2>&1 | tee {log} >&2"


rule correlate_amendments:
    """Does a larger amendment cost more? (NitiBench+ Table 11)"""
    input:
        item_file="results/stats/{run}/amended_items.csv",
    output:
        "results/stats/{run}/amendment_correlation.csv",
    log:
        "logs/correlate_amendments/{run}.log",
    benchmark:
        "logs/correlate_amendments/{run}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=2000,
        runtime=30,
    params:
        code=code("stats.correlate_amendments"),
        resamples=lambda wildcards: protocol_of(wildcards.run).resamples,
    message:
        "Correlating the size of amendments with their cost, run {wildcards.run}"
    shell:
        "python -m inforce.stats.correlate_amendments --run {wildcards.run} --resamples {params.resamples} --items {input.item_file} --out {output} 2>&1 | tee {log} >&2"


rule agreement_by_band:
    """Answers that agree with the court, and what those score, by drift band (NitiBench+ Table 10)."""
    input:
        scores=of_cells("results/scores/{cell}/scores.parquet", ("gold_current", "gold_in_force", "rag_current", "rag_in_force")),
    output:
        "results/stats/{run}/agreement_by_band.csv",
    log:
        "logs/agreement_by_band/{run}.log",
    benchmark:
        "logs/agreement_by_band/{run}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=4000,
        runtime=60,
    params:
        code=code("stats.agreement_by_band"),
        resamples=lambda wildcards: protocol_of(wildcards.run).resamples,
    message:
        "Counting agreement with the court, run {wildcards.run}"
    shell:
        "python -m inforce.stats.agreement_by_band --run {wildcards.run} --resamples {params.resamples} --scores {input.scores} --out {output} 2>&1 | tee {log} >&2"


rule compare_samples:
    """The best of the samples of an item, and the spread over samples (NitiBench+ Tables 22 and 23)."""
    input:
        scores=of_cells("results/scores/{cell}/scores.parquet"),
    output:
        "results/stats/{run}/samples.csv",
    log:
        "logs/compare_samples/{run}.log",
    benchmark:
        "logs/compare_samples/{run}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=4000,
        runtime=60,
    params:
        code=code("stats.compare_samples"),
    message:
        "Comparing the samples of run {wildcards.run}"
    shell:
        "python -m inforce.stats.compare_samples --run {wildcards.run} --scores {input.scores} --out {output} 2>&1 | tee {log} >&2"


rule sum_compute:
    """Tokens, searches and GPU hours of each model (NitiBench+ Table 16)."""
    input:
        answers=of_cells("results/scores/{cell}/items.parquet"),
        hours="config/gpu_hours.csv",
    output:
        "results/stats/{run}/compute.csv",
    log:
        "logs/sum_compute/{run}.log",
    benchmark:
        "logs/sum_compute/{run}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=2000,
        runtime=30,
    params:
        code=code("stats.sum_compute"),
    message:
        "Adding up the tokens of run {wildcards.run}"
    shell:
        "python -m inforce.stats.sum_compute --run {wildcards.run} --item-scores {input.answers} --gpu-hours {input.hours} --out {output} 2>&1 | tee {log} >&2"


rule rank_models:
    """Ranks of the models with the range that the items leave open."""
    input:
        scores=of_cells("results/scores/{cell}/scores.parquet"),
    output:
        "results/stats/{run}/ranks.csv",
    log:
        "logs/rank_models/{run}.log",
    benchmark:
        "logs/rank_models/{run}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=4000,
        runtime=60,
    params:
        code=code("stats.rank_models"),
        resamples=lambda wildcards: protocol_of(wildcards.run).resamples,
    message:
        "Ranking the models of run {wildcards.run}"
    shell:
        "python -m inforce.stats.rank_models --run {wildcards.run} --resamples {params.resamples} --scores {input.scores} --out {output} 2>&1 | tee {log} >&2"


rule tool_gain:
    """What the search tool adds, and what better search could still add (NitiBench+ Table 13)."""
    input:
        scores=of_cells("results/scores/{cell}/scores.parquet"),
    output:
        "results/stats/{run}/tool_gain.csv",
    log:
        "logs/tool_gain/{run}.log",
    benchmark:
        "logs/tool_gain/{run}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=4000,
        runtime=60,
    params:
        code=code("stats.tool_gain"),
        resamples=lambda wildcards: protocol_of(wildcards.run).resamples,
    message:
        "Gain from the search tool, run {wildcards.run}"
    shell:
        "python -m inforce.stats.tool_gain --run {wildcards.run} --resamples {params.resamples} --scores {input.scores} --out {output} 2>&1 | tee {log} >&2"


rule post_training:
    """Models beside the model that they were trained from (NitiBench+ Table 14)."""
    input:
        scores=of_cells("results/scores/{cell}/scores.parquet"),
        item_scores=of_cells("results/scores/{cell}/items.parquet"),
        models=lambda wildcards: [model_file(name) for name in protocol_of(wildcards.run).models],
    output:
        "results/stats/{run}/post_training.csv",
    log:
        "logs/post_training/{run}.log",
    benchmark:
        "logs/post_training/{run}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=4000,
        runtime=60,
    params:
        code=code("stats.post_training"),
        resamples=lambda wildcards: protocol_of(wildcards.run).resamples,
    message:
        "Comparing models with their bases, run {wildcards.run}"
    shell:
        "python -m inforce.stats.post_training --run {wildcards.run} --resamples {params.resamples} --scores {input.scores} --item-scores {input.item_scores}"
        " --models-dir config/models --out {output} 2>&1 | tee {log} >&2"


rule split_scores:
    """All items, test split and validation split beside each other (NitiBench+ Table 12)."""
    input:
        scores=of_cells("results/scores/{cell}/scores.parquet"),
        splits=lambda wildcards: f"results/items/{RUNS[wildcards.run].jurisdiction}/splits.csv",
    output:
        splits="results/stats/{run}/splits.csv",
        agreement="results/stats/{run}/split_agreement.csv",
    log:
        "logs/split_scores/{run}.log",
    benchmark:
        "logs/split_scores/{run}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=4000,
        runtime=60,
    params:
        code=code("stats.split_scores"),
        resamples=lambda wildcards: protocol_of(wildcards.run).resamples,
    message:
        "Scores by split, run {wildcards.run}"
    shell:
        "python -m inforce.stats.split_scores --run {wildcards.run} --resamples {params.resamples} --scores {input.scores} --splits {input.splits}"
        " --out {output.splits} --agreement {output.agreement} 2>&1 | tee {log} >&2"


rule domain_means:
    """Scores by domain over the models (NitiBench+ Tables 19 to 21)."""
    input:
        settings="results/stats/{run}/settings.csv",
    output:
        "results/stats/{run}/domain_means.csv",
    log:
        "logs/domain_means/{run}.log",
    benchmark:
        "logs/domain_means/{run}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=code("stats.domain_means"),
    message:
        "Scores by domain, run {wildcards.run}"
    shell:
        "python -m inforce.stats.domain_means --settings {input.settings} --out {output} 2>&1 | tee {log} >&2"


rule pareto_front:
    """Score against cost: the models that no other beats in both (NitiBench+ Figure 7)."""
    input:
        settings="results/stats/{run}/settings.csv",
    output:
        "results/stats/{run}/pareto_front.csv",
    log:
        "logs/pareto_front/{run}.log",
    benchmark:
        "logs/pareto_front/{run}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=code("stats.pareto_front"),
    message:
        "Score against cost, run {wildcards.run}"
    shell:
        "python -m inforce.stats.pareto_front --settings {input.settings} --out {output} 2>&1 | tee {log} >&2"


rule score_by_citations:
    """The score of answers by their Citation F1, within models (NitiBench+ Figure 10)."""
    input:
        scores=of_cells("results/scores/{cell}/scores.parquet"),
    output:
        bins="results/stats/{run}/score_by_citations.csv",
        weights="results/stats/{run}/citation_weights.csv",
    log:
        "logs/score_by_citations/{run}.log",
    benchmark:
        "logs/score_by_citations/{run}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=4000,
        runtime=60,
    params:
        code=code("stats.score_by_citations"),
        resamples=lambda wildcards: protocol_of(wildcards.run).resamples,
    message:
        "Score by citations, run {wildcards.run}"
    shell:
        "python -m inforce.stats.score_by_citations --run {wildcards.run} --resamples {params.resamples} --scores {input.scores}"
        " --bins {output.bins} --weights {output.weights} 2>&1 | tee {log} >&2"


rule outside_index:
    """The run's ranking beside an outside index (NitiBench+ Figure 11)."""
    input:
        settings="results/stats/{run}/settings.csv",
        index="config/outside_index.csv",
    output:
        ranks="results/stats/{run}/outside_ranks.csv",
        correlations="results/stats/{run}/outside_correlations.csv",
    log:
        "logs/outside_index/{run}.log",
    benchmark:
        "logs/outside_index/{run}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=code("stats.outside_index"),
    message:
        "Ranks beside an outside index, run {wildcards.run}"
    shell:
        "python -m inforce.stats.outside_index --settings {input.settings} --index {input.index}"
        " --ranks {output.ranks} --correlations {output.correlations} 2>&1 | tee {log} >&2"


rule judge_agreement:
    """How far the judges of the panel agree, and which of them is harsher."""
    input:
        scores=of_cells("results/scores/{cell}/scores.parquet"),
    output:
        "results/stats/{run}/judge_agreement.csv",
    log:
        "logs/judge_agreement/{run}.log",
    benchmark:
        "logs/judge_agreement/{run}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=4000,
        runtime=60,
    params:
        code=code("stats.judge_agreement"),
        resamples=lambda wildcards: protocol_of(wildcards.run).resamples,
        judges=lambda wildcards: protocol_of(wildcards.run).panel,
    message:
        "Agreement of the judges, run {wildcards.run}"
    shell:
        "python -m inforce.stats.judge_agreement --run {wildcards.run} --resamples {params.resamples} --judges {params.judges} --scores {input.scores}"
        " --out {output} 2>&1 | tee {log} >&2"


rule compare_models:
    """Every pair of models, tested on the same questions."""
    input:
        scores=of_cells("results/scores/{cell}/scores.parquet"),
    output:
        "results/stats/{run}/model_comparison.csv",
    log:
        "logs/compare_models/{run}.log",
    benchmark:
        "logs/compare_models/{run}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=4000,
        runtime=60,
    params:
        code=code("stats.compare_models"),
        resamples=lambda wildcards: protocol_of(wildcards.run).resamples,
    message:
        "Comparing the models of run {wildcards.run} in pairs"
    shell:
        "python -m inforce.stats.compare_models --run {wildcards.run} --resamples {params.resamples} --scores {input.scores} --out {output} 2>&1 | tee {log} >&2"


rule contamination:
    """Has a model seen what it is asked: validation against test, before against after its knowledge cut-off."""
    input:
        scores=of_cells("results/scores/{cell}/scores.parquet"),
        item_file="results/runs/{run}/items.jsonl",
        splits=lambda wildcards: f"results/items/{RUNS[wildcards.run].jurisdiction}/splits.csv",
        models=lambda wildcards: [model_file(name) for name in protocol_of(wildcards.run).models],
    output:
        "results/stats/{run}/contamination.csv",
    log:
        "logs/contamination/{run}.log",
    benchmark:
        "logs/contamination/{run}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=4000,
        runtime=60,
    params:
        code=code("stats.contamination"),
        resamples=lambda wildcards: protocol_of(wildcards.run).resamples,
    message:
        "Looking for contamination, run {wildcards.run}"
    shell:
        "python -m inforce.stats.contamination --run {wildcards.run} --resamples {params.resamples} --scores {input.scores} --items {input.item_file}"
        " --splits {input.splits} --models-dir config/models --out {output} 2>&1 | tee {log} >&2"
