from inforce.records.grades import AGREEING_TIERS, TIER_RANGES, TIERS


def test_ranges_are_the_rubric_s():
    # NitiBench+ Table 6: a verdict that differs is capped at 4, one that matches reaches 10
    assert tuple(TIER_RANGES) == TIERS
    assert max(high for tier, (_, high) in TIER_RANGES.items() if tier not in AGREEING_TIERS) == 4
    assert max(high for high in (TIER_RANGES[tier][1] for tier in AGREEING_TIERS)) == 10
    assert all(0 <= low <= high <= 10 for low, high in TIER_RANGES.values())
