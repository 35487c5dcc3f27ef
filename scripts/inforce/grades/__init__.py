"""Answers graded by judges on the bar examiner's rubric, and by a lexical floor that needs no model."""
