//! A wrong command line, and what was perhaps meant.

use std::env;
use std::path::Path;

use clap::Error;
use clap::error::ErrorKind;

use crate::exit::say;

/// Prints the error, or the help asked for, and ends the program.
pub(crate) fn exit(error: &Error) -> ! {
    let first = env::args_os().skip(1).find(|word| !word.to_string_lossy().starts_with('-'));
    if let (ErrorKind::InvalidSubcommand, Some(word)) = (error.kind(), first)
        && Path::new(&word).exists()
    {
        let name = word.to_string_lossy();
        say(format_args!(
            "scoresheet: {name} is a file; say what to do with it, as\n  \
             scoresheet info {name}\n  scoresheet list {name}\n  scoresheet --help"
        ));
        std::process::exit(2);
    }
    error.exit()
}
