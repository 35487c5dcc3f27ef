"""Citations resolved against the dated corpus, citation metrics, panel medians and costs."""
