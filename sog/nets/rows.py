"""Networks of kind `rows`: what is learned of one infostate is learned of all that are like it.

An infostate is known by what the game tells of it (`Game.describe_rows`) and, if `row_embeds`, by its number:

    e = act(Φ · described + embedding[column])                  a row, k units
    z = trunk(features, Σ r e of player 0, Σ r e of player 1)   ranges are pooled through the rows
    v = e · (Q_p z + √r R_p z) + s_p z + √r t_p z               values and logits are read out through them
    logits = (e ∘ G z) U + W z

An infostate's own share r of the range counts in its value: to be where the opponent expects one is worth
less. With `row_near` so does the range next to it (`Encoding.near`), by weights of its own: where the
opponent looks for others one is soon found. With `row_odds` the value is tanh(v/2), 1 in a win and -1 in a
loss, and is learned by cross entropy: a chance of 2 % is then as far from one of 6 % as 50 % is from 76 %.
Features that rows tell of (`Encoding.in_rows`) are left out of the trunk: from the stations of London's
detectives it would learn single games by heart. A perceptron has inputs and outputs for every infostate
instead, and must meet each of them to learn of it.

Verified: tests/nets/test_rows.py.
"""

from typing import NamedTuple

import torch
from torch import Tensor, nn

from sog.core.errors import InputError
from sog.nets.cvpn import ACTIVATIONS, Cvpn, make_layers
from sog.nets.spec import NetworkSpec, Sizes


