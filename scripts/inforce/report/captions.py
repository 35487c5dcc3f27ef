"""Titles of the report's tables and figures, by the name of their files."""

from __future__ import annotations

TITLES = {
    "table01_drift_by_court": "Decisions by court and by what became of the law they cite",
    "table02_audit_counts": "What legal benchmarks record about time: counts",
    "table03_audit": "What legal benchmarks record about time: each benchmark",
    "table04_question_set": "A question set with embedded texts against the current law",
    "table05_composition": "Composition by domain",
    "table07_settings": "Scores in the settings",
    "table08_gain": "What the law in force gains over the current law",
    "table09_rule_change": "The gain where the rule changed, and where only the wording did",
    "table10_agreement": "Agreement with the court's verdict, and the score where the verdict agrees",
    "table11_spearman": "Size of the amendment and what it costs",
    "table12_splits": "Full benchmark, test split and validation split",
    "table13_tool_gain": "What the search tool adds, and what is left to gain",
    "table14_post_training": "Base models and their post-trainings",
    "table15_serving": "How the models were served",
    "table16_compute": "Tokens, searches and GPU hours",
    "table17_leaderboard": "Leaderboard",
    "table18_cost_behaviour": "Cost and behaviour",
    "table19_domain_means": "Scores by domain",
    "table20_model_by_domain": "Scores by model and domain",
    "table21_leaderboard_by_domain": "Leaderboard by domain",
    "table22_best_of_samples": "Best of the samples of each item",
    "table23_spread": "Spread over the samples",
    "table24_contrasts": "Gain of the law in force, each model",
    "table25_citations": "Citation precision, recall and F1",
    "judges_agreement": "Agreement of the judges",
    "model_comparison": "Models compared in pairs",
    "contamination": "Signs of training on the released items",
    "figure02_drift": "Decisions by year and by what became of the law they cite",
    "figure03_amendments": "Two amendments, the changed words marked",
    "figure04_cost_distance": "What an amendment costs, by the size of its edit",
    "figure05_splits": "Composition of the splits",
    "figure06_leaderboard": "Scores with 95 % intervals",
    "figure07_cost": "Score against cost",
    "figure08_domains": "Score by model and domain",
    "figure09_invented": "Invented citations: laws and sections",
    "figure10_score_by_f1": "Score by citation F1 within models",
    "figure11_ranks": "Ranks against an outside index",
}

# Where the numbers of a figure are, of a run and its jurisdiction.
NUMBERS = {
    "figure02_drift": "results/drift/{jurisdiction}/by_year.csv",
    "figure03_amendments": "results/stats/{run}/amended_items.csv",
    "figure04_cost_distance": "results/stats/{run}/amended_items.csv",
    "figure05_splits": "results/stats/{run}/composition.csv",
    "figure06_leaderboard": "results/stats/{run}/settings.csv",
    "figure07_cost": "results/stats/{run}/pareto_front.csv",
    "figure08_domains": "results/stats/{run}/settings.csv",
    "figure09_invented": "results/stats/{run}/settings.csv",
    "figure10_score_by_f1": "results/stats/{run}/score_by_citations.csv and results/stats/{run}/citation_weights.csv",
    "figure11_ranks": "results/stats/{run}/outside_ranks.csv and results/stats/{run}/outside_correlations.csv",
}


def title_of(stem: str) -> str:
    """The title, or the file's name in words for a file without one."""
    return TITLES.get(stem, stem.replace("_", " "))


def figure_alt(stem: str, run: str, jurisdiction: str) -> str:
    """What a drawing shows, for those who cannot see it, and the file that holds its numbers."""
    where = NUMBERS.get(stem)
    numbers = f"; its numbers are in {where.format(run=run, jurisdiction=jurisdiction)}" if where else ""
    return f"{title_of(stem)}, run {run}{numbers}."


def number_of(stem: str) -> str:
    """`table07_settings` -> `Table 7`; empty for what the paper does not number."""
    for prefix, word in (("table", "Table"), ("figure", "Figure")):
        digits = stem.removeprefix(prefix)[:2]
        if stem.startswith(prefix) and digits.isdigit():
            return f"{word} {int(digits)}"
    return ""
