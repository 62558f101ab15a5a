//! The command line.

use std::path::{Path, PathBuf};

use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;
use scoresheet::chess_store::Encoding;
use scoresheet::columns::{Column, SortKey};
use scoresheet::{CreateOptions, Format, OpenOptions};

use crate::convert::Split;
use crate::exit::{FailOn, Failure};
use crate::select::Selection;
use crate::values::{FormatName, encoding, game_number, ply, setting, size, whole};
use crate::waiting::Waiting;

/// Reads, writes and converts chess databases
#[derive(Debug, Parser)]
#[command(name = "scoresheet", version, after_help = ABOUT, propagate_version = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Print errors only
    #[arg(long, short, global = true, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Report every deviation and loss, game by game
    #[arg(long, short, global = true)]
    pub(crate) verbose: bool,
    /// Exit with code 4 on these too
    #[arg(long, global = true, value_name = "KINDS", value_delimiter = ',')]
    pub(crate) fail_on: Vec<FailOn>,
}

const ABOUT: &str = "\
Name any file of a base; the other files are found beside it. The content of a file tells its
format, or else its extension does. Games are numbered from 1.

Exit codes:
  0    done; losses and damage are reported, see --fail-on
  1    no game was found; for `check`: something is damaged
  2    the command line is wrong; nothing was done
  3    not done: a file cannot be read or written, or --strict found something
  4    done in part: a game was refused, an input cannot be read, or what --fail-on names happened
  130  interrupted

On a terminal, tables and games go through the pager that PAGER names: `less` by default, none if
it is empty. NO_COLOR turns colours off, COLUMNS sets the width. docs/json.md describes --json.";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Info(Info),
    List(List),
    Show(Show),
    Convert(Convert),
    Tree(Tree),
    Dedupe(Dedupe),
    Check(Check),
    Repair(Repair),
    Edit(Edit),
    Dump(Dump),
    Formats(Formats),
    /// Prints the completions of a shell
    #[command(after_help = "Examples:
  scoresheet completions bash > ~/.local/share/bash-completion/completions/scoresheet
  scoresheet completions fish > ~/.config/fish/completions/scoresheet.fish
  scoresheet completions zsh > ~/.zfunc/_scoresheet")]
    Completions {
        /// Which shell
        shell: Shell,
    },
    /// Prints the manual page
    #[command(after_help = "Examples:
  scoresheet man | man -l -
  scoresheet man > ~/.local/share/man/man1/scoresheet.1")]
    Man,
}

/// Describes a base: format, games, players, years, features, deviations
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  scoresheet info old.si4
  scoresheet info --json *.cbf | jq .games")]
pub(crate) struct Info {
    /// Files of bases, folders or patterns; - is standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Read all games, also where the index tells enough; finds damage, null moves and non-ASCII
    /// texts
    #[arg(long)]
    pub(crate) games: bool,
    /// Print one JSON object for each base
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

/// Lists games as a table
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  scoresheet list old.si4 --player karpov --date 1970..1979
  scoresheet list *.pgn --sort=-elo,date --limit 20
  scoresheet list old.si4 --position 'r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -'
  scoresheet list --csv old.si4 --columns number,white,black,WhiteTitle,plies > games.csv

Games of two players against each other, with either colour:
  scoresheet list old.si4 --white karpov --white kasparov --black karpov --black kasparov

Columns to show and to sort by: number, white, whiteelo, black, blackelo, elo (the mean of both),
result, date, year, month, eco, event, site, round, moves, plies, deleted, file, or any tag by its
name.")]
pub(crate) struct List {
    /// Files of bases, folders or patterns; - is standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Print one JSON object for each game: its number and tags
    #[arg(long, conflicts_with = "csv")]
    pub(crate) json: bool,
    /// Print comma-separated values, with a line of names
    #[arg(long)]
    pub(crate) csv: bool,
    /// Print the number of games only
    #[arg(long, conflicts_with_all = ["json", "csv", "columns", "sort", "limit"])]
    pub(crate) count: bool,
    /// Columns to show: number,white,black,...
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',', value_parser = Column::parse)]
    pub(crate) columns: Vec<Column>,
    #[command(flatten)]
    pub(crate) order: Order,
    #[command(flatten)]
    pub(crate) selection: Selection,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

