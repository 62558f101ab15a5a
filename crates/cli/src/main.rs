//! The `scoresheet` program. Everything is in the library, [`scoresheet_cli::run`].

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(scoresheet_cli::run(std::env::args_os()))
}
