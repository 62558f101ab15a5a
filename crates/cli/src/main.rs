//! The `scoresheet` program: chess databases read, written and converted.

mod args;
mod convert;
mod exit;
mod info;
mod output;
mod progress;

use std::process::ExitCode;

use clap::Parser;

use args::{Arguments, Command};

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let done = match &arguments.command {
        Command::Convert(convert) => convert::run(convert),
        Command::Info(info) => info::run(info),
    };
    exit::code(done)
}
