import json

import pytest

from inforce.audit.manifest import ManifestError
from inforce.audit.workflow_records import read_record, record_path, walk

DIGEST = "a" * 64


def record(folder, output, inputs, **values):
    path = record_path(folder, output)
    path.parent.mkdir(parents=True, exist_ok=True)
    standard = {
        "rule": "count",
        "input": inputs,
        "params": [repr(DIGEST), "''", "200"],
        "shellcmd": f"python -m inforce.stats.count --out {output}",
        "container_img_url": "containers/cpu.sif",
        "software_stack_hash": "d41d8cd98f00b204e9800998ecf8427e",
        "starttime": 1.0,
        "endtime": 2.0,
    }
    path.write_text(json.dumps(standard | values))


def test_a_record_says_module_code_and_parameters(tmp_path):
    record(tmp_path, "results/a", ["config/x"])
    made = read_record(tmp_path, "results/a")
    assert (made.module, made.code, made.params, made.image) == ("stats.count", DIGEST, ["200"], None)


def test_an_image_counts_only_where_the_job_ran_in_it(tmp_path):
    record(tmp_path, "results/a", [], software_stack_hash="0" * 32)
    assert read_record(tmp_path, "results/a").image == "containers/cpu.sif"


def test_a_long_name_is_cut_into_folders(tmp_path):
    path = record_path(tmp_path, "results/" + "x" * 300, longest=255)
    first, last = path.relative_to(tmp_path).parts
    assert first.startswith("@") and len(first) == 255 and not last.startswith("@")


def test_the_walk_finds_all_that_a_target_depends_on_and_no_more(tmp_path):
    record(tmp_path, "results/c", ["results/b", "config/y"])
    record(tmp_path, "results/b", ["config/x"])
    record(tmp_path, "results/other", ["config/z"])
    made, sources = walk(tmp_path, ["results/c"])
    assert (sorted(made), sources) == (["results/b", "results/c"], ["config/x", "config/y"])


def test_a_result_without_a_record_is_refused_and_a_broken_record_too(tmp_path):
    record(tmp_path, "results/c", ["results/b"])
    with pytest.raises(ManifestError, match="no record of how results/b was made"):
        walk(tmp_path, ["results/c"])
    record_path(tmp_path, "results/b").write_text("{")
    with pytest.raises(ManifestError, match=r"record of results/b, cannot be read"):
        walk(tmp_path, ["results/c"])
