# What people read: leaderboard, tables, figures, one page.


rule drift_table:
    """Decisions that cite law which has changed since, by court, as in NitiBench+ Table 1."""
    input:
        config=lambda wildcards: f"config/jurisdictions/{RUNS[wildcards.run].jurisdiction}.yaml",
        by_court=lambda wildcards: f"results/drift/{RUNS[wildcards.run].jurisdiction}/by_court.csv",
    output:
        csv="results/report/{run}/table01_drift_by_court.csv",
        markdown="results/report/{run}/table01_drift_by_court.md",
        latex="results/report/{run}/table01_drift_by_court.tex",
    log:
        "logs/drift_table/{run}.log",
    benchmark:
        "logs/drift_table/{run}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=code("report.drift_table"),
    message:
        "Table of drift by court, run {wildcards.run}"
    shell:
        "python -m inforce.report.drift_table --by-court {input.by_court} --jurisdiction-config {input.config} --csv {output.csv}"
        " --markdown {output.markdown} --latex {output.latex} 2>&1 | tee {log} >&2"


rule audit_tables:
    """What benchmarks record about time, as in NitiBench+ Tables 2 and 3."""
    input:
        counts="results/drift/audit_counts.csv",
        rows="results/drift/audit.csv",
    output:
        counts_csv="results/report/{run}/table02_audit_counts.csv",
        counts_markdown="results/report/{run}/table02_audit_counts.md",
        counts_latex="results/report/{run}/table02_audit_counts.tex",
        rows_csv="results/report/{run}/table03_audit.csv",
        rows_markdown="results/report/{run}/table03_audit.md",
        rows_latex="results/report/{run}/table03_audit.tex",
    log:
        "logs/audit_tables/{run}.log",
    benchmark:
        "logs/audit_tables/{run}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=code("report.audit_tables"),
    message:
        "Tables of the audit of benchmarks, run {wildcards.run}"
    shell:
        "python -m inforce.report.audit_tables --counts {input.counts} --rows {input.rows}"
        " --counts-csv {output.counts_csv} --counts-markdown {output.counts_markdown} --counts-latex {output.counts_latex}"
        " --rows-csv {output.rows_csv} --rows-markdown {output.rows_markdown} --rows-latex {output.rows_latex} 2>&1 | tee {log} >&2"


rule question_set_table:
    """Statute texts inside a question set that are no longer current, as in NitiBench+ Table 4."""
    input:
        lambda wildcards: f"results/drift/{RUNS[wildcards.run].jurisdiction}/question_set_summary.csv",
    output:
        csv="results/report/{run}/table04_question_set.csv",
        markdown="results/report/{run}/table04_question_set.md",
        latex="results/report/{run}/table04_question_set.tex",
    log:
        "logs/question_set_table/{run}.log",
    benchmark:
        "logs/question_set_table/{run}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=code("report.question_set_table"),
    message:
        "Table of question sets, run {wildcards.run}"
    shell:
        "python -m inforce.report.question_set_table --summary {input} --csv {output.csv} --markdown {output.markdown}"
        " --latex {output.latex} 2>&1 | tee {log} >&2"


rule plot_drift:
    """Drift by court and year of the decision, as in NitiBench+ Figure 2."""
    input:
        config=lambda wildcards: f"config/jurisdictions/{RUNS[wildcards.run].jurisdiction}.yaml",
        by_year=lambda wildcards: f"results/drift/{RUNS[wildcards.run].jurisdiction}/by_year.csv",
    output:
        png="results/report/{run}/figure02_drift.png",
        svg="results/report/{run}/figure02_drift.svg",
    log:
        "logs/plot_drift/{run}.log",
    benchmark:
        "logs/plot_drift/{run}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=code("report.plot_drift"),
    message:
        "Drawing drift by year, run {wildcards.run}"
    shell:
        "python -m inforce.report.plot_drift --by-year {input.by_year} --jurisdiction-config {input.config} --png {output.png}"
        " --svg {output.svg} 2>&1 | tee {log} >&2"


rule settings_table:
    """Scores in the settings as in NitiBench+ Table 7."""
    input:
        settings="results/stats/{run}/settings.csv",
        models=lambda wildcards: [model_file(name) for name in protocol_of(wildcards.run).models],
    output:
        csv="results/report/{run}/table07_settings.csv",
        markdown="results/report/{run}/table07_settings.md",
        latex="results/report/{run}/table07_settings.tex",
    log:
        "logs/settings_table/{run}.log",
    benchmark:
        "logs/settings_table/{run}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=code("report.settings_table"),
    message:
        "Table of settings, run {wildcards.run}"
    shell:
        "python -m inforce.report.settings_table --settings {input.settings} --models-dir config/models --csv {output.csv}"
        " --markdown {output.markdown} --latex {output.latex} 2>&1 | tee {log} >&2"


