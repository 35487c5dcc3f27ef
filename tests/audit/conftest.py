"""A small run against a stub server, made once: five items, one model, two settings, with a marked key in the environment."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from conftest_graph import Checkout
from stub_server.fixtures import StubServer

KEY = "sk-marked-4f1c9e-key-that-must-not-be-written"
TARGETS = ("results/leaderboard.csv", "results/report/small/table08_gain.csv", "results/report/small/figure06_leaderboard.png")
MODEL = """name: Stub
checkpoint: stub/stub
revision: r1
via: {kind: endpoint, base_url_env: STUB_URL, api_key_env: STUB_KEY, engine: stub 1}
context_window: 32768
max_output_tokens: 2048
"""
PROTOCOL = """models: [stub]
settings: [gold_current, gold_in_force]
panel: [stub]
max_items: 5
search: {embedding: minilm}
resamples: 200
"""


def python(folder, *arguments, user=(), **environment):
    """Run a module of the checkout's own package in its folder."""
    command = [*user, sys.executable, "-m", *map(str, arguments)]
    own = {**os.environ, "PYTHONPATH": str(folder / "scripts"), **environment}
    return subprocess.run(command, cwd=folder, env=own, capture_output=True, text=True, timeout=1500, stdin=subprocess.DEVNULL)


def write_manifest(folder):
    """What rule make_manifest does, for a few targets."""
    config = '{"runs": {"small": {"jurisdiction": "demo", "task": "essay", "protocol": "small"}}}'
    files = ["config/jurisdictions/demo.yaml", "config/protocols/small.yaml", "config/embeddings/minilm.yaml"]
    files += ["config/judges/stub.yaml", "config/models/stub.yaml"]
    done = python(
        folder,
        "inforce.audit.make_manifest",
        *["--targets", *TARGETS, "--config", config, "--config-files", *files],
        *["--data-root", "data", "--responses", "responses", "--records", ".snakemake/metadata"],
        *["--manifest", "results/manifest.json", "--stored", "results/manifest.stored.parquet"],
        *["--sidecar", "results/manifest.sidecar.json", "--provenance", "results/provenance/index.csv"],
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done


@pytest.fixture(scope="session")
def small(tmp_path_factory):
    """The finished run in a folder that another user may read; the server is stopped, so that no model can be asked any more."""
    folder = Path(tempfile.mkdtemp(prefix="inforce-small-"))
    folder.chmod(0o755)
    checkout = Checkout.fresh(folder)
    (folder / "config/models/stub.yaml").write_text(MODEL)
    (folder / "config/judges/stub.yaml").write_text("name: Stub\nmodel: stub\n")
    (folder / "config/protocols/small.yaml").write_text(PROTOCOL)
    (folder / "config/config.yaml").write_text("runs:\n  small: {jurisdiction: demo, task: essay, protocol: small}\n")
    server = StubServer(tmp_path_factory.mktemp("stub") / "log.jsonl")
    try:
        done = checkout.snakemake(*TARGETS, "--cores", "2", STUB_URL=server.base_url, STUB_KEY=KEY)
    finally:
        server.stop()
    assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]
    checkout.log = done.stdout + done.stderr
    write_manifest(folder)
    yield checkout
    shutil.rmtree(folder)


@pytest.fixture
def copy_of_small(small, tmp_path):
    """The finished run in a folder that a test may change."""
    (tmp_path / "copy").mkdir()
    return small.copy(tmp_path / "copy")


def export(folder, out):
    """What rule export_crate does."""
    words = ["--manifest", "results/manifest.json", "--releases", "config/releases/demo.yaml", "--out", out]
    done = python(folder, "inforce.audit.export_crate", *words)
    assert done.returncode == 0, done.stderr
    return Path(folder / out)


@pytest.fixture(scope="session")
def crate(small, tmp_path_factory):
    return export(small.folder, tmp_path_factory.mktemp("crate") / "crate.zip")
