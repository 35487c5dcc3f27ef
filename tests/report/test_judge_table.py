import pytest
from report.paper_run import run_table
from report.small_run import write_json

from inforce.report import judge_table as module

HEADER = "run,setting,measure,judge,other,value,low,high,n,n_clusters\n"


def arguments(folder, lines):
    (folder / "a.csv").write_text(HEADER + "".join(f"{line}\n" for line in lines), encoding="utf-8")
    return ["--agreement", str(folder / "a.csv"), "--judges-dir", str(folder / "judges")]


def test_measures_in_words(tmp_path):
    for key in ("opus", "pro"):
        write_json(tmp_path / "judges" / f"{key}.yaml", {"name": f"Judge {key}", "model": key})
    lines = [
        "r,all,alpha_interval,,,0.8491,0.84,0.86,120,30",
        "r,all,exact,opus,pro,61.5,60,63,120,30",
        "r,rag_in_force,bias,opus,,-0.97,-1.02,-0.9,40,30",
        "r,all,correlation,opus,opus#2,,,,0,0",
    ]
    table, markdown, _ = run_table(module.main, tmp_path, *arguments(tmp_path, lines))
    assert table["judge"].tolist() == ["", "Judge opus", "Judge opus", "Judge opus"] and table["other"].iloc[3] == "Judge opus, seat 2"
    rows = markdown.splitlines()
    assert rows[2] == "| Krippendorff's alpha, interval | All |  |  | 0.849 | [0.840, 0.860] | 120 |"
    assert rows[4] == "| Bias against the others (points) | RAG In-force | Judge opus |  | −0.97 | [−1.02, −0.90] | 40 |"
    with pytest.raises(SystemExit, match="absent"):
        module.main([*arguments(tmp_path, ["r,all,bias,absent,,1,1,1,1,1"]), "--csv", "c", "--markdown", "m", "--latex", "l"])


def test_one_seat_and_one_judge(tmp_path):
    write_json(tmp_path / "judges" / "a.yaml", {"name": "A", "model": "a"})
    table, markdown, _ = run_table(module.main, tmp_path, *arguments(tmp_path, []))
    assert table.empty and "one seat" in markdown
    _, markdown, _ = run_table(module.main, tmp_path, *arguments(tmp_path, ["r,all,exact,a,a#2,100,100,100,4,2"]))
    assert "filled by one judge" in markdown