rule gain_table:
    """The gain of the text in force over the current text as in NitiBench+ Table 8."""
    input:
        gain="results/stats/{run}/gain_by_band.csv",
        models=lambda wildcards: [model_file(name) for name in protocol_of(wildcards.run).models],
    output:
        csv="results/report/{run}/table08_gain.csv",
        markdown="results/report/{run}/table08_gain.md",
        latex="results/report/{run}/table08_gain.tex",
    log:
        "logs/gain_table/{run}.log",
    benchmark:
        "logs/gain_table/{run}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=code("report.gain_table"),
    message:
        "Table of gains, run {wildcards.run}"
    shell:
        "python -m inforce.report.gain_table --gain {input.gain} --models-dir config/models --csv {output.csv}"
        " --markdown {output.markdown} --latex {output.latex} 2>&1 | tee {log} >&2"


rule plot_leaderboard:
    """The leaderboard as dots with intervals, as in NitiBench+ Figure 6."""
    input:
        settings="results/stats/{run}/settings.csv",
        models=lambda wildcards: [model_file(name) for name in protocol_of(wildcards.run).models],
    output:
        png="results/report/{run}/figure06_leaderboard.png",
        svg="results/report/{run}/figure06_leaderboard.svg",
    log:
        "logs/plot_leaderboard/{run}.log",
    benchmark:
        "logs/plot_leaderboard/{run}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=code("report.plot_leaderboard"),
    message:
        "Drawing the leaderboard, run {wildcards.run}"
    shell:
        "python -m inforce.report.plot_leaderboard --settings {input.settings} --models-dir config/models --png {output.png}"
        " --svg {output.svg} 2>&1 | tee {log} >&2"


rule composition_table:
    """What the benchmark is made of, as in NitiBench+ Table 5."""
    input:
        composition="results/stats/{run}/composition.csv",
    output:
        csv="results/report/{run}/table05_composition.csv",
        markdown="results/report/{run}/table05_composition.md",
        latex="results/report/{run}/table05_composition.tex",
    log:
        "logs/composition_table/{run}.log",
    benchmark:
        "logs/composition_table/{run}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=code("report.composition_table"),
    message:
        "Table of composition, run {wildcards.run}"
    shell:
        "python -m inforce.report.composition_table --composition {input.composition}"
        " --csv {output.csv} --markdown {output.markdown} --latex {output.latex} 2>&1 | tee {log} >&2"


rule change_table:
    """Change of the rule or of the wording only, as in NitiBench+ Table 9."""
    input:
        gain="results/stats/{run}/gain_by_change.csv",
    output:
        csv="results/report/{run}/table09_rule_change.csv",
        markdown="results/report/{run}/table09_rule_change.md",
        latex="results/report/{run}/table09_rule_change.tex",
    log:
        "logs/change_table/{run}.log",
    benchmark:
        "logs/change_table/{run}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=code("report.change_table"),
    message:
        "Table of gains by what was amended, run {wildcards.run}"
    shell:
        "python -m inforce.report.change_table --gain {input.gain}"
        " --csv {output.csv} --markdown {output.markdown} --latex {output.latex} 2>&1 | tee {log} >&2"


rule agreement_table:
    """Verdict agreement and score if agreeing, as in NitiBench+ Table 10."""
    input:
        agreement="results/stats/{run}/agreement_by_band.csv",
    output:
        csv="results/report/{run}/table10_agreement.csv",
        markdown="results/report/{run}/table10_agreement.md",
        latex="results/report/{run}/table10_agreement.tex",
    log:
        "logs/agreement_table/{run}.log",
    benchmark:
        "logs/agreement_table/{run}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=code("report.agreement_table"),
    message:
        "Table of agreement with the court, run {wildcards.run}"
    shell:
        "python -m inforce.report.agreement_table --agreement {input.agreement}"
        " --csv {output.csv} --markdown {output.markdown} --latex {output.latex} 2>&1 | tee {log} >&2"


