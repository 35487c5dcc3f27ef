from pathlib import Path

import pytest

from inforce.drift.count_audit import Benchmark, count_audit, main, period_names, period_of, read_audit

AUDIT = Path(__file__).parents[2] / "config" / "benchmark_audit.csv"
HEADER = "benchmark,year,jurisdiction,cites_statute,item_date,version,snapshot\n"

# NitiBench+ (second version), Table 2: benchmarks, then yes and partial of each mark
PUBLISHED = {
    "before 2024": [20, 5, 11, 2, 6, 1, 0, 2, 2],
    "2024-2025": [19, 9, 5, 1, 5, 3, 0, 3, 2],
    "2026": [14, 6, 8, 7, 4, 5, 1, 5, 1],
    "All": [53, 20, 24, 10, 15, 9, 1, 10, 5],
}


def test_the_rows_of_the_audit_give_the_published_counts():
    table = count_audit(read_audit(AUDIT), [2024, 2026])
    assert dict(zip(table["released"], table.iloc[:, 1:].to_numpy().tolist(), strict=True)) == PUBLISHED


def test_the_audit_covers_19_jurisdictions_and_names_its_source():
    rows = read_audit(AUDIT)
    assert len({name.strip() for row in rows for name in row.jurisdiction.split(";")}) == 19  # §3
    assert all(row.source for row in rows)


def test_periods():
    assert [period_of(year, [2024, 2026], 2026) for year in (1999, 2023, 2024, 2025, 2026)] == [
        "before 2024",
        "before 2024",
        "2024-2025",
        "2024-2025",
        "2026",
    ]
    assert period_names([2024, 2026], 2028) == ["before 2024", "2024-2025", "2026-2028"]
    assert period_names([2020], 2019) == ["before 2020", "2020"]


def benchmark(name, year, marks):
    words = {"y": "yes", "p": "partial", "n": "no"}
    fields = zip(("cites_statute", "item_date", "version", "snapshot"), (words[mark] for mark in marks), strict=True)
    return Benchmark.model_validate({"benchmark": name, "year": year, "jurisdiction": "X", **dict(fields)})


def test_counts_by_hand():
    rows = [benchmark("a", 2019, "yynn"), benchmark("b", 2019, "pnny"), benchmark("c", 2021, "ppnn")]
    table = count_audit(rows, [2020, 2022])
    assert table.to_numpy().tolist() == [
        ["before 2020", 2, 1, 1, 1, 0, 0, 0, 1, 0],
        ["2020-2021", 1, 0, 1, 0, 1, 0, 0, 0, 0],
        ["2022", 0, 0, 0, 0, 0, 0, 0, 0, 0],
        ["All", 3, 1, 2, 1, 1, 0, 0, 1, 0],
    ]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("A,2020,X,maybe,no,no,no\n", "line 2: cites_statute"),
        ("A,20,X,no,no,no,no\n", "line 2: year"),
        ("A,2020,X,no,no,no,no\nA,2021,X,no,no,no,no\n", "A is there twice"),
        ("A,2020,X,no,no,no,no,more\n", "line 2"),
    ],
)
def test_faults_are_named(tmp_path, rows, message):
    (tmp_path / "a.csv").write_text(HEADER + rows, encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        read_audit(tmp_path / "a.csv")


def test_the_files(tmp_path):
    arguments = ["--audit", str(AUDIT), "--counts", str(tmp_path / "c.csv"), "--rows", str(tmp_path / "r.csv"), "--period-starts"]
    main([*arguments, "2024", "2026"])
    lines = (tmp_path / "r.csv").read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("released,benchmark,year,jurisdiction,cites_statute,")
    assert lines[1].startswith("before 2024,CAIL2018,2018,China,yes,no,no,no,")
    assert len(lines) == 54
    with pytest.raises(SystemExit, match="once each and in order"):
        main([*arguments, "2026", "2024"])
