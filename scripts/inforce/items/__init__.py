"""Benchmark items, and the selection that a run asks."""
