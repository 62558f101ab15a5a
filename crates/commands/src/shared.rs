//! Options that several commands share.

use std::path::{Path, PathBuf};

use clap::Args;
use scoresheet::chess_store::Encoding;
use scoresheet::columns::SortKey;
use scoresheet::{CreateOptions, Format, OpenOptions};

use crate::Error;
use crate::values::{FormatName, encoding, setting, size, whole};
use crate::waiting::Waiting;

/// How bases are read
#[derive(Debug, Args)]
pub struct Reading {
    /// Encoding of the texts: utf-8, windows-1252, cp437, atarist, ...
    #[arg(long, value_name = "LABEL", value_parser = encoding, help_heading = "Reading")]
    pub encoding: Option<Encoding>,
    /// Option of the format that is read; `formats NAME` lists them
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = setting,
        help_heading = "Reading")]
    pub settings: Vec<(String, String)>,
    /// Most bytes to unpack: 500M, 4G [default: 64M + 200 times the file]
    #[arg(long, value_name = "SIZE", value_parser = size, help_heading = "Reading")]
    pub max_unpacked: Option<u64>,
    /// Password of an encrypted archive (.cbz)
    #[arg(long, value_name = "TEXT", help_heading = "Reading")]
    pub password: Option<String>,
}

impl Reading {
    pub fn options(&self) -> OpenOptions {
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

/// How the games of a text are found
#[derive(Debug, Args)]
pub struct Finding {
    /// Search a text by an index in FILE.sidx; write it if it is missing or stale
    #[arg(long)]
    pub index: bool,
}

/// How a base is written
#[derive(Debug, Args)]
#[command(next_help_heading = "Writing")]
pub struct Writing {
    /// Format of the output, if not by extension
    #[arg(long, value_name = "FORMAT", value_parser = FormatName::Writable)]
    pub to: Option<&'static Format>,
    /// Replace an existing output
    #[arg(long, short)]
    pub force: bool,
    /// Write PGN exactly as its standard says, for strict programs
    #[arg(long)]
    pub export_format: bool,
    /// Stop at the first deviation, damage or loss, and write nothing
    #[arg(long)]
    pub strict: bool,
    /// Encoding of the texts written, where the format has a choice
    #[arg(long, value_name = "LABEL", value_parser = encoding)]
    pub to_encoding: Option<Encoding>,
    /// Option of the format that is written; `formats NAME` lists them
    #[arg(long = "to-option", value_name = "NAME=VALUE", value_parser = setting)]
    pub to_settings: Vec<(String, String)>,
    /// Write each damage and loss to FILE, as JSON lines
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = whole::<u16>(1..=65_535))]
    pub threads: Option<u16>,
    #[command(flatten)]
    pub waiting: Waiting,
}

impl Writing {
    /// Returns the options for creating a base of `format`.
    pub fn options(&self, format: &Format) -> CreateOptions {
        let mut options = CreateOptions::default();
        options.encoding = self.to_encoding;
        let has_threads = format.create_options.iter().any(|option| option.name == "threads");
        if let Some(threads) = self.threads.filter(|_| has_threads) {
            options.settings.set("threads", threads.to_string());
        }
        if self.export_format {
            options.settings.set("export", "yes");
        }
        for (name, value) in &self.to_settings {
            options.settings.set(name, value);
        }
        options
    }
}

/// In which order, and how many
#[derive(Debug, Args)]
#[command(next_help_heading = "Order")]
pub struct Order {
    /// Sort by these columns; - before a column reverses its order: date,-elo
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',', value_parser = SortKey::parse,
        allow_hyphen_values = true)]
    pub sort: Vec<SortKey>,
    /// Take at most N games
    #[arg(long, value_name = "N", value_parser = whole::<u64>(0..=u64::MAX))]
    pub limit: Option<u64>,
    #[command(flatten)]
    pub sampling: Sampling,
}

// No heading: the options stand under the heading of the options around them.
/// A random part of the chosen games
#[derive(Clone, Copy, Debug, Default, Args)]
pub struct Sampling {
    /// Take N of the chosen games at random
    #[arg(long, value_name = "N", value_parser = whole::<u64>(0..=u64::MAX))]
    pub sample: Option<u64>,
    /// Seed of --sample: the same seed takes the same games
    #[arg(long, value_name = "S", default_value = "0", requires = "sample",
        value_parser = whole::<u64>(0..=u64::MAX))]
    pub seed: u64,
}

/// Options of a command that cannot work on a sample. They are accepted for a message that says why.
#[derive(Clone, Copy, Debug, Args)]
pub struct NoSampling {
    /// Not taken by this command
    #[arg(long, value_name = "N", hide = true)]
    sample: Option<u64>,
    /// Not taken by this command
    #[arg(long, value_name = "S", hide = true)]
    seed: Option<u64>,
}

impl NoSampling {
    /// Refuses `--sample` and `--seed` for the reason `why`.
    pub fn check(self, why: &str) -> Result<(), Error> {
        match (self.sample, self.seed) {
            (None, None) => Ok(()),
            (Some(_), _) => Err(Error::Usage(format!("--sample: {why}"))),
            (None, Some(_)) => Err(Error::Usage(format!("--seed: {why}"))),
        }
    }
}

/// Bases to read, and one to write
#[derive(Debug, Args)]
pub struct InputsAndOutput {
    /// Bases to read, as files, folders or patterns, then the base to write; - is standard input or
    /// output
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Base to write; then all FILEs are read
    #[arg(long, short, value_name = "OUT")]
    output: Option<PathBuf>,
}

impl InputsAndOutput {
    /// Returns the inputs if nothing is written. The last of several files is taken for the output,
    /// and left out, if it does not exist.
    pub fn inputs(&self) -> &[PathBuf] {
        match (&self.output, self.files.split_last()) {
            (None, Some((last, inputs))) if !inputs.is_empty() && !last.exists() => inputs,
            _ => &self.files,
        }
    }

    /// Returns the inputs and the output.
    pub fn split(&self) -> Result<(&[PathBuf], &Path), Error> {
        match (&self.output, self.files.split_last()) {
            (Some(output), _) => Ok((&self.files, output)),
            (None, Some((output, inputs))) if !inputs.is_empty() => Ok((inputs, output)),
            _ => Err(Error::Usage("name the base to read and the base to write: IN... OUT".into())),
        }
    }
}

/// How a report is shown
#[derive(Debug, Args)]
pub struct Showing {
    /// Show at most N rows of each list [default: 10; all with --json and --csv]
    #[arg(long, value_name = "N", value_parser = whole::<usize>(0..=u64::MAX))]
    pub limit: Option<usize>,
    /// Print one JSON object
    #[arg(long, conflicts_with_all = ["csv", "html"])]
    pub json: bool,
    /// Print comma-separated values, with a line of names
    #[arg(long, conflicts_with = "html")]
    pub csv: bool,
    /// Print a page for browsers and printers, with pictures
    #[arg(long)]
    pub html: bool,
}

impl Showing {
    /// Returns the most rows of a list.
    pub fn most(&self) -> usize {
        let usual = if self.json || self.csv { usize::MAX } else { 10 };
        self.limit.unwrap_or(usual)
    }
}
