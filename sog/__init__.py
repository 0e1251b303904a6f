"""Student of Games: one search-and-learning algorithm for perfect- and imperfect-information games."""

__version__ = "0.1.0"