rule correlation_table:
    """Size of an amendment against its cost, as in NitiBench+ Table 11."""
    input:
        correlations="results/stats/{run}/amendment_correlation.csv",
    output:
        csv="results/report/{run}/table11_spearman.csv",
        markdown="results/report/{run}/table11_spearman.md",
        latex="results/report/{run}/table11_spearman.tex",
    log:
        "logs/correlation_table/{run}.log",
    benchmark:
        "logs/correlation_table/{run}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=code("report.correlation_table"),
    message:
        "Table of correlations, run {wildcards.run}"
    shell:
        "python -m inforce.report.correlation_table --correlations {input.correlations}"
        " --csv {output.csv} --markdown {output.markdown} --latex {output.latex} 2>&1 | tee {log} >&2"


rule serving_table:
    """How the models are served, as in NitiBench+ Table 15."""
    input:
        models=lambda wildcards: [model_file(name) for name in protocol_of(wildcards.run).models],
    output:
        csv="results/report/{run}/table15_serving.csv",
        markdown="results/report/{run}/table15_serving.md",
        latex="results/report/{run}/table15_serving.tex",
    log:
        "logs/serving_table/{run}.log",
    benchmark:
        "logs/serving_table/{run}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=code("report.serving_table"),
    message:
        "Table of serving, run {wildcards.run}"
    shell:
        "python -m inforce.report.serving_table --models {input.models}"
        " --csv {output.csv} --markdown {output.markdown} --latex {output.latex} 2>&1 | tee {log} >&2"


rule compute_table:
    """Tokens, searches and GPU hours, as in NitiBench+ Table 16."""
    input:
        compute="results/stats/{run}/compute.csv",
        models=lambda wildcards: [model_file(name) for name in protocol_of(wildcards.run).models],
    output:
        csv="results/report/{run}/table16_compute.csv",
        markdown="results/report/{run}/table16_compute.md",
        latex="results/report/{run}/table16_compute.tex",
    log:
        "logs/compute_table/{run}.log",
    benchmark:
        "logs/compute_table/{run}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=code("report.compute_table"),
    message:
        "Table of compute, run {wildcards.run}"
    shell:
        "python -m inforce.report.compute_table --compute {input.compute} --models-dir config/models"
        " --csv {output.csv} --markdown {output.markdown} --latex {output.latex} 2>&1 | tee {log} >&2"


rule best_table:
    """The best of the samples of an item, as in NitiBench+ Table 22."""
    input:
        samples="results/stats/{run}/samples.csv",
        models=lambda wildcards: [model_file(name) for name in protocol_of(wildcards.run).models],
    output:
        csv="results/report/{run}/table22_best_of_samples.csv",
        markdown="results/report/{run}/table22_best_of_samples.md",
        latex="results/report/{run}/table22_best_of_samples.tex",
    log:
        "logs/best_table/{run}.log",
    benchmark:
        "logs/best_table/{run}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=code("report.best_table"),
    message:
        "Table of the best samples, run {wildcards.run}"
    shell:
        "python -m inforce.report.best_table --samples {input.samples} --models-dir config/models"
        " --csv {output.csv} --markdown {output.markdown} --latex {output.latex} 2>&1 | tee {log} >&2"


rule spread_table:
    """The spread over samples, as in NitiBench+ Table 23."""
    input:
        samples="results/stats/{run}/samples.csv",
        models=lambda wildcards: [model_file(name) for name in protocol_of(wildcards.run).models],
    output:
        csv="results/report/{run}/table23_spread.csv",
        markdown="results/report/{run}/table23_spread.md",
        latex="results/report/{run}/table23_spread.tex",
    log:
        "logs/spread_table/{run}.log",
    benchmark:
        "logs/spread_table/{run}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=code("report.spread_table"),
    message:
        "Table of the spread over samples, run {wildcards.run}"
    shell:
        "python -m inforce.report.spread_table --samples {input.samples} --models-dir config/models"
        " --csv {output.csv} --markdown {output.markdown} --latex {output.latex} 2>&1 | tee {log} >&2"


rule contrasts_table:
    """Gains with their intervals and the no-drift control, as in NitiBench+ Table 24."""
    input:
        gain="results/stats/{run}/gain_by_band.csv",
        models=lambda wildcards: [model_file(name) for name in protocol_of(wildcards.run).models],
    output:
        csv="results/report/{run}/table24_contrasts.csv",
        markdown="results/report/{run}/table24_contrasts.md",
        latex="results/report/{run}/table24_contrasts.tex",
    log:
        "logs/contrasts_table/{run}.log",
    benchmark:
        "logs/contrasts_table/{run}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=code("report.contrasts_table"),
    message:
        "Table of contrasts, run {wildcards.run}"
    shell:
        "python -m inforce.report.contrasts_table --gain {input.gain} --models-dir config/models"
        " --csv {output.csv} --markdown {output.markdown} --latex {output.latex} 2>&1 | tee {log} >&2"


