//! The command line.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Args, Parser, Subcommand};
use clap_complete::Shell;
use scoresheet::chess_store::Encoding;
use scoresheet::columns::{Column, SortKey};
use scoresheet::{CreateOptions, Format, OpenOptions, format_named, formats};

use crate::convert::Split;
use crate::exit::{FailOn, Failure};
use crate::select::Selection;
use crate::waiting::Waiting;

/// Reads, writes and converts chess databases.
///
/// Any file of a base may be named; its companions are found beside it. Formats are known by
/// content first, by extension second. Games are counted from 1.
#[derive(Debug, Parser)]
#[command(name = "scoresheet", version, after_help = EXIT_CODES, propagate_version = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Say nothing but errors
    #[arg(long, short, global = true, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Say everything that is odd, game by game
    #[arg(long, short, global = true)]
    pub(crate) verbose: bool,
    /// What makes the exit code 4, though all else was done: loss, damage
    #[arg(long, global = true, value_name = "KINDS", value_delimiter = ',')]
    pub(crate) fail_on: Vec<FailOn>,
}

const EXIT_CODES: &str = "\
Exit codes:
  0    done; losses and tolerated damage are reported, see --fail-on
  1    nothing was found; of check: something is damaged
  2    the command line is wrong, and nothing was done
  3    not done: a file cannot be read or written, or --strict met something
  4    done in part: games were refused, inputs could not be read, or what --fail-on names
  130  interrupted

On a terminal, tables and games go through PAGER (less; empty for none). NO_COLOR and COLUMNS
are honoured. What --json prints is described in docs/json.md.";

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

/// Says what a file is: format, program, games, players, years, features, oddities
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  scoresheet info old.si4
  scoresheet info --json *.cbf | jq .games")]
pub(crate) struct Info {
    /// Files of bases, or folders of them; - is standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Read every game, and not only the index of a base that tells enough: finds damage, null
    /// moves and letters beyond ASCII
    #[arg(long)]
    pub(crate) games: bool,
    /// One JSON object a base
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

Columns, to show and to sort by: number, white, whiteelo, black, blackelo, elo (the mean of both),
result, date, year, month, eco, event, site, round, moves, plies, deleted, file, or any tag by its
name.")]
pub(crate) struct List {
    /// Any file of a base; folders are searched, patterns expanded; - is standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// One JSON object a game: its number and tags
    #[arg(long, conflicts_with = "csv")]
    pub(crate) json: bool,
    /// Comma-separated values with a line of names
    #[arg(long)]
    pub(crate) csv: bool,
    /// Only say how many games there are
    #[arg(long, conflicts_with_all = ["json", "csv", "columns", "sort", "limit"])]
    pub(crate) count: bool,
    /// What to show of each game: number,white,black,...
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
    /// Sort by columns; - before one turns it round: date,-elo
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',', value_parser = SortKey::parse,
        allow_hyphen_values = true)]
    pub(crate) sort: Vec<SortKey>,
    /// No more games than this
    #[arg(long, value_name = "N")]
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
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) number: u64,
    /// Draw the board after so many half-moves of the main line; a number, or `end`
    #[arg(long, value_name = "N", value_parser = ply)]
    pub(crate) ply: Option<u32>,
    /// Draw the board with letters
    #[arg(long)]
    pub(crate) ascii: bool,
    /// As PGN
    #[arg(long, conflicts_with_all = ["json", "ply", "ascii"])]
    pub(crate) pgn: bool,
    /// As canonical JSON
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
    /// Format of the inputs, if their content does not tell
    #[arg(long, value_name = "FORMAT", value_parser = FormatName)]
    pub(crate) from: Option<&'static Format>,
    #[command(flatten)]
    pub(crate) writing: Writing,
    #[cfg(feature = "tables")]
    #[command(flatten)]
    pub(crate) tabling: Tabling,
    /// Leave out games that repeat others, as `dedupe` does
    #[arg(long)]
    pub(crate) unique: bool,
    /// Leave out games that are the beginning of others, too
    #[arg(long, requires = "unique")]
    pub(crate) contained: bool,
    #[command(flatten)]
    pub(crate) order: Order,
    /// Write several bases: of so many games each, or one for each value of a column or tag
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
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
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

