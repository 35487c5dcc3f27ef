import datetime as dt
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inforce.items.select_items import main, select_items
from inforce.records.items import Item
from inforce.records.lines import read_lines, write_lines
from inforce.records.status import DRIFT_BANDS

PROTOCOL = Path(__file__).parents[2] / "config" / "protocols" / "demo.yaml"


def item(item_id, domain="x", band="no_drift"):
    fields = dict.fromkeys(("court", "source", "source_id", "title", "fact_pattern"), "x")
    day = dt.date(2020, 1, 1)
    dates = {
        "decision_date": "2010",
        "date_precision": "year",
        "law_date": day,
        "applicable_date": None,
        "corpus_date": day,
        "decade": "2010s",
    }
    counts = {"year_be": 2553, "n_sub_questions": 0, "n_cited_laws": 1, "asks_shared_question": [], "sub_questions": []}
    return Item.model_validate({**fields, **dates, **counts, "id": item_id, "domain": domain, "drift_band": band})


GRID = [item(f"{domain}-{band}-{n}", domain, band) for domain in "abc" for band in DRIFT_BANDS for n in range(4)]


def ids(items):
    return [found.id for found in items]


def test_null_is_all_of_them_by_id():
    assert ids(select_items(GRID[::-1], None)) == sorted(ids(GRID))


@pytest.mark.parametrize("limit", [9, 18, 27])
def test_every_domain_and_band_gets_its_share(limit):
    chosen = Counter((found.domain, found.drift_band) for found in select_items(GRID, limit))
    assert set(chosen.values()) == {limit // 9}


def test_the_first_three_are_of_three_domains_and_three_bands():
    chosen = select_items(GRID, 3)
    assert len({found.domain for found in chosen}) == len({found.drift_band for found in chosen}) == 3


def test_a_small_cell_leaves_its_turns_to_the_others():
    few = [item("a1", "a"), *(item(f"b{n}", "b") for n in range(9))]
    assert Counter(found.domain for found in select_items(few, 5)) == {"a": 1, "b": 4}


@given(st.permutations(GRID), st.integers(1, 36), st.integers(1, 36))
def test_a_larger_limit_only_adds_and_file_order_does_not_matter(items, one, other):
    small, large = sorted((one, other))
    chosen = select_items(items, small)
    assert len(chosen) == small
    assert chosen == select_items(GRID, small)
    assert ids(chosen) == sorted(ids(chosen))
    assert set(ids(chosen)) <= set(ids(select_items(GRID, large)))


def test_the_command(tmp_path):
    write_lines(tmp_path / "items.jsonl", GRID)
    protocol = tmp_path / "p.yaml"
    protocol.write_text(PROTOCOL.read_text(encoding="utf-8") + "\nmax_items: 5\n", encoding="utf-8")
    main(["--protocol-config", str(protocol), "--items", str(tmp_path / "items.jsonl"), "--out", str(tmp_path / "out.jsonl")])
    assert read_lines(tmp_path / "out.jsonl", Item) == select_items(GRID, 5)
    with pytest.raises(SystemExit, match="does not exist"):
        main(
            ["--protocol-config", str(tmp_path / "q.yaml"), "--items", str(tmp_path / "items.jsonl"), "--out", str(tmp_path / "out.jsonl")]
        )


def test_items_with_long_facts_are_left_out_and_counted(tmp_path, capsys):
    long = item("z").model_copy(update={"fact_pattern": "x" * 101})
    write_lines(tmp_path / "items.jsonl", [*GRID, long])
    protocol = tmp_path / "p.yaml"
    protocol.write_text(PROTOCOL.read_text(encoding="utf-8") + "\nmax_fact_chars: 100\n", encoding="utf-8")
    main(["--protocol-config", str(protocol), "--items", str(tmp_path / "items.jsonl"), "--out", str(tmp_path / "out.jsonl")])
    assert ids(read_lines(tmp_path / "out.jsonl", Item)) == ids(select_items(GRID, None))
    assert "1 left out for facts of more than 100 characters" in capsys.readouterr().out


def test_a_protocol_s_split_is_selected(tmp_path):
    write_lines(tmp_path / "items.jsonl", GRID)
    names = ["test", "validation", "reserve"]
    rows = "".join(f"{found.id},{names[place % 3]}\n" for place, found in enumerate(GRID))
    (tmp_path / "splits.csv").write_text(f"item_id,split\n{rows}", encoding="utf-8")
    protocol = tmp_path / "p.yaml"
    protocol.write_text(PROTOCOL.read_text(encoding="utf-8") + "\nsplit: validation\n", encoding="utf-8")
    command = ["--protocol-config", str(protocol), "--items", str(tmp_path / "items.jsonl"), "--out", str(tmp_path / "out.jsonl")]
    main([*command, "--splits", str(tmp_path / "splits.csv")])
    assert ids(read_lines(tmp_path / "out.jsonl", Item)) == sorted(found.id for found in GRID[1::3])
    with pytest.raises(SystemExit, match="asks the validation split; give --splits"):
        main(command)
    (tmp_path / "splits.csv").write_text("item_id,split\na,test\n", encoding="utf-8")
    with pytest.raises(SystemExit, match="is in no split; run make_splits again"):
        main([*command, "--splits", str(tmp_path / "splits.csv")])
