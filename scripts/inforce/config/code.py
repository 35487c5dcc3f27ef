"""Code identity: which files of the package a step runs, and one digest over them (DESIGN §5.3).

Snakemake does not follow imports. As a parameter of a rule the digest re-runs a step when, and only when, its code changed.
"""

from __future__ import annotations

import ast
import functools
import hashlib
from pathlib import Path


def code_files(scripts: Path, module: str) -> list[Path]:
    """Files that `inforce.{module}` runs: itself, the project modules that it imports, directly or not, and its room's templates.

    scripts: the folder that holds the package. Empty if the package has no such module.
    """
    found = dict(sorted(_imports(scripts, f"inforce.{module}").items()))
    templates = sorted((scripts / "inforce" / module.split(".")[0]).glob("templates/*"))
    return [*found.values(), *templates]


@functools.cache
def code_digest(scripts: Path, module: str) -> str:
    """Lower-case hex sha256 over the names and bytes of `code_files`; the folder's own place is no part of it."""
    digest = hashlib.sha256()
    for path in code_files(scripts, module):
        digest.update(b"\0".join([str(path.relative_to(scripts)).encode(), path.read_bytes(), b""]))
    return digest.hexdigest()


@functools.cache
def _imports(scripts: Path, name: str) -> dict[str, Path]:
    """Project modules that a module imports, itself included, from its source text alone."""
    folder = scripts.joinpath(*name.split("."))
    path = folder.with_suffix(".py")
    if not path.is_file():
        package = folder / "__init__.py"
        return {name: package} if package.is_file() else {}
    found: dict[str, Path | None] = {name: path}
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("inforce"):
            targets = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Import):
            targets = [alias.name for alias in node.names if alias.name.startswith("inforce")]
        else:
            continue
        for target in targets:
            if target not in found:
                found[target] = None
                found |= _imports(scripts, target)
    return {key: value for key, value in found.items() if value}