rule citations_table:
    """Citation precision, recall and F1, as in NitiBench+ Table 25."""
    input:
        settings="results/stats/{run}/settings.csv",
        models=lambda wildcards: [model_file(name) for name in protocol_of(wildcards.run).models],
    output:
        csv="results/report/{run}/table25_citations.csv",
        markdown="results/report/{run}/table25_citations.md",
        latex="results/report/{run}/table25_citations.tex",
    log:
        "logs/citations_table/{run}.log",
    benchmark:
        "logs/citations_table/{run}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=code("report.citations_table"),
    message:
        "Table of citations, run {wildcards.run}"
    shell:
        "python -m inforce.report.citations_table --settings {input.settings} --models-dir config/models"
        " --csv {output.csv} --markdown {output.markdown} --latex {output.latex} 2>&1 | tee {log} >&2"


rule plot_amendments:
    """Two worked amendments with the changed words marked, as in NitiBench+ Figure 3."""
    input:
        amended="results/stats/{run}/amended_items.csv",
        item_file="results/runs/{run}/items.jsonl",
        sections=lambda wildcards: f"results/corpus/{RUNS[wildcards.run].jurisdiction}/sections.parquet",
        amendments=lambda wildcards: f"results/drift/{RUNS[wildcards.run].jurisdiction}/amendments.csv",
        labels=label_files,
        config=lambda wildcards: f"config/jurisdictions/{RUNS[wildcards.run].jurisdiction}.yaml",
        splits=splits_of,
    output:
        png="results/report/{run}/figure03_amendments.png",
        svg="results/report/{run}/figure03_amendments.svg",
    log:
        "logs/plot_amendments/{run}.log",
    benchmark:
        "logs/plot_amendments/{run}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        code=code("report.plot_amendments"),
    message:
        "Drawing two amendments, run {wildcards.run}"
    shell:
        "python -m inforce.report.plot_amendments --amended {input.amended} --items {input.item_file} --sections {input.sections}"
        " --amendments {input.amendments} --labels {input.labels} --jurisdiction-config {input.config} --splits {input.splits}"
        " --png {output.png} --svg {output.svg} 2>&1 | tee {log} >&2"


rule plot_amendment_cost:
    """Cost of the current text against the size of the amendment, as in NitiBench+ Figure 4."""
    input:
        item_file="results/stats/{run}/amended_items.csv",
    output:
        png="results/report/{run}/figure04_cost_distance.png",
        svg="results/report/{run}/figure04_cost_distance.svg",
    log:
        "logs/plot_amendment_cost/{run}.log",
    benchmark:
        "logs/plot_amendment_cost/{run}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=code("report.plot_amendment_cost"),
    message:
        "Drawing the cost of amendments, run {wildcards.run}"
    shell:
        "python -m inforce.report.plot_amendment_cost --items {input.item_file}" " --png {output.png} --svg {output.svg} 2>&1 | tee {log} >&2"


rule plot_splits:
    """The parts of the benchmark by domain, as in NitiBench+ Figure 5."""
    input:
        composition="results/stats/{run}/composition.csv",
    output:
        png="results/report/{run}/figure05_splits.png",
        svg="results/report/{run}/figure05_splits.svg",
    log:
        "logs/plot_splits/{run}.log",
    benchmark:
        "logs/plot_splits/{run}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=code("report.plot_splits"),
    message:
        "Drawing the splits, run {wildcards.run}"
    shell:
        "python -m inforce.report.plot_splits --composition {input.composition}" " --png {output.png} --svg {output.svg} 2>&1 | tee {log} >&2"


rule split_table:
    """Full benchmark, test split and validation split, as in NitiBench+ Table 12."""
    input:
        splits="results/stats/{run}/splits.csv",
        agreement="results/stats/{run}/split_agreement.csv",
        models=lambda wildcards: [model_file(name) for name in protocol_of(wildcards.run).models],
    output:
        csv="results/report/{run}/table12_splits.csv",
        markdown="results/report/{run}/table12_splits.md",
        latex="results/report/{run}/table12_splits.tex",
    log:
        "logs/split_table/{run}.log",
    benchmark:
        "logs/split_table/{run}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=code("report.split_table"),
    message:
        "Table of splits, run {wildcards.run}"
    shell:
        "python -m inforce.report.split_table --splits {input.splits} --agreement {input.agreement} --models-dir config/models"
        " --csv {output.csv} --markdown {output.markdown} --latex {output.latex} 2>&1 | tee {log} >&2"


