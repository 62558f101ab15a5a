//! The trait of all books, and the data of moves and positions.

use std::ops::ControlFlow;

use chess_core::{Color, Move, Nag, Position};
use chess_store::{Diagnostics, Location};

use crate::error::Error;

/// A book of any format.
///
/// The methods take a shared reference and read from the files each time. For many look-ups in a
/// file, put a [`PageCache`](chess_store::io::PageCache) in front of it.
pub trait ReadBook {
    /// Returns the format.
    fn kind(&self) -> Kind;

    /// Appends the legal moves that the book has in a position to `out`, in the order of the book.
    /// Moves that are not legal are a [`Quirk`](crate::Quirk).
    ///
    /// # Errors
    /// I/O errors, and quirks in strict mode.
    fn moves(
        &self,
        position: &Position,
        out: &mut Vec<BookMove>,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Error>;

    /// Returns the data of a position as a whole. Only ChessBase's books do.
    ///
    /// # Errors
    /// I/O errors, and quirks in strict mode.
    fn facts(&self, _: &Position, _: &mut Diagnostics) -> Result<Option<Facts>, Error> {
        Ok(None)
    }

    /// Calls `visit` with the positions that can be reached from the start position, until it
    /// breaks.
    ///
    /// Books of positions (Polyglot, ChessBase) are visited in order of the number of plies, and
    /// each position once. Where a position has no moves in the book, all legal moves that lead
    /// back into the book are followed, so that books for one side are visited too. Books of lines
    /// (Arena, ChessMaster) are visited in order of their lines, and a position once for each line.
    ///
    /// # Errors
    /// I/O errors, and quirks in strict mode.
    fn walk(
        &self,
        options: WalkOptions,
        visit: &mut dyn FnMut(Visited<'_>) -> ControlFlow<()>,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Error>;

    /// Reads the whole book. Deviations and damage are noted in `diagnostics`.
    ///
    /// # Errors
    /// I/O errors, and quirks in strict mode.
    fn check(&self, options: WalkOptions, diagnostics: &mut Diagnostics) -> Result<Summary, Error>;
}

/// The formats of books. The enum grows with the formats.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Kind {
    /// Polyglot's `.bin`.
    Polyglot,
    /// ChessBase's `.ctg` with `.cto` and `.ctb`.
    ChessBase,
    /// Arena's `.abk`.
    Arena,
    /// ChessMaster's `.obk`.
    ChessMaster,
    /// Old ChessBase's `.fbk`, which the crate `cbf` reads as a game: see
    /// [`Variations`](crate::Variations).
    OldChessBase,
}

impl Kind {
    /// Returns what a book of the format is called: `Polyglot opening book`.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Kind::Polyglot => "Polyglot opening book",
            Kind::ChessBase => "ChessBase opening book",
            Kind::Arena => "Arena opening book",
            Kind::ChessMaster => "ChessMaster opening book (experimental)",
            Kind::OldChessBase => "old ChessBase opening book (experimental)",
        }
    }

    /// Returns the extension of the first of its files: `bin`.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Kind::Polyglot => "bin",
            Kind::ChessBase => "ctg",
            Kind::Arena => "abk",
            Kind::ChessMaster => "obk",
            Kind::OldChessBase => "fbk",
        }
    }

    /// Returns whether the book is a tree of lines. Other books are looked up by position.
    #[must_use]
    pub const fn has_lines(self) -> bool {
        matches!(self, Kind::Arena | Kind::ChessMaster | Kind::OldChessBase)
    }
}

/// A move of a book and its data. A field that the format does not have is `None`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct BookMove {
    /// The move. Castling is a move of the king to its own rook.
    pub m: Move,
    /// Polyglot: the weight, relative to the other moves of the position. 0: never to be played.
    pub weight: Option<u16>,
    /// Polyglot: four bytes whose meaning depends on the program that wrote them.
    pub learn: Option<u32>,
    /// ChessBase, of the position that the move leads to, and Arena.
    pub results: Option<Results>,
    /// Arena: from 0, bad, to 9, best.
    pub priority: Option<u8>,
    /// ChessMaster: from 0, `?`, to 3, `!!`.
    pub class: Option<u8>,
    /// ChessBase: the mark of the move, such as `!`.
    pub annotation: Option<Nag>,
    /// ChessBase, of the position that the move leads to.
    pub recommendation: Option<Recommendation>,
    /// Arena: the move is marked as deleted.
    pub deleted: bool,
    /// The place of the move in the file.
    pub at: Location,
}

