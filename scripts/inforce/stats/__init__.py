"""Aggregation, intervals, gains and counts: from score tables to the numbers of the paper's tables."""