rule tool_gain_table:
    """What the search tool adds and what is left to gain, as in NitiBench+ Table 13."""
    input:
        settings="results/stats/{run}/settings.csv",
        gain="results/stats/{run}/tool_gain.csv",
        models=lambda wildcards: [model_file(name) for name in protocol_of(wildcards.run).models],
    output:
        csv="results/report/{run}/table13_tool_gain.csv",
        markdown="results/report/{run}/table13_tool_gain.md",
        latex="results/report/{run}/table13_tool_gain.tex",
    log:
        "logs/tool_gain_table/{run}.log",
    benchmark:
        "logs/tool_gain_table/{run}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=code("report.tool_gain_table"),
    message:
        "Table of the tool's gain, run {wildcards.run}"
    shell:
        "python -m inforce.report.tool_gain_table --settings {input.settings} --gain {input.gain} --models-dir config/models"
        " --csv {output.csv} --markdown {output.markdown} --latex {output.latex} 2>&1 | tee {log} >&2"


rule post_training_table:
    """Base models and their post-trainings, as in NitiBench+ Table 14."""
    input:
        pairs="results/stats/{run}/post_training.csv",
        models=lambda wildcards: [model_file(name) for name in protocol_of(wildcards.run).models],
    output:
        csv="results/report/{run}/table14_post_training.csv",
        markdown="results/report/{run}/table14_post_training.md",
        latex="results/report/{run}/table14_post_training.tex",
    log:
        "logs/post_training_table/{run}.log",
    benchmark:
        "logs/post_training_table/{run}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=code("report.post_training_table"),
    message:
        "Table of post-trainings, run {wildcards.run}"
    shell:
        "python -m inforce.report.post_training_table --pairs {input.pairs} --models-dir config/models"
        " --csv {output.csv} --markdown {output.markdown} --latex {output.latex} 2>&1 | tee {log} >&2"


rule leaderboard_table:
    """The leaderboard of a run with the range of each rank, as in NitiBench+ Table 17."""
    input:
        settings="results/stats/{run}/settings.csv",
        ranks="results/stats/{run}/ranks.csv",
        models=lambda wildcards: [model_file(name) for name in protocol_of(wildcards.run).models],
    output:
        csv="results/report/{run}/table17_leaderboard.csv",
        markdown="results/report/{run}/table17_leaderboard.md",
        latex="results/report/{run}/table17_leaderboard.tex",
    log:
        "logs/leaderboard_table/{run}.log",
    benchmark:
        "logs/leaderboard_table/{run}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=code("report.leaderboard_table"),
    message:
        "Table of the leaderboard, run {wildcards.run}"
    shell:
        "python -m inforce.report.leaderboard_table --settings {input.settings} --ranks {input.ranks} --models-dir config/models"
        " --csv {output.csv} --markdown {output.markdown} --latex {output.latex} 2>&1 | tee {log} >&2"


rule cost_table:
    """Cost and behaviour of each model, as in NitiBench+ Table 18."""
    input:
        settings="results/stats/{run}/settings.csv",
        ranks="results/stats/{run}/ranks.csv",
        models=lambda wildcards: [model_file(name) for name in protocol_of(wildcards.run).models],
    output:
        csv="results/report/{run}/table18_cost_behaviour.csv",
        markdown="results/report/{run}/table18_cost_behaviour.md",
        latex="results/report/{run}/table18_cost_behaviour.tex",
    log:
        "logs/cost_table/{run}.log",
    benchmark:
        "logs/cost_table/{run}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=code("report.cost_table"),
    message:
        "Table of cost and behaviour, run {wildcards.run}"
    shell:
        "python -m inforce.report.cost_table --settings {input.settings} --ranks {input.ranks} --models-dir config/models"
        " --csv {output.csv} --markdown {output.markdown} --latex {output.latex} 2>&1 | tee {log} >&2"


