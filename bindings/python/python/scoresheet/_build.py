"""Makes and changes games."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from ._scoresheet import Game, _build_game
from ._tree import Node

Token = tuple[Any, ...]


def _tags(headers: Mapping[str, object] | None, tags: Mapping[str, object] | None) -> list[tuple[str, str]]:
    both = {**(headers or {}), **(tags or {})}
    return [(name, "" if value is None else str(value)) for name, value in both.items()]


def _split(headers: list[tuple[str, str]], fen: str | None) -> tuple[list[tuple[str, str]], str | None]:
    """Takes the start position from the tag FEN, so that headers of another game can be given."""
    named = next((value for name, value in headers if name == "FEN"), None)
    return [(name, value) for name, value in headers if name != "FEN"], fen or named or None


def from_moves(
    moves: Any,
    headers: Mapping[str, object] | None = None,
    fen: str | None = None,
    tags: Mapping[str, object] | None = None,
) -> Game:
    """Game.from_moves"""
    rest, fen = _split(_tags(headers, tags), fen)
    return _build_game(None, rest, fen, list(_tokens(moves)))


def with_headers(
    game: Game, headers: Mapping[str, object] | None = None, tags: Mapping[str, object] | None = None
) -> Game:
    """Game.with_headers"""
    given = [(name, value) for name, value in _tags(headers, tags) if (name, value) != ("FEN", game.fen)]
    return _build_game(game, given, None, None)


def with_moves(game: Game, moves: Any) -> Game:
    """Game.with_moves"""
    return _build_game(game, [], None, list(_tokens(moves)))


def _tokens(moves: Any) -> Iterator[Token]:
    if isinstance(moves, str):
        moves = moves.split()
    # A stack, because variations may be nested deeper than Python calls functions.
    stack: list[Iterator[Any]] = [iter(moves)]
    while stack:
        item = next(stack[-1], None)
        if item is None:
            stack.pop()
        elif isinstance(item, tuple):
            yield item
        elif isinstance(item, str):
            yield ("move", item)
        elif isinstance(item, Node):
            for comment in item.comments_before:
                yield ("comment", comment)
            yield ("move", item.uci or item.san)
            for nag in item.nags:
                yield ("nag", nag)
            for comment in item.comments:
                yield ("comment", comment)
            inner = (part for line in item.variations for part in ([("(",)], line, [(")",)]))
            stack.append(part for line in inner for part in line)
        else:
            raise TypeError(f"a move is a str or a scoresheet.Node, not {type(item).__name__}")


class GameBuilder:
    """Builds a game move by move.

    Args:
        game: The game to continue, or None for a new one.
        headers: Tags to set; keywords are tags too.
        fen: The start position of a new game.

    >>> builder = scoresheet.GameBuilder(White="Ann", Black="Bob")
    >>> builder.move("e4").move("e5", nags=[6], comment="solid")
    <GameBuilder, 2 moves>
    >>> with builder.variation():
    ...     builder.move("c5", comment="sharper").move("Nf3")
    <GameBuilder, 4 moves>
    >>> game = builder.move("Nf3").game(Result="1/2-1/2")
    >>> print(game.pgn().splitlines()[-2])
    1. e4 e5 $6 {solid} (1... c5 {sharper} 2. Nf3) 2. Nf3 1/2-1/2
    """

    def __init__(
        self,
        game: Game | None = None,
        headers: Mapping[str, object] | None = None,
        *,
        fen: str | None = None,
        **tags: object,
    ) -> None:
        if game is not None and fen is not None:
            raise ValueError("the start position of a game that is continued stays; omit fen")
        self._base = game
        self._headers, self._fen = _split(_tags(headers, tags), fen)
        self._tokens: list[Token] = [] if game is None else list(game.tokens())

    def move(
        self, move: str, *, nags: Iterable[int] = (), comment: str | None = None, before: str | None = None
    ) -> GameBuilder:
        """Adds a move in UCI notation or SAN, with its annotations.

        Args:
            move: The move, which game() verifies.
            nags: Numbers of NAGs, such as 1 for a good move.
            comment: The comment after the move.
            before: The comment before the move.
        """
        if before is not None:
            self.comment(before)
        self._tokens.append(("move", move))
        self._tokens.extend(("nag", nag) for nag in nags)
        return self if comment is None else self.comment(comment)

    def moves(self, moves: Iterable[str] | str) -> GameBuilder:
        """Adds several moves: an iterable, or a text with blanks between them."""
        self._tokens.extend(_tokens(moves))
        return self

    def comment(self, text: str) -> GameBuilder:
        """Adds a comment after the last move, or before the first."""
        self._tokens.append(("comment", text))
        return self

    def nag(self, number: int) -> GameBuilder:
        """Adds a NAG to the last move."""
        self._tokens.append(("nag", number))
        return self

    @contextmanager
    def variation(self) -> Iterator[GameBuilder]:
        """Adds the moves of the block as a variation that replaces the last move."""
        self._tokens.append(("(",))
        yield self
        self._tokens.append((")",))

    def game(self, headers: Mapping[str, object] | None = None, **tags: object) -> Game:
        """Returns the game. Raises ValueError for an illegal move, with its position.

        Args:
            headers: More tags to set; keywords are tags too.
        """
        return _build_game(self._base, self._headers + _tags(headers, tags), self._fen, self._tokens)

    def __repr__(self) -> str:
        count = sum(token[0] == "move" for token in self._tokens)
        return f"<GameBuilder, {count} moves>"
