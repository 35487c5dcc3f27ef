from inforce.report.question_set_table import NONE, main

HEADER = (
    "question_set,snapshot,questions,citations,compared,stale,stale_pct,amended,repealed,unmatched,unresolved,"
    "sections,ever_amended,ever_amended_pct\n"
)


def made(folder, rows):
    (folder / "s.csv").write_text(HEADER + rows, encoding="utf-8")
    forms = [part for form in ("csv", "markdown", "latex") for part in (f"--{form}", str(folder / form))]
    main(["--summary", str(folder / "s.csv"), *forms])
    return (folder / "markdown").read_text(encoding="utf-8")


def test_shares_with_what_they_are_of(tmp_path):
    text = made(tmp_path, "Set A,2024-01-01,3729,1010,1000,23,2.3,20,3,4,6,80,20,25\nSet B,,2,1,0,0,,0,0,1,0,0,0,\n")
    assert "| Set A | 3,729 | 25.0% (20/80) | 2.3% (23/1,000) |" in text
    assert "| Set B | 2 | (0/0) | (0/0) |" in text
    assert "Set A: 6 of 1010 citations not in the corpus, 4 with a text of no version; Set B: 0 of 1 " in text
    assert r"25.0\% (20/80)" in (tmp_path / "latex").read_text(encoding="utf-8")


def test_no_question_set_is_an_empty_table_with_a_note(tmp_path):
    assert made(tmp_path, "").endswith(f"\n{NONE}\n")
    assert (tmp_path / "csv").read_text() == HEADER
