//! `scoresheet book`

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use scoresheet::chess_core::{Color, Position};
use scoresheet::filter::Line;

use crate::selection::Selection;
use crate::shared::Reading;
use crate::values::{percent, whole};

/// Shows, converts, merges, makes and checks opening books
#[derive(Debug, Args)]
#[command(after_help = "\
Books of Polyglot (.bin), ChessBase (.ctg), Arena (.abk), ChessMaster (.obk) and old ChessBase \
(.fbk) are read; .bin and .abk are written.

Examples:
  scoresheet book show gm.bin --moves '1. e4 c5'
  scoresheet book convert power.ctg power.bin
  scoresheet book make twic.si4 mine.bin --max-ply 30 --min-games 5 --elo 2500+
  scoresheet book check old.bin --repair new.bin")]
pub struct Book {
    #[command(subcommand)]
    pub command: BookCommand,
}

#[derive(Debug, Subcommand)]
pub enum BookCommand {
    Show(Box<BookShow>),
    Convert(BookConvert),
    Merge(BookMerge),
    Make(Box<BookMake>),
    Check(BookCheck),
}

/// Shows the moves that a book has in a position
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  scoresheet book show gm.bin
  scoresheet book show power.ctg --moves '1. d4 Nf6' --json")]
pub struct BookShow {
    /// The book
    pub book: PathBuf,
    /// The position; default: the start position
    #[arg(long, value_name = "FEN", value_parser = fen, conflicts_with = "moves")]
    pub fen: Option<Position>,
    /// The position after these moves
    #[arg(long, value_name = "LINE", value_parser = Line::parse)]
    pub moves: Option<Line>,
    /// Print one JSON object for each move
    #[arg(long)]
    pub json: bool,
}

fn fen(text: &str) -> Result<Position, String> {
    Position::from_fen(text).map_err(|error| error.to_string())
}

/// Converts a book to .bin, .abk, .pgn, .jsonl, .csv, .parquet or .arrow
#[derive(Debug, Args)]
#[command(after_help = "\
A .bin has one weight for each move and no other data. A .pgn has all lines as variations of one \
game; a position of a .bin or .ctg is continued once. A row of a table is a move.

Examples:
  scoresheet book convert power.ctg power.bin --weights score
  scoresheet book convert gm.bin gm.pgn --max-ply 20")]
pub struct BookConvert {
    /// The book
    pub book: PathBuf,
    /// The output
    #[arg(value_name = "OUT")]
    pub output: PathBuf,
    /// Follow lines for at most N half-moves
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=u64::from(u32::MAX)))]
    pub max_ply: Option<u32>,
    /// Weights of a .bin, where the book has games
    #[arg(long, value_enum, default_value_t = WeightsBy::Games)]
    pub weights: WeightsBy,
    /// Replace an existing output
    #[arg(long, short)]
    pub force: bool,
}

/// The meaning of a weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum WeightsBy {
    // Plain comments, because doc comments here would double the length of the help.
    // Half points of the mover.
    Score,
    Games,
    Uniform,
}

/// Merges Polyglot books
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  scoresheet book merge white.bin black.bin both.bin
  scoresheet book merge mine.bin gm.bin best.bin --by first")]
pub struct BookMerge {
    /// The books, .bin, and the output
    #[arg(required = true, num_args = 3.., value_names = ["BOOK", "BOOK", "OUT"])]
    pub books: Vec<PathBuf>,
    /// Where several books have a position: add weights, take the first book, or the greatest weight
    #[arg(long, value_enum, default_value_t = MergingBy::Add)]
    pub by: MergingBy,
    /// Replace an existing output
    #[arg(long, short)]
    pub force: bool,
}

/// How the weights of several books become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MergingBy {
    Add,
    First,
    Greatest,
}

/// Makes a Polyglot book from games
#[derive(Debug, Args)]
#[command(
    override_usage = "scoresheet book make [OPTIONS] <FILE>... <OUT>",
    after_help = "\
Games without a result do not count, unless --unfinished is given. Games of other variants never \
count. Games are chosen by the options of `scoresheet list`, as --player or --elo.

Examples:
  scoresheet book make twic.si4 twic.bin --max-ply 40 --min-games 10
  scoresheet book make mine.pgn white.bin --only white --player 'Doe, Jane'
  scoresheet book make games.pgn book.bin --like-polyglot --min-game 3"
)]
pub struct BookMake {
    /// Files of bases, folders or patterns, and the output: a .bin
    #[arg(required = true, num_args = 2.., value_names = ["FILE", "OUT"])]
    pub files: Vec<PathBuf>,
    /// Count at most N half-moves of each game
    #[arg(long, value_name = "N", default_value = "1024",
        value_parser = whole::<u32>(1..=u64::from(u32::MAX)))]
    pub max_ply: u32,
    /// Keep moves that at least N games have
    #[arg(long, alias = "min-game", value_name = "N", default_value = "3",
        value_parser = whole::<u64>(0..=u64::MAX))]
    pub min_games: u64,
    /// Keep moves that scored at least P percent for their side
    #[arg(long, value_name = "P", default_value = "0", value_parser = percent)]
    pub min_score: f64,
    /// Keep the moves of one side
    #[arg(long, value_enum, value_name = "SIDE")]
    pub only: Option<Side>,
    #[arg(long, hide = true, conflicts_with = "only")]
    pub only_white: bool,
    #[arg(long, hide = true, conflicts_with_all = ["only", "only_white"])]
    pub only_black: bool,
    /// Meaning of a weight
    #[arg(long, value_enum, default_value_t = WeightsBy::Score, conflicts_with = "uniform")]
    pub weights: WeightsBy,
    #[arg(long, hide = true)]
    pub uniform: bool,
    /// Count games without a result like draws
    #[arg(long)]
    pub unfinished: bool,
    /// Write the bytes of `polyglot make-book`; its options -min-game, -only-white, -only-black and
    /// -uniform are known too, with two hyphens
    #[arg(long)]
    pub like_polyglot: bool,
    /// Replace an existing output
    #[arg(long, short)]
    pub force: bool,
    #[command(flatten)]
    pub selection: Selection,
    #[command(flatten)]
    pub reading: Reading,
}

/// White or Black.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Side {
    White,
    Black,
}

impl Side {
    pub fn color(self) -> Color {
        match self {
            Side::White => Color::White,
            Side::Black => Color::Black,
        }
    }
}

/// Reads whole books and reports damage
#[derive(Debug, Args)]
#[command(after_help = "\
--repair sorts a .bin, adds up moves that it has twice, and leaves out what is no move or not legal \
in a position that can be reached from the start position.

Examples:
  scoresheet book check *.bin
  scoresheet book check old.bin --repair new.bin --drop-unplayed")]
pub struct BookCheck {
    /// The books
    #[arg(required = true, value_name = "BOOK")]
    pub books: Vec<PathBuf>,
    /// Print one JSON object for each finding
    #[arg(long)]
    pub json: bool,
    /// Count tolerated deviations as damage
    #[arg(long)]
    pub strict: bool,
    /// Write the repaired book, a .bin, to OUT
    #[arg(long, value_name = "OUT")]
    pub repair: Option<PathBuf>,
    /// Leave out moves of weight 0
    #[arg(long, requires = "repair")]
    pub drop_unplayed: bool,
    /// Replace an existing output
    #[arg(long, short, requires = "repair")]
    pub force: bool,
}
