"""What both players can see: public states, the public tree in flat arrays, beliefs over worlds."""
