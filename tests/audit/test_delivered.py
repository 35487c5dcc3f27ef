import shutil

import pytest
from audit.paper_run import ANSWERS, BOARD, WEIGHTS, PaperRun

from inforce.audit.delivered import SHOWN, check_delivered, compare_others, shortened


@pytest.fixture
def run(tmp_path):
    return PaperRun(tmp_path)


def check(run):
    return check_delivered(run.manifest(), run.results, run.results / "manifest.json")


def test_a_whole_folder_is_counted(run):
    assert check(run) == (3, [], [])


def a_folder(path):
    path.unlink()
    path.mkdir()


HARM = {
    "missing": (lambda run: (run.folder / BOARD).unlink(), 2, "leaderboard.csv: the file was not handed over"),
    "changed": (lambda run: (run.folder / BOARD).write_text("9"), 3, "leaderboard.csv: the file handed over differs from the manifest"),
    "a folder": (lambda run: a_folder(run.folder / BOARD), 2, "leaderboard.csv: a folder was handed over in the place of the file"),
    "no records": (lambda run: shutil.rmtree(run.results / "provenance"), 3, "provenance: the provenance records were not handed over"),
    "a record missing": (
        lambda run: (run.results / "provenance/leaderboard.csv.json").unlink(),
        3,
        "leaderboard.csv.json: the provenance record was not handed over",
    ),
    "a record changed": (
        lambda run: (run.results / "provenance/index.csv").write_text(""),
        3,
        "index.csv: the provenance record differs from the manifest",
    ),
}


@pytest.mark.parametrize("what", HARM)
def test_what_is_missing_or_differs_is_named_and_not_equal(run, what):
    harm, n_there, says = HARM[what]
    harm(run)
    (words,) = check(run).wrong
    assert words.endswith(says) and check(run).n_there == n_there
    status, out, err = run.check("--results", run.results)
    assert (status, words in out) == (1, True), out + err
    assert f"handed over              {n_there} of 3 files of the manifest; differences: 1" in out


def test_another_manifest_in_the_folder_is_named(run, tmp_path):
    manifest = run.manifest()
    (tmp_path / "given.json").write_bytes((run.results / "manifest.json").read_bytes())
    (run.results / "manifest.json").write_text("{}")
    (words,) = check_delivered(manifest, run.results, tmp_path / "given.json").wrong
    assert words.endswith("the manifest handed over differs from the one of this audit")


@pytest.mark.parametrize("place", ["nowhere", BOARD])
def test_no_folder_cannot_be_audited(run, place):
    status, _, err = run.check("--results", run.folder / place)
    assert (status, "is no folder: name the results" in err) == (2, True)


def test_what_the_manifest_does_not_name_is_counted_and_must_be_made_again(run, tmp_path):
    """A second form of a table is made beside the first, a tokenizer lies beside the weights, and one table nobody made."""
    for name in ("results/report/a.md", "results/report/b.md", "results/models/m/tokenizer.json", "results/x.csv", "results/release/a"):
        (run.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (run.folder / name).write_text("1")
    found = check(run)
    assert found.others == ["results/models/m/tokenizer.json", "results/report/a.md", "results/report/b.md", "results/x.csv"]
    work = tmp_path / "work"
    (work / "results/report").mkdir(parents=True)
    (work / "results/report/a.md").write_text("1")
    (work / "results/report/b.md").write_text("2")
    again = compare_others(run.manifest(), found, run.results, work)
    assert again.others == ["results/models/m/tokenizer.json"]
    assert [words.partition(": ")[2] for words in again.wrong] == [
        "the file handed over differs from the one made again",
        "the manifest does not name it, and nothing made it again",
    ]


def test_a_leaderboard_that_was_taken_out_of_the_manifest_is_not_passed_over(run, tmp_path):
    """A manifest that fits, of the answers alone: the leaderboard in the folder is then nobody's."""
    run.value["jobs"].remove(run.job(BOARD))
    run.value["targets"] = [ANSWERS]
    run.value["modules"].pop("report.make_leaderboard")
    run.value["files"].pop(BOARD)
    shutil.rmtree(run.results / "provenance")
    run.write()
    status, out, _ = run.check("--results", run.results)
    assert (status, f"not in the manifest      1 files handed over: {BOARD}" in out) == (0, True)
    (words,) = compare_others(run.manifest(), check(run), run.results, tmp_path / "work").wrong
    assert words.endswith("leaderboard.csv: the manifest does not name it, and nothing made it again")
    assert (run.folder / WEIGHTS).is_file()


def test_of_many_words_the_first_are_shown():
    assert shortened([str(number) for number in range(SHOWN + 2)])[-1] == "... and 2 more"
    assert shortened(["a"]) == ["a"]
