"""Chess: rules as kernels over rows of numbers, with text and the `Game` around them.

For a search in kernels, a node is a row of two arrays, and no Python object is made for it:

    positions  uint64 [N, POSITION_WORDS]   what `board.py` names: pieces, rights, clock, hash, repetitions
    parents    uint32 [N]                   the row before; NO_PARENT where the past is not known

Moves (`board.py`) and actions (`encoding.py`, AlphaZero's 4,672) are numbers in uint32 lists that the caller
provides with room for `MAX_MOVES` from `start` on. Squares, moves, actions and planes are as the player
to move sees the board. Indices are `np.uint64`. To be called from kernels:

    open_node(positions, node, last_ply, moves, actions, start) -> (count, outcome)     outcome.py
        the legal moves and their actions, ascending by action (the order of `Game.legal_actions`), or none
        and how the game ended; the end is worth -1 to the player to move if it is CHECKMATE, else 0
    play(positions, parents, node, move, child)                                         play.py
        the position after a move, into row `child`, with its parent and its repetitions
    write_planes(positions, parents, node, planes, start)                               planes.py
        AlphaZero's 119 input planes with eight boards of history, float32, 64 numbers a plane
    move_of(positions, node, action) -> move, action_of(move) -> action                 encoding.py
    list_moves(positions, node, moves, start) -> count, is_check(positions, node)       moves.py
    make_move(positions, node, move, child)                                             play.py
        as `play`, for those who need no repetitions (perft)

`run_open_node`, `run_play`, `run_write_planes`, `run_list_moves` are the same for calls from Python, where
arguments must have exactly these types (`np.uint64(node)`), or numba compiles them again for others.

A search below a world starts with `game.history_rows(world, spare=n)`: the past as rows that are each other's
parents, the present position last, and n free rows. `last_ply` is the game's attribute of that name.

>>> import numpy as np
>>> from sog.games.chess.fen import write_fen
>>> from sog.games.chess.game import Chess, history_rows
>>> from sog.games.chess.notation import read_san
>>> from sog.games.chess.play import run_play
>>> rows, parents = history_rows(Chess().initial_world(), spare=1)
>>> run_play(rows, parents, np.uint64(0), np.uint64(read_san(rows[0], "e4")), np.uint64(1))
>>> write_fen(rows[1])
'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1'
"""
