//! `scoresheet convert`

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use scoresheet::changes::{Addition, At, Changes, Strip};
use scoresheet::columns::Column;
use scoresheet::filter::QueryError;
use scoresheet::{Filter, Format};

use crate::Error;
use crate::selection::{Selection, spelling};
use crate::shared::{InputsAndOutput, Order, Reading, Writing};
use crate::values::{FormatName, percent, whole};

/// Copies games to another base, of any format
#[derive(Debug, Args)]
#[command(
    override_usage = "scoresheet convert [OPTIONS] <IN>... <OUT>
       scoresheet convert [OPTIONS] <IN>... -o <OUT>",
    after_help = "Examples:
  scoresheet convert old.si4 new.pgn
  scoresheet convert disk/ '*.cbf' all.pgn
  scoresheet convert big.pgn.zst karpov.si4 --player karpov --result 1-0
  scoresheet convert old.dci new.si4 --report losses.jsonl
  scoresheet convert all.pgn bare.pgn --strip comments,variations --add eco
  scoresheet convert all.pgn best.pgn --sort=-elo,date --limit 1000
  scoresheet convert my.pgn repertoire.pgn --player me --merge-games --plies 24
  scoresheet convert all.pgn tests.epd --cql 'Ra-h7==2' --at match
  scoresheet convert big.si4 part.pgn --split 50000   writes part-001.pgn, ...
  scoresheet convert big.si4 by.pgn.gz --split year   writes by-1972.pgn.gz, ...

Columns to sort by and to split by are those of `scoresheet list`; see its help."
)]
pub struct Convert {
    #[command(flatten)]
    pub files: InputsAndOutput,
    /// Format of the inputs, if not by content; `formats` lists them
    #[arg(long, value_name = "FORMAT", value_parser = FormatName::Readable)]
    #[arg(hide_possible_values = true)]
    pub from: Option<&'static Format>,
    /// Leave out games that repeat others, as `dedupe` does
    #[arg(long, conflicts_with = "sample")]
    pub unique: bool,
    /// Leave out games that this base has too, by the rules of `dedupe`
    #[arg(long, value_name = "BASE")]
    pub not_in: Vec<PathBuf>,
    /// Leave out games that are the beginning of others too
    #[arg(long, requires = "unique")]
    pub contained: bool,
    #[command(flatten)]
    pub changing: Changing,
    #[command(flatten)]
    pub merging: Merging,
    #[command(flatten)]
    pub writing: Writing,
    /// Columns of .csv, .parquet, .arrow and .db: white,TimeControl,san
    #[arg(long, value_name = "NAMES", help_heading = "Writing")]
    pub columns: Option<String>,
    #[cfg(feature = "tables")]
    #[command(flatten)]
    pub tabling: Tabling,
    #[command(flatten)]
    pub order: Order,
    /// Write several bases: N games each, or one for each value of a column
    #[arg(long, value_name = "N|COLUMN", value_parser = Split::parse)]
    pub split: Option<Split>,
    #[command(flatten)]
    pub selection: Selection,
    #[command(flatten)]
    pub reading: Reading,
}

/// Parts of games to leave out, and tags to add
#[derive(Debug, Args)]
#[command(next_help_heading = "Changing games")]
pub struct Changing {
    /// Leave out comments, variations, glyphs, clocks, evals, tags=NAMES
    #[arg(long, value_name = "PARTS", value_parser = strips)]
    pub strip: Vec<Parts<Strip>>,
    /// Make each variation a game of its own, numbered by the tag Line
    #[arg(long)]
    pub split_variations: bool,
    /// Begin each game at half-move N, from the position before it
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=u64::from(u32::MAX)))]
    pub from_ply: Option<u32>,
    /// Keep at most N half-moves of each game
    #[arg(long, value_name = "N", value_parser = whole::<u32>(0..=u64::from(u32::MAX)))]
    pub plies: Option<u32>,
    /// Add a comment to each position that the criteria match
    #[arg(long)]
    pub mark_matches: bool,
    /// Correct names by a spelling file of Scid
    #[arg(long, value_name = "FILE")]
    pub spell: Option<PathBuf>,
    /// Only list the names that --spell corrects, and write nothing
    #[arg(long, short = 'n', requires = "spell")]
    pub dry_run: bool,
    /// Write one position of each game: ply=20, end, match (the first one found)
    #[arg(long, value_name = "WHERE")]
    pub at: Option<String>,
    /// Add a diagram after every N moves, for .html and .typ
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=u64::from(u32::MAX)))]
    pub diagrams: Option<u32>,
    /// Add tags: eco, opening (where there is none), plycount, fen (at the end)
    #[arg(long, value_name = "TAGS", value_parser = additions)]
    pub add: Vec<Parts<Addition>>,
}