/// In which order, and how many
#[derive(Debug, Args)]
#[command(next_help_heading = "Order")]
pub(crate) struct Order {
    /// Sort by these columns; - before a column reverses its order: date,-elo
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',', value_parser = SortKey::parse,
        allow_hyphen_values = true)]
    pub(crate) sort: Vec<SortKey>,
    /// Take at most N games
    #[arg(long, value_name = "N", value_parser = whole::<u64>(0..=u64::MAX))]
    pub(crate) limit: Option<u64>,
}

/// Shows one game
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  scoresheet show old.si4 12
  scoresheet show old.si4 12 --ply 40 --ascii
  scoresheet show old.si4 12 --pgn | xclip")]
pub(crate) struct Show {
    /// Any file of the base, or - for standard input
    pub(crate) file: PathBuf,
    /// Number of the game, from 1
    #[arg(value_parser = game_number)]
    pub(crate) number: u64,
    /// Draw the board after N half-moves of the main line, or at its `end`
    #[arg(long, value_name = "N", value_parser = ply)]
    pub(crate) ply: Option<u32>,
    /// Draw the board with letters
    #[arg(long)]
    pub(crate) ascii: bool,
    /// Print PGN
    #[arg(long, conflicts_with_all = ["json", "ply", "ascii"])]
    pub(crate) pgn: bool,
    /// Print canonical JSON
    #[arg(long, conflicts_with_all = ["ply", "ascii"])]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

/// Copies games to another base, of any format
#[derive(Debug, Args)]
#[command(
    override_usage = "scoresheet convert [OPTIONS] <IN>... <OUT>
       scoresheet convert [OPTIONS] <IN>... -o <OUT>",
    after_help = "Examples:
  scoresheet convert old.si4 new.pgn
  scoresheet convert disk/ '*.cbf' all.pgn
  scoresheet convert old.cbf - | less
  scoresheet convert big.pgn.zst karpov.si4 --player karpov --result 1-0
  scoresheet convert old.dci new.si4 --report losses.jsonl
  scoresheet convert all.pgn best.pgn --sort=-elo,date --limit 1000
  scoresheet convert big.si4 part.pgn --split 50000     writes part-001.pgn, part-002.pgn, ...
  scoresheet convert big.si4 by.pgn.gz --split year     writes by-1972.pgn.gz, ...

Columns to sort by and to split by are those of `scoresheet list`; see its help."
)]
pub(crate) struct Convert {
    #[command(flatten)]
    pub(crate) files: InputsAndOutput,
    /// Format of the inputs, where their content does not tell
    #[arg(long, value_name = "FORMAT", value_parser = FormatName::Readable)]
    pub(crate) from: Option<&'static Format>,
    /// Leave out games that repeat others, as `dedupe` does
    #[arg(long)]
    pub(crate) unique: bool,
    /// Leave out games that are the beginning of others too
    #[arg(long, requires = "unique")]
    pub(crate) contained: bool,
    #[command(flatten)]
    pub(crate) writing: Writing,
    #[cfg(feature = "tables")]
    #[command(flatten)]
    pub(crate) tabling: Tabling,
    #[command(flatten)]
    pub(crate) order: Order,
    /// Write several bases: of N games each, or one for each value of a column or tag
    #[arg(long, value_name = "N|COLUMN", value_parser = Split::parse)]
    pub(crate) split: Option<Split>,
    #[command(flatten)]
    pub(crate) selection: Selection,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

/// How a table is written: .parquet and .arrow
#[cfg(feature = "tables")]
#[derive(Debug, Args)]
#[command(next_help_heading = "Tables")]
pub(crate) struct Tabling {
    /// What a row is
    #[arg(long, value_name = "WHAT", value_parser = ["games", "plies"])]
    pub(crate) rows: Option<String>,
    /// Only these columns, with commas between them; docs/tables.md lists them
    #[arg(long, value_name = "NAMES")]
    pub(crate) columns: Option<String>,
    /// Rows of a row group of Parquet
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=u64::from(u32::MAX)))]
    pub(crate) row_group: Option<u32>,
    /// A folder of Parquet files, one for each value: year, eco, or the name of a tag
    #[arg(long, value_name = "WHAT")]
    pub(crate) partition_by: Option<String>,
}

