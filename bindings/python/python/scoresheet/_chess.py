"""Converts games for the package chess (python-chess)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._scoresheet import Game


def to_python_chess(game: Game) -> Any:
    """Returns the game as a chess.pgn.Game: tags, moves, variations, comments and NAGs."""
    try:
        import chess
        import chess.pgn
    except ImportError as error:
        raise ImportError("to_python_chess() needs the package chess: pip install chess") from error
    out = chess.pgn.Game()
    out.headers.clear()
    headers = game.headers
    for name in ("Event", "Site", "Date", "Round", "White", "Black", "Result"):
        out.headers[name] = headers.pop(name, "?")
    named = headers.get("Variant", "").lower() in ("chess960", "chess 960", "fischerandom")
    chess960 = named or game.chess960
    for name, value in headers.items():
        if name not in ("FEN", "SetUp"):
            out.headers[name] = value
    if "FEN" in headers:
        out.setup(chess.Board(game.fen, chess960=chess960))
    node: Any = out
    at_start, before = True, ""
    outer: list[tuple[Any, bool]] = []
    for token in game.tokens():
        kind = token[0]
        if kind == "move":
            move = chess.Move.from_uci(token[1])
            node = node.add_variation(move)
            node.starting_comment, before = before, ""
            at_start = False
        elif kind == "nag":
            node.nags.add(token[1])
        elif kind == "comment":
            if at_start and outer:
                before = f"{before} {token[1]}".strip()
            else:
                _comment(node, token[1])
        elif kind == "(":
            outer.append((node, at_start))
            node, at_start = node.parent, True
        else:
            node, at_start = outer.pop()
            before = ""
    return out


def _comment(node: Any, text: str) -> None:
    """Sets the comment as this version of the package stores it: a text, or a list of texts."""
    if isinstance(node.comment, str):
        node.comment = f"{node.comment} {text}".strip()
    else:
        node.comment.append(text)
