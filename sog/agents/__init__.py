"""Bots: programs that play one seat of a game by what that seat is told."""
