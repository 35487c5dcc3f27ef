"""One small run for all tests of the room: making it takes seconds."""

from __future__ import annotations

from pathlib import Path

import pytest
from report.small_run import make_page


@pytest.fixture(scope="session")
def small_report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder with two runs (demo, second), their tables and report.html; every answer of even items is hostile."""
    return make_page(tmp_path_factory.mktemp("report")).parent
