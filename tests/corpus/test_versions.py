from inforce.corpus.versions import natural_key
from inforce.records.labels import LabelRules


def test_labels_in_natural_order():
    rules = LabelRules(suffix_words=("bis", "ter"))
    labels = ["2", "10", "10¹", "10²", "10¹⁰", "10 bis", "10 ter", "11", "101"]
    assert sorted(set(labels), key=lambda label: natural_key(label, rules)) == labels
