import csv
from collections import Counter, defaultdict
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from items.test_select_items import item

from inforce.config.jurisdiction import Splits
from inforce.items.make_splits import SPLITS, alike, main, make_splits, proportional, shared_questions
from inforce.records.lines import write_lines
from inforce.records.status import DRIFT_BANDS

JURISDICTION = Path(__file__).parents[2] / "config" / "jurisdictions" / "demo.yaml"

# NitiBench+ Table 5: items without drift, amended, repealed
TABLE_5 = {
    "Family & Succession": (60, 85, 1),
    "Criminal": (13, 106, 27),
    "Civil & Commercial": (63, 60, 21),
    "Land & Property": (43, 42, 32),
    "Labor": (41, 63, 12),
    "Tax & Revenue": (18, 47, 48),
    "Intellectual Property": (36, 48, 25),
    "Public Law": (27, 26, 45),
    "Civil Procedure": (13, 61, 13),
    "Natural Resources & Licensing": (15, 36, 33),
    "Administrative Acts": (36, 34, 12),
    "Public Personnel": (32, 21, 28),
    "State Liability": (36, 21, 23),
    "Narcotics": (3, 2, 69),
    "Administrative Contracts": (28, 31, 15),
    "Traffic & Transport": (8, 48, 7),
    "Securities & Finance": (15, 28, 13),
}


def sharing(items, *groups):
    """The items with the named ones asking one question."""
    others = {item_id: sorted(set(group) - {item_id}) for group in groups for item_id in group}
    return [found.model_copy(update={"asks_shared_question": others.get(found.id, [])}) for found in items]


@pytest.fixture(scope="module")
def paper():
    """A corpus with the counts of Table 5, and pairs that ask one question in every domain but the smallest."""
    items, groups = [], []
    for domain, bands in TABLE_5.items():
        of_domain = [item(f"{domain}-{band}-{n}", domain, band) for band, many in zip(DRIFT_BANDS, bands, strict=True) for n in range(many)]
        items += of_domain
        if domain != "Securities & Finance":
            groups += [(of_domain[n].id, of_domain[-1 - n].id) for n in range(5)]
    return sharing(items, *groups)


@pytest.fixture(scope="module")
def paper_splits(paper):
    return make_splits(paper, Splits())


def test_the_published_sizes_come_out(paper, paper_splits):
    """500, 498 and 672 (§7.1): the smallest domain has 56 items, 29 and 27 of them in the splits."""
    assert len(paper) == 1670
    assert Counter(paper_splits.values()) == {"test": 500, "validation": 498, "reserve": 672}


def test_every_domain_has_29_or_30_test_items(paper, paper_splits):
    counts = Counter(found.domain for found in paper if paper_splits[found.id] == "test")
    assert counts.keys() == TABLE_5.keys()
    assert Counter(counts.values()) == {29: 10, 30: 7}
    assert all(counts[domain] == 30 for domain in list(TABLE_5)[:7])  # the largest seven


def off_proportion(items, splits, split):
    """The most items by which a domain's bands differ from the domain's own proportion."""
    counts = Counter((found.domain, found.drift_band) for found in items if splits[found.id] == split)
    worst = 0.0
    for domain, bands in TABLE_5.items():
        drawn = sum(counts[domain, band] for band in DRIFT_BANDS)
        worst = max(worst, *(abs(counts[domain, band] - drawn * many / sum(bands)) for band, many in zip(DRIFT_BANDS, bands, strict=True)))
    return worst


def test_the_bands_keep_each_domain_s_proportion_to_one_item(paper, paper_splits):
    assert off_proportion(paper, paper_splits, "test") < 1
    alone = sharing(paper)
    assert off_proportion(alone, make_splits(alone, Splits()), "validation") < 1


def test_the_reference_counts_are_those_of_the_report(reference_table):
    rows = {row["domain"]: tuple(int(row[name]) for name in ("no_drift", "amended", "repealed")) for row in reference_table}
    assert rows == TABLE_5


@pytest.fixture
def reference_table():
    import os

    folder = os.environ.get("INFORCE_REFERENCE")
    if not folder:
        pytest.skip("INFORCE_REFERENCE names no folder of published tables")
    with open(Path(folder) / "nitibench_plus" / "table05_domains.csv", encoding="utf-8", newline="") as handle:
        return [row for row in csv.DictReader(handle) if row["domain"] != "Total"]


@st.composite
def corpora(draw):
    """Items of some domains and bands, some of them linked by shared questions, also across domains."""
    cells = draw(st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from(DRIFT_BANDS)), min_size=1, max_size=60))
    items = [item(f"i{number:02d}", domain, band) for number, (domain, band) in enumerate(cells)]
    pairs = draw(st.lists(st.tuples(*[st.integers(0, len(items) - 1)] * 2), max_size=12))
    links = defaultdict(set)
    for one, other in pairs:
        if one != other:
            links[items[one].id].add(items[other].id)
            links[items[other].id].add(items[one].id)
    return [found.model_copy(update={"asks_shared_question": sorted(links[found.id])}) for found in items]


