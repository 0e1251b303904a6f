"""Solve a spot on the river in no-limit hold'em, with ranges and bet sizes of your own."""

import sog

spot = sog.solve(
    "holdem",
    board="9s7c5s4h3c",
    pot=200,
    stack=400,
    bets="river:75,allin",
    range_oop="88+,A9s+,KQs,87s,65s",
    range_ip="TT-66,A8s+,KJs+,T9s,86s",
    until=0.5,  # chips
)
spot.save("river.npz")  # sog show-strategy river.npz --node check,bet75
print(spot)
