"""Counterfactual value-and-policy networks, and the evaluators that ask them."""
