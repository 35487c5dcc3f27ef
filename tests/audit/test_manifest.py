import json

import pytest

from inforce.audit.manifest import FORMAT, FileEntry, Job, Manifest, ManifestError, read_manifest, write_manifest


def manifest(**changes):
    job = Job(
        rule="count",
        module="stats.count",
        code="c",
        params=[],
        inputs=["a.csv"],
        outputs=["results/b.csv"],
        image=None,
        models=[],
        n_responses=0,
    )
    values = {
        "format": FORMAT,
        "config": {},
        "targets": ["results/b.csv"],
        "files": {"results/b.csv": FileEntry(sha256="0", size=1, kind="artefact")},
        "jobs": [job],
        "modules": {},
        "images": {},
        "environment": {},
        "stored": "s.parquet",
        "stored_sha256": "0",
        "n_stored": 0,
    }
    return Manifest(**(values | changes))


def test_a_manifest_reads_back_as_it_was_written_and_equal_content_is_equal_bytes(tmp_path):
    write_manifest(tmp_path / "a.json", manifest())
    write_manifest(tmp_path / "b.json", read_manifest(tmp_path / "a.json"))
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()


def test_the_job_that_made_a_file_is_found_by_the_file():
    assert manifest().maker()["results/b.csv"].rule == "count"


@pytest.mark.parametrize(
    ("text", "says"), [("{}", "is not a manifest"), ("no json", "is not a manifest"), (None, "does not exist"), ("old", "has format other")]
)
def test_what_is_no_manifest_is_refused_in_a_sentence(tmp_path, text, says):
    path = tmp_path / "m.json"
    if text == "old":
        path.write_text(json.dumps(manifest(format="other").model_dump(mode="json")))
    elif text is not None:
        path.write_text(text)
    with pytest.raises(ManifestError, match=says):
        read_manifest(path)