configs = st.builds(Splits, test=st.integers(0, 40), validation=st.integers(0, 40), largest_share=st.floats(0.05, 0.5))


@given(corpora(), configs)
def test_every_item_is_in_one_split(items, config):
    split = make_splits(items, config)
    assert list(split) == sorted(found.id for found in items)
    assert set(split.values()) <= set(SPLITS)


@given(corpora(), configs)
def test_a_split_has_one_item_a_question_and_no_question_is_in_both(items, config):
    split = make_splits(items, config)
    question = shared_questions(items)
    drawn = [question[item_id] for item_id, name in split.items() if name != "reserve"]
    assert len(drawn) == len(set(drawn))
    by_id = {found.id: found for found in items}
    for item_id, name in split.items():
        if name != "reserve":
            assert all(split[other] == "reserve" for other in by_id[item_id].asks_shared_question)


@given(corpora(), configs)
def test_no_split_is_larger_than_wanted_and_no_domain_than_its_part(items, config):
    split = make_splits(items, config)
    sizes = Counter(found.domain for found in items)
    for name, wanted in (("test", config.test), ("validation", config.validation)):
        total = min(wanted, int(config.largest_share * len(items)))
        drawn = Counter(found.domain for found in items if split[found.id] == name)
        assert drawn.total() <= total
        assert all(drawn[domain] <= part for domain, part in alike(total, sizes).items())


@given(corpora(), configs)
def test_without_shared_questions_domains_and_bands_are_filled_to_the_item(items, config):
    items = [found.model_copy(update={"asks_shared_question": []}) for found in items]
    split = make_splits(items, config)
    sizes = Counter(found.domain for found in items)
    quotas = alike(min(config.test, int(config.largest_share * len(items))), sizes)
    for domain, many in sizes.items():
        quota = min(quotas[domain], max(1, many * 2 // 3))
        bands = Counter(found.drift_band for found in items if found.domain == domain)
        drawn = Counter(found.drift_band for found in items if found.domain == domain and split[found.id] == "test")
        assert {band: drawn[band] for band in bands} == proportional(quota, dict(bands))


@given(corpora(), configs, st.randoms())
def test_the_order_of_the_file_does_not_matter(items, config, random):
    shuffled = list(items)
    random.shuffle(shuffled)
    assert make_splits(shuffled, config) == make_splits(items, config)


def test_another_draw_is_another_test_split(paper, paper_splits):
    other = make_splits(paper, Splits(draw="2"))
    assert Counter(other.values()) == Counter(paper_splits.values())
    assert other != paper_splits


def test_questions_are_linked_through_others():
    items = [
        found.model_copy(update={"asks_shared_question": to}) for found, to in zip(map(item, "abcd"), (["b"], [], ["b"], []), strict=True)
    ]
    assert shared_questions(items) == {"a": "a", "b": "a", "c": "a", "d": "d"}


@pytest.mark.parametrize(
    ("total", "sizes", "parts"),
    [
        (7, {"x": 1, "y": 1, "z": 2}, {"x": 2, "y": 2, "z": 3}),  # 7 = 3 x 1.75 + 1.75: .75 .75 and 3.5
        (29, {"x": 15, "y": 28, "z": 13}, {"x": 8, "y": 14, "z": 7}),  # 7.77, 14.5, 6.73
        (0, {"x": 3}, {"x": 0}),
    ],
)
def test_largest_remainder(total, sizes, parts):
    assert proportional(total, sizes) == parts


def test_alike_gives_what_is_left_to_the_largest():
    assert alike(11, {"a": 3, "b": 9, "c": 9}) == {"a": 3, "b": 4, "c": 4}
    assert alike(3, {}) == {}


@given(st.integers(0, 500), st.dictionaries(st.text(max_size=3), st.integers(1, 90), min_size=1))
def test_shares_add_up(total, sizes):
    assert sum(alike(total, sizes).values()) == sum(proportional(total, sizes).values()) == total


def test_the_command(tmp_path, capsys):
    items = [item(f"{domain}{n}", domain) for domain in "ab" for n in range(10)]
    write_lines(tmp_path / "items.jsonl", items)
    main(["--jurisdiction-config", str(JURISDICTION), "--items", str(tmp_path / "items.jsonl"), "--out", str(tmp_path / "splits.csv")])
    table = pd.read_csv(tmp_path / "splits.csv")
    assert list(table.columns) == ["item_id", "split"]
    assert Counter(table["split"]) == {"test": 6, "validation": 6, "reserve": 8}
    assert "test 6 (3 to 3 a domain), validation 6 (3 to 3 a domain), reserve 8 (4 to 4 a domain)" in capsys.readouterr().out


def test_an_item_that_comes_twice_is_refused(tmp_path):
    write_lines(tmp_path / "items.jsonl", [item("a"), item("a")])
    with pytest.raises(SystemExit, match="item a comes twice"):
        main(["--jurisdiction-config", str(JURISDICTION), "--items", str(tmp_path / "items.jsonl"), "--out", str(tmp_path / "s.csv")])
