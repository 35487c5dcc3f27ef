"""The items of the Amended band: how large the amendment is, what it changed, what the text in force gains -> amended_items.csv.

One row an item of the run whose drift band is amended, sorted by id (NitiBench+ §6.4: the rows behind Tables 9 and 11 and Figure 4).

n_sections               amended sections that the court relied on, each pair of version in force and current version once
trigram_distance, levenshtein_distance   mean over these sections of the distance between the two texts (0 equal, 1 nothing in common)
change                   rule if a labelled section's amendment changed the rule that the item turns on, wording if all sections are
                         labelled and none did, else empty; n_labelled = labelled sections
gain_score, gain_f1      mean over models of gold_in_force - gold_current of the item's Bar-standard score and citation F1
n_models_score, n_models_f1   models that the means rest on; a model without a score on one side is left out; 0 = the mean is empty

Labels are CSV files with the columns item_id, version_uri, current_uri, change (rule or wording), labeller, labelled_on. An empty item_id
labels the pair for every item that cites it; a row with the item's id goes before it. A later file goes before an earlier one.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from inforce.records.items import Item
from inforce.records.lines import read_lines
from inforce.records.tables import SCORES, write_csv
from inforce.stats.frames import Floats, StatsError, read_tables
from inforce.stats.item_scores import item_scores

CHANGES = ("rule", "wording")
LABEL_COLUMNS = ["item_id", "version_uri", "current_uri", "change", "labeller", "labelled_on"]
COLUMNS = [
    *("run", "item_id", "domain", "cluster", "n_sections", "trigram_distance", "levenshtein_distance", "change", "n_labelled"),
    *("gain_score", "n_models_score", "gain_f1", "n_models_f1"),
]
Pair = tuple[str, str]  # version in force, current version
Labels = dict[tuple[str, str, str], str]  # item or "", version in force, current version -> rule | wording


class Distance(NamedTuple):
    """How far the texts of a pair lie apart."""

    trigram: float
    levenshtein: float


def amended_items(run: str, items: Sequence[Item], distances: dict[Pair, Distance], labels: Labels, scores: pd.DataFrame) -> pd.DataFrame:
    """The table of a run. Raises StatsError for a pair of versions that was not measured."""
    amended = sorted((item for item in items if item.drift_band == "amended"), key=lambda item: item.id)
    gains, known = mean_gains(scores, pd.Index([item.id for item in amended]))
    rows = []
    for number, item in enumerate(amended):
        pairs = amended_pairs(item)
        unmeasured = [pair for pair in pairs if pair not in distances]
        if unmeasured:
            raise StatsError(f"item {item.id}: {unmeasured[0][0]} and its current version are not in amendments.csv; make it again")
        given = [labels.get((item.id, *pair), labels.get(("", *pair), "")) for pair in pairs]
        measured = np.array([distances[pair] for pair in pairs])
        rows.append(
            {
                **{"run": run, "item_id": item.id, "domain": item.domain, "cluster": item.cluster, "n_sections": len(pairs)},
                **{"trigram_distance": measured[:, 0].mean(), "levenshtein_distance": measured[:, 1].mean()},
                **{"change": change_of(given), "n_labelled": sum(map(bool, given))},
                **{"gain_score": gains[number, 0], "n_models_score": known[number, 0]},
                **{"gain_f1": gains[number, 1], "n_models_f1": known[number, 1]},
            }
        )
    return pd.DataFrame(rows, columns=COLUMNS)


def amended_pairs(item: Item) -> list[Pair]:
    """The amended sections that the court relied on, as pairs of versions, each once, in the order cited."""
    citations = [citation for question in item.sub_questions for citation in question.citations]
    pairs = [
        (str(citation.version_uri), str(citation.current_uri))
        for citation in citations
        if citation.is_scored and citation.drift == "amended" and citation.current_uri
    ]
    return list(dict.fromkeys(pairs))


def change_of(labels: Sequence[str]) -> str:
    """`rule` if any section's rule changed, `wording` if all are labelled and none did, else empty (Table 9)."""
    if "rule" in labels:
        return "rule"
    return "wording" if labels and all(labels) else ""


