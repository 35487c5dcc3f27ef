from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from stats.published_tables import published, settings_rows

from inforce.stats import domain_means as module
from inforce.stats.frames import StatsError


def long(table: pd.DataFrame, setting: str = "rag_in_force") -> pd.DataFrame:
    """Rows of settings.csv from a printed table of models × domains."""
    frame = table.melt("model", var_name="domain", value_name="value").assign(setting=setting)
    return settings_rows(frame.assign(value=frame["value"].astype(float), domain=frame["domain"].replace("overall", "all")))


def test_published_domain_means_follow_from_table_20() -> None:
    """Table 19 is the means, best and lowest of Table 20's columns, and names them in its order."""
    by_model = published("table20_model_by_domain")
    means = by_model[by_model["model"] == "Mean"].iloc[0]
    table = module.domain_means(long(by_model[by_model["model"] != "Mean"]).replace({"domain": {"All": "all"}}))
    printed = published("table19_domain_means").set_index("domain")
    found = table.set_index("domain")
    assert list(found.index[:17]) == list(printed.index) and found.index[-1] == "all"
    for domain in printed.index:
        assert found.loc[domain, "mean"] == pytest.approx(float(printed.loc[domain, "rag_in_force"]), abs=0.0101)
        assert found.loc[domain, "mean"] == pytest.approx(float(means[domain]), abs=0.0101)
        assert found.loc[domain, "best_model"] == printed.loc[domain, "best_model"]
        assert found.loc[domain, "best_score"] == float(printed.loc[domain, "best_score"])
        assert found.loc[domain, "lowest_score"] == float(printed.loc[domain, "lowest_score"])
    assert found.loc["all", "mean"] == pytest.approx(2.46, abs=0.01)


def test_published_leaderboard_domains() -> None:
    """§7.4: the easiest domain of Table 21 at 4.57 and the hardest at 3.83; Claude Fable 5.1 is best in 12 of 17."""
    table = module.domain_means(long(published("table21_leaderboard_by_domain")))
    assert table.iloc[0]["domain"] == "Natural Resources & Licensing" and table.iloc[0]["mean"] == pytest.approx(4.57, abs=0.006)
    assert table.iloc[16]["domain"] == "Public Personnel" and table.iloc[16]["mean"] == pytest.approx(3.83, abs=0.006)
    assert (table["best_model"] == "Claude Fable 5.1").sum() == 12


def test_hand_worked_with_a_model_that_has_no_score() -> None:
    rows = [("m", "labor", 4.0), ("n", "labor", 6.0), ("o", "labor", float("nan")), ("m", "tax", 1.0), ("n", "tax", 1.0)]
    frame = settings_rows(pd.DataFrame(rows, columns=["model", "domain", "value"]).assign(setting="parametric"))
    status = frame.assign(metric="unparsed_share", n_items=7)
    table = module.domain_means(pd.concat([frame, status])).set_index("domain")
    assert list(table.index) == ["labor", "tax"]
    assert table.loc["labor", ["n_items", "n_models", "mean", "best_model", "lowest_model"]].tolist() == [7, 2, 5, "n", "m"]
    assert table.loc["tax", ["best_model", "lowest_model"]].tolist() == ["m", "m"]  # the first met


def test_nothing_scored_and_the_command(tmp_path: Path) -> None:
    frame = settings_rows(pd.DataFrame([("m", "labor", float("nan"))], columns=["model", "domain", "value"]).assign(setting="parametric"))
    table = module.domain_means(frame)
    assert table["mean"].isna().all() and table["best_model"].isna().all() and table["n_models"].tolist() == [0]
    frame.to_csv(tmp_path / "s.csv", index=False)
    module.main(["--settings", str(tmp_path / "s.csv"), "--out", str(tmp_path / "o.csv")])
    assert list(pd.read_csv(tmp_path / "o.csv").columns) == module.COLUMNS
    with pytest.raises(StatsError, match="no scores"):
        module.domain_means(frame.iloc[:0])
    with pytest.raises(SystemExit, match="does not exist"):
        module.main(["--settings", "none.csv", "--out", "o"])
    (tmp_path / "t.csv").write_text("run,model\n", encoding="utf-8")
    with pytest.raises(SystemExit, match="has no column setting"):
        module.main(["--settings", str(tmp_path / "t.csv"), "--out", "o"])
