"""Uses the whole API, for a type checker. It is not run."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import scoresheet
from scoresheet import Base, Game, GameBuilder, Node, Summary, Table


def names(base: Base) -> list[str]:
    with base:
        return [game.white for game in base]


def whole() -> None:
    base: Base = scoresheet.open(Path("a.pgn"), encoding="cp1252", strict=True)
    scoresheet.open(io.BytesIO(b""), format="pgn")
    scoresheet.open(b"a.pgn")
    first: Game = base[0]
    some: list[Game] = base[1:3]
    backwards: Iterator[Game] = reversed(base)
    number: int = base.index(first) + base.count(first) + len(base)
    found: bool = first in base
    selected: list[Game] = list(base.games(player="karpov", elo=(2500, None)))
    line: list[Node] = first.tree()
    line[0].comments.append("new")
    changed: Game = first.with_moves(line).with_headers(White="A", ECO=None)
    made: Game = Game.from_moves("e4 e5", {"White": "B"}, fen=None, Black="C")
    builder = GameBuilder(made, Round=3)
    with builder.variation():
        builder.move("c5", nags=[1], comment="x")
    lost: dict[int, list[str]] = scoresheet.write([builder.game(), changed], "b.si4", overwrite=True)
    table: Table = scoresheet.scan(["a.pgn", io.BytesIO()], "plies", ["san"], eco="B90", threads=1)
    length: int = len(table) + table.count()
    frame = table.to_polars()
    done: Summary = scoresheet.convert("a.pgn", io.BytesIO(), format="pgn", date=("1990", None))
    again: Summary = scoresheet.write_table(frame, "c.si4")
    picture: str = first.svg(3, size=200, flipped=True)
    try:
        scoresheet.open("missing.pgn")
    except scoresheet.Error as error:
        place: tuple[Path, int | None] = (error.file, error.offset)
        print(place, error.errno, error.filename)
    print(some, backwards, number, found, selected, lost, length, done.written, again, picture)
