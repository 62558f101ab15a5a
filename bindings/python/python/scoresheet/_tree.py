"""The moves of a game as a tree.

It is built from the tokens, and not from ``chess_core::Tree``: there a variation of a variation's first move
stands beside the outer variation, and here it stays inside. The nodes are Python objects in either case.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Node:
    """A move and its annotations."""

    uci: str
    san: str
    #: The number of plies from the start of the game to the position after the move.
    ply: int
    nags: list[int] = field(default_factory=list)
    #: The comments after the move.
    comments: list[str] = field(default_factory=list)
    #: The comments before the move, at the start of its line.
    comments_before: list[str] = field(default_factory=list)
    #: The variations that replace the move, each a list of nodes.
    variations: list[list[Node]] = field(default_factory=list)


def tree(game):
    """Returns the main line as a list of nodes. Lines without a move are omitted with their content."""
    main: list[Node] = []
    line, ply, before = main, 0, []
    outer = []
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
