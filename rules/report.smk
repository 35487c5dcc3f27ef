# What people read: leaderboard, tables, figures, one page.


rule settings_table:
    """Scores in the settings as in NitiBench+ Table 7."""
    input:
        settings="results/stats/{run}/settings.csv",
        models=lambda wildcards: [model_file(name) for name in protocol_of(wildcards.run).models],
    output:
        csv="results/report/{run}/table07_settings.csv",
        markdown="results/report/{run}/table07_settings.md",
    log:
        "logs/settings_table/{run}.log",
    benchmark:
        "logs/settings_table/{run}.tsv"
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=code("report.settings_table"),
    message:
        "Table of settings, run {wildcards.run}"
    shell:
        "python -m inforce.report.settings_table --settings {input.settings} --models-dir config/models --csv {output.csv}"
        " --markdown {output.markdown} 2>&1 | tee {log} >&2"


rule gain_table:
    """The gain of the text in force over the current text as in NitiBench+ Table 8."""
    input:
        gain="results/stats/{run}/gain_by_band.csv",
        models=lambda wildcards: [model_file(name) for name in protocol_of(wildcards.run).models],
    output:
        csv="results/report/{run}/table08_gain.csv",
        markdown="results/report/{run}/table08_gain.md",
    log:
        "logs/gain_table/{run}.log",
    benchmark:
        "logs/gain_table/{run}.tsv"
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=code("report.gain_table"),
    message:
        "Table of gains, run {wildcards.run}"
    shell:
        "python -m inforce.report.gain_table --gain {input.gain} --models-dir config/models --csv {output.csv}"
        " --markdown {output.markdown} 2>&1 | tee {log} >&2"


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


rule make_leaderboard:
    """One row a run and model."""
    input:
        settings=expand("results/stats/{run}/settings.csv", run=RUNS),
        models=sorted({model_file(name) for run in RUNS for name in protocol_of(run).models}),
    output:
        "results/leaderboard.csv",
    log:
        "logs/make_leaderboard.log",
    benchmark:
        "logs/make_leaderboard.tsv"
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=code("report.make_leaderboard"),
    message:
        "The leaderboard"
    shell:
        "python -m inforce.report.make_leaderboard --settings {input.settings} --models-dir config/models --out {output} 2>&1 | tee {log} >&2"


rule collect_run:
    """Everything that the report page shows of one run, as one JSON file."""
    input:
        config=lambda wildcards: f"config/jurisdictions/{RUNS[wildcards.run].jurisdiction}.yaml",
        item_file="results/runs/{run}/items.jsonl",
    output:
        "results/report/{run}/page.json",
    params:
        code=code("report.collect_run"),
    log:
        "logs/collect_run/{run}.log",
    benchmark:
        "logs/collect_run/{run}.tsv"
    message:
        "Collecting run {wildcards.run} for the report"
    resources:
        mem_mb=4000,
        runtime=30,
    shell:
        "python -m inforce.report.collect_run --out {output} 2>&1 | tee {log} >&2"
