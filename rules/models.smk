# How a request reaches a model: weights that a package carries are converted once.


rule prepare_model:
    """Convert the weights of a local model to safetensors, which load in a second (GGUF: half a minute)."""
    input:
        model="config/models/{model}.yaml",
    output:
        [f"results/models/{{model}}/{name}" for name in WEIGHT_FILES],
    log:
        "logs/prepare_model/{model}.log",
    benchmark:
        "logs/prepare_model/{model}.tsv"
    # asked for first, since every answer waits for it
    priority: 20
    container:
        image("cpu")
    resources:
        mem_mb=3000,
        runtime=15,
        cpus_per_task=2,
    params:
        code=code("models.prepare_model"),
    message:
        "Preparing the weights of {wildcards.model}"
    shell:
        "python -m inforce.models.prepare_model --model-config {input.model} --out results/models/{wildcards.model} 2>&1 | tee {log} >&2"
