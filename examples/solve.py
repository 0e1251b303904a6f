"""Solve games exactly: value, exploitability, and how every infostate plays."""

import sog

kuhn = sog.solve("kuhn", iterations=2000)
print(kuhn)
print("a king after two deals:", kuhn.policy("K | deal deal"))

leduc = sog.solve("leduc", "pcfr+", until=1e-3)
leduc.save("leduc.npz")  # sog play leduc --opponent leduc.npz
print(leduc)
