import pandas as pd
import pytest

from inforce.report.drift_table import ALL_COURTS, COUNTS, drift_table, main, note, printed_rows

# NitiBench+ Table 1: decisions and shares in percent; the counts are ours, chosen so that they give the printed shares and the sum of §3,
# 79,394 of 156,650 drifted (50.7 %). No whole numbers give all shares of the fourth court: 69 of 1,744 are 3.96 %, printed as 3.9.
PUBLISHED = [
    ("Supreme Court", (51566, 28929, 5672), ["51,566", "32.9", "56.1", "11.0", "67.1"]),
    ("Constitutional Court", (2025, 54, 1210), ["2,025", "37.6", "2.7", "59.8", "62.4"]),
    ("Administrative Courts", (101315, 26520, 16603), ["101,315", "57.4", "26.2", "16.4", "42.6"]),
    ("Court of Appeal for Specialised Cases", (1744, 337, 69), ["1,744", "76.7", "19.3", "4.0", "23.3"]),
]


def by_court(*rows):
    return pd.DataFrame(rows, columns=["court", *COUNTS])


def published():
    counts = [
        (court, n, n - amended - repealed, amended, repealed, amended + repealed, 0, 0) for court, (n, amended, repealed), _ in PUBLISHED
    ]
    return by_court(*counts)


def test_the_published_shares():
    table = drift_table(published(), {})
    rows = printed_rows(table)
    assert rows[:-1] == [[court, *printed] for court, _, printed in PUBLISHED]
    assert (rows[-1][0], rows[-1][1], rows[-1][5]) == (ALL_COURTS, "156,650", "50.7")
    assert table.iloc[-1]["drifted"] == 79394


def test_by_hand():
    table = drift_table(by_court(("S", 1200, 300, 600, 300, 900, 3, 1), ("A", 0, 0, 0, 0, 0, 0, 5)), {"S": "Supreme"})
    assert printed_rows(table) == [
        ["Supreme", "1,200", "25.0", "50.0", "25.0", "75.0"],
        ["A", "0", "", "", "", ""],
        [ALL_COURTS, "1,200", "25.0", "50.0", "25.0", "75.0"],
    ]
    words = note(table, "2026-09-01")
    assert "1,200 of 1,206; the others, 6, are left out" in words
    assert "3 rest on law that had already ended" in words


def test_one_court_needs_no_sum_and_no_court_no_table():
    assert len(drift_table(by_court(("S", 1, 1, 0, 0, 0, 0, 0)), {})) == 1
    empty = drift_table(by_court(), {})
    assert (len(empty), note(empty, "2026-09-01")) == (0, "No decisions.")


def test_the_files(tmp_path, request):
    published().to_csv(tmp_path / "c.csv", index=False)
    config = request.config.rootpath / "config" / "jurisdictions" / "demo.yaml"
    arguments = [part for form in ("csv", "markdown", "latex") for part in (f"--{form}", str(tmp_path / form))]
    main(["--by-court", str(tmp_path / "c.csv"), "--jurisdiction-config", str(config), *arguments])
    assert (
        (tmp_path / "csv").read_text().startswith("court,decisions,current,amended,repealed,drifted,ended_before,unresolved,current_pct,")
    )
    assert "| Supreme Court | 51,566 | 32.9 | 56.1 | 11.0 | 67.1 |" in (tmp_path / "markdown").read_text()
    assert "on 2026-09-01" in (tmp_path / "latex").read_text()
    with pytest.raises(SystemExit, match="does not exist; run the step that makes it"):
        main(["--by-court", str(tmp_path / "d.csv"), "--jurisdiction-config", str(config), *arguments])
