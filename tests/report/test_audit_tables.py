from pathlib import Path

from inforce.drift import count_audit
from inforce.report.audit_tables import main

AUDIT = Path(__file__).parents[2] / "config" / "benchmark_audit.csv"


def make(folder, audit=AUDIT):
    counts, rows = str(folder / "counts.csv"), str(folder / "rows.csv")
    count_audit.main(["--audit", str(audit), "--period-starts", "2024", "2026", "--counts", counts, "--rows", rows])
    outs = [f"{table}-{form}" for table in ("counts", "rows") for form in ("csv", "markdown", "latex")]
    main(["--counts", counts, "--rows", rows, *(part for out in outs for part in (f"--{out}", str(folder / out)))])
    return {out: (folder / out).read_text(encoding="utf-8") for out in outs}


def test_the_published_counts_as_printed(tmp_path):
    lines = make(tmp_path)["counts-markdown"].splitlines()
    # NitiBench+ (second version), Table 2
    assert lines[2:6] == [
        "| before 2024 | 20 | 5 (+11) | 2 (+6) | 1 | 2 (+2) |",
        "| 2024–2025 | 19 | 9 (+5) | 1 (+5) | 3 | 3 (+2) |",
        "| 2026 | 14 | 6 (+8) | 7 (+4) | 5 (+1) | 5 (+1) |",
        "| All | 53 | 20 (+24) | 10 (+15) | 9 (+1) | 10 (+5) |",
    ]


def test_every_benchmark_is_a_row(tmp_path):
    made = make(tmp_path)
    lines = made["rows-markdown"].splitlines()
    assert len(lines) == 2 + 53 + 2
    assert "| TIDE | 2026 | Bangladesh | partly | yes | yes | yes |" in lines
    assert "| ClaimRAG-LAW | 2026 | EU, Luxembourg | partly | – | – | partly |" in lines
    assert "Source of the marks: NitiBench+ v2, Table 3." in lines[-1]
    assert made["rows-csv"].splitlines()[1].startswith("before 2024,CAIL2018,2018,")
    assert "low confidence" not in lines[-1]


def test_low_confidence_is_said(tmp_path):
    header = "benchmark,year,jurisdiction,cites_statute,item_date,version,snapshot,confidence\n"
    (tmp_path / "a.csv").write_text(header + "A,2020,X,no,no,no,no,low\nB,2020,X,no,no,no,no,\n", encoding="utf-8")
    text = make(tmp_path, tmp_path / "a.csv")["rows-markdown"]
    assert "Source of the marks: not named. 1 rows are of low confidence." in text
