"""How a request reaches a model: an endpoint, weights in this process, or a stored response."""
