"""What hold'em needs beyond a public view: a solver that goes street by street, and its results.

What each module holds, lowest first: `ends` (folds and showdowns of a street), `streets` (betting apart from
cards), `regret_storage` (what a solve keeps), `locking` (given strategies in it), `visits` (kernels that
visit a street's boards), `workspaces` (where workers visit them), `spot_solver`, `scenes` (where one is in a
solved spot), `equity`, `solved_spot` (how its hands play), `strategy_grid` and `strategy_list` (the same as a
13×13 grid and in rows), `flop_report` (one setting on many flops), `spot_size`, `fitting` and `preflop_size`
(what a solve takes), `libratus` (the file format of the Libratus subgames).
"""
