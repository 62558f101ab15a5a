from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from os import PathLike
from pathlib import Path as FilePath
from types import TracebackType
from typing import Any, Literal, TypedDict, overload

from typing_extensions import CapsuleType, Self, TypeAlias, Unpack

from ._tree import Node

Path: TypeAlias = str | PathLike[str]
Rows: TypeAlias = Literal["games", "plies"]
#: "1990..1995", or a pair; each end may be None.
Range: TypeAlias = str | int | tuple[int | str | None, int | str | None]

__version__: str

class Error(OSError):
    """A database cannot be read or written."""

    file: FilePath
    offset: int | None
    game: int | None
    ply: int | None

class GameError(ValueError):
    """A game is damaged or cannot be stored."""

    file: FilePath
    offset: int | None
    game: int | None
    ply: int | None

class Filters(TypedDict, total=False):
    """The filters, named like the program's options. A game must match every filter, and at least
    one value of a list."""

    games: Range | list[Range] | None
    player: str | list[str] | None
    against: str | list[str] | None
    white: str | list[str] | None
    black: str | list[str] | None
    event: str | list[str] | None
    site: str | list[str] | None
    exact: bool | None
    date: Range | list[Range] | None
    eco: Range | list[Range] | None
    opening: str | list[str] | None
    elo: Range | list[Range] | None
    elo_diff: Range | list[Range] | None
    time_class: str | list[str] | None
    result: str | list[str] | None
    length: Range | list[Range] | None
    where: str | list[str] | None
    tag_missing: str | list[str] | None
    moves: str | list[str] | None
    position: str | list[str] | None
    variations: bool | None
    material: str | list[str] | None
    pattern: str | list[str] | None
    comment: str | list[str] | None
    deleted: bool | None
    annotated: bool | None

class Game:
    number: int | None
    source: FilePath | None
    @staticmethod
    def from_pgn(text: str) -> Game: ...
    @property
    def headers(self) -> dict[str, str]: ...
    @property
    def white(self) -> str: ...
    @property
    def black(self) -> str: ...
    @property
    def event(self) -> str: ...
    @property
    def site(self) -> str: ...
    @property
    def round(self) -> str: ...
    @property
    def date(self) -> str: ...
    @property
    def result(self) -> str: ...
    @property
    def eco(self) -> str | None: ...
    @property
    def white_elo(self) -> int | None: ...
    @property
    def black_elo(self) -> int | None: ...
    @property
    def damage(self) -> GameError | None: ...
    @property
    def ply_count(self) -> int: ...
    @property
    def moves(self) -> list[str]: ...
    @property
    def san(self) -> list[str]: ...
    @property
    def fen(self) -> str: ...
    @property
    def chess960(self) -> bool: ...
    @property
    def final_fen(self) -> str: ...
    def boards(self) -> list[str]: ...
    def hashes(self) -> list[int]: ...
    def pgn(self) -> str: ...
    def tokens(self) -> list[tuple[Any, ...]]: ...
    def tree(self) -> list[Node]: ...
    def to_python_chess(self) -> Any: ...
    def __len__(self) -> int: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...

class Games(Iterator[Game]):
    def __iter__(self) -> Self: ...
    def __next__(self) -> Game: ...

class Base:
    @property
    def path(self) -> FilePath: ...
    @property
    def format(self) -> str: ...
    @property
    def warnings(self) -> list[str]: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: int) -> Game: ...
    @overload
    def __getitem__(self, index: slice) -> list[Game]: ...
    def __iter__(self) -> Games: ...
    def games(self, **filters: Unpack[Filters]) -> Games: ...

class Summary:
    read: int
    written: int
    passed_over: int
    damaged: int
    refused: int
    lossy: int
    losses: dict[str, int]
    warnings: dict[str, int]

class Writer:
    def __init__(
        self,
        path: Path,
        *,
        format: str | None = None,
        encoding: str | None = None,
        overwrite: bool = False,
        **options: Any,
    ) -> None: ...
    def write(self, game: Game) -> list[str]: ...
    def close(self) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None: ...

class Table:
    @property
    def paths(self) -> list[FilePath]: ...
    @property
    def rows(self) -> Rows: ...
    @property
    def columns(self) -> list[str]: ...
    def count(self) -> int: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> CapsuleType: ...
    def __arrow_c_schema__(self) -> CapsuleType: ...

def open(
    path: Path,
    *,
    format: str | None = None,
    encoding: str | None = None,
    strict: bool = False,
    **options: Any,
) -> Base: ...
def convert(
    inputs: Path | Iterable[Path],
    output: Path,
    *,
    format: str | None = None,
    encoding: str | None = None,
    to_encoding: str | None = None,
    options: Mapping[str, Any] | None = None,
    to_options: Mapping[str, Any] | None = None,
    partition_by: str | None = None,
    strict: bool = False,
    drop_damaged: bool = False,
    threads: int | None = None,
    progress: Callable[[int, int | None, str], object] | None = None,
    overwrite: bool = False,
    **filters: Unpack[Filters],
) -> Summary: ...
def scan(
    paths: Path | Iterable[Path],
    rows: Rows = "games",
    columns: Sequence[str] | None = None,
    *,
    encoding: str | None = None,
    options: Mapping[str, Any] | None = None,
    strict: bool = False,
    threads: int | None = None,
    batch_rows: int | None = None,
    bytes: tuple[int, int] | None = None,
    **filters: Unpack[Filters],
) -> Table: ...
def formats() -> list[dict[str, Any]]: ...
def columns(rows: Rows) -> list[dict[str, Any]]: ...
def bases_below(folder: Path) -> list[FilePath]: ...
def game_ranges(text: str) -> list[tuple[int, int]]: ...

FILTERS: list[str]
