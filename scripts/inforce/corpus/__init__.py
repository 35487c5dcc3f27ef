"""Foreign law and decisions, read into our own records."""
