"""Rules of games, and nothing else. A game is addressed by a string: see `registry.load`."""
