//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use scoresheet::chess_core::Encoding;
use scoresheet::{Format, OpenOptions, format_named, formats};

/// Reads, writes and converts chess databases.
///
/// Any file of a base may be named; its companions are found beside it. `-` is standard input or
/// standard output.
#[derive(Debug, Parser)]
#[command(name = "scoresheet", version, after_help = EXIT_CODES)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXIT_CODES: &str = "\
Exit codes:
  0  all well
  1  done, but a game was damaged, refused, or could not be kept whole
  2  the command line is wrong
  3  not done: a file cannot be read or written, or --strict met something
  130  interrupted";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Convert(Convert),
    Info(Info),
}

/// Copies the games of a base to another, of any format
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  scoresheet convert old.si4 new.pgn
  scoresheet convert old.cbf - --to pgn | less")]
pub(crate) struct Convert {
    /// The base to read, or - for standard input
    pub(crate) input: PathBuf,
    /// The base to write, or - for standard output
    pub(crate) output: PathBuf,
    /// Format of the input, if its content does not tell
    #[arg(long, value_name = "FORMAT", value_parser = format)]
    pub(crate) from: Option<&'static Format>,
    /// Format of the output, if its extension does not tell
    #[arg(long, value_name = "FORMAT", value_parser = format)]
    pub(crate) to: Option<&'static Format>,
    /// Replace an output that exists
    #[arg(long, short)]
    pub(crate) force: bool,
    /// Stop at the first deviation, damage or loss, and write nothing
    #[arg(long)]
    pub(crate) strict: bool,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

/// Says what a file is
#[derive(Debug, Args)]
#[command(after_help = "Example:
  scoresheet info old.si4")]
pub(crate) struct Info {
    /// Any file of the base
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

/// How bases are read
#[derive(Debug, Args)]
pub(crate) struct Reading {
    /// Encoding of its texts: utf-8, windows-1252, windows-1251, cp437, cp850, atarist, ...
    #[arg(long, value_name = "LABEL", value_parser = encoding)]
    pub(crate) encoding: Option<Encoding>,
}

impl Reading {
    pub(crate) fn options(&self) -> OpenOptions {
        OpenOptions { encoding: self.encoding, ..OpenOptions::default() }
    }
}

fn format(name: &str) -> Result<&'static Format, String> {
    let names = || formats().map(|format| format.name).collect::<Vec<_>>().join(", ");
    format_named(name).ok_or_else(|| format!("the formats are {}", names()))
}

fn encoding(label: &str) -> Result<Encoding, String> {
    Encoding::from_label(label).ok_or_else(|| "no encoding has this label".to_owned())
}
