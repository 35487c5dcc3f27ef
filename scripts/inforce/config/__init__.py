"""Typed configuration: every key is known, checked and described before anything runs."""
