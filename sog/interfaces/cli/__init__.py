"""The command line: a module for each command, its options, and what several commands share."""

from sog.interfaces.cli.dispatch import main

__all__ = ["main"]
