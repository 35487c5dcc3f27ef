"""The intervals hold the planted truth as often as they say: many small runs with known means, drawn and analysed anew.

The seeds are fixed, so the counts are too. The bounds are those of a binomial: a right 95 % interval is outside them once in a thousand.
"""

import importlib.util
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom

from inforce.records.status import DRIFT_BANDS
from inforce.stats.aggregate_scores import aggregate_scores
from inforce.stats.gain_by_band import gain_by_band

_spec = importlib.util.spec_from_file_location("generate_run", Path(__file__).parents[2] / "benchmarks" / "generate_run.py")
generate = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(generate)

DRAWS, RESAMPLES = 200, 400
DOMAINS = [generate.Domain(name, (14, 16, 10), 90) for name in ("a", "b", "c", "d")]
SETTINGS = ("gold_current", "gold_in_force")
METRICS = ("score", "citation_f1", "citation_precision", "citation_recall")
COUNTED = ["n_invented_law", "n_checked", "n_exact", "n_stale", "n_wrong_section", "n_nonexistent"]


def frames(corpus, truth, generator):
    """Score and answer rows of one model in both settings, as read_tables gives them."""
    effects = generate.draw_effects(corpus, 1, generator)
    names = np.array(corpus.cluster_names)
    scores, answers = [], []
    for setting in SETTINGS:
        cell = generate.draw_cell(corpus, truth, effects, 0, setting, generator)
        owners = corpus.owners
        shared = {"run": "r", "model": "m", "setting": setting, "sample": 1}
        metrics = {"score": cell["score"], "citation_f1": cell["f1"], "citation_precision": cell["precision"]}
        empty = dict.fromkeys(("lexical_score", "agrees_with_court"), np.nan) | dict.fromkeys(COUNTED, 0)
        place = {"item_id": np.array(corpus.ids), "domain": corpus.domains.astype(str), "cluster": names}
        scores.append(
            pd.DataFrame(
                {
                    **{**shared, **{name: values[owners] for name, values in place.items()}},
                    **{"drift_band": np.array(DRIFT_BANDS)[corpus.bands][owners], **metrics, "citation_recall": cell["recall"]},
                    **{**empty, "n_invented_section": 0, "n_future": 0},
                }
            )
        )
        counts = dict.fromkeys(("n_searches", "n_tool_call_errors", "input_tokens", "output_tokens"), 1.0) | {"cost_usd": np.nan}
        answers.append(pd.DataFrame({**shared, **place, "status": np.where(cell["unparsed"], "unparsed", "ok"), **counts}))
    return pd.concat(scores), pd.concat(answers)


@pytest.fixture(scope="module")
def covered():
    """How often each interval held the truth, over all draws: statistic -> (held, of)."""
    truth = generate.make_truth(1, len(DOMAINS), np.random.default_rng(1))
    shares = np.array([domain.bands for domain in DOMAINS]) / np.array([[sum(domain.bands)] for domain in DOMAINS])
    of_domain = {setting: (generate.mean_score(truth, 0, setting) * shares).sum(axis=1) for setting in SETTINGS}
    planted = {
        (setting, metric): value
        for setting in SETTINGS
        for metric, value in zip(METRICS, (of_domain[setting].mean(), *np.roll(generate.mean_citations(truth, 0, setting), 1)), strict=True)
    }
    held = dict.fromkeys([*METRICS, "domain", *(f"gain {band}" for band in DRIFT_BANDS)], 0)
    of = dict(held)
    for draw in range(DRAWS):
        generator = np.random.default_rng([draw, 7])
        corpus = generate.make_corpus(DOMAINS, generator, shared=0.5, fixed_bands=False)
        scores, answers = frames(corpus, truth, generator)
        # a name of its own for each draw: its seed, and so its resamples, are its own
        table = aggregate_scores("r", scores, answers, RESAMPLES, f"draw {draw}")
        rows = {(row.setting, row.domain, row.metric): row for row in table[table["metric"].isin(METRICS)].itertuples()}
        for (setting, metric), value in planted.items():
            row = rows[setting, "all", metric]
            held[metric] += row.low <= value <= row.high
            of[metric] += 1
        row = rows["gold_in_force", "2", "score"]
        held["domain"] += row.low <= of_domain["gold_in_force"][2] <= row.high
        of["domain"] += 1
        gains = gain_by_band("r", scores, RESAMPLES)
        for row in gains[(gains["model"] == "m") & (gains["contrast"] == "gain")].itertuples():
            held[f"gain {row.band}"] += row.low <= truth.gains[0, 0, DRIFT_BANDS.index(row.band)] <= row.high
            of[f"gain {row.band}"] += 1
    return {name: (held[name], of[name]) for name in held}


NAMES = [*METRICS, "domain", *(f"gain {band}" for band in DRIFT_BANDS)]


@pytest.mark.parametrize("name", NAMES)
def test_a_95_percent_interval_holds_the_truth_19_times_in_20(covered, name):
    held, of = covered[name]
    independent = min(of, DRAWS)  # two settings of one draw share items: count a draw once
    rate = held / of
    assert binom.ppf(0.001, independent, 0.95) <= rate * independent <= binom.ppf(0.999, independent, 0.95), f"{name}: {held} of {of}"


def test_what_was_planted_is_what_is_drawn():
    """The means of one large draw are the planted ones to four standard errors; otherwise coverage would test nothing."""
    domains = [generate.Domain(name, (1000, 1000, 1000), 9000) for name in "ab"]
    truth = generate.make_truth(1, 2, np.random.default_rng(3))
    generator = np.random.default_rng(4)
    corpus = generate.make_corpus(domains, generator, shared=0)
    cell = generate.draw_cell(corpus, truth, generate.draw_effects(corpus, 1, generator), 0, "gold_current", generator)
    left = cell["score"] - generate.mean_score(truth, 0, "gold_current")[corpus.domains, corpus.bands][corpus.owners]
    assert abs(np.nanmean(left)) < 4 * np.nanstd(left) / np.sqrt(6000)
    for name, mean in zip(("precision", "recall", "f1"), generate.mean_citations(truth, 0, "gold_current"), strict=True):
        assert abs(cell[name].mean() - mean) < 4 * cell[name].std() / np.sqrt(18000)


def test_every_score_lies_on_the_scale_and_every_bias_cancels():
    truth = generate.make_truth(13, 17, np.random.default_rng(5))
    generator = np.random.default_rng(6)
    corpus = generate.make_corpus(generate.TABLE_5, generator)
    assert (len(corpus.ids), len(corpus.owners)) == (1670, 4071)
    effects = generate.draw_effects(corpus, 13, generator)
    for model in (0, 12):
        for setting in ("parametric", "gold_current", "gold_in_force"):
            seats = generate.draw_cell(corpus, truth, effects, model, setting, generator)["seats"]
            assert np.nanmin(seats) >= 0
            assert np.nanmax(seats) <= 10
            bias = np.nanmean(seats, axis=0)
            assert bias[0] < bias[1] < bias[2]
