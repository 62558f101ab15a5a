//! `scoresheet completions` and `scoresheet man`, which packagers need and a first build lacks.

#[cfg(not(feature = "manual"))]
use std::io;

#[cfg(feature = "manual")]
mod render;

use clap::ValueEnum;

#[cfg(feature = "manual")]
pub use render::{completions, page};

/// A shell with completions.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Shell {
    Bash,
    Elvish,
    Fish,
    Powershell,
    Zsh,
}

/// Writes the completions of a shell.
///
/// # Errors
/// This build has none.
#[cfg(not(feature = "manual"))]
pub fn completions(_: Shell, _: &mut dyn io::Write) -> io::Result<()> {
    Err(io::Error::new(io::ErrorKind::Unsupported, LACKING))
}

/// Writes the manual page.
///
/// # Errors
/// This build has none.
#[cfg(not(feature = "manual"))]
pub fn page(_: &mut dyn io::Write) -> io::Result<()> {
    Err(io::Error::new(io::ErrorKind::Unsupported, LACKING))
}

#[cfg(not(feature = "manual"))]
const LACKING: &str = "this build has no manual page and no completions; build it with \
                       `--features manual`; `scoresheet --help` lists the commands";
