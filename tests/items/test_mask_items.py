import csv
from pathlib import Path

import pytest
from audit.test_make_release import item

from inforce.items.mask_items import main
from inforce.records.items import Item
from inforce.records.lines import read_lines, write_lines
from inforce.records.masks import ItemMasks

RULES = Path(__file__).parents[2] / "config" / "masking" / "en.yaml"


def test_texts_are_masked_and_citations_stay(tmp_path):
    given = item("case-a").model_copy(
        update={"title": "Complaint of Ms Ada Quill", "fact_pattern": "Quill, of 7 Old Street, rang 020 7946 0958."}
    )
    write_lines(tmp_path / "items.jsonl", [given])
    main(
        [
            "--masking-config",
            str(RULES),
            "--items",
            f"{tmp_path}/items.jsonl",
            "--out",
            f"{tmp_path}/m.jsonl",
            "--counts",
            f"{tmp_path}/m.csv",
            "--masks",
            f"{tmp_path}/masks.jsonl",
        ]
    )
    (masks,) = read_lines(tmp_path / "masks.jsonl", ItemMasks)
    assert masks.item_id == given.id
    assert masks.masks == {
        "7 Old Street": "[house number] Old Street",
        "020 7946 0958": "[phone number]",
        "Ms Ada Quill": "Ms Q.",
        **dict.fromkeys(("Ada Quill", "Quill", "QUILL"), "Q."),
    }
    (masked,) = read_lines(tmp_path / "m.jsonl", Item)
    assert masked.title == "Complaint of Ms Q."
    assert masked.fact_pattern == "Q., of [house number] Old Street, rang [phone number]."
    assert masked.sub_questions == given.sub_questions and masked.id == given.id
    with open(tmp_path / "m.csv", encoding="utf-8") as handle:
        counts = {row["kind"]: (row["masked"], row["items"]) for row in csv.DictReader(handle)}
    assert counts["name"] == ("2", "1") and counts["plate"] == ("0", "0")


def test_rules_that_are_not_there_are_named(tmp_path):
    with pytest.raises(SystemExit, match=r"xx\.yaml does not exist"):
        main(["--masking-config", f"{tmp_path}/xx.yaml", "--items", "i", "--out", "o", "--counts", "c"])
