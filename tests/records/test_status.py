from inforce.records.status import DRIFTS, SETTINGS, STATUSES


def test_vocabularies():
    assert len(SETTINGS) == 5
    assert len(STATUSES) == 9
    assert DRIFTS == ("unchanged", "amended", "repealed")  # from the least to the most severe
