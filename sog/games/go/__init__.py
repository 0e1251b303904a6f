"""Go: rules as kernels over rows of a flat array.

What each module holds, lowest first: `layout` (what a row is), `stones` (playing and capturing), `legality`
(suicide, superko), `scoring`, `planes`, `rows` (the same for calls by row), `view` (the public view: small
records, from which rows are made), `vertices` (names of points), `game` (the world view), `sgf` (records of
games).

**For kernels.** `GoRules` (from `layout.make_rules`, or `Go(...).rules`) holds sizes and tables;
`Positions` (from `layout.make_positions`) holds N rows, a position each. Rows and actions are
`np.uint64`; actions are 0 … S² − 1 for the points by lines from A1 on, and S² to pass.

    make_move(rules, positions, source, target, action)       `target` becomes `source` after a legal action
    list_legal(rules, positions, row, actions, at) -> count   ascending, into a uint32 array from `at` on
    outcome(rules, positions, row) -> (is_over, utility)      player 0's, who is black
    fill_planes(rules, positions, row, planes, at)            [17, S, S] float32 from `at` on
    lead(rules, positions, row) -> points                     black's less white's, before the komi

All are in `rows`. Where the loop around them is hot, the same with the row's `Board` (`layout.board_at`) in
hand: `stones.play`, `legality.fill_legal`, `legality.is_legal`, `layout.is_over`, `scoring.utility`. Who is
to play is `positions.longs[row * rules.row_length + TO_PLAY]`. Nothing allocates; a row knows all positions
of its game, so superko needs nobody else. A row takes `8 * rules.row_length` bytes: 3.5 kB on 9×9, 13 kB on
19×19 with the usual longest play. Rows and worlds change into each other by `Go.rows_of` and `Go.world_of`.

>>> import numpy as np
>>> from sog.games.go.layout import make_positions, make_rules
>>> from sog.games.go.rows import make_move, outcome
>>> rules = make_rules(size=9, komi=7.5, max_length=162)
>>> positions, passing = make_positions(rules, num_rows=3), np.uint64(81)
>>> for node in (0, 1):
...     make_move(rules, positions, np.uint64(node), np.uint64(node + 1), passing)
>>> outcome(rules, positions, np.uint64(1)), outcome(rules, positions, np.uint64(2))
((False, 0.0), (True, -1.0))
"""
