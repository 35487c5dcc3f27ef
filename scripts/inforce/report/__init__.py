"""Leaderboard, paper tables, figure and the report page: what people read."""
