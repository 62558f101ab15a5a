"""The moves of a game as a tree.

It is built from the tokens, and not from ``chess_core::Tree``: there a variation of a variation's first move
stands beside the outer variation, and here it stays inside. The nodes are Python objects in either case.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._scoresheet import Game


@dataclass(repr=False, eq=False)
class Node:
    """A move and its annotations. To make a game, one of `uci` and `san` is enough.

    >>> scoresheet.open("games.pgn")[0].tree()[0]
    <Node e4, ply 1, 1 comments, 1 variations>
    >>> scoresheet.Game.from_moves([scoresheet.Node("e2e4"), scoresheet.Node(san="e5", nags=[1])]).san
    ['e4', 'e5']
    """

    uci: str = ""
    san: str = ""
    #: The number of plies from the start of the game to the position after the move.
    ply: int = 0
    nags: list[int] = field(default_factory=list)
    #: The comments after the move.
    comments: list[str] = field(default_factory=list)
    #: The comments before the move, at the start of its line.
    comments_before: list[str] = field(default_factory=list)
    #: The variations that replace the move, each a list of nodes.
    variations: list[list[Node]] = field(default_factory=list)

    def __repr__(self) -> str:
        # Variations may be nested deeper than Python calls functions.
        parts = [self.san or self.uci, f"ply {self.ply}"]
        parts.extend(f"${nag}" for nag in self.nags)
        if comments := len(self.comments) + len(self.comments_before):
            parts.append(f"{comments} comments")
        if self.variations:
            parts.append(f"{len(self.variations)} variations")
        return f"<Node {', '.join(parts)}>"

    def _own(self) -> tuple[object, ...]:
        annotations = (self.nags, self.comments, self.comments_before)
        return (self.uci, self.san, self.ply, *annotations, [len(line) for line in self.variations])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Node):
            return NotImplemented
        pairs = [(self, other)]
        while pairs:
            one, another = pairs.pop()
            if one._own() != another._own():
                return False
            for mine, theirs in zip(one.variations, another.variations):
                pairs.extend(zip(mine, theirs))
        return True

    __hash__ = None  # type: ignore[assignment]


def tree(game: Game) -> list[Node]:
    """Returns the main line as a list of nodes. Lines without a move are omitted with their content."""
    main: list[Node] = []
    line, ply = main, 0
    before: list[str] = []
    outer: list[tuple[list[Node], int, list[str]]] = []
    for token in game.tokens():
        kind = token[0]
        if kind == "move":
            ply += 1
            line.append(Node(token[1], token[2], ply, comments_before=before))
            before = []
        elif kind == "nag":
            if line:
                line[-1].nags.append(token[1])
        elif kind == "comment":
            (line[-1].comments if line else before).append(token[1])
        elif kind == "(":
            outer.append((line, ply, before))
            line, ply, before = [], ply - 1, []
        else:
            variation = line
            line, ply, before = outer.pop()
            if variation:
                line[-1].variations.append(variation)
    return main