def mean_gains(scores: pd.DataFrame, ids: pd.Index[str]) -> tuple[Floats, Floats]:
    """Mean over models of gold_in_force - gold_current, items × (score, citation F1), and how many models each rests on."""
    cells = item_scores(scores[scores["item_id"].isin(ids)], ids, ["score", "citation_f1"]) if len(scores) else {}
    models = list(dict.fromkeys(model for model, _ in cells))
    both = [model for model in models if (model, "gold_in_force") in cells and (model, "gold_current") in cells]
    differences = np.array([cells[model, "gold_in_force"] - cells[model, "gold_current"] for model in both]).reshape(len(both), len(ids), 2)
    known = np.isfinite(differences)
    counts = known.sum(axis=0).astype(np.float64)
    sums = np.where(known, differences, 0.0).sum(axis=0)
    return np.divide(sums, counts, out=np.full_like(sums, np.nan), where=counts > 0), counts.astype(np.int64)


def read_distances(path: Path) -> dict[Pair, Distance]:
    """The pairs of version in force and current version that amendments.csv measures."""
    try:
        with open(path, encoding="utf-8", newline="") as handle:
            rows = [row for row in csv.DictReader(handle) if row["kind"] == "gold"]
            return {
                (row["before_uri"], row["after_uri"]): Distance(float(row["trigram_distance"]), float(row["levenshtein_distance"]))
                for row in rows
            }
    except FileNotFoundError as error:
        raise StatsError(f"{path} does not exist; run the step that makes it (measure_amendments)") from error
    except (KeyError, ValueError) as error:
        raise StatsError(f"{path} is not an amendments.csv of this version ({error}); make it again") from error


def read_labels(paths: Sequence[Path]) -> Labels:
    """Labels of all files. Raises StatsError for other columns, an unknown word, a row without versions, or two rows that differ."""
    labels: Labels = {}
    for path in paths:
        with open(path, encoding="utf-8-sig", newline="") as handle:
            reader = csv.DictReader(handle)
            if reader.fieldnames is None or [name for name in LABEL_COLUMNS if name not in reader.fieldnames]:
                raise StatsError(f"{path}: columns are {reader.fieldnames}, expected {', '.join(LABEL_COLUMNS)}")
            here: Labels = {}
            for number, row in enumerate(reader, start=2):
                key = row["item_id"], row["version_uri"], row["current_uri"]
                if row["change"] not in CHANGES:
                    raise StatsError(f"{path}, line {number}: change is {row['change']!r}; write rule or wording")
                if not (row["version_uri"] and row["current_uri"]):
                    raise StatsError(f"{path}, line {number}: version_uri or current_uri is empty; name both versions")
                if here.setdefault(key, row["change"]) != row["change"]:
                    raise StatsError(f"{path}, line {number}: {key[1]} is labelled rule and wording; keep one of the two rows")
            labels |= here
    return labels


def main(argv: list[str] | None = None) -> None:
    """Read the files, compare, write the table."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.stats.amended_items --run demo --items results/runs/demo/items.jsonl "
        "--amendments results/drift/demo/amendments.csv --labels config/labels/demo.csv "
        "--scores results/scores/demo/*/gold_*/*/scores.parquet --out results/stats/demo/amended_items.csv",
    )
    parser.add_argument("--run", required=True)
    parser.add_argument("--items", required=True, type=Path, help="items.jsonl of the run")
    parser.add_argument("--amendments", required=True, type=Path, help="amendments.csv of measure_amendments")
    parser.add_argument("--labels", nargs="*", default=[], type=Path, help="label files; none = no item is labelled")
    parser.add_argument("--scores", nargs="*", default=[], help="scores.parquet of gold_current and gold_in_force, every model and sample")
    parser.add_argument("--out", required=True)
    args = parser.parse_args(argv)
    try:
        columns = ["run", "model", "setting", "sample", "item_id", "score", "citation_f1"]
        scores = read_tables(args.scores, SCORES, columns, args.run) if args.scores else pd.DataFrame(columns=columns)
        items = read_lines(args.items, Item)
        write_csv(args.out, amended_items(args.run, items, read_distances(args.amendments), read_labels(args.labels), scores))
    except (StatsError, ValueError, FileNotFoundError) as error:
        raise SystemExit(str(error)) from error


if __name__ == "__main__":
    main()
