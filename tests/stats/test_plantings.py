"""Faults planted on purpose: precision and recall swapped, one judge shifted by a point. The suite's own checks must notice both."""

from __future__ import annotations

import numpy as np
import pytest
import scores.test_citation_metrics as citation_checks
import scores.test_score_answers as panel_checks

from inforce.stats.judge_agreement import agreement_rows


def test_swapped_precision_and_recall_fail_the_hand_worked_check(monkeypatch: pytest.MonkeyPatch) -> None:
    right = citation_checks.score_citations
    citation_checks.test_precision_and_recall_by_hand()

    def swapped(cited: set[str], gold: set[str]) -> object:
        score = right(cited, gold)
        return score._replace(precision=score.recall, recall=score.precision)

    monkeypatch.setattr(citation_checks, "score_citations", swapped)
    with pytest.raises(AssertionError):
        citation_checks.test_precision_and_recall_by_hand()


def no_judge_is_biased(scores: np.ndarray) -> None:
    """The check: every judge's interval of its distance from the others holds zero."""
    rows = agreement_rows(scores, np.arange(len(scores)), ["a", "b", "c"], 500, 1)
    for row in rows[rows["measure"] == "bias"].to_dict("records"):
        assert row["low"] <= 0 <= row["high"], row["judge"]


def test_a_judge_shifted_by_a_point_fails_the_check() -> None:
    scores = np.random.Generator(np.random.PCG64(3)).normal(5, 1, (300, 1)) + np.random.Generator(np.random.PCG64(4)).normal(
        0, 0.5, (300, 3)
    )
    scores -= scores.mean(axis=0) - scores.mean()
    no_judge_is_biased(scores)
    with pytest.raises(AssertionError):
        no_judge_is_biased(scores + np.array([0, 1, 0]))


def test_a_judge_shifted_where_scores_are_joined_fails_the_hand_worked_check(monkeypatch: pytest.MonkeyPatch) -> None:
    right = panel_checks.panel_scores
    panel_checks.test_the_panel_s_median_and_majority()

    def shifted(status: str, seats: list) -> dict[str, object]:
        first = seats[0].model_copy(update={"score": seats[0].score + 1})
        return right(status, [first, *seats[1:]])

    monkeypatch.setattr(panel_checks, "panel_scores", shifted)
    with pytest.raises(AssertionError):
        panel_checks.test_the_panel_s_median_and_majority()
