"""Fixtures that several rooms' tests share, and which tests stay together when two processes share the work."""

import pytest

pytest_plugins = ["conftest_graph", "stub_server.fixtures", "cluster.slurm_fixtures"]
# rooms whose files share one costly run
TOGETHER = {"audit", "graph"}


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """A file's tests go to one process, a room's where they share a run (pytest-xdist, --dist loadgroup)."""
    for item in items:
        room = item.path.parent.name
        item.add_marker(pytest.mark.xdist_group(room if room in TOGETHER else f"{room}.{item.path.stem}"))
