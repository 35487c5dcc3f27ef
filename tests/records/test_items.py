import datetime as dt

from inforce.records.items import Citation, Item


def citation(**changes):
    values = {"law_code": "A", "law_name_th": "Act", "label": "1", "is_loadbearing": True, "version_uri": "x/law/A/section-1/v/2000-01-01"}
    return Citation(**{**values, "valid_from": dt.date(2000, 1, 1), "valid_to": None, "current_uri": None, "drift": "repealed", **changes})


def test_only_resolved_citations_that_the_court_relies_on_are_scored():
    assert citation().is_scored
    assert not citation(is_loadbearing=False).is_scored
    assert not citation(version_uri=None, law="Notification 4", drift=None).is_scored


def test_a_cluster_has_one_name_for_all_its_items():
    def item(own, others):
        return Item.model_construct(id=own, asks_shared_question=others)

    assert item("b", ["a", "c"]).cluster == item("a", ["b", "c"]).cluster == "a"
    assert item("d", []).cluster == "d"
