import re
from pathlib import Path

from inforce.report.captions import TITLES, number_of, title_of

COMMON = (Path(__file__).parents[2] / "rules" / "common.smk").read_text(encoding="utf-8")


def test_every_table_and_figure_of_the_graph_has_a_title():
    listed = [re.search(rf"^{name} = \[(.*?)^\]", COMMON, re.M | re.S) for name in ("TABLES", "FIGURES")]
    stems = [stem for match in listed if match for stem in re.findall(r'"(\w+)"', match[1])]
    assert len(stems) >= 3 and not set(stems) - TITLES.keys()


def test_numbers_and_unknown_names():
    assert number_of("table07_settings") == "Table 7" and number_of("figure11_ranks") == "Figure 11"
    assert number_of("judges_agreement") == "" and number_of("tables_of_contents") == ""
    assert title_of("table99_new_thing") == "table99 new thing"