#[cfg(feature = "tables")]
impl Tabling {
    /// What was given, as options of the output.
    pub(crate) fn settings(&self) -> Vec<(&'static str, String)> {
        let row_group = self.row_group.map(|rows| rows.to_string());
        let given = [
            ("rows", self.rows.clone()),
            ("columns", self.columns.clone()),
            ("row-group", row_group),
        ];
        given.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
    }
}

/// Copies games to another base and leaves out repeated ones
#[derive(Debug, Args)]
#[command(
    override_usage = "scoresheet dedupe [OPTIONS] <IN>... <OUT>
       scoresheet dedupe [OPTIONS] <IN>... -o <OUT>
       scoresheet dedupe [OPTIONS] --dry-run <IN>...",
    after_help = "\
A game repeats another if both have the same moves and their headers agree, as far as both know
players, date, round and result. The game with the most annotations stays, or else the first.

Examples:
  scoresheet dedupe big.pgn clean.pgn
  scoresheet dedupe *.pgn twic.si4 all.si4 --contained
  scoresheet dedupe big.pgn --dry-run
  scoresheet edit base.si4 dedupe"
)]
pub(crate) struct Dedupe {
    #[command(flatten)]
    pub(crate) files: InputsAndOutput,
    /// Count games that are the beginning of others as repeated too
    #[arg(long)]
    pub(crate) contained: bool,
    /// Print which game repeats which, and write nothing
    #[arg(long, short = 'n')]
    pub(crate) dry_run: bool,
    /// With --dry-run: print one JSON object for each repeated game
    #[arg(long, requires = "dry_run")]
    pub(crate) json: bool,
    /// Format of the inputs, where their content does not tell
    #[arg(long, value_name = "FORMAT", value_parser = FormatName::Readable)]
    pub(crate) from: Option<&'static Format>,
    #[command(flatten)]
    pub(crate) writing: Writing,
    #[command(flatten)]
    pub(crate) selection: Selection,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

/// Bases to read, and one to write
#[derive(Debug, Args)]
pub(crate) struct InputsAndOutput {
    /// Bases to read, as files, folders or patterns, then the base to write; - is standard input or
    /// output
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Base to write; then all FILEs are read
    #[arg(long, short, value_name = "OUT")]
    output: Option<PathBuf>,
}

impl InputsAndOutput {
    /// What is read, if nothing will be written: of several files the last may be named for that.
    pub(crate) fn inputs(&self) -> &[PathBuf] {
        match (&self.output, self.files.split_last()) {
            (None, Some((last, inputs))) if !inputs.is_empty() && !last.exists() => inputs,
            _ => &self.files,
        }
    }

