# Dated law and court decisions, read from a jurisdiction's sources.


rule read_law:
    """Every dated version of every section, and the laws they belong to."""
    input:
        config="config/jurisdictions/{jurisdiction}.yaml",
        source=lambda wildcards: source_files(wildcards.jurisdiction, "law"),
    output:
        laws="results/corpus/{jurisdiction}/laws.parquet",
        sections="results/corpus/{jurisdiction}/sections.parquet",
        problems="results/corpus/{jurisdiction}/law_problems.csv",
    log:
        "logs/read_law/{jurisdiction}.log",
    benchmark:
        "logs/read_law/{jurisdiction}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=2000,
        runtime=30,
    params:
        code=code("corpus.read_law"),
        root=lambda wildcards: root_of(wildcards.jurisdiction),
    message:
        "Reading the law of {wildcards.jurisdiction}"
    shell:
        "python -m inforce.corpus.read_law --jurisdiction {wildcards.jurisdiction} --jurisdiction-config {input.config} --root {params.root:q}"
        " --laws {output.laws} --sections {output.sections} --problems {output.problems} 2>&1 | tee {log} >&2"


rule summarise_law:
    """What the law of a jurisdiction holds and what was wrong in its source, in figures; needs no decisions."""
    input:
        config="config/jurisdictions/{jurisdiction}.yaml",
        laws="results/corpus/{jurisdiction}/laws.parquet",
        sections="results/corpus/{jurisdiction}/sections.parquet",
        problems="results/corpus/{jurisdiction}/law_problems.csv",
    output:
        facts="results/corpus/{jurisdiction}/facts.csv",
        counts="results/corpus/{jurisdiction}/problem_counts.csv",
    log:
        "logs/summarise_law/{jurisdiction}.log",
    benchmark:
        "logs/summarise_law/{jurisdiction}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=2000,
        runtime=30,
    params:
        code=code("corpus.summarise_law"),
    message:
        "Summarising the law of {wildcards.jurisdiction}"
    shell:
        "python -m inforce.corpus.summarise_law --jurisdiction-config {input.config} --laws {input.laws} --sections {input.sections}"
        " --problems {input.problems} --facts {output.facts} --counts {output.counts} 2>&1 | tee {log} >&2"


rule read_decisions:
    """Court decisions with their questions, verdicts and citations, as the source gives them."""
    input:
        config="config/jurisdictions/{jurisdiction}.yaml",
        source=lambda wildcards: source_files(wildcards.jurisdiction, "decisions"),
    output:
        decisions="results/corpus/{jurisdiction}/decisions.jsonl",
        problems="results/corpus/{jurisdiction}/decision_problems.csv",
    log:
        "logs/read_decisions/{jurisdiction}.log",
    benchmark:
        "logs/read_decisions/{jurisdiction}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=2000,
        runtime=30,
    params:
        code=code("corpus.read_decisions"),
        root=lambda wildcards: root_of(wildcards.jurisdiction),
    message:
        "Reading the decisions of {wildcards.jurisdiction}"
    shell:
        "python -m inforce.corpus.read_decisions --jurisdiction {wildcards.jurisdiction} --jurisdiction-config {input.config} --root {params.root:q}"
        " --decisions {output.decisions} --problems {output.problems} 2>&1 | tee {log} >&2"
