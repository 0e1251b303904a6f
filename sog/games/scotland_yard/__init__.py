"""Scotland Yard: the board as data (`board`), what a map is played with (`setup`), the rules (`game`)."""
