# Benchmark items: the schema of NitiBench+ Appendix A.1.


rule make_items:
    """Items with their gold citations, drift bands, clusters and the day whose law applies."""
    input:
        config="config/jurisdictions/{jurisdiction}.yaml",
        laws="results/corpus/{jurisdiction}/laws.parquet",
        decisions="results/corpus/{jurisdiction}/decisions.jsonl",
        citations="results/drift/{jurisdiction}/citations.csv",
    output:
        item_file="results/items/{jurisdiction}/items.jsonl",
        composition="results/items/{jurisdiction}/composition.csv",
        problems="results/items/{jurisdiction}/problems.csv",
    log:
        "logs/make_items/{jurisdiction}.log",
    benchmark:
        "logs/make_items/{jurisdiction}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=2000,
        runtime=30,
    params:
        code=code("items.make_items"),
    message:
        "Making the items of {wildcards.jurisdiction}"
    shell:
        "python -m inforce.items.make_items --jurisdiction-config {input.config} --decisions {input.decisions} --citations {input.citations}"
        " --laws {input.laws} --items {output.item_file} --composition {output.composition} --problems {output.problems} 2>&1 | tee {log} >&2"


rule make_splits:
    """Test split, validation split and reserve (NitiBench+ §7.1)."""
    input:
        config="config/jurisdictions/{jurisdiction}.yaml",
        item_file="results/items/{jurisdiction}/items.jsonl",
    output:
        "results/items/{jurisdiction}/splits.csv",
    log:
        "logs/make_splits/{jurisdiction}.log",
    benchmark:
        "logs/make_splits/{jurisdiction}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=code("items.make_splits"),
    message:
        "Splitting the items of {wildcards.jurisdiction}"
    shell:
        "python -m inforce.items.make_splits --jurisdiction-config {input.config} --items {input.item_file} --out {output} 2>&1 | tee {log} >&2"


rule select_items:
    """The items that a run asks: all or one split, or so many of them spread evenly over domains and drift bands."""
    input:
        protocol=ancient(protocol_file),
        item_file=lambda wildcards: f"results/items/{RUNS[wildcards.run].jurisdiction}/items.jsonl",
        splits=lambda wildcards: splits(wildcards.run),
    output:
        "results/runs/{run}/items.jsonl",
    log:
        "logs/select_items/{run}.log",
    benchmark:
        "logs/select_items/{run}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=code("items.select_items"),
        asked=asked_as("split", "max_items", "max_fact_chars"),
        splits=lambda wildcards: splits_option(wildcards.run),
    message:
        "Selecting the items of run {wildcards.run}"
    shell:
        "python -m inforce.items.select_items --protocol-config {input.protocol} --items {input.item_file} {params.splits} --out {output} 2>&1 | tee {log} >&2"


rule mask_items:
    """The items with personal details masked by rule (NitiBench+ A.1)."""
    input:
        rules=lambda wildcards: masking_file(wildcards.jurisdiction),
        item_file="results/items/{jurisdiction}/items.jsonl",
    output:
        item_file="results/items/{jurisdiction}/masked.jsonl",
        masks="results/items/{jurisdiction}/masks.jsonl",
        counts="results/items/{jurisdiction}/masked.csv",
    log:
        "logs/mask_items/{jurisdiction}.log",
    benchmark:
        "logs/mask_items/{jurisdiction}.tsv"
    container:
        image("cpu")
    resources:
        mem_mb=2000,
        runtime=30,
    params:
        code=code("items.mask_items"),
    message:
        "Masking personal details in the items of {wildcards.jurisdiction}"
    shell:
        "python -m inforce.items.mask_items --masking-config {input.rules} --items {input.item_file} --out {output.item_file} --masks {output.masks}"
        " --counts {output.counts} 2>&1 | tee {log} >&2"
