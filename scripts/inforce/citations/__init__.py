"""Citations in running text: one engine, a grammar a jurisdiction (config/citations/*.yaml)."""