rule domain_table:
    """Scores by domain over the models, as in NitiBench+ Table 19."""
    input:
        means="results/stats/{run}/domain_means.csv",
        models=lambda wildcards: [model_file(name) for name in protocol_of(wildcards.run).models],
    output:
        csv="results/report/{run}/table19_domain_means.csv",
        markdown="results/report/{run}/table19_domain_means.md",
        latex="results/report/{run}/table19_domain_means.tex",
    log:
        "logs/domain_table/{run}.log",
    benchmark:
        "logs/domain_table/{run}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=code("report.domain_table"),
    message:
        "Table of domains, run {wildcards.run}"
    shell:
        "python -m inforce.report.domain_table --means {input.means} --models-dir config/models"
        " --csv {output.csv} --markdown {output.markdown} --latex {output.latex} 2>&1 | tee {log} >&2"


rule model_domain_table:
    """Scores by model and domain, as in NitiBench+ Table 20."""
    input:
        settings="results/stats/{run}/settings.csv",
        means="results/stats/{run}/domain_means.csv",
        models=lambda wildcards: [model_file(name) for name in protocol_of(wildcards.run).models],
    output:
        csv="results/report/{run}/table20_model_by_domain.csv",
        markdown="results/report/{run}/table20_model_by_domain.md",
        latex="results/report/{run}/table20_model_by_domain.tex",
    log:
        "logs/model_domain_table/{run}.log",
    benchmark:
        "logs/model_domain_table/{run}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=code("report.model_domain_table"),
    message:
        "Table of models by domain, run {wildcards.run}"
    shell:
        "python -m inforce.report.model_domain_table --settings {input.settings} --means {input.means} --models-dir config/models"
        " --csv {output.csv} --markdown {output.markdown} --latex {output.latex} 2>&1 | tee {log} >&2"


rule leaderboard_domain_table:
    """The leaderboard by domain, as in NitiBench+ Table 21."""
    input:
        settings="results/stats/{run}/settings.csv",
        means="results/stats/{run}/domain_means.csv",
        models=lambda wildcards: [model_file(name) for name in protocol_of(wildcards.run).models],
    output:
        csv="results/report/{run}/table21_leaderboard_by_domain.csv",
        markdown="results/report/{run}/table21_leaderboard_by_domain.md",
        latex="results/report/{run}/table21_leaderboard_by_domain.tex",
    log:
        "logs/leaderboard_domain_table/{run}.log",
    benchmark:
        "logs/leaderboard_domain_table/{run}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=code("report.leaderboard_domain_table"),
    message:
        "Table of the leaderboard by domain, run {wildcards.run}"
    shell:
        "python -m inforce.report.leaderboard_domain_table --settings {input.settings} --means {input.means} --models-dir config/models"
        " --csv {output.csv} --markdown {output.markdown} --latex {output.latex} 2>&1 | tee {log} >&2"


rule judge_table:
    """How far the judges agree, and which of them is harsher."""
    input:
        agreement="results/stats/{run}/judge_agreement.csv",
        judges=lambda wildcards: sorted({f"config/judges/{judge}.yaml" for judge in protocol_of(wildcards.run).panel}),
    output:
        csv="results/report/{run}/judges_agreement.csv",
        markdown="results/report/{run}/judges_agreement.md",
        latex="results/report/{run}/judges_agreement.tex",
    log:
        "logs/judge_table/{run}.log",
    benchmark:
        "logs/judge_table/{run}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=code("report.judge_table"),
    message:
        "Table of the judges, run {wildcards.run}"
    shell:
        "python -m inforce.report.judge_table --agreement {input.agreement} --judges-dir config/judges"
        " --csv {output.csv} --markdown {output.markdown} --latex {output.latex} 2>&1 | tee {log} >&2"


rule comparison_table:
    """Every pair of models, tested."""
    input:
        comparison="results/stats/{run}/model_comparison.csv",
        models=lambda wildcards: [model_file(name) for name in protocol_of(wildcards.run).models],
    output:
        csv="results/report/{run}/model_comparison.csv",
        markdown="results/report/{run}/model_comparison.md",
        latex="results/report/{run}/model_comparison.tex",
    log:
        "logs/comparison_table/{run}.log",
    benchmark:
        "logs/comparison_table/{run}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=code("report.comparison_table"),
    message:
        "Table of model pairs, run {wildcards.run}"
    shell:
        "python -m inforce.report.comparison_table --comparison {input.comparison} --models-dir config/models"
        " --csv {output.csv} --markdown {output.markdown} --latex {output.latex} 2>&1 | tee {log} >&2"


