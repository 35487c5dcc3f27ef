"""InForce: what language models know of the law as it stood on the day of the case."""
