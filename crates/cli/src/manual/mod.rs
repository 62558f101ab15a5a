//! `scoresheet completions` and `scoresheet man`, which packagers need and a first build lacks.

#[cfg(feature = "manual")]
mod render;

use clap::ValueEnum;

#[cfg(feature = "manual")]
pub(crate) use render::{completions, page};

#[cfg(not(feature = "manual"))]
use crate::exit::{Done, Failure};

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Shell {
    Bash,
    Elvish,
    Fish,
    Powershell,
    Zsh,
}

#[cfg(not(feature = "manual"))]
pub(crate) fn completions(_: Shell) -> Result<Done, Failure> {
    Err(Failure::Failed(LACKING.to_owned()))
}

#[cfg(not(feature = "manual"))]
pub(crate) fn page() -> Result<Done, Failure> {
    Err(Failure::Failed(LACKING.to_owned()))
}

#[cfg(not(feature = "manual"))]
const LACKING: &str = "this build has no manual page and no completions; build it with \
                       `--features manual`; `scoresheet --help` lists the commands";
