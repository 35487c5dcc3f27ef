"""Gold citations: which version the court applied, and what has become of it since."""
