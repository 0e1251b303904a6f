"""Heads-up no-limit Texas hold'em.

What each module holds, lowest first: `cards` (cards, boards and two-card hands), `strength` (which hand
wins), `ranges` (weights of hands, as text), `range_grid` (the 13×13 picture of a range), `bet_sizes` (which
bets a player may choose from), `betting` (the betting as pure functions), `move_paths` (moves in a row, as
people write them), `showdown` (folds and showdowns in linear time), `hands` (matrices over both players'
hands), `view` (the public view), `spot` (a subgame to solve), `teh` (turn endgame hold'em), `isomorphism`
(suits that are alike).
"""
