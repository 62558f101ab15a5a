"""Pictures of boards, and what notebooks show."""

from __future__ import annotations

from html import escape
from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._scoresheet import Base, Game, Table

#: The number of games or rows that are shown.
SHOWN = 10
_LIGHT, _DARK, _LAST = "#f0d9b5", "#b58863", "#cdd26a"
_GLYPHS = dict(zip("kqrbnp", "\u265a\u265b\u265c\u265d\u265e\u265f"))


def svg(game: Game, ply: int | None = None, size: int = 320, flipped: bool = False) -> str:
    """Game.svg"""
    boards, moves = game.boards(), game.moves
    last = len(boards) - 1
    ply = last if ply is None else ply + len(boards) if ply < 0 else ply
    if not 0 <= ply <= last:
        raise ValueError(f"ply {ply}: the game has {last} half-moves")
    marked = [moves[ply - 1][:2], moves[ply - 1][2:4]] if ply else []
    return board_svg(boards[ply], size, flipped, marked)


def board_svg(fen: str, size: int = 320, flipped: bool = False, marked: list[str] | None = None) -> str:
    """Returns a picture of the board of a FEN. The squares in `marked` are coloured."""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8" width="{size}" height="{size}" '
        f'role="img"><title>{escape(fen)}</title>'
    ]
    for row, rank in enumerate(fen.split()[0].split("/")):
        column = 0
        for piece in rank:
            empty = int(piece) if piece.isdigit() else 0
            for _ in range(empty or 1):
                x, y = (7 - column, 7 - row) if flipped else (column, row)
                square = "abcdefgh"[column] + str(8 - row)
                colour = _LAST if square in (marked or ()) else _DARK if (row + column) % 2 else _LIGHT
                parts.append(f'<rect x="{x}" y="{y}" width="1" height="1" fill="{colour}"/>')
                if not empty:
                    white = piece.isupper()
                    parts.append(
                        f'<text x="{x + 0.5}" y="{y + 0.82}" font-size="0.9" text-anchor="middle" '
                        f'fill="{"#fff" if white else "#000"}" stroke="#000" stroke-width="0.02">'
                        f"{_GLYPHS[piece.lower()]}</text>"
                    )
                column += 1
    return "".join(parts) + "</svg>"


def game_html(game: Game) -> str:
    """Returns the players, the last board and the moves of a game."""
    title = f"{game.white} \u2013 {game.black} {game.result}"
    about = ", ".join(
        part
        for part in (game.event, game.site, game.date, game.eco)
        if part and part not in ("?", "????.??.??")
    )
    movetext = game.pgn().split("\n\n", 1)[-1].strip()
    damage = f"<p><em>{escape(str(game.damage))}</em></p>" if game.damage else ""
    return (
        f'<div style="display:flex;gap:1em;align-items:flex-start"><div>{svg(game)}</div>'
        f"<div><b>{escape(title)}</b><br>{escape(about)}{damage}"
        f'<p style="max-width:36em">{escape(movetext)}</p></div></div>'
    )


def _rows_html(names: list[str], rows: list[list[object]], more: str) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in names)
    body = "".join("<tr>" + "".join(f"<td>{_cell(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table><p>{escape(more)}</p>"


def _cell(cell: object) -> str:
    text = "" if cell is None else str(cell)
    return escape(text if len(text) <= 60 else text[:59] + "\u2026")


def base_html(base: Base) -> str:
    """Returns the first games of a database as a table."""
    if base.closed:
        return f"<pre>{escape(repr(base))}, closed</pre>"
    games = list(islice(base, SHOWN + 1))
    rows: list[list[object]] = [
        [number, g.white, g.white_elo, g.black, g.black_elo, g.result, g.date, g.event, g.eco, len(g)]
        for number, g in enumerate(games[:SHOWN])
    ]
    names = ["", "White", "Elo", "Black", "Elo", "Result", "Date", "Event", "ECO", "plies"]
    more = ", and more games" if len(games) > SHOWN else ""
    return _rows_html(names, rows, f"{base.path} ({base.format}){more}")


def table_html(table: Table) -> str:
    """Returns the first rows of a table."""
    try:
        import pyarrow as pa
    except ImportError:
        return f"<pre>{escape(repr(table))}</pre>"
    rows: list[list[object]] = []
    for batch in pa.RecordBatchReader.from_stream(table):
        rows.extend(list(row.values()) for row in batch.slice(0, SHOWN + 1 - len(rows)).to_pylist())
        if len(rows) > SHOWN:
            break
    more = ", and more rows" if len(rows) > SHOWN else ""
    return _rows_html(table.columns, rows[:SHOWN], f"{table!r}{more}")
