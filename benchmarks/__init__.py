"""Benchmarks: each prints a ratio against a named peer of the same run. See `python -m benchmarks`."""
