"""A site's settings: typed, refused where wrong, and all optional."""

from pathlib import Path

import pytest

from inforce.config.load import ConfigError, read_config
from inforce.config.site import EXAMPLE, Site, read_site

ROOT = Path(__file__).parents[2]


def test_without_a_file_the_defaults_hold(tmp_path):
    site = read_site(tmp_path / "site.yaml")
    assert (site.partitions.cpu, site.partitions.gpu, site.account, site.folders) == ("cpu", "gpu", None, [])


def test_a_wrong_key_is_refused_with_the_nearest(tmp_path):
    path = tmp_path / "site.yaml"
    path.write_text("partitions: {gpus: a100}\nacount: me\n")
    with pytest.raises(ConfigError) as caught:
        read_site(path)
    assert "unknown key partitions.gpus; did you mean gpu?" in str(caught.value)
    assert "unknown key acount; did you mean account?" in str(caught.value)


@pytest.mark.parametrize(("kind", "expected"), [(None, "gpu:4"), ("a100", "gpu:a100:4")])
def test_gpus_are_asked_for_by_type_and_number(kind, expected):
    assert Site(gpu_type=kind).gres(4) == expected


def test_a_type_that_the_plugin_cannot_ask_for_is_refused():
    with pytest.raises(ValueError, match="gpu_type"):
        Site(gpu_type="a100-80gb")


def test_the_example_is_valid_and_names_every_key():
    example = read_config(ROOT / EXAMPLE, Site)
    assert example.model_fields_set == set(Site.model_fields)


def test_git_ignores_the_site_s_own_file():
    assert "/slurm/site.yaml" in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()


def test_jobs_see_the_site_s_folders_and_gpus_only_where_they_were_given(tmp_path):
    for name in ("models", "data", "cache", "mine"):
        (tmp_path / name).mkdir()
    site = Site(models=str(tmp_path / "models"), hf_home=str(tmp_path / "cache"), binds=["/no/such/folder"])
    given = {"INFORCE_DATA": str(tmp_path / "data"), "APPTAINER_BIND": f"{tmp_path / 'mine'}:/mnt:ro"}
    made = site.environment(given, tmp_path)
    assert made["APPTAINER_BIND"] == ",".join(
        [*(str(tmp_path / name) for name in ("models", "cache", "data")), f"{tmp_path / 'mine'}:/mnt:ro"]
    )
    assert (made["INFORCE_MODELS"], made["HF_HOME"]) == (str(tmp_path / "models"), str(tmp_path / "cache"))
    assert "APPTAINER_NV" not in made
    assert site.environment(given | made, tmp_path) == made, "a job's own Snakemake comes to the same"
    for name in ("SLURM_JOB_GPUS", "CUDA_VISIBLE_DEVICES"):
        assert site.environment({name: "0,1"}, tmp_path)["APPTAINER_NV"] == "1"
    assert site.environment({"CUDA_VISIBLE_DEVICES": ""}, tmp_path).get("APPTAINER_NV") is None


def test_the_cache_is_where_it_always_is_unless_told(tmp_path):
    assert Site().environment({}, tmp_path)["HF_HOME"] == str(tmp_path / ".cache" / "huggingface")
    assert Site().environment({"HF_HOME": "/x"}, tmp_path)["HF_HOME"] == "/x"
