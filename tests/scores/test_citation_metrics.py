import pytest
from hypothesis import given
from hypothesis import strategies as st

from inforce.scores.citation_metrics import cited_sections, score_citations

SETS = st.sets(st.sampled_from("abcdefgh"), max_size=8)


def test_precision_and_recall_by_hand():
    # 4 cited, 1 of them gold; 2 gold: precision 1/4, recall 1/2, F1 = 2 x 1/4 x 1/2 / (3/4) = 1/3
    score = score_citations({"a", "x", "y", "z"}, {"a", "b"})
    assert score == pytest.approx((0.25, 0.5, 1 / 3, 4))
    # 1 cited and gold; 3 gold: precision 1, recall 1/3, F1 = 2 x 1/3 / (4/3) = 1/2
    assert score_citations({"a"}, {"a", "b", "c"}) == pytest.approx((1, 1 / 3, 0.5, 1))


def test_nothing_cited_is_zero_and_no_gold_is_an_error():
    assert score_citations(set(), {"a"}) == (0, 0, 0, 0)
    assert score_citations({"x"}, {"a"}) == (0, 0, 0, 1)
    with pytest.raises(ValueError, match="without gold"):
        score_citations({"a"}, set())


@given(SETS, SETS.filter(bool))
def test_shares_and_their_mean(cited, gold):
    score = score_citations(cited, gold)
    assert 0 <= score.precision <= 1
    assert 0 <= score.recall <= 1
    if cited & gold:
        assert min(score[:2]) - 1e-12 <= score.f1 <= max(score[:2]) + 1e-12
        assert score.f1 == pytest.approx(2 / (1 / score.precision + 1 / score.recall))
    else:
        assert score[:3] == (0, 0, 0)


@given(SETS, SETS.filter(bool))
def test_a_wrong_citation_never_helps_and_a_right_one_never_hurts(cited, gold):
    before, wrong = score_citations(cited, gold), score_citations(cited | {"wrong"}, gold)
    assert wrong.precision <= before.precision
    assert wrong.recall == before.recall
    assert wrong.f1 <= before.f1
    for right in gold:
        after = score_citations(cited | {right}, gold)
        assert all(new >= old - 1e-12 for new, old in zip(after[:3], before[:3], strict=True))


def row(key, cls, cited="c", checked=True):
    return {"section_key": key, "version_class": cls, "cited": cited, "is_checked": checked}


def test_the_prediction_set():
    rows = [
        row("L/1", "exact"),
        row("L/1", "stale"),  # the same section once more
        row("L/2", "wrong_section"),
        row("L/3", "background"),  # neither hit nor false positive
        row(None, "nonexistent", "no such law"),
        row(None, "nonexistent", "no such law"),
        row(None, "nonexistent", "no such section"),
        row(None, "undecidable", "a ministerial regulation", checked=False),
        row("L/4", "undecidable"),  # a section that is held; only its version cannot be ordered
    ]
    assert cited_sections(rows) == {"L/1", "L/2", "no such law", "no such section", "L/4"}
