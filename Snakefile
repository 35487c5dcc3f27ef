# The targets and the includes; nothing is computed here.
# Run `snakemake results/leaderboard.csv`; profiles/default/ holds the usual settings.

from snakemake.utils import min_version

min_version("9.0")

if "runs" not in config:

    configfile: "config/config.yaml"


include: "rules/common.smk"
include: "rules/models.smk"
include: "rules/corpus.smk"
include: "rules/drift.smk"
include: "rules/items.smk"
include: "rules/retrieval.smk"
include: "rules/answers.smk"
include: "rules/grades.smk"
include: "rules/scores.smk"
include: "rules/stats.smk"
include: "rules/report.smk"
include: "rules/audit.smk"


rule all:
    """Everything that the configured runs make."""
    default_target: True
    input:
        all_results(),
    message:
        "All results are made"
