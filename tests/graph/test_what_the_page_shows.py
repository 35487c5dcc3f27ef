"""What the rules tell the report page to show of items: masked texts, or none where terms do not allow it or nothing can mask them."""

import os
import re
from pathlib import Path

import pytest
from conftest_graph import Checkout

MASKED = "--masked results/items/demo/masked.jsonl --masks results/items/demo/masks.jsonl --out"
FORBIDDEN = ("config/releases/demo.yaml", "published:", "allowed: false\npublished:")
NOT_PUBLIC = ("config/jurisdictions/demo.yaml", "items_public: true", "items_public: false")
RULES = "config/masking/en.yaml"


def would_show(checkout, run, *options):
    """The command that would collect the page, and the rules that would run before."""
    done = checkout.snakemake("-n", "-p", f"results/report/{run}/page.json", *options)
    assert done.returncode == 0, (done.stdout + done.stderr)[-3000:]
    said = done.stdout + done.stderr
    (command,) = re.findall(r"python -m inforce\.report\.collect_run .*", said)
    return command, set(re.findall(r"python -m inforce\.\w+\.(\w+)", said))


@pytest.mark.parametrize(
    ("edits", "without_rules", "masked", "hidden"),
    [
        ([], False, True, False),
        ([NOT_PUBLIC], False, True, False),
        ([FORBIDDEN], False, False, True),
        ([NOT_PUBLIC], True, False, True),
        ([], True, False, False),
    ],
)
def test_the_page_shows_what_terms_and_masking_allow(edits, without_rules, masked, hidden, tmp_path):
    checkout = Checkout.fresh(tmp_path)
    for edit in edits:
        checkout.edit(*edit)
    if without_rules:
        (tmp_path / RULES).unlink()
    command, rules = would_show(checkout, "demo")
    assert (MASKED in command, "--hide-items" in command, "mask_items" in rules) == (masked, hidden, masked)
    assert (f"No items are shown: {RULES} does not exist" in command) == (hidden and without_rules)
    assert "--items results/runs/demo/items.jsonl" in command
    assert "select_items" in rules  # what is asked is not what is shown: models get the texts as they are


@pytest.mark.skipif(
    not (Path(os.environ.get("INFORCE_DATA", "data")) / "thai_tscc").is_dir(), reason="INFORCE_DATA names no folder with thai_tscc"
)
def test_the_thai_page_shows_no_items(tmp_path):
    command, rules = would_show(Checkout.fresh(tmp_path), "th_tscc", "--configfile", "config/th_tscc.yaml")
    assert "--hide-items" in command and "--masked" not in command and "mask_items" not in rules
    assert "not to be redistributed" in command