rule contamination_table:
    """Signs that a model has seen what it is asked."""
    input:
        checks="results/stats/{run}/contamination.csv",
        models=lambda wildcards: [model_file(name) for name in protocol_of(wildcards.run).models],
    output:
        csv="results/report/{run}/contamination.csv",
        markdown="results/report/{run}/contamination.md",
        latex="results/report/{run}/contamination.tex",
    log:
        "logs/contamination_table/{run}.log",
    benchmark:
        "logs/contamination_table/{run}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=code("report.contamination_table"),
    message:
        "Table of contamination checks, run {wildcards.run}"
    shell:
        "python -m inforce.report.contamination_table --checks {input.checks} --models-dir config/models"
        " --csv {output.csv} --markdown {output.markdown} --latex {output.latex} 2>&1 | tee {log} >&2"


rule plot_cost:
    """Score against cost with the Pareto front, as in NitiBench+ Figure 7."""
    input:
        front="results/stats/{run}/pareto_front.csv",
        models=lambda wildcards: [model_file(name) for name in protocol_of(wildcards.run).models],
    output:
        png="results/report/{run}/figure07_cost.png",
        svg="results/report/{run}/figure07_cost.svg",
    log:
        "logs/plot_cost/{run}.log",
    benchmark:
        "logs/plot_cost/{run}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=code("report.plot_cost"),
    message:
        "Drawing score against cost, run {wildcards.run}"
    shell:
        "python -m inforce.report.plot_cost --front {input.front} --models-dir config/models" " --png {output.png} --svg {output.svg} 2>&1 | tee {log} >&2"


rule plot_domains:
    """Score by model and domain as a heat map, as in NitiBench+ Figure 8."""
    input:
        settings="results/stats/{run}/settings.csv",
        means="results/stats/{run}/domain_means.csv",
        models=lambda wildcards: [model_file(name) for name in protocol_of(wildcards.run).models],
    output:
        png="results/report/{run}/figure08_domains.png",
        svg="results/report/{run}/figure08_domains.svg",
    log:
        "logs/plot_domains/{run}.log",
    benchmark:
        "logs/plot_domains/{run}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=code("report.plot_domains"),
    message:
        "Drawing scores by domain, run {wildcards.run}"
    shell:
        "python -m inforce.report.plot_domains --settings {input.settings} --means {input.means} --models-dir config/models"
        " --png {output.png} --svg {output.svg} 2>&1 | tee {log} >&2"


rule plot_invented:
    """Invented citations, split into laws and sections, as in NitiBench+ Figure 9."""
    input:
        settings="results/stats/{run}/settings.csv",
        models=lambda wildcards: [model_file(name) for name in protocol_of(wildcards.run).models],
    output:
        png="results/report/{run}/figure09_invented.png",
        svg="results/report/{run}/figure09_invented.svg",
    log:
        "logs/plot_invented/{run}.log",
    benchmark:
        "logs/plot_invented/{run}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=code("report.plot_invented"),
    message:
        "Drawing invented citations, run {wildcards.run}"
    shell:
        "python -m inforce.report.plot_invented --settings {input.settings} --models-dir config/models"
        " --png {output.png} --svg {output.svg} 2>&1 | tee {log} >&2"


rule plot_score_by_f1:
    """The score of answers by their Citation F1, as in NitiBench+ Figure 10."""
    input:
        bins="results/stats/{run}/score_by_citations.csv",
        weights="results/stats/{run}/citation_weights.csv",
    output:
        png="results/report/{run}/figure10_score_by_f1.png",
        svg="results/report/{run}/figure10_score_by_f1.svg",
    log:
        "logs/plot_score_by_f1/{run}.log",
    benchmark:
        "logs/plot_score_by_f1/{run}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=code("report.plot_score_by_f1"),
    message:
        "Drawing the score by citations, run {wildcards.run}"
    shell:
        "python -m inforce.report.plot_score_by_f1 --bins {input.bins} --weights {input.weights}" " --png {output.png} --svg {output.svg} 2>&1 | tee {log} >&2"


rule plot_ranks:
    """Ranks beside an outside index, as in NitiBench+ Figure 11."""
    input:
        ranks="results/stats/{run}/outside_ranks.csv",
        correlations="results/stats/{run}/outside_correlations.csv",
        models=lambda wildcards: [model_file(name) for name in protocol_of(wildcards.run).models],
    output:
        png="results/report/{run}/figure11_ranks.png",
        svg="results/report/{run}/figure11_ranks.svg",
    log:
        "logs/plot_ranks/{run}.log",
    benchmark:
        "logs/plot_ranks/{run}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=code("report.plot_ranks"),
    message:
        "Drawing ranks beside an outside index, run {wildcards.run}"
    shell:
        "python -m inforce.report.plot_ranks --ranks {input.ranks} --correlations {input.correlations} --models-dir config/models"
        " --png {output.png} --svg {output.svg} 2>&1 | tee {log} >&2"


