"""Run a table's command on small files and read back its three forms."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pandas as pd


def run_table(module: ModuleType, folder: Path, *arguments: str) -> tuple[pd.DataFrame, str, str]:
    """The CSV as text, the Markdown and the LaTeX."""
    forms = {form: folder / f"out.{form}" for form in ("csv", "markdown", "latex")}
    module.main([*arguments, *(f"--{form}={path}" for form, path in forms.items())])
    table = pd.read_csv(forms["csv"], dtype=str, keep_default_na=False)
    return table, forms["markdown"].read_text(encoding="utf-8"), forms["latex"].read_text(encoding="utf-8")


def save(folder: Path, name: str, columns: list[str], *rows: tuple[object, ...]) -> str:
    """Write a small table and give its path."""
    pd.DataFrame(list(rows), columns=columns).to_csv(folder / name, index=False)
    return str(folder / name)
