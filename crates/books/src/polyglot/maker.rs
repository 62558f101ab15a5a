//! A book that is made from games.
//!
//! Each move of a game becomes one number: the key of the position, the order in which the moves
//! came, the move, and the points of the mover. Sorted, the numbers of a position are consecutive
//! and in the order of the games, so that Polyglot's halving can be repeated.

use std::cmp::Reverse;

use chess_core::{Color, Game, GameResult, Position, Variant, zobrist};
use chess_store::Location;
use chess_store::io::{Appender, WriteAt};

use super::entry::{Entry, encode_move};
use super::merge::scale;
use super::sorter::Sorter;
use super::writer::MEMORY;
use crate::error::Error;

/// The options of a [`Maker`].
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct MakeOptions {
    /// Only this number of plies of each game counts.
    pub max_ply: u32,
    /// A move is kept if at least this number of games has it.
    pub min_game: u64,
    /// A move is kept if the mover scored at least this percentage of the points.
    pub min_score: f64,
    /// Only moves of this side are kept.
    pub only: Option<Color>,
    /// The meaning of a weight.
    pub weights: Weights,
    /// Games without a result count like draws.
    pub unfinished: bool,
    /// Repeats what `polyglot make-book` does, byte for byte, also where that surprises. Games
    /// without a result are draws. A start position is ignored, and the moves are played from the
    /// ordinary start as far as they are legal. The counts of a position are halved when one of
    /// them reaches 16,384.
    pub like_polyglot: bool,
    /// The bytes of memory to use before sorted moves go to a temporary file.
    pub memory: usize,
}

/// The meaning of a weight. The enum is complete: callers may match all variants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Weights {
    /// The half points of the mover. Moves that scored nothing are left out.
    Score,
    /// The number of games.
    Games,
    /// 1. Moves that scored nothing are left out.
    Uniform,
}

impl Default for MakeOptions {
    /// The thresholds of `polyglot make-book`: 1,024 plies, 3 games, any score.
    fn default() -> MakeOptions {
        MakeOptions {
            max_ply: 1024,
            min_game: 3,
            min_score: 0.0,
            only: None,
            weights: Weights::Score,
            unfinished: false,
            like_polyglot: false,
            memory: MEMORY,
        }
    }
}

/// Makes a book from the main lines of games.
///
/// ```
/// use books::Game;
/// use books::polyglot::{MakeOptions, Maker};
///
/// let mut game = Game::new();
/// game.header.set("Result", "1-0");
/// game.push_move("e2e4".parse()?);
///
/// let mut options = MakeOptions::default();
/// options.min_game = 1;
/// let mut maker = Maker::new(options);
/// maker.add(&game)?;
/// let bytes = maker.finish(Vec::new())?;
/// assert_eq!(bytes.len(), 16);
/// assert_eq!(bytes[10..12], [0, 2]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Maker {
    options: MakeOptions,
    sorter: Sorter,
    /// The number of moves that were counted.
    count: u64,
}

/// Bits of the order of a move: the rest beside key, move and points.
const ORDER_BITS: u32 = 46;
/// The places of the move and of the order in a number.
const MOVE_AT: u32 = 2;
const ORDER_AT: u32 = 18;
/// Polyglot's counts are halved here.
const HALVED_AT: u64 = 16_384;

impl Maker {
    /// Creates a maker of an empty book.
    #[must_use]
    pub fn new(options: MakeOptions) -> Maker {
        Maker { options, sorter: Sorter::new(options.memory), count: 0 }
    }

    /// Counts the moves of the main line of a game, up to the first that is not legal. Returns
    /// whether the game counts: games of other variants do not, and games without a result only if
    /// the options say so.
    ///
    /// # Errors
    /// I/O errors of the temporary file.
    // books §2.5 "Making"
    pub fn add(&mut self, game: &Game) -> Result<bool, Error> {
        let like_polyglot = self.options.like_polyglot;
        if !like_polyglot && matches!(game.variant(), Variant::Unsupported(_)) {
            return Ok(false);
        }
        let points = match game.header.result {
            GameResult::White => [2, 0],
            GameResult::Black => [0, 2],
            GameResult::Draw => [1, 1],
            _ if self.options.unfinished || like_polyglot => [1, 1],
            _ => return Ok(false),
        };
        let mut position = if like_polyglot { Position::start() } else { game.start_position() };
        let most = usize::try_from(self.options.max_ply).unwrap_or(usize::MAX);
        for m in game.main_line().take(most) {
            if m.is_null() || !position.is_legal(m) {
                break;
            }
            let turn = position.turn();
            if self.options.only.is_none_or(|only| only == turn) {
                let [white, black] = points;
                let points = if turn == Color::White { white } else { black };
                let order = u128::from(self.count) & ((1 << ORDER_BITS) - 1);
                let key = u128::from(zobrist(&position)) << 64;
                let code = u128::from(encode_move(m)) << MOVE_AT;
                let number = key | order << ORDER_AT | code | points;
                self.sorter.push(number).map_err(Error::io(Location::default()))?;
            }
            self.count = self.count.saturating_add(1);
            position.apply(m);
        }
        Ok(true)
    }

