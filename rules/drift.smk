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
