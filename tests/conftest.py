"""Fixtures that several rooms' tests share."""

pytest_plugins = ["conftest_graph", "stub_server.fixtures", "cluster.slurm_fixtures"]