/// One game made of all
#[derive(Debug, Args)]
#[command(next_help_heading = "Merging")]
pub struct Merging {
    /// Write one game with the others as variations: by order of moves, or each position once
    #[arg(long, value_enum, value_name = "BY", num_args = 0..=1, require_equals = true,
        default_missing_value = "moves",
        conflicts_with_all = ["unique", "sort", "split", "limit", "sample"])]
    pub merge_games: Option<MergeBy>,
    /// Comment each move with its games and the score of its side
    #[arg(long, requires = "merge_games")]
    pub counts: bool,
    /// Leave out moves of fewer than N games, and variations of the games
    #[arg(long, value_name = "N", default_value = "0", requires = "merge_games",
        value_parser = whole::<u64>(0..=u64::MAX))]
    pub min_games: u64,
    /// Leave out moves with which their side scored less than P percent
    #[arg(long, value_name = "P", default_value = "0", requires = "merge_games",
        value_parser = percent)]
    pub min_score: f64,
}

/// How moves of different games become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MergeBy {
    Moves,
    Positions,
}

/// The values of one option.
#[derive(Clone, Debug)]
pub struct Parts<T>(Vec<T>);

fn strips(text: &str) -> Result<Parts<Strip>, QueryError> {
    Strip::list(text).map(Parts)
}

fn additions(text: &str) -> Result<Parts<Addition>, QueryError> {
    Addition::list(text).map(Parts)
}

impl Changing {
    /// Returns the changes of the library.
    pub fn changes(&self, filter: &Filter) -> Result<Changes, Error> {
        let mut changes = Changes::default();
        changes.strip = self.strip.iter().flat_map(|parts| parts.0.clone()).collect();
        changes.split_variations = self.split_variations;
        changes.from_ply = self.from_ply;
        changes.plies = self.plies;
        changes.add = self.add.iter().flat_map(|parts| parts.0.clone()).collect();
        changes.diagrams = self.diagrams;
        let at = self.at.as_deref().map(|text| At::parse(text, filter)).transpose();
        changes.at = at.map_err(|error| Error::option("at", &error))?;
        changes.spelling = self.spell.as_deref().map(spelling).transpose()?;
        Ok(changes)
    }
}

/// How games are divided among several bases.
#[derive(Clone, Debug)]
pub enum Split {
    /// This many games in each base.
    Count(u64),
    /// One base for each value.
    By(Column),
}

impl Split {
    pub fn parse(text: &str) -> Result<Split, QueryError> {
        match text.parse() {
            Ok(0) => Err(QueryError::Unreadable {
                text: text.to_owned(),
                what: "a number of games, 1 or more",
            }),
            Ok(count) => Ok(Split::Count(count)),
            Err(_) => Column::parse(text).map(Split::By),
        }
    }
}

/// How a table is written: .parquet, .arrow and .db
#[cfg(feature = "tables")]
#[derive(Debug, Args)]
#[command(next_help_heading = "Tables")]
pub struct Tabling {
    /// Contents of a row
    #[arg(long, value_name = "WHAT", value_parser = ["games", "plies"])]
    pub rows: Option<String>,
    /// First ply that has a row of half-moves
    #[arg(long, value_name = "N")]
    pub min_ply: Option<u32>,
    /// Last ply that has a row of half-moves
    #[arg(long, value_name = "N")]
    pub max_ply: Option<u32>,
    /// Rows of a row group of Parquet
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=u64::from(u32::MAX)))]
    pub row_group: Option<u32>,
    /// A folder of Parquet files, one for each value: year, month, eco, or the name of a tag
    #[arg(long, value_name = "WHAT")]
    pub partition_by: Option<String>,
    /// Add the files to a folder that is there; --force replaces files of the same value
    #[arg(long, requires = "partition_by")]
    pub add_parts: bool,
}

#[cfg(feature = "tables")]
impl Tabling {
    /// Returns the given values as options of the output.
    pub fn settings(&self) -> Vec<(&'static str, String)> {
        let number = |number: Option<u32>| number.map(|number| number.to_string());
        let given = [
            ("rows", self.rows.clone()),
            ("min-ply", number(self.min_ply)),
            ("max-ply", number(self.max_ply)),
            ("row-group", number(self.row_group)),
        ];
        given.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
    }
}