impl BookMove {
    /// Creates a move without data.
    #[must_use]
    pub const fn new(m: Move, at: Location) -> BookMove {
        BookMove {
            m,
            weight: None,
            learn: None,
            results: None,
            priority: None,
            class: None,
            annotation: None,
            recommendation: None,
            deleted: false,
            at,
        }
    }

    /// Returns one number to compare the moves of a position by: Polyglot's weight, ChessMaster's
    /// class as 0, 25, 50 or 100, or the number of games. A deleted move has 0.
    #[must_use]
    pub fn relative_weight(&self) -> u64 {
        if self.deleted {
            return 0;
        }
        let of_class = |class: u8| match class {
            0 => 0,
            1 => 25,
            2 => 50,
            _ => 100,
        };
        let weight = self.weight.map(u64::from).or(self.class.map(of_class));
        weight.or(self.results.map(|results| results.games)).unwrap_or(1)
    }
}

/// The number of games and how they ended. The games can be more than the results.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Results {
    /// All games.
    pub games: u64,
    /// Games that White won.
    pub white: u64,
    /// Drawn games.
    pub draws: u64,
    /// Games that Black won.
    pub black: u64,
}

impl Results {
    /// Creates results from the view of a side.
    #[must_use]
    pub const fn of_side(side: Color, games: u64, wins: u64, draws: u64, losses: u64) -> Results {
        match side {
            Color::White => Results { games, white: wins, draws, black: losses },
            Color::Black => Results { games, white: losses, draws, black: wins },
        }
    }

    /// Adds the numbers of `other`.
    #[must_use]
    pub const fn and(self, other: Results) -> Results {
        Results {
            games: self.games.saturating_add(other.games),
            white: self.white.saturating_add(other.white),
            draws: self.draws.saturating_add(other.draws),
            black: self.black.saturating_add(other.black),
        }
    }

    /// Returns the half points of a side: 2 for a win, 1 for a draw.
    #[must_use]
    pub const fn half_points(self, side: Color) -> u64 {
        let wins = match side {
            Color::White => self.white,
            Color::Black => self.black,
        };
        wins.saturating_mul(2).saturating_add(self.draws)
    }

    /// Returns whether the result of a game is known. Some books count games only.
    #[must_use]
    pub const fn has_results(self) -> bool {
        self.white > 0 || self.draws > 0 || self.black > 0
    }

    /// Returns whether there are more results than games.
    #[must_use]
    pub const fn exceed_games(self) -> bool {
        self.white.saturating_add(self.draws).saturating_add(self.black) > self.games
    }
}

/// ChessBase's mark of the position that a move leads to. The enum is complete: callers may match
/// all variants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Recommendation {
    /// Green: to be played in tournaments.
    Play,
    /// Red: not to be played.
    Avoid,
}

/// The data of a position as a whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Facts {
    /// The games that reached the position.
    pub results: Results,
    /// The average rating of the players, and the number of ratings.
    pub rating: Option<(u32, u32)>,
    /// The average rating of the performance, and the number of ratings.
    pub performance: Option<(u32, u32)>,
    /// The mark of the position.
    pub recommendation: Option<Recommendation>,
    /// The evaluation of the position, such as `=`.
    pub commentary: Option<Nag>,
}

/// A position that [`ReadBook::walk`] visits.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Visited<'a> {
    /// The position.
    pub position: &'a Position,
    /// The number of plies from the start position.
    pub ply: u32,
    /// The legal moves of the book.
    pub moves: &'a [BookMove],
}

/// Limits of [`ReadBook::walk`] and [`ReadBook::check`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct WalkOptions {
    /// Positions after more plies are not visited.
    pub max_ply: u32,
    /// After this number of positions the walk ends with a [`Quirk`](crate::Quirk). A book of
    /// positions takes up to about 200 bytes of memory for each.
    pub max_positions: u64,
}

impl Default for WalkOptions {
    /// All plies, and four million positions.
    fn default() -> WalkOptions {
        WalkOptions { max_ply: u32::MAX, max_positions: 4_000_000 }
    }
}

/// The counts of [`ReadBook::check`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Summary {
    /// Entries, that is moves, in the file.
    pub entries: u64,
    /// Positions in the file. Books of lines count a position once for each line.
    pub positions: u64,
    /// Positions with moves that a walk from the start position reaches.
    pub reached: u64,
    /// Moves that are not legal in the positions that were reached.
    pub illegal: u64,
    /// Moves that the same position has already.
    pub duplicates: u64,
    /// Moves that are not to be played: of weight 0, or deleted.
    pub unplayed: u64,
    /// Moves with learning data.
    pub learned: u64,
    /// The largest weight.
    pub max_weight: u16,
}