rule make_leaderboard:
    """One row a run and model."""
    input:
        settings=expand("results/stats/{run}/settings.csv", run=RUNS),
        ranks=expand("results/stats/{run}/ranks.csv", run=RUNS),
        models=sorted({model_file(name) for run in RUNS for name in protocol_of(run).models}),
    output:
        "results/leaderboard.csv",
    log:
        "logs/make_leaderboard.log",
    benchmark:
        "logs/make_leaderboard.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=code("report.make_leaderboard"),
    message:
        "The leaderboard"
    shell:
        "python -m inforce.report.make_leaderboard --settings {input.settings} --ranks {input.ranks} --models-dir config/models --out {output} 2>&1 | tee {log} >&2"


rule collect_run:
    """Everything that the report page shows of one run, as one JSON file."""
    input:
        jurisdiction=lambda wildcards: f"config/jurisdictions/{RUNS[wildcards.run].jurisdiction}.yaml",
        protocol=lambda wildcards: f"config/protocols/{RUNS[wildcards.run].protocol}.yaml",
        models=lambda wildcards: [model_file(name) for name in protocol_of(wildcards.run).models],
        judges=lambda wildcards: sorted({f"config/judges/{judge}.yaml" for judge in protocol_of(wildcards.run).panel}),
        item_file="results/runs/{run}/items.jsonl",
        sections=lambda wildcards: f"results/corpus/{RUNS[wildcards.run].jurisdiction}/sections.parquet",
        settings="results/stats/{run}/settings.csv",
        gain="results/stats/{run}/gain_by_band.csv",
        statuses="results/stats/{run}/statuses.csv",
        answers=of_cells("results/answers/{cell}.jsonl"),
        grades=all_grades,
        scores=of_cells("results/scores/{cell}/scores.parquet"),
        citations=of_cells("results/scores/{cell}/citations.parquet"),
        problems=problem_files,
        composition=lambda wildcards: f"results/items/{RUNS[wildcards.run].jurisdiction}/composition.csv",
        split=lambda wildcards: f"results/drift/{RUNS[wildcards.run].jurisdiction}/citation_split.csv",
        by_band="results/stats/{run}/scores_by_band.csv",
        splits=splits_of,
        release=release_files,
        masked=masked_items,
        tables=[f"results/report/{{run}}/{name}.md" for name in TABLES],
        figures=[f"results/report/{{run}}/{name}.svg" for name in FIGURES],
    output:
        "results/report/{run}/page.json",
    log:
        "logs/collect_run/{run}.log",
    benchmark:
        "logs/collect_run/{run}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=4000,
        runtime=30,
    params:
        code=code("report.collect_run"),
        notes=notes,
        shown=shown_option,
        answers=lambda wildcards, input: braced(input.answers),
        grades=lambda wildcards, input: braced(input.grades),
        scores=lambda wildcards, input: braced(input.scores),
        citations=lambda wildcards, input: braced(input.citations),
    message:
        "Collecting run {wildcards.run} for the report"
    shell:
        "python -m inforce.report.collect_run --run {wildcards.run} --jurisdiction-config {input.jurisdiction} --protocol-config {input.protocol}"
        " --models-dir config/models --judges-dir config/judges --items {input.item_file} --sections {input.sections}"
        " --settings {input.settings} --gain {input.gain} --statuses {input.statuses} --answers {params.answers} --grades {params.grades}"
        " --scores {params.scores} --citations {params.citations} --problems {input.problems} --composition {input.composition}"
        " --split {input.split} --by-band {input.by_band} --splits {input.splits} --tables {input.tables} --figures {input.figures} {params.notes:q} {params.shown} --out {output} 2>&1 | tee {log} >&2"


rule make_report:
    """The page that people read: self-contained, works from a file."""
    input:
        pages=expand("results/report/{run}/page.json", run=RUNS),
        leaderboard="results/leaderboard.csv",
        tables=all_tables(),
    output:
        "results/report.html",
    log:
        "logs/make_report.log",
    benchmark:
        "logs/make_report.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=4000,
        runtime=30,
    params:
        code=code("report.make_report"),
    message:
        "The report page"
    shell:
        "python -m inforce.report.make_report --pages {input.pages} --leaderboard {input.leaderboard} --out {output} 2>&1 | tee {log} >&2"