class Rows(Cvpn):
    """A network that pools ranges and reads out values through rows. B queries, M rows, K units of a row."""

    beside_rows: Tensor  # features of the trunk
    near: Tensor  # [V, V] one for each infostate next to another

    def __init__(self, spec: NetworkSpec, sizes: Sizes) -> None:
        nn.Module.__init__(self)  # it has no trunk and no heads of the common kind
        if sizes.row_features == 0:
            raise InputError("network: kind rows needs a game that describes its infostates: use mlp")
        if spec.row_near and not sizes.near:
            raise InputError("network: row_near needs a game that says which infostates are next to which")
        sizes = sizes.with_own_logits()  # rows of both players have lines
        self.spec, self.sizes, units = spec, sizes, spec.row_units
        self.described = nn.Linear(sizes.row_features, units)
        self.embedding = nn.Embedding(sizes.num_values, units) if spec.row_embeds else None
        if self.embedding is not None:
            nn.init.normal_(self.embedding.weight, std=0.1)
        self.register_buffer("beside_rows", torch.tensor(sizes.beside_rows), persistent=False)
        self.activation = ACTIVATIONS[spec.activation]()
        self.layers = make_layers(spec, len(sizes.beside_rows) + 2 * units)
        self.register_buffer("near", _join_near(sizes) if spec.row_near else None, persistent=False)
        self.parts = count_parts(spec)
        self.query = nn.Linear(spec.width, 2 * self.parts * units)  # Q and R of both players
        self.shift = nn.Linear(spec.width, 2 * self.parts)  # s and t of both players
        self.gate = nn.Linear(spec.width, units)  # G
        choices = max(sizes.logits.width)
        self.policy = nn.Linear(units, choices, bias=False)  # U
        self.prior = nn.Linear(spec.width, choices)  # W
        for head in (
            self.query,
            self.shift,
            self.policy,
            self.prior,
        ):  # "worth nothing" and "uniform" at first
            for parameter in head.parameters():
                nn.init.zeros_(parameter)

    def forward(self, features: Tensor, ranges: Tensor, *rows_told: Tensor) -> tuple[Tensor, Tensor]:
        """Return values [B, V] before they are balanced, and logits [B, L].

        features: [B, F], ranges: [B, V]. rows_told: query [M] and column [M] of each row, described [M, d].
        """
        told = self._read(features, ranges, *rows_told)
        everything = torch.arange(len(told.owners), device=ranges.device)
        lines = self._read_lines(told, everything)
        return self._read_values(told, ranges, everything), self._place(lines, told)

    def pick(
        self,
        features: Tensor,
        ranges: Tensor,
        is_valued: Tensor | None,
        lines: Tensor,
        places: Tensor,
        *rows_told: Tensor,
    ) -> tuple[Tensor, Tensor]:
        """Return values and logits as `Cvpn.pick` does; rows that nothing is asked of are pooled alone."""
        told = self._read(features, ranges, *rows_told)
        number = torch.zeros(ranges.shape, dtype=torch.long, device=ranges.device)
        number[told.owners, told.columns] = torch.arange(len(told.owners), device=ranges.device)
        valued = torch.arange(len(told.owners), device=ranges.device)
        if is_valued is not None:
            valued = is_valued[told.owners, told.columns].nonzero()[:, 0]
        where = self.sizes.logits
        player = (places[:, 0] >= where.start[1]).long()
        start = torch.tensor(where.start, device=ranges.device)[player]
        width = torch.tensor(where.width, device=ranges.device)[player]
        columns = (places[:, 0] - start) // width + player * where.num_first
        found = self._read_lines(told, number[lines, columns])
        choices = (places - start[:, None]) % width[:, None]
        return self._read_values(told, ranges, valued), found.gather(1, choices)

    def _read(
        self, features: Tensor, ranges: Tensor, owners: Tensor, columns: Tensor, described: Tensor
    ) -> "_Told":
        """Return rows, and what the trunk makes of them."""
        count = len(features)
        rows = self.described(described)
        if self.embedding is not None:
            rows = rows + self.embedding(columns)
        rows = self.activation(rows)
        own = 2 * owners + (columns >= self.sizes.private[0]).long()
        pooled = features.new_zeros(2 * count, rows.shape[1])
        pooled = pooled.index_add(0, own, rows * ranges[owners, columns, None])
        hidden = self.layers(torch.cat((features[:, self.beside_rows], pooled.view(count, -1)), dim=1))
        return _Told(owners, columns, own, rows, hidden)

    def _read_values(self, told: "_Told", ranges: Tensor, chosen: Tensor) -> Tensor:
        """Return values [B, V], zero but for chosen rows."""
        own, rows = told.own[chosen], told.rows[chosen]
        owners, columns = told.owners[chosen], told.columns[chosen]
        count = len(told.hidden)
        queries = self.query(told.hidden).view(2 * count, self.parts, -1)[own]
        shifts = self.shift(told.hidden).view(2 * count, self.parts)[own]
        asked, found = queries[:, 0], shifts[:, 0]
        for part, root in enumerate(self._roots(ranges, owners, columns), start=1):
            asked = asked + root[:, None] * queries[:, part]
            found = found + root * shifts[:, part]
        found = found + (rows * asked).sum(dim=1)
        if self.spec.row_odds:
            found = torch.tanh(found / 2)
        return torch.zeros_like(ranges).index_put((owners, columns), found)

    def _read_lines(self, told: "_Told", chosen: Tensor) -> Tensor:
        """Return the logits of chosen rows' choices."""
        owners = told.owners[chosen]
        own: Tensor = self.policy(told.rows[chosen] * self.gate(told.hidden)[owners])
        shared: Tensor = self.prior(told.hidden)[owners]
        return own + shared

    def _roots(self, ranges: Tensor, owners: Tensor, columns: Tensor) -> list[Tensor]:
        """Return roots [M] of each infostate's own share of the range, and of those next to it."""
        own = ranges[owners, columns].sqrt()
        if not self.spec.row_near:
            return [own]
        beside = (ranges @ self.near)[owners, columns]
        return [own, beside.clamp(min=0).sqrt()]

    def _place(self, lines: Tensor, told: "_Told") -> Tensor:
        """Return logits [B, L] with every row's line where its player has it."""
        where, count = self.sizes.logits, len(told.hidden)
        logits = lines.new_zeros(count, self.sizes.num_logits)
        for player in range(2):
            mine, width = (told.own % 2 == player).nonzero()[:, 0], where.width[player]
            first = where.start[player] + (told.columns[mine] - player * self.sizes.private[0]) * width
            places = first[:, None] + torch.arange(width, device=lines.device)
            logits = logits.index_put((told.owners[mine, None], places), lines[mine, :width])
        return logits


class _Told(NamedTuple):
    """Rows of queries. M rows, B queries."""

    owners: Tensor  # [M] queries
    columns: Tensor  # [M]
    own: Tensor  # [M] twice the query, and one more for player 1
    rows: Tensor  # [M, K]
    hidden: Tensor  # [B, width]


def count_parts(spec: NetworkSpec) -> int:
    """Return in how many parts a row is read: alone, by its share of the range, and by that next to it."""
    return 3 if spec.row_near else 2


def _join_near(sizes: Sizes) -> Tensor:
    """Return which infostates are next to which [V, V]."""
    joined = torch.zeros(sizes.num_values, sizes.num_values)
    for column, beside in enumerate(sizes.near):
        joined[list(beside), column] = 1
    return joined
