"""What `import sog` offers: the commands as functions, on games by name or as objects.

Every function does what the command of its name does, with the same limits and progress, and returns a result
that prints as a few lines. Paths may be `str` or `Path`.

Verified: tests/test_api.py, tests/test_examples.py.
"""