/// Copies games to another base, each once
///
/// A game repeats another of the same moves if their headers agree as far as both know them:
/// players, date, round, result. The best annotated one stays; of equal ones the first.
#[derive(Debug, Args)]
#[command(
    override_usage = "scoresheet dedupe [OPTIONS] <IN>... <OUT>
       scoresheet dedupe [OPTIONS] <IN>... -o <OUT>
       scoresheet dedupe [OPTIONS] --dry-run <IN>... <OUT>",
    after_help = "Examples:
  scoresheet dedupe big.pgn clean.pgn
  scoresheet dedupe *.pgn twic.si4 all.si4 --contained
  scoresheet dedupe big.pgn --dry-run
  scoresheet edit base.si4 dedupe"
)]
pub(crate) struct Dedupe {
    #[command(flatten)]
    pub(crate) files: InputsAndOutput,
    /// Take games that are the beginning of others for repeated ones, too
    #[arg(long)]
    pub(crate) contained: bool,
    /// Say which game repeats which, and write nothing
    #[arg(long, short = 'n')]
    pub(crate) dry_run: bool,
    /// With --dry-run: one JSON object a game
    #[arg(long, requires = "dry_run")]
    pub(crate) json: bool,
    /// Format of the inputs, if their content does not tell
    #[arg(long, value_name = "FORMAT", value_parser = FormatName)]
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
    /// Bases to read, then the base to write. Folders are searched, patterns expanded; - is standard
    /// input, or output
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The base to write; then all other files are read
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
            _ => Err(Failure::Usage("name what to read and what to write: IN... OUT".to_owned())),
        }
    }
}

/// Shows what was played from a position, and how it went
///
/// Every game counts once, at the first time its main line comes to the position, in whatever order
/// its moves led there. The start position unless --position or --moves name another.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  scoresheet tree twic.si4
  scoresheet tree twic.si4 --moves '1. e4 c5 2. Nf3' --elo 2600+
  scoresheet tree *.pgn.zst --position 'rnbqkb1r/pp1p1ppp/2p1pn2/8/2PP4/2N2N2/PP2PPPP/R1BQKB1R b' --depth 3
  scoresheet tree twic.si4 --json | jq '.moves[] | [.move, .games]'")]
pub(crate) struct Tree {
    /// Any file of a base; folders are searched, patterns expanded; - is standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// How many half-moves to follow
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) depth: u16,
    /// Show no more moves than this after each position
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<usize>,
    /// One JSON object
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) selection: Selection,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

/// Reads everything and reports each damage
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  scoresheet check old.si4
  scoresheet check --json disk/ > damage.jsonl")]
pub(crate) struct Check {
    /// Files of bases, or folders of them; - is standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// One JSON object a finding
    #[arg(long)]
    pub(crate) json: bool,
    /// Take tolerated deviations for damage
    #[arg(long)]
    pub(crate) strict: bool,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

/// Writes a sound base from a damaged one, and says what was lost
///
/// A damaged game is kept as far as it reads.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  scoresheet repair broken.si4 sound.si4
  scoresheet repair broken.si4 sound.si4 --drop")]
pub(crate) struct Repair {
    /// Any file of the damaged base
    #[arg(value_name = "IN")]
    pub(crate) input: PathBuf,
    /// Base to write, of the same format or another
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

/// Changes a base in place, if its format allows
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
    /// Say what would be done, and do nothing
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
    /// Takes the mark away
    Undelete(Chosen),
    /// Marks games that repeat others as deleted, as `scoresheet dedupe` finds them
    Dedupe {
        /// Games that are the beginning of others, too
        #[arg(long)]
        contained: bool,
        #[command(flatten)]
        selection: Selection,
    },
    /// Gives tags a value, or takes them away
    ///
    /// The header is changed, the moves stay.
    #[command(after_help = "Examples:
  scoresheet edit base.si4 set Event=Linares 3 7-9
  scoresheet edit base.si4 set 'White=Karpov, Anatoly' --white 'karpow, a' --exact
  scoresheet edit base.si4 set Annotator= --player tal")]
    Set {
        /// Tags and their values, TAG=VALUE (none takes the tag away), and numbers of games: 3 7-9
        #[arg(value_name = "TAG=VALUE|GAMES", required = true)]
        words: Vec<String>,
        #[command(flatten)]
        selection: Option<Selection>,
    },
    /// Adds flags to games, or takes flags away
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
        /// Letters of flags to set
        #[arg(long, value_name = "LETTERS")]
        add: Option<String>,
        /// Letters of flags to take away
        #[arg(long, value_name = "LETTERS")]
        take: Option<String>,
        /// Set these, and take all others away
        #[arg(long, value_name = "LETTERS", conflicts_with_all = ["add", "take"])]
        only: Option<String>,
        #[command(flatten)]
        games: Chosen,
    },
    /// Puts the first game of another base in the place of one
    Replace {
        /// Number of the game
        #[arg(value_parser = clap::value_parser!(u64).range(1..))]
        game: u64,
        /// Where the new one is
        with: PathBuf,
    },
    /// Adds the sound games of other bases at the end
    Append {
        /// The bases
        #[arg(required = true)]
        from: Vec<PathBuf>,
    },
    /// Sets facts of the base as a whole: description, type, default-game, flag-1 to flag-6
    About {
        /// Facts and their values; an empty value takes a fact away
        #[arg(value_name = "NAME=VALUE", required = true)]
        facts: Vec<String>,
    },
    /// Drops deleted games and the space nothing points to
    Compact,
}

