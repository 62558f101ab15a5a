//! `scoresheet list`

use std::path::PathBuf;

use clap::Args;
use scoresheet::columns::Column;
use scoresheet::filter::QueryError;

use crate::selection::Selection;
use crate::shared::{Finding, Order, Reading};

/// Lists games as a table
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  scoresheet list old.si4 --player karpov --date 1970..1979
  scoresheet list *.pgn --sort=-elo,date --limit 20
  scoresheet list old.si4 --position '8/8/8/4k3/8/4K3/4P3/8 w'
  scoresheet list --csv old.si4 --columns white,black,WhiteTitle > games.csv
  scoresheet list old.si4 --player karpov --against kasparov --eco D30..D69
  scoresheet list old.si4 --material KRP-KR:10 --where 'WhiteElo>=2500'

Columns to show and to sort by: number, white, whiteelo, black, blackelo, elo (the mean of both), \
result, date, year, month, eco, opening, event, site, round, moves, plies, \
deleted, uci and san (the moves themselves), file, or any tag by its \
name. The column match has the half-moves where --position, --pattern, --material or --cql match.")]
pub struct List {
    /// Files of bases, folders or patterns; - is standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Print one JSON object for each game: its number and tags
    #[arg(long, conflicts_with = "csv")]
    pub json: bool,
    /// Print comma-separated values, with a line of names
    #[arg(long)]
    pub csv: bool,
    /// Print the number of games only
    #[arg(long, conflicts_with_all = ["json", "csv", "columns", "sort", "limit"])]
    pub count: bool,
    /// Columns to show: number,white,black,...
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',', value_parser = column)]
    pub columns: Vec<Column>,
    #[command(flatten)]
    pub finding: Finding,
    #[command(flatten)]
    pub selection: Selection,
    #[command(flatten)]
    pub order: Order,
    #[command(flatten)]
    pub reading: Reading,
}

/// Parses the name of a column of a list.
fn column(text: &str) -> Result<Column, QueryError> {
    if text.eq_ignore_ascii_case("match") { Ok(Column::Match) } else { Column::parse(text) }
}
