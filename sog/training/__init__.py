"""Sound self-play: actors, a query solver and a learner, joined by plain data."""
