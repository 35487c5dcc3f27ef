"""Files of a small run with two amended items, for the figures of amendments."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
from report.small_run import make_item, section_rows, version, write_jurisdiction

from inforce.records.lines import write_lines
from inforce.records.tables import SECTIONS, write_table

COLUMNS = ["item_id", "change", "trigram_distance", "gain_score"]


def write_files(
    folder: Path, changes: tuple[str, str] = ("rule", "wording"), split: str = "validation", **jurisdiction: object
) -> list[str]:
    """Items 1 (Thai) and 4 (English) are amended; the arguments of plot_amendments without its outputs."""
    items = [make_item(number, thai=number % 2 == 1) for number in range(6)]
    write_lines(folder / "items.jsonl", items)
    write_table(folder / "sections.parquet", section_rows(), SECTIONS)
    rows = [(items[number].id, change, 0.1 * number, 0.25 * number) for number, change in zip((1, 4), changes, strict=True)]
    pd.DataFrame(rows, columns=COLUMNS).to_csv(folder / "amended.csv", index=False)
    pairs = [(version(label, "1957-01-01"), version(label, "2017-11-10")) for label in ("334", "12")]
    distances = [f"gold,{old},{new},0.1" for old, new in pairs]
    (folder / "amendments.csv").write_text("kind,before_uri,after_uri,trigram_distance\n" + "\n".join(distances) + "\n")
    labels = [f",{old},{new},{change},x,2026-01-01" for (old, new), change in zip(pairs, changes, strict=True) if change]
    (folder / "labels.csv").write_text("\n".join(["item_id,version_uri,current_uri,change,labeller,labelled_on", *labels]) + "\n")
    (folder / "splits.csv").write_text("\n".join(["item_id,split", *(f"{item.id},{split}" for item in items)]) + "\n")
    write_jurisdiction(folder / "xx.yaml", **jurisdiction)
    return [
        *("--amended", f"{folder}/amended.csv", "--items", f"{folder}/items.jsonl", "--sections", f"{folder}/sections.parquet"),
        *("--amendments", f"{folder}/amendments.csv", "--labels", f"{folder}/labels.csv", "--splits", f"{folder}/splits.csv"),
        *("--jurisdiction-config", f"{folder}/xx.yaml"),
    ]
