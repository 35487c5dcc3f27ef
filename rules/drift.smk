# What became of the cited law between the decision and today.


rule classify_citations:
    """Resolve each citation of a decision to the version in force then and to the current one (NitiBench+ A.2)."""
    input:
        config="config/jurisdictions/{jurisdiction}.yaml",
        laws="results/corpus/{jurisdiction}/laws.parquet",
        sections="results/corpus/{jurisdiction}/sections.parquet",
        decisions="results/corpus/{jurisdiction}/decisions.jsonl",
    output:
        citations="results/drift/{jurisdiction}/citations.csv",
        split="results/drift/{jurisdiction}/citation_split.csv",
        facts="results/drift/{jurisdiction}/corpus_facts.csv",
        problems="results/drift/{jurisdiction}/problems.csv",
    log:
        "logs/classify_citations/{jurisdiction}.log",
    benchmark:
        "logs/classify_citations/{jurisdiction}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=2000,
        runtime=30,
    params:
        code=code("drift.classify_citations"),
    message:
        "Classifying the citations of {wildcards.jurisdiction}"
    shell:
        "python -m inforce.drift.classify_citations --jurisdiction {wildcards.jurisdiction} --jurisdiction-config {input.config}"
        " --laws {input.laws} --sections {input.sections} --decisions {input.decisions}"
        " --citations {output.citations} --split {output.split} --facts {output.facts} --problems {output.problems} 2>&1 | tee {log} >&2"


rule classify_decisions:
    """The most severe state of each decision's citations, by court and year (NitiBench+ Table 1, Figure 2)."""
    input:
        decisions="results/corpus/{jurisdiction}/decisions.jsonl",
        citations="results/drift/{jurisdiction}/citations.csv",
    output:
        decisions="results/drift/{jurisdiction}/decisions.csv",
        by_court="results/drift/{jurisdiction}/by_court.csv",
        by_year="results/drift/{jurisdiction}/by_year.csv",
    log:
        "logs/classify_decisions/{jurisdiction}.log",
    benchmark:
        "logs/classify_decisions/{jurisdiction}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=4000,
        runtime=30,
    params:
        code=code("drift.classify_decisions"),
    message:
        "Classifying the decisions of {wildcards.jurisdiction}"
    shell:
        "python -m inforce.drift.classify_decisions --decisions {input.decisions} --citations {input.citations}"
        " --out {output.decisions} --by-court {output.by_court} --by-year {output.by_year} 2>&1 | tee {log} >&2"


rule measure_amendments:
    """The distance between consecutive versions, and between the text in force and the current one (NitiBench+ equation 1, Table 11)."""
    input:
        sections="results/corpus/{jurisdiction}/sections.parquet",
        citations="results/drift/{jurisdiction}/citations.csv",
    output:
        "results/drift/{jurisdiction}/amendments.csv",
    log:
        "logs/measure_amendments/{jurisdiction}.log",
    benchmark:
        "logs/measure_amendments/{jurisdiction}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=8000,
        runtime=60,
    params:
        code=code("drift.measure_amendments"),
    message:
        "Measuring the amendments of {wildcards.jurisdiction}"
    shell:
        "python -m inforce.drift.measure_amendments --sections {input.sections} --citations {input.citations} --out {output} 2>&1 | tee {log} >&2"


rule compare_question_set:
    """The statute texts inside a question set against the law of today (NitiBench+ Table 4)."""
    input:
        config="config/jurisdictions/{jurisdiction}.yaml",
        questions=lambda wildcards: source_files(wildcards.jurisdiction, "questions"),
        laws="results/corpus/{jurisdiction}/laws.parquet",
        sections="results/corpus/{jurisdiction}/sections.parquet",
    output:
        citations="results/drift/{jurisdiction}/question_set.csv",
        summary="results/drift/{jurisdiction}/question_set_summary.csv",
        problems="results/drift/{jurisdiction}/question_set_problems.csv",
    log:
        "logs/compare_question_set/{jurisdiction}.log",
    benchmark:
        "logs/compare_question_set/{jurisdiction}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=4000,
        runtime=30,
    params:
        code=code("drift.compare_question_set"),
        root=lambda wildcards: root_of(wildcards.jurisdiction),
    message:
        "Comparing the question set of {wildcards.jurisdiction} with the law of today"
    shell:
        "python -m inforce.drift.compare_question_set --jurisdiction-config {input.config} --root {params.root:q}"
        " --laws {input.laws} --sections {input.sections}"
        " --out {output.citations} --summary {output.summary} --problems {output.problems} 2>&1 | tee {log} >&2"


rule count_audit:
    """What benchmarks record about time, by period of release (NitiBench+ Tables 2 and 3)."""
    input:
        "config/benchmark_audit.csv",
    output:
        counts="results/drift/audit_counts.csv",
        rows="results/drift/audit.csv",
    log:
        "logs/count_audit.log",
    benchmark:
        "logs/count_audit.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=code("drift.count_audit"),
        starts=[2024, 2026],
    message:
        "Counting what benchmarks record about time"
    shell:
        "python -m inforce.drift.count_audit --audit {input} --period-starts {params.starts} --counts {output.counts} --rows {output.rows} 2>&1 | tee {log} >&2"
