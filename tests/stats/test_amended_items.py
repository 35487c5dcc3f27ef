from __future__ import annotations

import csv
from pathlib import Path

import pandas as pd
import pytest
from stats.amended import citation, item
from stats.score_tables import frames, score_row

from inforce.records.lines import write_lines
from inforce.records.tables import SCORES, write_table
from inforce.stats import amended_items as module
from inforce.stats.amended_items import Distance, amended_items, amended_pairs, change_of, read_distances, read_labels
from inforce.stats.frames import StatsError

ROOT = Path(__file__).parents[2]
PAIR_1 = ("xx/law/A/section-1/v/1990-01-01", "xx/law/A/section-1/v/2010-01-01")
PAIR_2 = ("xx/law/A/section-2/v/1990-01-01", "xx/law/A/section-2/v/2010-01-01")
DISTANCES = {PAIR_1: Distance(0.2, 0.1), PAIR_2: Distance(0.6, 0.5)}


def gold(name: str, model: str, current: float | None, in_force: float | None) -> list[dict[str, object]]:
    return [
        score_row(name, 1, model=model, setting=f"gold_{setting}", score=score, citation_f1=0.5 if setting == "current" else 0.75)
        for setting, score in (("current", current), ("in_force", in_force))
    ]


def test_hand_worked_items(tmp_path: Path) -> None:
    """Item b cites two amended sections: distances 0.2 and 0.6; models m and n gain 2 and 1. Item a: n has no score with current text."""
    listed = [
        item(
            "b", citation("1"), citation("2"), citation("3", "unchanged"), citation("4", loadbearing=False), citation("1"), sharing=("a",)
        ),
        item("a", citation("1")),
        item("c", citation("9", "repealed"), band="repealed"),
    ]
    scores = frames(tmp_path, [*gold("b", "m", 3, 5), *gold("b", "n", 4, 5), *gold("a", "m", 4, 3), *gold("a", "n", None, 7)], [])[0]
    labels = {("", *PAIR_1): "wording", ("b", *PAIR_2): "rule"}
    a, b = amended_items("r", listed, DISTANCES, labels, scores).to_dict("records")
    assert (b["n_sections"], b["trigram_distance"], b["levenshtein_distance"]) == (2, pytest.approx(0.4), pytest.approx(0.3))
    assert (b["change"], b["n_labelled"], b["cluster"]) == ("rule", 2, "a")
    assert (b["gain_score"], b["n_models_score"], b["gain_f1"], b["n_models_f1"]) == (1.5, 2, 0.25, 2)
    assert (a["change"], a["gain_score"], a["n_models_score"], a["n_models_f1"]) == ("wording", -1, 1, 2)


def test_without_gold_settings_gains_are_empty_and_never_zero() -> None:
    row = amended_items("r", [item("a", citation("1"))], DISTANCES, {}, pd.DataFrame()).iloc[0]
    assert pd.isna(row["gain_score"]) and row["n_models_score"] == 0 and row["change"] == ""
    assert amended_items("r", [], {}, {}, pd.DataFrame()).empty


@pytest.mark.parametrize(
    ("labels", "change"),
    [
        (["wording", "rule"], "rule"),
        (["rule", ""], "rule"),
        (["wording", "wording"], "wording"),
        (["wording", ""], ""),
        ([""], ""),
        ([], ""),
    ],
)
def test_change_of_an_item(labels: list[str], change: str) -> None:
    assert change_of(labels) == change


def test_pairs_are_what_the_court_relied_on_and_what_was_amended() -> None:
    cited = [citation("1"), citation("1"), citation("2", loadbearing=False), citation("3", "unchanged")]
    assert amended_pairs(item("a", *cited)) == [PAIR_1]


def test_an_unmeasured_pair_is_refused() -> None:
    with pytest.raises(StatsError, match=r"item a: .*section-1/v/1990-01-01 and its current version are not in amendments"):
        amended_items("r", [item("a", citation("1"))], {}, {}, pd.DataFrame())


def label_file(path: Path, *rows: str) -> Path:
    path.write_text("\n".join([",".join(module.LABEL_COLUMNS), *rows]) + "\n", encoding="utf-8")
    return path


def test_labels_of_a_later_file_go_first_and_faults_are_named(tmp_path: Path) -> None:
    first = label_file(tmp_path / "a.csv", "i,old,new,rule,x,2026-01-01", ",old,new,wording,x,2026-01-01")
    second = label_file(tmp_path / "b.csv", ",old,new,rule,y,2026-02-01")
    assert read_labels([first, second]) == {("i", "old", "new"): "rule", ("", "old", "new"): "rule"}
    with pytest.raises(StatsError, match=r"line 2: change is 'both'; write rule or wording"):
        read_labels([label_file(tmp_path / "c.csv", "i,old,new,both,x,2026-01-01")])
    with pytest.raises(StatsError, match=r"line 3: old is labelled rule and wording"):
        read_labels([label_file(tmp_path / "d.csv", ",old,new,rule,x,1", ",old,new,wording,x,1")])
    with pytest.raises(StatsError, match="name both versions"):
        read_labels([label_file(tmp_path / "e.csv", ",old,,rule,x,1")])
    (tmp_path / "f.csv").write_text("a,b\n")
    with pytest.raises(StatsError, match="columns are"):
        read_labels([tmp_path / "f.csv"])


def test_the_demo_s_labels_are_those_of_its_data() -> None:
    """A pair is labelled rule when a version after the one applied, up to the current one, changed the rule."""
    kinds: dict[tuple[str, str], list[tuple[str, str]]] = {}
    with open(ROOT / "config/jurisdictions/demo/sections.csv", encoding="utf-8", newline="") as handle:
        for row in csv.DictReader(handle):
            kinds.setdefault((row["law_code"], row["label"]), []).append((row["valid_from"], row["kind_of_change"]))
    labels = read_labels([ROOT / "config/labels/demo.csv"])
    assert len(labels) == 15
    for (item_id, version, current), change in labels.items():
        _, _, law, section, _, start = version.split("/")
        versions = kinds[law, section.removeprefix("section-").replace("_", " ")]
        passed = [kind for day, kind in versions if start < day <= current.split("/")[-1]]
        assert passed and change == ("rule" if "rule" in passed else "wording") and item_id == ""


def test_command(tmp_path: Path) -> None:
    write_lines(tmp_path / "items.jsonl", [item("a", citation("1"))])
    write_table(tmp_path / "s.parquet", gold("a", "m", 4, 5), SCORES)
    (tmp_path / "amendments.csv").write_text(
        f"kind,before_uri,after_uri,trigram_distance,levenshtein_distance\ngold,{PAIR_1[0]},{PAIR_1[1]},0.25,0.125\nconsecutive,x,y,1,1\n"
    )
    given = ["--run", "r", "--items", f"{tmp_path}/items.jsonl", "--amendments", f"{tmp_path}/amendments.csv"]
    module.main([*given, "--scores", f"{tmp_path}/s.parquet", "--out", f"{tmp_path}/out.csv"])
    lines = (tmp_path / "out.csv").read_text().splitlines()
    assert lines == [",".join(module.COLUMNS), "r,a,labor,a,1,0.25,0.125,,0,1,1,0.25,1"]
    with pytest.raises(SystemExit, match="measure_amendments"):
        module.main([*given[:-1], f"{tmp_path}/none.csv", "--out", f"{tmp_path}/out.csv"])
    (tmp_path / "amendments.csv").write_text("kind\ngold\n")
    with pytest.raises(StatsError, match=r"is not an amendments\.csv"):
        read_distances(tmp_path / "amendments.csv")
