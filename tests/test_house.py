"""The house stands as designed: who imports whom, names that agree, formatting, types."""

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "scripts" / "inforce"
MODULES = sorted(path for path in PACKAGE.rglob("*.py") if path.name != "__init__.py")
BIN = Path(sys.executable).parent

# A room imports records, config and itself. Answers and grades also reach models; answers also search (retrieval lies before it).
EXTRA = {"answers": {"models", "retrieval"}, "grades": {"models"}, "records": set(), "config": set()}


def room_of(path):
    return path.relative_to(PACKAGE).parts[0]


def imported_rooms(path):
    rooms = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = (
            [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else []
        )
        rooms |= {name.split(".")[1] for name in names if name.startswith("inforce.")}
    return rooms


def allowed(room):
    common = {"records"} if room in ("records", "config") else {"records", "config"}
    return common | {room} | EXTRA.get(room, set())


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_room_imports_only_what_it_may(path):
    assert imported_rooms(path) <= allowed(room_of(path))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_module_has_a_test_of_its_name(path):
    assert (ROOT / "tests" / room_of(path) / f"test_{path.stem}.py").is_file()


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_no_module_reads_snakemake_or_runs_model_output(path):
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"^\s*(import snakemake|from snakemake)", text, re.M)
    assert not re.search(r"(?<![\w.])(eval|exec)\(", text)


RULES = [
    (smk, match[1], match[2])
    for smk in sorted((ROOT / "rules").glob("*.smk"))
    for match in re.finditer(r"^rule (\w+):\n(.*?)(?=^rule |^def |\Z)", smk.read_text(encoding="utf-8"), re.M | re.S)
]


@pytest.mark.parametrize(("smk", "name", "body"), RULES, ids=lambda value: value if isinstance(value, str) and value.isidentifier() else "")
def test_a_rule_has_the_house_s_parts_and_runs_the_module_of_its_name(smk, name, body):
    for part in ('"""', "log:", "benchmark:", "message:", "container:", "resources:", "code=code(", "shell:"):
        assert part in body, f"rule {name} has no {part}"
    assert f"python -m inforce.{smk.stem}.{name} " in body
    assert f'code("{smk.stem}.{name}")' in body
    assert (PACKAGE / smk.stem / f"{name}.py").is_file()
    assert not re.search(r"^\s+(script|run|notebook):", body, re.M)


def test_there_are_rules():
    assert len(RULES) >= 20


def run(*command):
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "scripts"), "PATH": f"{BIN}:{os.environ['PATH']}"}
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=600)


@pytest.mark.parametrize(
    "command",
    [
        ("ruff", "check", "scripts", "tests", "benchmarks", "containers"),
        ("ruff", "format", "--check", "scripts", "tests", "benchmarks", "containers"),
        ("snakefmt", "--check", "--line-length", "160", "Snakefile", "rules"),
        ("mypy", "--no-error-summary"),
        ("snakemake", "--lint"),
    ],
    ids=" ".join,
)
def test_formatting_lint_and_types(command):
    done = run(str(BIN / command[0]), *command[1:])
    assert done.returncode == 0, done.stdout + done.stderr


def tracked():
    listed = run("git", "ls-files", "-co", "--exclude-standard").stdout.split("\n")
    return [ROOT / name for name in listed if name and (ROOT / name).is_file()]


def test_the_project_names_no_machine_and_no_registry():
    home = str(Path.home())
    registry = re.compile(r"pypi\.org|files\.pythonhosted|registry\.npmjs|deb\.debian|download\.pytorch")
    for path in tracked():
        if path.suffix in {".png"} or path == Path(__file__):
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        assert f"{home}/" not in text, path
        assert not registry.search(text), path
