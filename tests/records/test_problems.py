from inforce.records.problems import Problem, read_problems, write_problems


def test_problems_read_back_with_commas_quotes_and_thai(tmp_path):
    problems = [
        Problem("law.csv", "12", "overlap", 'starts before "v1" ends, by a day', "rejected"),
        Problem("x", "", "k", "มาตรา", "noted"),
    ]
    write_problems(tmp_path / "problems.csv", problems)
    assert read_problems(tmp_path / "problems.csv") == problems


def test_no_problem_is_a_header_and_not_an_absent_file(tmp_path):
    write_problems(tmp_path / "problems.csv", [])
    assert (tmp_path / "problems.csv").read_text() == "source,row,kind,reason,action\n"
    assert read_problems(tmp_path / "problems.csv") == []
