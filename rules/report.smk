# What people read: leaderboard, tables, figures, one page.


rule settings_table:
    """Scores in the settings as in NitiBench+ Table 7."""
    input:
        settings="results/stats/{run}/settings.csv",
        models=lambda wildcards: [model_file(name) for name in protocol_of(wildcards.run).models],
    output:
        csv="results/report/{run}/table07_settings.csv",
        markdown="results/report/{run}/table07_settings.md",
    params:
        code=code("report.settings_table"),
    log:
        "logs/settings_table/{run}.log",
    benchmark:
        "logs/settings_table/{run}.tsv"
    message:
        "Table of settings, run {wildcards.run}"
    resources:
        mem_mb=1000,
        runtime=10,
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
    params:
        code=code("report.gain_table"),
    log:
        "logs/gain_table/{run}.log",
    benchmark:
        "logs/gain_table/{run}.tsv"
    message:
        "Table of gains, run {wildcards.run}"
    resources:
        mem_mb=1000,
        runtime=10,
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
    params:
        code=code("report.plot_leaderboard"),
    log:
        "logs/plot_leaderboard/{run}.log",
    benchmark:
        "logs/plot_leaderboard/{run}.tsv"
    message:
        "Drawing the leaderboard, run {wildcards.run}"
    resources:
        mem_mb=1000,
        runtime=10,
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
    params:
        code=code("report.make_leaderboard"),
    log:
        "logs/make_leaderboard.log",
    benchmark:
        "logs/make_leaderboard.tsv"
    message:
        "The leaderboard"
    resources:
        mem_mb=1000,
        runtime=10,
    shell:
        "python -m inforce.report.make_leaderboard --settings {input.settings} --models-dir config/models --out {output} 2>&1 | tee {log} >&2"
