"""The moves of a game as a tree."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Node:
    """A move, and what is said of it."""

    uci: str
    san: str
    #: Half-moves from the start of the game to the position after it, on its line.
    ply: int
    nags: list[int] = field(default_factory=list)
    #: Comments after the move.
    comments: list[str] = field(default_factory=list)
    #: Comments before it, at the beginning of its line.
    comments_before: list[str] = field(default_factory=list)
    #: Alternatives to it, each a list of nodes.
    variations: list[list[Node]] = field(default_factory=list)


def tree(game):
    """The main line as a list of nodes. A line without a move, and what stands in it, is left out."""
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
