"""Search: trees that grow from the current state, and what stands at their frontier."""
