"""Tabular solvers: one traversal of the public tree, and what can be computed with it."""