/// The games of a base to be changed: those with these numbers that are as the options say
#[derive(Debug, Args)]
pub(crate) struct Chosen {
    /// Numbers and ranges: 3 7-9
    #[arg(value_name = "GAMES", required_unless_present = "Selection")]
    pub(crate) numbers: Vec<String>,
    #[command(flatten)]
    pub(crate) selection: Option<Selection>,
}

/// Prints the bytes of one game with the names of their fields
///
/// The names are those of the format's page in docs/formats.
#[derive(Debug, Args)]
#[command(after_help = "Example:
  scoresheet dump old.si4 12")]
pub(crate) struct Dump {
    /// Any file of the base
    pub(crate) file: PathBuf,
    /// Number of the game, from 1
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) number: u64,
    /// One JSON object a field
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

/// Lists the formats and what can be done with them, or the options of one
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  scoresheet formats
  scoresheet formats dcg
  scoresheet formats --json | jq -r 'select(.write) | .name'")]
pub(crate) struct Formats {
    /// This format only, with its options
    #[arg(value_name = "FORMAT", value_parser = FormatName)]
    pub(crate) format: Option<&'static Format>,
    /// One JSON object a format
    #[arg(long)]
    pub(crate) json: bool,
}

/// How bases are read
#[derive(Debug, Args)]
pub(crate) struct Reading {
    /// Encoding of the texts: utf-8, windows-1252, windows-1251, cp437, cp850, atarist, ...
    #[arg(long, value_name = "LABEL", value_parser = encoding, help_heading = "Reading")]
    pub(crate) encoding: Option<Encoding>,
    /// Option that only the format of the inputs has; `formats NAME` lists them
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = setting,
        help_heading = "Reading")]
    pub(crate) settings: Vec<(String, String)>,
    /// How much a packed file may unpack to: 4G, 500M; 64M and 200 times its own size unless given
    #[arg(long, value_name = "SIZE", value_parser = size, help_heading = "Reading")]
    pub(crate) max_unpacked: Option<u64>,
    /// Password of an encrypted archive, as a .cbz is; the same as --option password=TEXT
    #[arg(long, value_name = "TEXT", help_heading = "Reading")]
    pub(crate) password: Option<String>,
}

/// How a base is written
#[derive(Debug, Args)]
#[command(next_help_heading = "Writing")]
pub(crate) struct Writing {
    /// Format of the output, if its extension does not tell
    #[arg(long, value_name = "FORMAT", value_parser = FormatName)]
    pub(crate) to: Option<&'static Format>,
    /// Replace an output that exists
    #[arg(long, short)]
    pub(crate) force: bool,
    /// Stop at the first deviation, damage or loss, and write nothing
    #[arg(long)]
    pub(crate) strict: bool,
    /// Encoding to write texts in, where the format leaves it open
    #[arg(long, value_name = "LABEL", value_parser = encoding)]
    pub(crate) to_encoding: Option<Encoding>,
    /// Option that only the format of the output has; `formats NAME` lists them
    #[arg(long = "to-option", value_name = "NAME=VALUE", value_parser = setting)]
    pub(crate) to_settings: Vec<(String, String)>,
    /// Write each damage and loss to a file, as JSON lines
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,
    /// How many threads to use; all cores unless given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
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

/// Takes the name of a format, or one of its extensions; completions offer the names.
#[derive(Clone)]
struct FormatName;

impl TypedValueParser for FormatName {
    type Value = &'static Format;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<Self::Value, clap::Error> {
        let parser = StringValueParser::new().try_map(|name| format(&name));
        parser.parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(formats().map(|format| PossibleValue::new(format.name))))
    }
}

fn format(name: &str) -> Result<&'static Format, String> {
    let names = || formats().map(|format| format.name).collect::<Vec<_>>().join(", ");
    format_named(name).ok_or_else(|| format!("the formats are {}", names()))
}

fn setting(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("an option is NAME=VALUE")?;
    Ok((name.to_owned(), value.to_owned()))
}

fn encoding(label: &str) -> Result<Encoding, String> {
    Encoding::from_label(label).ok_or_else(|| "no encoding has this label".to_owned())
}

fn size(text: &str) -> Result<u64, String> {
    let (number, unit) = match text.to_ascii_uppercase().strip_suffix(['K', 'M', 'G', 'T']) {
        Some(number) => (number.to_owned(), text.chars().next_back()),
        None => (text.to_owned(), None),
    };
    let shift = match unit.map(|unit| unit.to_ascii_uppercase()) {
        Some('K') => 10,
        Some('M') => 20,
        Some('G') => 30,
        Some('T') => 40,
        _ => 0u32,
    };
    let bytes = number.parse::<u64>().ok().and_then(|number| number.checked_mul(1 << shift));
    bytes.ok_or_else(|| "a number, perhaps with K, M, G or T behind it".to_owned())
}

fn ply(text: &str) -> Result<u32, String> {
    match text {
        "end" => Ok(u32::MAX),
        number => number.parse().map_err(|_| "a number, or end".to_owned()),
    }
}
