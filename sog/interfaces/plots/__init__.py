"""Pictures and plots: how figures look, and a module for each kind."""