    /// Writes the book to an empty file and returns the file.
    ///
    /// # Errors
    /// I/O errors.
    pub fn finish<W: WriteAt>(self, file: W) -> Result<W, Error> {
        let Maker { options, sorter, .. } = self;
        let disk = Error::io(Location::file("bin"));
        let temporary = Error::io(Location::default());
        let mut out = Appender::new(file);
        let mut sorted = sorter.finish().map_err(&temporary)?;
        let mut moves: Vec<Counted> = Vec::new();
        let mut entries = Vec::new();
        let mut key = 0;
        loop {
            let next = sorted.next().map_err(&temporary)?.map(Occurrence::of);
            if next.as_ref().is_none_or(|next| next.key != key) {
                choose(&mut moves, &options);
                entries.extend(moves.drain(..).map(|counted| {
                    let entry = Entry { key, code: counted.code, ..Entry::default() };
                    (entry, counted.weight(&options))
                }));
                scale(&mut entries);
                for (entry, _) in entries.drain(..) {
                    out.push(&entry.encode()).map_err(&disk)?;
                }
            }
            let Some(next) = next else { break };
            key = next.key;
            count(&mut moves, &next, options.like_polyglot);
        }
        out.finish().map_err(disk)
    }
}

/// One occurrence of a move.
struct Occurrence {
    key: u64,
    code: u16,
    points: u64,
}

impl Occurrence {
    /// Takes a sorted number apart.
    #[allow(clippy::cast_possible_truncation, reason = "the fields of the number")]
    fn of(number: u128) -> Occurrence {
        Occurrence {
            key: (number >> 64) as u64,
            code: (number >> MOVE_AT) as u16,
            points: number as u64 & 3,
        }
    }
}

/// The occurrences of a move.
#[derive(Debug)]
struct Counted {
    code: u16,
    games: u64,
    points: u64,
}

impl Counted {
    fn is_kept(&self, options: &MakeOptions) -> bool {
        let most = self.games.saturating_mul(2);
        // In this order: 29 wins of 100 meet a threshold of 29.
        let score = self.points.saturating_mul(100) as f64 / most as f64;
        let is_played = options.weights == Weights::Games || self.points > 0;
        self.games >= options.min_game && is_played && score >= options.min_score
    }

    fn weight(&self, options: &MakeOptions) -> u64 {
        match options.weights {
            Weights::Score => self.points,
            Weights::Games => self.games,
            Weights::Uniform => 1,
        }
    }
}

/// Adds an occurrence to the moves of its position, which are in the order of their first
/// occurrences.
fn count(moves: &mut Vec<Counted>, next: &Occurrence, like_polyglot: bool) {
    let games = match moves.iter_mut().find(|counted| counted.code == next.code) {
        Some(counted) => {
            counted.games = counted.games.saturating_add(1);
            counted.points = counted.points.saturating_add(next.points);
            counted.games
        }
        None => {
            moves.push(Counted { code: next.code, games: 1, points: next.points });
            1
        }
    };
    // books §2.5.6
    if like_polyglot && games >= HALVED_AT {
        for counted in moves {
            counted.games = counted.games.div_ceil(2);
            counted.points = counted.points.div_ceil(2);
        }
    }
}

/// Keeps the moves that meet the thresholds, the heaviest first, then the first that occurred.
// books §2.5.4
fn choose(moves: &mut Vec<Counted>, options: &MakeOptions) {
    moves.retain(|counted| counted.is_kept(options));
    moves.sort_by_key(|counted| Reverse(counted.weight(options)));
}
