"""Law that comes as a git history goes through the graph by its YAML file alone, whether or not a run names it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from corpus.fast_import import commit, make

ROOT = Path(__file__).parents[2]
YAML = """
title: A small code
language: en
corpus_date: 2020-01-01
root: .
outside_data: true
terms: made for a test
laws: [{law_code: c, name: Code}]
sections:
  type: git_articles
  repository: REPOSITORY
  path: '(?P<label>\\w+)\\.md'
  law_code: c
  dates: {order: [{from: author_date}]}
decisions: {format: jsonl, file: decisions.jsonl}
labels: {unit_words: [section], suffix_words: [], sub_paragraph_words: []}
"""


@pytest.fixture
def project(tmp_path):
    """A working folder with the project's rules and configuration, and a jurisdiction of its own."""
    for name in ("Snakefile", "rules", "scripts", "slurm", "containers", "profiles"):
        if (ROOT / name).exists():
            (tmp_path / name).symlink_to(ROOT / name)
    shutil.copytree(ROOT / "config", tmp_path / "config")
    make(
        tmp_path / "r.git",
        [
            commit("a", "2000-01-01T00:00:00+00:00", {"1.md": "one", "2.md": "two"}),
            commit("b", "2001-01-01T00:00:00+00:00", {"1.md": "new"}),
        ],
    )
    return tmp_path


def snakemake(folder, *arguments):
    environment = {**os.environ, "INFORCE_DATA": str(folder), "PYTHONPATH": ""}
    command = [str(Path(sys.executable).with_name("snakemake")), "--cores", "1", *arguments]
    return subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=600)


def test_a_bundle_becomes_facts_and_a_run_without_decisions_is_told_so(project):
    subprocess.run(["git", "-C", str(project / "r.git"), "bundle", "create", "--quiet", str(project / "r.bundle"), "--all"], check=True)
    (project / "config/jurisdictions/small.yaml").write_text(YAML.replace("REPOSITORY", "r.bundle"))
    done = snakemake(project, "results/corpus/small/facts.csv")
    assert done.returncode == 0, done.stdout
    facts = (project / "results/corpus/small/facts.csv").read_text()
    assert "sections,2\nversions,3\namended_sections,1\namended_share,0.5\n" in facts
    (project / "small.yaml").write_text("runs: {small: {jurisdiction: small, protocol: demo}}\n")
    refused = snakemake(project, "--configfile", "small.yaml", "-n", "results/runs/small/items.jsonl")
    assert refused.returncode != 0
    assert "Jurisdiction small has dated law but no decisions" in refused.stdout


def test_a_folder_is_read_again_when_its_history_went_on(project):
    (project / "config/jurisdictions/small.yaml").write_text(YAML.replace("REPOSITORY", "r.git"))
    target = "results/corpus/small/sections.parquet"
    assert snakemake(project, target).returncode == 0
    assert "Nothing to be done" in snakemake(project, "-n", target).stdout
    shutil.rmtree(project / "r.git")
    make(project / "r.git", [commit("a", "2000-01-01T00:00:00+00:00", {"1.md": "other"})])
    assert "read_law" in snakemake(project, "-n", target).stdout


def test_a_jurisdiction_that_does_not_exist_is_named(project):
    refused = snakemake(project, "-n", "results/corpus/demoo/facts.csv")
    assert "did you mean config/jurisdictions/demo.yaml?" in refused.stdout
