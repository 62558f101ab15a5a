//! Commands that the tasks run.

use std::process::Command;

use testkit::workspace_root;

use crate::Failure;

/// Prints a command and runs it in the root of the project.
pub(crate) fn run_command(command: &mut Command) -> Result<(), Failure> {
    let words: Vec<_> = command.get_args().map(|word| word.to_string_lossy()).collect();
    let program = std::path::Path::new(command.get_program()).file_stem().unwrap_or_default();
    let line = format!("{} {}", program.to_string_lossy(), words.join(" "));
    eprintln!("--- {line}");
    let status = command.current_dir(workspace_root()).status();
    match status.map_err(|error| format!("{line}: {error}"))? {
        status if status.success() => Ok(()),
        status => Err(format!("{line}: {status}").into()),
    }
}
