"""Search one decision, and search it again for an opponent of whom more is known."""

import sog

found = sog.search("leduc", ["raise"], search="200,1")
print(found)

# Player 0 would have raised kings always, queens half the time, jacks never. Names: own card | what all saw.
beliefs = {f"{card} | deal deal raise": weight for card, weight in
           {"Ks": 1.0, "Kh": 1.0, "Qs": 0.5, "Qh": 0.5}.items()}  # fmt: skip
print(sog.search("leduc", ["raise"], search="200,1", beliefs=(beliefs, None)))