    /// What is read, and what is written.
    pub(crate) fn split(&self) -> Result<(&[PathBuf], &Path), Failure> {
        match (&self.output, self.files.split_last()) {
            (Some(output), _) => Ok((&self.files, output)),
            (None, Some((output, inputs))) if !inputs.is_empty() => Ok((inputs, output)),
            _ => {
                Err(Failure::Usage("name the base to read and the base to write: IN... OUT".into()))
            }
        }
    }
}

/// Shows the moves played from a position, and their results
#[derive(Debug, Args)]
#[command(after_help = "\
The position is that of --position or after --moves, or else the start position. A game counts
once: where its main line first reaches the position, by any order of moves.

Examples:
  scoresheet tree twic.si4
  scoresheet tree twic.si4 --moves '1. e4 c5 2. Nf3' --elo 2600+
  scoresheet tree *.pgn.zst --depth 3 --position 'rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w'
  scoresheet tree twic.si4 --json | jq '.moves[] | [.move, .games]'")]
pub(crate) struct Tree {
    /// Files of bases, folders or patterns; - is standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Follow N half-moves
    #[arg(long, value_name = "N", default_value = "1", value_parser = whole::<u16>(1..=65_535))]
    pub(crate) depth: u16,
    /// Show at most N moves after each position
    #[arg(long, value_name = "N", value_parser = whole::<usize>(0..=u64::MAX))]
    pub(crate) limit: Option<usize>,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) selection: Selection,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

/// Reads everything and reports damage
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  scoresheet check old.si4
  scoresheet check --json disk/ > damage.jsonl")]
pub(crate) struct Check {
    /// Files of bases, folders or patterns; - is standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Print one JSON object for each finding
    #[arg(long)]
    pub(crate) json: bool,
    /// Count tolerated deviations as damage
    #[arg(long)]
    pub(crate) strict: bool,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

/// Writes a sound base from a damaged one, and reports what was lost
#[derive(Debug, Args)]
#[command(after_help = "\
A damaged game is kept up to the damage; --drop leaves it out.

Examples:
  scoresheet repair broken.si4 sound.si4
  scoresheet repair broken.si4 sound.si4 --drop")]
pub(crate) struct Repair {
    /// Any file of the damaged base
    #[arg(value_name = "IN")]
    pub(crate) input: PathBuf,
    /// Base to write, of the same format or of another
    #[arg(value_name = "OUT")]
    pub(crate) output: PathBuf,
    /// Leave damaged games out
    #[arg(long)]
    pub(crate) drop: bool,
    #[command(flatten)]
    pub(crate) writing: Writing,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

/// Changes a base in place, where its format allows it
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  scoresheet edit base.dci delete 3 7-9
  scoresheet edit base.si4 delete --player adams --date ..1990
  scoresheet edit base.si4 set Event=Linares 'Site=Linares ESP' 12-40
  scoresheet edit base.si4 flag 12 --add W
  scoresheet edit base.si4 dedupe
  scoresheet edit base.si4 append new.pgn
  scoresheet edit base.si4 --dry-run compact")]
pub(crate) struct Edit {
    /// Any file of the base
    pub(crate) file: PathBuf,
    /// Print what would be done, and change nothing
    #[arg(long, short = 'n', global = true)]
    pub(crate) dry_run: bool,
    #[command(flatten)]
    pub(crate) waiting: Waiting,
    #[command(subcommand)]
    pub(crate) change: Change,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Change {
    /// Marks games as deleted
    Delete(Chosen),
    /// Removes the mark
    Undelete(Chosen),
    /// Marks games that repeat others as deleted, as `scoresheet dedupe` finds them
    Dedupe {
        /// Mark games that are the beginning of others too
        #[arg(long)]
        contained: bool,
        #[command(flatten)]
        selection: Selection,
    },
    /// Sets or removes tags of games
    #[command(after_help = "\
Only the headers change. --dry-run prints the changes first.

Examples:
  scoresheet edit base.si4 set Event=Linares 3 7-9
  scoresheet edit base.si4 set 'White=Karpov, Anatoly' --white 'karpow, a' --exact
  scoresheet edit base.si4 set Annotator= --player tal")]
    Set {
        /// Tags with their new values, and numbers of games: 3 7-9. TAG= removes the tag
        #[arg(value_name = "TAG=VALUE|GAMES", required = true)]
        words: Vec<String>,
        #[command(flatten)]
        selection: Option<Selection>,
    },
    /// Adds or removes flags of games
    #[command(after_help = "Flags of Scid bases:
  W  opening of White    N  novelty           K  king side     ?  blunder
  B  opening of Black    P  pawn structure    Q  queen side    U  user
  M  middle game         T  tactics           !  brilliancy    1-6  the user's own,
  E  endgame                                                        labelled in the base

Examples:
  scoresheet edit base.si4 flag 12 20-30 --add W!
  scoresheet edit base.si4 flag --player tal --add T --take U
  scoresheet edit base.si4 flag 12 --only ''")]
    Flag {
        /// Flags to add, as letters
        #[arg(long, value_name = "LETTERS")]
        add: Option<String>,
        /// Flags to remove, as letters
        #[arg(long, value_name = "LETTERS")]
        take: Option<String>,
        /// Flags to set; all others are removed
        #[arg(long, value_name = "LETTERS", conflicts_with_all = ["add", "take"])]
        only: Option<String>,
        #[command(flatten)]
        games: Chosen,
    },
    /// Replaces a game by the first game of another base
    Replace {
        /// Number of the game to replace
        #[arg(value_parser = game_number)]
        game: u64,
        /// Base with the new game
        with: PathBuf,
    },
    /// Appends the sound games of other bases
    Append {
        /// Bases to append
        #[arg(required = true)]
        from: Vec<PathBuf>,
    },
    /// Sets facts of the base: description, type, default-game, flag-1 to flag-6
    About {
        /// Facts with their new values; NAME= removes the fact
        #[arg(value_name = "NAME=VALUE", required = true)]
        facts: Vec<String>,
    },
    /// Drops deleted games and unused space
    Compact,
}

/// The games to change: those with these numbers that the options choose
#[derive(Debug, Args)]
pub(crate) struct Chosen {
    /// Numbers of games: 3 7-9
    #[arg(value_name = "GAMES", required_unless_present = "Selection")]
    pub(crate) numbers: Vec<String>,
    #[command(flatten)]
    pub(crate) selection: Option<Selection>,
}

/// Prints the bytes of one game with the names of their fields
#[derive(Debug, Args)]
#[command(after_help = "\
The page of the format in docs/formats explains the fields.

Example:
  scoresheet dump old.si4 12")]
pub(crate) struct Dump {
    /// Any file of the base
    pub(crate) file: PathBuf,
    /// Number of the game, from 1
    #[arg(value_parser = game_number)]
    pub(crate) number: u64,
    /// Print one JSON object for each field
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

/// Lists the formats that can be read, written and changed, or the options of one
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  scoresheet formats
  scoresheet formats dcg
  scoresheet formats --json | jq -r 'select(.write) | .name'")]
pub(crate) struct Formats {
    /// Show this format only, with its options
    #[arg(value_name = "FORMAT", value_parser = FormatName::Known)]
    pub(crate) format: Option<&'static Format>,
    /// Print one JSON object for each format
    #[arg(long)]
    pub(crate) json: bool,
}

/// How bases are read
#[derive(Debug, Args)]
pub(crate) struct Reading {
    /// Encoding of the texts: utf-8, windows-1252, windows-1251, cp437, cp850, atarist, ...
    #[arg(long, value_name = "LABEL", value_parser = encoding, help_heading = "Reading")]
    pub(crate) encoding: Option<Encoding>,
    /// Option of the format that is read; `formats NAME` lists them
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = setting,
        help_heading = "Reading")]
    pub(crate) settings: Vec<(String, String)>,
    /// Most bytes to unpack: 500M, 4G [default: 64M + 200 times the file]
    #[arg(long, value_name = "SIZE", value_parser = size, help_heading = "Reading")]
    pub(crate) max_unpacked: Option<u64>,
    /// Password of an encrypted archive (.cbz)
    #[arg(long, value_name = "TEXT", help_heading = "Reading")]
    pub(crate) password: Option<String>,
}

/// How a base is written
#[derive(Debug, Args)]
#[command(next_help_heading = "Writing")]
pub(crate) struct Writing {
    /// Format of the output, where its extension does not tell
    #[arg(long, value_name = "FORMAT", value_parser = FormatName::Writable)]
    pub(crate) to: Option<&'static Format>,
    /// Replace an existing output
    #[arg(long, short)]
    pub(crate) force: bool,
    /// Stop at the first deviation, damage or loss, and write nothing
    #[arg(long)]
    pub(crate) strict: bool,
    /// Encoding of the texts written, where the format has a choice
    #[arg(long, value_name = "LABEL", value_parser = encoding)]
    pub(crate) to_encoding: Option<Encoding>,
    /// Option of the format that is written; `formats NAME` lists them
    #[arg(long = "to-option", value_name = "NAME=VALUE", value_parser = setting)]
    pub(crate) to_settings: Vec<(String, String)>,
    /// Write each damage and loss to FILE, as JSON lines
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,
    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = whole::<u16>(1..=65_535))]
    pub(crate) threads: Option<u16>,
    #[command(flatten)]
    pub(crate) waiting: Waiting,
}

impl Reading {
    pub(crate) fn options(&self) -> OpenOptions {
        let mut options = OpenOptions::default();
        options.encoding = self.encoding;
        options.max_unpacked = self.max_unpacked;
        for (name, value) in &self.settings {
            options.settings.set(name, value);
        }
        if let Some(password) = &self.password {
            options.settings.set("password", password);
        }
        options
    }
}

impl Writing {
    /// The options to create a base of this format with.
    pub(crate) fn options(&self, format: &Format) -> CreateOptions {
        let mut options = CreateOptions::default();
        options.encoding = self.to_encoding;
        let has_threads = format.create_options.iter().any(|option| option.name == "threads");
        if let Some(threads) = self.threads.filter(|_| has_threads) {
            options.settings.set("threads", threads.to_string());
        }
        for (name, value) in &self.to_settings {
            options.settings.set(name, value);
        }
        options
    }
}
